package circuit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/sealwright/sealwright/sdk"
)

// checkpointEvery is how many rows lie between checkpoints.
const checkpointEvery = 1_000_000

// Digest computes a circuit's digest and counts as the reference publishes them:
// SHA-256 over all rows in order, of each the terms of A, B, C, each matrix as
// the number of terms (32 bits, little-endian) and the terms by ascending
// variable, inputs first, each as a kind byte, a 32-bit little-endian index and
// the canonical coefficient in 32 little-endian bytes. checkpoints[i] is the
// digest up to row (i+1)·1,000,000.
//
// It needs memory for the templates in that form (about 100 MB for 32 GiB) and
// two bits a variable, and two cores: one expands rows, one hashes.
func Digest(ctx context.Context, c *sdk.Circuit) (*DigestReport, error) {
	report := &DigestReport{CheckpointEvery: checkpointEvery, Checkpoints: []string{}}
	report.countTerms(c)
	report.Density = densities(c)
	report.fill(c)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newStream()
	failed := make(chan error, 1)
	go func() {
		defer close(s.full)
		failed <- s.expand(ctx, c)
	}()
	h := rowHash{Hash: sha256.New(), report: report}
	for b := range s.full {
		h.add(b)
		s.empty <- b
	}
	if err := <-failed; err != nil {
		return nil, err
	}
	report.SHA256 = h.hex()
	return report, nil
}

// rowHash hashes blocks of rows and takes checkpoints.
type rowHash struct {
	hash.Hash
	report *DigestReport
}

func (h *rowHash) hex() string { return hex.EncodeToString(h.Sum(nil)) }

func (h *rowHash) add(b *rowBlock) {
	done := 0
	for _, end := range b.checkpoints {
		h.Write(b.data[done:end])
		h.report.Checkpoints = append(h.report.Checkpoints, h.hex())
		done = end
	}
	h.Write(b.data[done:])
	h.report.BytesHashed += int64(len(b.data))
}

// stream carries blocks of rows from the goroutine that expands them to the one
// that hashes them, and back for reuse.
type stream struct {
	full, empty chan *rowBlock
}

// rowBlock is a run of rows and where in it checkpoints fall.
type rowBlock struct {
	data        []byte
	checkpoints []int
}

// blockBytes is when a block is handed on; blocks is how many there are.
const (
	blockBytes = 512 << 10
	blocks     = 4
)

func newStream() *stream {
	s := &stream{full: make(chan *rowBlock, blocks), empty: make(chan *rowBlock, blocks)}
	for range blocks {
		s.empty <- &rowBlock{data: make([]byte, 0, blockBytes+2*pieceBytes)}
	}
	return s
}

// expand sends all rows. Every block comes back to empty in the end.
func (s *stream) expand(ctx context.Context, c *sdk.Circuit) error {
	known := newLayouts(c)
	var at ports
	row := 0
	b := <-s.empty
	for i := range c.Instances {
		in := &c.Instances[i]
		at.of(c, in, wiresOf(c, in))
		l, err := known.get(in, &at)
		if err != nil {
			return err
		}
		for j := range l.pieces {
			p := &l.pieces[j]
			if next := checkpointEvery - row%checkpointEvery; next <= p.endRow-p.firstRow {
				start, _ := l.bounds(p)
				end := int(l.ends[p.firstRow+next-1])
				b.checkpoints = append(b.checkpoints, len(b.data)+end-start)
			}
			row += p.endRow - p.firstRow
			b.data = l.appendPiece(b.data, p, &at)
			if len(b.data) < blockBytes {
				continue
			}
			s.full <- b
			if b, err = s.next(ctx); err != nil {
				return err
			}
		}
	}
	s.full <- b
	return nil
}

// next waits for an empty block.
func (s *stream) next(ctx context.Context) (*rowBlock, error) {
	select {
	case b := <-s.empty:
		b.data, b.checkpoints = b.data[:0], b.checkpoints[:0]
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
