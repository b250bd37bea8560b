package plugin

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// partition is one partition of a job on its way through the pipeline.
type partition struct {
	job      *job
	number   int
	blinding *groth16.Blinding // nil: drawn when it is needed
	need     pipeline.Need     // as it was reserved
	took     pipeline.Need     // in synthesis, and when it was over
	meter    *pipeline.Meter   // over the engine's buffers

	witness *circuit.Witness
	rows    *groth16.Assignment
	sums    *groth16.Sums
	report  *groth16.Report
	proof   []byte
}

var _ pipeline.Task = (*partition)(nil)

// setBlinding takes fixed blinding, where the engine was told to honour it.
func (p *partition) setBlinding(b *enginepb.FixedBlinding) error {
	if b == nil {
		return nil
	}
	if !p.job.engine.insecureTest {
		return precondition(fmt.Errorf("assign: fixed blinding is honoured by an insecure test engine alone"))
	}
	r, err := scalar(b.GetR())
	if err != nil {
		return fmt.Errorf("assign: blinding r: %w", err)
	}
	s, err := scalar(b.GetS())
	if err != nil {
		return fmt.Errorf("assign: blinding s: %w", err)
	}
	p.blinding = &groth16.Blinding{R: r, S: s}
	return nil
}

// scalar reads a canonical little-endian element of Fr.
func scalar(data []byte) (fr.Element, error) {
	if len(data) != fr.Bytes {
		return fr.Element{}, fmt.Errorf("%w: %d bytes, expected %d", sdk.ErrInvalidInput, len(data), fr.Bytes)
	}
	e, err := fr.LittleEndian.Element((*[fr.Bytes]byte)(data))
	if err != nil {
		return fr.Element{}, fmt.Errorf("%w: %w", sdk.ErrInvalidInput, err)
	}
	return e, nil
}

// Synthesize implements pipeline.Task: it makes the witness and evaluates the
// rows of A and B on it.
func (p *partition) Synthesize(ctx context.Context, _ *pipeline.Reservation) error {
	k := p.job.key
	var err error
	if p.witness, err = p.job.work.Witness(ctx, k.program, p.number, p.meter); err != nil {
		return err
	}
	p.rows, err = k.layout.Assign(ctx, &p.witness.Witness, p.meter)
	p.took.Device, p.took.Synthesis = p.meter.Use()
	return err
}

// Compute implements pipeline.Task: the quotient and the sums.
func (p *partition) Compute(ctx context.Context, _ *pipeline.Reservation) (err error) {
	k, e := p.job.key, p.job.engine
	rows := p.rows
	p.rows = nil // Prove gives them back on every path
	p.sums, p.report, err = k.layout.Prove(ctx, e.device, k.file.Key(), &p.witness.Witness, rows, p.meter)
	p.releaseWitness()
	return err
}

// Finish implements pipeline.Task: blinding and assembly.
func (p *partition) Finish(context.Context) error {
	if p.blinding == nil {
		drawn, err := groth16.RandomBlinding()
		if err != nil {
			return err
		}
		p.blinding = &drawn
	}
	encoded := groth16.Finish(p.sums, p.job.key.file.Key().VK, *p.blinding).Bytes()
	p.proof = encoded[:]
	return nil
}

// Close implements pipeline.Task.
func (p *partition) Close() {
	if p.rows != nil {
		p.rows.Release()
		p.rows = nil
	}
	p.releaseWitness()
	p.blinding = nil // never twice
}

func (p *partition) releaseWitness() {
	if p.witness != nil {
		p.witness.Release()
		p.witness = nil
	}
}

func (p *partition) ops() []*enginepb.Op {
	var ops []*enginepb.Op
	for _, op := range p.report.Ops {
		place := op.Where
		if place == groth16.OnDevice {
			place = p.job.engine.info.ID
		}
		ops = append(ops, &enginepb.Op{Name: op.Name, Place: place, Size: uint64(op.Size), Ns: op.Duration.Nanoseconds()})
	}
	return ops
}
