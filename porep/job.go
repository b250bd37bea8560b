package porep

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// Job is a request that was read and checked. It is read-only and safe for
// concurrent use.
type Job struct {
	kind       Kind
	registered uint64
	shape      registry.Shape
	parts      [][]byte
	identified bool
	work       work
}

// work is what kinds differ in. Partitions exist.
type work interface {
	partitions() int
	inputs(partition int) ([]fr.Element, error)
	secrets(partition int) (*circuit.Secrets, error)
}

// Kind returns what is proved.
func (j *Job) Kind() Kind { return j.kind }

// RegisteredProof returns go-state-types' number, of the kind's own enum.
func (j *Job) RegisteredProof() uint64 { return j.registered }

// Shape returns the shape of the job's circuit.
func (j *Job) Shape() registry.Shape { return j.shape }

// CircuitID returns the job's circuit.
func (j *Job) CircuitID() string { return j.shape.CircuitID }

// Partitions returns how many partitions are proved.
func (j *Job) Partitions() int { return j.work.partitions() }

// IdentityChecked tells whether a PoRep's replica_id was recomputed from its
// prover and sector.
func (j *Job) IdentityChecked() bool { return j.identified }

// Parts returns the job's input as it goes to an engine, and as Parse takes it: a
// PoRep's bare C1 output; a PoSt's randomness, then a vanilla proof a sector. They
// are, where there was no envelope, the bytes that the job was read from.
func (j *Job) Parts() [][]byte { return j.parts }

// PublicInputs returns a partition's public inputs, without the constant one that
// a circuit puts in front.
func (j *Job) PublicInputs(partition int) ([]fr.Element, error) {
	if err := j.check(partition); err != nil {
		return nil, err
	}
	return j.work.inputs(partition)
}

// AllPublicInputs returns the public inputs of all partitions in order.
func (j *Job) AllPublicInputs() ([][]fr.Element, error) {
	all := make([][]fr.Element, j.Partitions())
	for k := range all {
		var err error
		if all[k], err = j.PublicInputs(k); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Secrets returns what a partition's witness is computed from.
func (j *Job) Secrets(partition int) (*circuit.Secrets, error) {
	if err := j.check(partition); err != nil {
		return nil, err
	}
	return j.work.secrets(partition)
}

// Witness computes a partition's witness with the job's compiled circuit. Its
// memory comes from bufs and is the caller's to Release.
func (j *Job) Witness(ctx context.Context, p *circuit.Program, partition int, bufs sdk.Buffers) (*circuit.Witness, error) {
	if id := p.Circuit.ID; id != j.CircuitID() {
		return nil, fmt.Errorf("compute witness: found circuit %s, expected %s", id, j.CircuitID())
	}
	secrets, err := j.Secrets(partition)
	if err != nil {
		return nil, err
	}
	return p.Witness(ctx, secrets, bufs)
}

func (j *Job) check(partition int) error {
	if n := j.Partitions(); partition < 0 || partition >= n {
		return fmt.Errorf("take partition %d: the job has %d", partition, n)
	}
	return nil
}
