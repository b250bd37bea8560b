package main

import (
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/cuzkpb"
	"github.com/sealwright/sealwright/host/daemon"
)

// maxInput is the largest input that is read: a miner's message at most.
const maxInput = 256 << 20

// readInput reads a file of at most maxInput bytes. A file that cannot be read is
// the environment's fault, one that is empty or too large the input's.
func readInput(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, environment(fmt.Errorf("read input: %w", err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	switch {
	case err != nil:
		return nil, environment(fmt.Errorf("read input: %w", err))
	case len(data) == 0:
		return nil, invalid(fmt.Errorf("read %s: the file is empty", path))
	case len(data) > maxInput:
		return nil, invalid(fmt.Errorf("read %s: found more than %d bytes, want at most so many", path, maxInput))
	}
	return data, nil
}

// parseRequest reads a cuzk.v1 SubmitProofRequest as protobuf JSON.
func parseRequest(data []byte) (*host.Request, error) {
	var m cuzkpb.SubmitProofRequest
	if err := protojson.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	return daemon.RequestOf(&m)
}
