package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/synth"
)

// benchInputs are the inputs of a bench. C1 outputs lie in files until their turn
// comes, since one may have over a hundred megabytes.
type benchInputs struct {
	circuit string
	largest int64  // bytes of the largest input
	dir     string // of the files; empty: there are none
	next    func(i int) (*host.Request, error)
}

func (a *app) makeBenchInputs(ctx context.Context, cmd *cli.Command, count int) (*benchInputs, error) {
	switch {
	case cmd.String("c1") != "":
		return sameC1(ctx, cmd.String("c1"))
	case cmd.String("kind") == "wpost-2k":
		return madeUpWindowPoSts(ctx, count)
	case cmd.String("kind") != "":
		return nil, usage("bench: --kind: found %q, want wpost-2k", cmd.String("kind"))
	}
	size, err := parseSectorSize(cmd.String("sector-size"))
	if err != nil {
		return nil, err
	}
	t := a.tracker()
	t.begin(fmt.Sprintf("make up %d C1 outputs", count))
	in, err := madeUpC1s(ctx, size, count, func(done int) { t.at(int64(done), int64(count)) })
	if err != nil {
		t.abandon()
		return nil, err
	}
	t.end()
	return in, nil
}

// sameC1 proves one C1 output every time.
func sameC1(ctx context.Context, path string) (*benchInputs, error) {
	data, err := readInput(path)
	if err != nil {
		return nil, err
	}
	job, err := porep.ParsePoRepClaims(ctx, data, porep.Claims{})
	if err != nil {
		return nil, invalid(fmt.Errorf("read %s: %w", path, err))
	}
	return &benchInputs{
		circuit: job.CircuitID(), largest: int64(len(data)),
		next: func(int) (*host.Request, error) { return &host.Request{Kind: host.PoRep, C1: data}, nil },
	}, nil
}

func madeUpWindowPoSts(ctx context.Context, count int) (*benchInputs, error) {
	in := new(benchInputs)
	requests := make([]host.Request, count)
	for i := range requests {
		post, err := synth.NewWindowPoSt(ctx, benchName(i))
		if err != nil {
			return nil, fmt.Errorf("make up a WindowPoSt: %w", err)
		}
		number := post.Proof.Number
		requests[i] = host.Request{
			Kind: host.WindowPoSt, RegisteredProof: &number, Randomness: post.Randomness[:], VanillaProofs: vanillaProofs(post),
		}
		var bytes int64
		for _, p := range requests[i].VanillaProofs {
			bytes += int64(len(p))
		}
		in.circuit, in.largest = post.Proof.Shape.CircuitID, max(in.largest, bytes)
	}
	in.next = func(i int) (*host.Request, error) {
		r := requests[i]
		return &r, nil
	}
	return in, nil
}

// madeUpC1s writes C1 outputs into a folder of its own.
func madeUpC1s(ctx context.Context, size uint64, count int, progress func(done int)) (_ *benchInputs, err error) {
	in := new(benchInputs)
	if in.dir, err = os.MkdirTemp("", "sealwright-bench-"); err != nil {
		return nil, environment(fmt.Errorf("make a folder for inputs: %w", err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.remove())
		}
	}()
	requests := make([]host.Request, count)
	for i := range requests {
		if requests[i], err = in.makeUpC1(ctx, size, i); err != nil {
			return nil, err
		}
		progress(i + 1)
	}
	in.next = func(i int) (*host.Request, error) {
		r := requests[i]
		var err error
		r.C1, err = readInput(in.path(i))
		return &r, err
	}
	return in, nil
}

// makeUpC1 writes C1 output i and returns its request without it.
func (in *benchInputs) makeUpC1(ctx context.Context, size uint64, i int) (host.Request, error) {
	s, err := synth.New(ctx, synth.Options{SectorSize: size, Name: benchName(i)})
	if err != nil {
		return host.Request{}, fmt.Errorf("make up a sector: %w", err)
	}
	out, err := createOut(in.path(i))
	if err != nil {
		return host.Request{}, err
	}
	defer out.discard()
	if err := out.commit(func(w io.Writer) error { return s.WriteC1(ctx, w) }); err != nil {
		return host.Request{}, err
	}
	info, err := os.Stat(out.path)
	if err != nil {
		return host.Request{}, environment(fmt.Errorf("make up a C1 output: %w", err))
	}
	in.circuit, in.largest = s.Seal.Shape.CircuitID, max(in.largest, info.Size())
	return host.Request{Kind: host.PoRep, ProverID: &s.ProverID, Sector: &s.SectorID}, nil
}

func benchName(i int) string { return fmt.Sprintf("bench-%d", i) }

func (in *benchInputs) path(i int) string { return filepath.Join(in.dir, fmt.Sprintf("c1-%d.json", i)) }

// remove removes the inputs' files.
func (in *benchInputs) remove() error {
	if in.dir == "" {
		return nil
	}
	if err := os.RemoveAll(in.dir); err != nil {
		return environment(fmt.Errorf("remove inputs: %w", err))
	}
	return nil
}

func compileCircuit(ctx context.Context, id string) (*circuit.Program, error) {
	program, err := circuit.Compile(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("compile circuit: %w", err)
	}
	return program, nil
}
