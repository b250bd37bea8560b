package plugin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// Bounds of a job's input. The largest real one is a 64 GiB sector's C1 output,
// about 110 MB.
const (
	maxParts     = 4096
	maxPartBytes = 1 << 30
)

// input is a job's parts as they were received and found whole. It is counted in
// the budget until release.
type input struct {
	parts   [][]byte
	buffers []*sdk.Buffer
	owner   sdk.Buffers
	unhold  func()
}

// receiveInput takes all parts of a job. It waits for memory, which holds the
// sender back.
func (e *engine) receiveInput(ctx context.Context, h *enginepb.Header, need int64, recv func() (*enginepb.ProveRequest, error)) (*input, error) {
	total, err := checkParts(h.GetParts())
	if err != nil {
		return nil, err
	}
	in := &input{owner: e.tracker}
	if in.unhold, err = e.pipeline.Hold(ctx, pipeline.InputBytes(total), need); err != nil {
		return nil, fmt.Errorf("take input: %w", err)
	}
	if err := in.receive(h.GetParts(), e.tracker, recv); err != nil {
		in.release()
		return nil, err
	}
	return in, nil
}

func checkParts(parts []*enginepb.Part) (total int64, err error) {
	if n := len(parts); n == 0 || n > maxParts {
		return 0, fmt.Errorf("take input: %w: %d parts, expected 1 to %d", sdk.ErrInvalidInput, n, maxParts)
	}
	for i, p := range parts {
		if p.GetSize() > maxPartBytes {
			return 0, fmt.Errorf("take input: %w: part %d of %d bytes, expected at most %d", sdk.ErrInvalidInput, i, p.GetSize(), maxPartBytes)
		}
		if n := len(p.GetSha256()); n != sha256.Size {
			return 0, fmt.Errorf("take input: %w: digest of part %d has %d bytes, expected %d", sdk.ErrInvalidInput, i, n, sha256.Size)
		}
		total += int64(p.GetSize())
	}
	return total, nil
}

// receive fills the parts in order.
func (in *input) receive(parts []*enginepb.Part, buffers sdk.Buffers, recv func() (*enginepb.ProveRequest, error)) error {
	for i, p := range parts {
		b, err := buffers.Get(sdk.BufferInput, int64(p.GetSize()))
		if err != nil {
			return fmt.Errorf("take input: %w", err)
		}
		in.buffers = append(in.buffers, b)
		in.parts = append(in.parts, b.Data)
		sum := sha256.New()
		if err := receivePart(i, b.Data, sum, recv); err != nil {
			return err
		}
		if subtle.ConstantTimeCompare(sum.Sum(nil), p.GetSha256()) != 1 {
			return fmt.Errorf("take input: %w: SHA-256 of part %d is %x, expected %x",
				sdk.ErrInvalidInput, i, sum.Sum(nil), p.GetSha256())
		}
	}
	return nil
}

func receivePart(number int, data []byte, sum hash.Hash, recv func() (*enginepb.ProveRequest, error)) error {
	for len(data) > 0 {
		m, err := recv()
		switch {
		case errors.Is(err, io.EOF):
			return fmt.Errorf("take input: %w: it ends %d bytes before the end of part %d", sdk.ErrInvalidInput, len(data), number)
		case err != nil:
			return err
		case m.GetCancel() != nil:
			return context.Canceled
		case m.GetChunk() == nil:
			return fmt.Errorf("take input: %w: expected a chunk of part %d, found another message", sdk.ErrInvalidInput, number)
		}
		chunk := m.GetChunk()
		if int(chunk.GetPart()) != number || len(chunk.GetData()) == 0 || len(chunk.GetData()) > len(data) {
			return fmt.Errorf("take input: %w: a chunk of %d bytes of part %d, expected 1 to %d of part %d",
				sdk.ErrInvalidInput, len(chunk.GetData()), chunk.GetPart(), len(data), number)
		}
		sum.Write(chunk.GetData())
		data = data[copy(data, chunk.GetData()):]
	}
	return nil
}

// release gives the input's memory back. The parts are not used after.
func (in *input) release() {
	for _, b := range in.buffers {
		in.owner.Release(b)
	}
	in.buffers, in.parts = nil, nil
	in.unhold()
}
