package main

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/registry"
)

// statement is what a proof is held against.
type statement struct {
	shape      registry.Shape
	registered uint64
	inputs     [][]fr.Element // by partition, without the constant one
	replicaID  host.ReplicaID
}

// readStatement reads what the proof is said to prove, from whichever file is
// given.
func readStatement(ctx context.Context, cmd *cli.Command) (*statement, error) {
	inputs := cmd.String("inputs")
	if given := countGiven(cmd, "c1", "inputs", "request"); given != 1 {
		return nil, usage("verify: want --c1, --inputs or --request, one of them")
	}
	if inputs == "" {
		req, err := readRequest(cmd)
		if err != nil {
			return nil, err
		}
		return statementOfRequest(ctx, req)
	}
	if id, err := parseIdentity(cmd); err != nil || id != (identity{}) {
		return nil, usage("verify: --miner, --prover-id and --sector go with --c1: an inputs file names its own sector")
	}
	data, err := readInput(inputs)
	if err != nil {
		return nil, err
	}
	in, err := parseInputs(data)
	if err != nil {
		return nil, invalid(fmt.Errorf("read %s: %w", inputs, err))
	}
	public, err := in.PublicInputs()
	if err != nil {
		return nil, invalid(fmt.Errorf("read %s: %w", inputs, err))
	}
	return &statement{in.Seal.Shape, in.Seal.Number, public, host.ReplicaIDChecked}, nil
}

// countGiven tells how many of the flags have a value.
func countGiven(cmd *cli.Command, names ...string) (given int) {
	for _, name := range names {
		if cmd.String(name) != "" {
			given++
		}
	}
	return given
}

func statementOfRequest(ctx context.Context, req *host.Request) (*statement, error) {
	claims := porep.Claims{
		RegisteredProof: req.RegisteredProof, SectorSize: req.SectorSize, ProverID: req.ProverID, Sector: req.Sector,
		PartitionIndex: req.PartitionIndex,
	}
	var job *porep.Job
	var err error
	if req.Kind == host.PoRep {
		job, err = porep.ParsePoRepClaims(ctx, req.C1, claims)
	} else {
		job, err = porep.ParseWindowPoSt(ctx, req.Randomness, req.VanillaProofs, claims)
	}
	if err != nil {
		return nil, invalid(err)
	}
	public, err := job.AllPublicInputs()
	if err != nil {
		return nil, invalid(err)
	}
	s := &statement{job.Shape(), job.RegisteredProof(), public, host.ReplicaIDNone}
	switch {
	case job.IdentityChecked():
		s.replicaID = host.ReplicaIDChecked
	case req.Kind == host.PoRep:
		s.replicaID = host.ReplicaIDUnchecked
	}
	return s, nil
}
