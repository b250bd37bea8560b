package host

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
)

// tailBytes is how much of an engine's stderr is kept.
const tailBytes = 8 << 10

// tail keeps the last bytes written to it, and the line that a crash began with,
// which a dump of all goroutines drives far out of them.
type tail struct {
	mu    sync.Mutex
	kept  []byte
	crash string
}

// Write implements io.Writer; it never fails. Lines come in one write each.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.crash == "" && isCrash(string(p[:min(len(p), maxWords)])) {
		t.crash = strings.TrimSpace(string(p[:min(len(p), maxWords)]))
	}
	t.kept = append(t.kept, p...)
	if excess := len(t.kept) - tailBytes; excess > 0 {
		t.kept = append(t.kept[:0], t.kept[excess:]...)
	}
	return len(p), nil
}

// String returns what is kept, the crash's first line before it where it is not
// in it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := string(bytes.ToValidUTF8(t.kept, []byte("?")))
	if t.crash != "" && !strings.Contains(kept, t.crash) {
		return t.crash + "\n...\n" + kept
	}
	return kept
}

// isCrash tells whether a line is how Go's runtime begins its last words.
func isCrash(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "SIG")
}

// maxWords bounds what of an engine's stderr goes into an error's line.
const maxWords = 300

// lastWords returns the line of an engine's stderr that says most about its end:
// the first of a panic or fatal error, else the last that is a warning or an
// error or no log line at all.
func lastWords(stderr string) string {
	last := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if isCrash(line) {
			last = line
			break
		}
		if words := logWords(line); words != "" {
			last = words
		}
	}
	if len(last) > maxWords {
		last = strings.ToValidUTF8(last[:maxWords], "") + "..."
	}
	return last
}

// logWords returns what a line of stderr says, nothing for lines of no concern.
func logWords(line string) string {
	var entry struct {
		Level   string `json:"@level"`
		Message string `json:"@message"`
		Error   string `json:"error"`
	}
	if json.Unmarshal([]byte(line), &entry) != nil {
		return line
	}
	switch {
	case entry.Level != "warn" && entry.Level != "error":
		return ""
	case entry.Error != "":
		return entry.Message + ": " + entry.Error
	}
	return entry.Message
}
