package host

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// maxHandshake bounds the line that an engine begins with.
const maxHandshake = 4 << 10

// outputPipe is an engine's stdout or stderr, read here. Its end comes at the
// latest with close, also where a grandchild still holds it open. Of stdout only
// the first line, the handshake, is handed on; what follows is swallowed, so that
// an engine that prints never blocks.
type outputPipe struct {
	file      *os.File
	firstLine bool

	mu     sync.Mutex
	head   []byte // of the first line
	passed bool   // the first line is handed on
}

func newOutputPipe(firstLine bool) (*outputPipe, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("make pipe: %w", err)
	}
	return &outputPipe{file: r, firstLine: firstLine}, w, nil
}

// Read implements io.Reader; any end of the pipe is io.EOF.
func (p *outputPipe) Read(b []byte) (int, error) {
	for {
		n, err := p.file.Read(b)
		if p.firstLine {
			n = p.keepFirstLine(b[:n])
		}
		if n > 0 {
			return n, nil
		}
		if err != nil {
			return 0, io.EOF
		}
	}
}

// keepFirstLine returns how many of the bytes just read belong to the first line.
func (p *outputPipe) keepFirstLine(b []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.passed {
		return 0
	}
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		p.passed = true
		b = b[:end+1]
	}
	if room := maxHandshake - len(p.head); len(b) > room {
		p.passed = true
		b = b[:room]
	}
	p.head = append(p.head, b...)
	return len(b)
}

// first returns the first line, as far as it was read.
func (p *outputPipe) first() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(bytes.TrimSpace(p.head))
}

// Close implements io.Closer.
func (p *outputPipe) Close() error {
	p.close()
	return nil
}

func (p *outputPipe) close() { _ = p.file.Close() }
