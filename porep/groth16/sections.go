package groth16

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// setupBlock is how many points are computed and written at a time: 200 MiB of
// scalars, points and bytes in G1, and half as many points in G2.
const setupBlock = 1 << 20

// scalarSource fills in the next scalars of a section, at most len(out), and
// returns how many; 0 at the end.
type scalarSource func(out []fr.Element) int

type setupSection struct {
	name   string
	group  sdk.Group
	count  int
	source scalarSource
}

func (s *setup) sections() []setupSection {
	inputs := s.counts.IC
	return []setupSection{
		{"h", sdk.GroupG1, s.counts.H, s.powers()},
		{"l", sdk.GroupG1, s.counts.L, s.private()},
		{"a", sdk.GroupG1, s.counts.A, nonZero(s.polys.a, inputs)},
		{"b_g1", sdk.GroupG1, s.counts.B, nonZero(s.polys.b, 0)},
		{"b_g2", sdk.GroupG2, s.counts.B, nonZero(s.polys.b, 0)},
	}
}

// powers yields τ^i·(τ^n - 1)/δ for h.
func (s *setup) powers() scalarSource {
	t := &s.cfg.Trapdoor
	next := vanishing(&t.Tau, s.counts.H+1)
	next.Div(&next, &t.Delta)
	return func(out []fr.Element) int {
		for i := range out {
			out[i] = next
			next.Mul(&next, &t.Tau)
		}
		return len(out)
	}
}

// private yields l: the combination of every aux variable over δ.
func (s *setup) private() scalarSource {
	at := s.counts.IC
	return func(out []fr.Element) int {
		n := min(len(out), len(s.polys.a)-at)
		s.combination(s.cfg.Trapdoor.Delta, out[:n], at)
		at += n
		return n
	}
}

// nonZero yields the first keep values, then those of the others that are not
// zero.
func nonZero(values []fr.Element, keep int) scalarSource {
	at := 0
	return func(out []fr.Element) int {
		n := 0
		for ; at < len(values) && n < len(out); at++ {
			if at < keep || !values[at].IsZero() {
				out[n] = values[at]
				n++
			}
		}
		return n
	}
}

// writeSections writes all sections and returns their points' digests.
func (s *setup) writeSections(ctx context.Context, w io.Writer) (map[string][32]byte, error) {
	p, err := newPointWriter(s.cfg, w)
	if err != nil {
		return nil, err
	}
	defer p.release()
	sections := s.sections()
	for _, section := range sections {
		p.total += int64(section.count)
	}
	sums := make(map[string][32]byte, len(sections))
	for _, section := range sections {
		sum, err := p.write(ctx, section)
		if err != nil {
			return nil, fmt.Errorf("write section %s: %w", section.name, err)
		}
		sums[section.name] = sum
	}
	return sums, nil
}

// pointWriter turns scalars into points and writes them.
type pointWriter struct {
	cfg         SetupConfig
	out         io.Writer
	g1          sdk.G1
	g2          sdk.G2
	scalars     *sdk.Buffer
	points      *sdk.Buffer
	encoded     *sdk.Buffer
	done, total int64
}

func newPointWriter(cfg SetupConfig, out io.Writer) (*pointWriter, error) {
	p := &pointWriter{cfg: cfg, out: out}
	_, _, g1, g2 := bls12381.Generators()
	p.g1, p.g2 = toSDK1(&g1), toSDK2(&g2)
	block := min(setupBlock, max(domainSize(cfg.Circuit), 2))
	for _, b := range []struct {
		buffer **sdk.Buffer
		each   int
	}{{&p.scalars, sdk.FrBytes}, {&p.points, sdk.G1Bytes}, {&p.encoded, G1Uncompressed}} {
		var err error
		if *b.buffer, err = cfg.Buffers.Get(sdk.BufferScratch, int64(block*b.each)); err != nil {
			p.release()
			return nil, fmt.Errorf("take a block of points: %w", err)
		}
	}
	return p, nil
}

func (p *pointWriter) release() {
	for _, b := range []*sdk.Buffer{p.scalars, p.points, p.encoded} {
		p.cfg.Buffers.Release(b)
	}
}

// write writes a section: its count, then its points.
func (p *pointWriter) write(ctx context.Context, s setupSection) ([32]byte, error) {
	if _, err := p.out.Write(binary.BigEndian.AppendUint32(nil, uint32(s.count))); err != nil {
		return [32]byte{}, err
	}
	sum := sha256.New()
	out := io.MultiWriter(p.out, sum)
	scalars := p.scalars.Frs()
	if s.group == sdk.GroupG2 {
		scalars = scalars[:len(scalars)/2]
	}
	left := s.count
	for left > 0 {
		run := scalars[:min(len(scalars), left)]
		if n := s.source(elements(run)); n != len(run) {
			return [32]byte{}, fmt.Errorf("expected %d points, found %d fewer: a variable's terms cancel out", s.count, left-n)
		}
		data, err := p.compute(ctx, s.group, run)
		if err != nil {
			return [32]byte{}, err
		}
		if _, err := out.Write(data); err != nil {
			return [32]byte{}, err
		}
		left -= len(run)
		p.done += int64(len(run))
		if p.cfg.Progress != nil {
			p.cfg.Progress(p.done, p.total)
		}
	}
	return [32]byte(sum.Sum(nil)), nil
}

// compute returns the encoded multiples of the group's generator.
func (p *pointWriter) compute(ctx context.Context, group sdk.Group, scalars []sdk.Fr) ([]byte, error) {
	if group == sdk.GroupG2 {
		points := p.points.G2s()[:len(scalars)]
		if err := p.cfg.Device.FixedBaseG2(ctx, p.g2, scalars, points); err != nil {
			return nil, err
		}
		data := p.encoded.Data[:len(points)*G2Uncompressed]
		encodePoints2(data, points)
		return data, nil
	}
	points := p.points.G1s()[:len(scalars)]
	if err := p.cfg.Device.FixedBaseG1(ctx, p.g1, scalars, points); err != nil {
		return nil, err
	}
	data := p.encoded.Data[:len(points)*G1Uncompressed]
	encodePoints1(data, points)
	return data, nil
}
