// Package synth makes up inputs for the prover without sealing a sector: C1
// outputs of every registered size and WindowPoSt requests of 2 KiB sectors.
//
// A C1 output opens only the challenged nodes and their parents, so just that
// part of a sector is made, consistently: labels, columns and trees are real
// wherever the circuit looks, and hashed fillers stand in for the rest. Proofs of
// such inputs verify. They prove nothing: no data is stored, everything follows
// from a name, anybody can make the same. For tests and benchmarks only.
package synth

import (
	"context"
	"encoding/binary"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sealwright/sealwright/porep/graph"
)

// Hash is a node, commitment, seed or id: 32 bytes, as the reference holds them.
// It marshals to JSON as an array of 32 numbers.
type Hash = [32]byte

// hashOf returns the node hash of the concatenation of parts.
func hashOf(parts ...[]byte) Hash {
	var data []byte
	for _, p := range parts {
		data = append(data, p...)
	}
	return graph.NodeHash(data)
}

// be4 returns the 4 bytes of a small number, big-endian.
func be4(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// be8 returns the 8 bytes of a number, big-endian.
func be8(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// each calls f for 0..n-1 on all processors and returns the first error or the
// context's.
func each(ctx context.Context, n int, f func(i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := f(i); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}
