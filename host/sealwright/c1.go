package main

import (
	"context"
	"fmt"
	"io"

	commcid "github.com/filecoin-project/go-fil-commcid"
	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/vanilla"
)

func (a *app) c1Command() *cli.Command {
	return &cli.Command{
		Name:     "c1",
		Usage:    "look at C1 outputs",
		Commands: []*cli.Command{a.c1InspectCommand()},
	}
}

func (a *app) c1InspectCommand() *cli.Command {
	return &cli.Command{
		Name:  "inspect",
		Usage: "read and check a C1 output, say what it is",
		Description: `Checks all that prove checks before it proves, and needs no key and no engine.

   sealwright c1 inspect c1.json
   sealwright c1 inspect --miner f01000 --sector 1 c1.json`,
		Arguments: []cli.Argument{&cli.StringArg{Name: "file", UsageText: "FILE", Required: true}},
		Flags:     identityFlags(),
		Action:    a.c1Inspect,
	}
}

func (a *app) c1Inspect(ctx context.Context, cmd *cli.Command) error {
	id, err := parseIdentity(cmd)
	if err != nil {
		return err
	}
	data, err := readInput(cmd.StringArg("file"))
	if err != nil {
		return err
	}
	t := a.tracker()
	t.begin("check the C1 output")
	input, sector, err := checkC1(ctx, data, porep.Claims{ProverID: id.prover, Sector: id.sector})
	if err != nil {
		t.abandon()
		return invalid(err)
	}
	t.end()
	return a.print(newC1Result(data, input, sector != nil))
}

// checkC1 reads a C1 output and checks all that prove checks. The sector is what
// it was held against, nil for none.
func checkC1(ctx context.Context, data []byte, claims porep.Claims) (*vanilla.Input, *porep.Identity, error) {
	input, err := vanilla.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	sector, err := claims.Identity(input.Envelope)
	if err != nil {
		return nil, nil, err
	}
	return input, sector, input.C1.Check(ctx, sector)
}

type c1Result struct {
	RegisteredProof string         `json:"registered_proof"`
	Number          uint64         `json:"registered_proof_number"`
	Circuit         string         `json:"circuit"`
	SectorSize      uint64         `json:"sector_size"`
	Partitions      int            `json:"partitions"`
	Challenges      int            `json:"challenges"` // a partition
	Layers          int            `json:"layers"`
	Bytes           int            `json:"bytes"`
	Envelope        bool           `json:"envelope"`
	Sector          *uint64        `json:"sector,omitempty"` // the envelope's
	CommR           string         `json:"comm_r"`
	CommRCID        string         `json:"comm_r_cid"`
	CommD           string         `json:"comm_d"`
	CommDCID        string         `json:"comm_d_cid"`
	ReplicaIDValue  string         `json:"replica_id_value"`
	Ticket          string         `json:"ticket"`
	Seed            string         `json:"seed"`
	Valid           bool           `json:"valid"`
	ReplicaID       host.ReplicaID `json:"replica_id"` // checked or unchecked, as prove has it
}

func newC1Result(data []byte, input *vanilla.Input, checked bool) *c1Result {
	c, shape := input.C1, &input.C1.Seal.Shape
	r := &c1Result{
		RegisteredProof: c.Seal.Name, Number: c.Seal.Number, Circuit: shape.CircuitID, SectorSize: shape.SectorSize,
		Partitions: shape.Partitions, Challenges: shape.Challenges, Layers: shape.Layers, Bytes: len(data),
		Envelope: input.Envelope != nil, CommR: c.CommR.String(), CommD: c.CommD.String(),
		ReplicaIDValue: c.ReplicaID.String(), Ticket: c.Ticket.String(), Seed: c.Seed.String(),
		Valid: true, ReplicaID: host.ReplicaIDUnchecked,
	}
	if checked {
		r.ReplicaID = host.ReplicaIDChecked
	}
	if input.Envelope != nil {
		r.Sector = &input.Envelope.Sector
	}
	// A commitment of 32 bytes always has a CID.
	if id, err := commcid.ReplicaCommitmentV1ToCID(c.CommR[:]); err == nil {
		r.CommRCID = id.String()
	}
	if id, err := commcid.DataCommitmentV1ToCID(c.CommD[:]); err == nil {
		r.CommDCID = id.String()
	}
	return r
}

func (r *c1Result) text(w io.Writer) {
	fmt.Fprintf(w, "registered proof  %s (%d), circuit %s\n", r.RegisteredProof, r.Number, r.Circuit)
	fmt.Fprintf(w, "sector size       %s\n", sizeName(r.SectorSize))
	fmt.Fprintf(w, "partitions        %d of %d challenges, %d layers\n", r.Partitions, r.Challenges, r.Layers)
	if r.Sector != nil {
		fmt.Fprintf(w, "sector            %d (of the envelope)\n", *r.Sector)
	}
	fmt.Fprintf(w, "comm_r            %s\n                  %s\n", r.CommR, r.CommRCID)
	fmt.Fprintf(w, "comm_d            %s\n                  %s\n", r.CommD, r.CommDCID)
	fmt.Fprintf(w, "replica_id        %s (%s)\n", r.ReplicaIDValue, r.ReplicaID)
	fmt.Fprintf(w, "ticket            %s\n", r.Ticket)
	fmt.Fprintf(w, "seed              %s\n", r.Seed)
	fmt.Fprintf(w, "valid             every opening, parent and challenge agrees; %s\n", byteSize(int64(r.Bytes)))
}
