package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
)

func (a *app) circuitCommand() *cli.Command {
	return &cli.Command{
		Name:     "circuit",
		Usage:    "look at the circuits",
		Commands: []*cli.Command{a.circuitDigestCommand()},
	}
}

func (a *app) circuitDigestCommand() *cli.Command {
	return &cli.Command{
		Name:  "digest",
		Usage: "print a circuit's digest and counts",
		Description: `Expands the circuit row by row and prints what the reference publishes of it, so that the two can be
compared: SHA-256 of all constraints, counts, non-zero terms, densities, lengths of the key's sections.

   sealwright circuit digest porep-2k
   sealwright circuit digest porep-32g --checkpoints --json

Circuits: ` + strings.Join(circuitIDs(), ", ") + `.`,
		Arguments: []cli.Argument{&cli.StringArg{Name: "id", UsageText: "ID", Required: true}},
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "checkpoints", Usage: "print the digest after every million constraints too"},
		},
		Action: a.circuitDigest,
	}
}

func circuitIDs() []string {
	var ids []string
	for _, s := range registry.Shapes() {
		ids = append(ids, s.CircuitID)
	}
	return ids
}

// shapeOf finds a circuit by its id.
func shapeOf(id string) (registry.Shape, error) {
	shape, ok := registry.ShapeOf(id)
	if !ok {
		return shape, usage("unknown circuit %q, one of: %s", id, strings.Join(circuitIDs(), ", "))
	}
	return shape, nil
}

func (a *app) circuitDigest(ctx context.Context, cmd *cli.Command) error {
	id := cmd.StringArg("id")
	if _, err := shapeOf(id); err != nil {
		return err
	}
	t := a.tracker()
	t.begin("compile " + id)
	program, err := circuit.Compile(ctx, id)
	if err != nil {
		return fmt.Errorf("compile circuit: %w", err)
	}
	t.begin("digest " + id)
	report, err := circuit.Digest(ctx, program.Circuit)
	if err != nil {
		return fmt.Errorf("digest circuit: %w", err)
	}
	t.end()
	if !cmd.Bool("checkpoints") {
		report.Checkpoints = []string{}
	}
	return a.print(digestResult{report})
}

type digestResult struct{ *circuit.DigestReport }

func (r digestResult) text(w io.Writer) {
	fmt.Fprintf(w, "circuit      %s\n", r.Circuit)
	fmt.Fprintf(w, "sha256       %s\n", r.SHA256)
	fmt.Fprintf(w, "constraints  %d, with input consistency %d, domain 2^%d\n", r.NumConstraints, r.NumWithInputs, r.DomainLog2)
	fmt.Fprintf(w, "variables    %d inputs (with the constant one), %d private\n", r.NumInputs, r.NumAux)
	fmt.Fprintf(w, "terms        A %d, B %d, C %d\n", r.NNZ.A, r.NNZ.B, r.NNZ.C)
	fmt.Fprintf(w, "density      A %d private; B %d inputs, %d private\n", r.Density.AAux, r.Density.BInput, r.Density.BAux)
	fmt.Fprintf(w, "key          h %d, l %d, a %d, b %d, ic %d points; %s\n",
		r.Lengths.H, r.Lengths.L, r.Lengths.A, r.Lengths.BG1, r.Lengths.IC, byteSize(r.ParamsBytes))
	fmt.Fprintf(w, "compiled     %d templates, %d instances, %s\n", r.Templates, r.Instances, byteSize(r.CompiledBytes))
	for i, c := range r.Checkpoints {
		fmt.Fprintf(w, "checkpoint   %d %s\n", (i+1)*r.CheckpointEvery, c)
	}
}
