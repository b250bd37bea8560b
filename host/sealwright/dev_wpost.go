package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/sealwright/sealwright/host/cuzkpb"
	"github.com/sealwright/sealwright/porep/synth"
)

func (a *app) devWPoStCommand() *cli.Command {
	return &cli.Command{
		Name:  "wpost",
		Usage: "make up a 2 KiB WindowPoSt request that passes every check",
		Description: `Makes a request for two made-up 2 KiB sectors; all follows from the name. Proving it takes seconds.

   sealwright dev wpost --name first --out request.json
   sealwright prove --request request.json --params keys --dev-key fpref --out proof.bin`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Required: true, Usage: "`NAME` that everything follows from"},
			outFlag(),
		},
		Action: a.devWPoSt,
	}
}

func (a *app) devWPoSt(ctx context.Context, cmd *cli.Command) error {
	name := cmd.String("name")
	if name == "" {
		return usage("--name: it is empty")
	}
	post, err := synth.NewWindowPoSt(ctx, name)
	if err != nil {
		return fmt.Errorf("make up a WindowPoSt: %w", err)
	}
	request, err := encodeRequest(&cuzkpb.SubmitProofRequest{
		RequestId: "wpost-" + name, ProofKind: cuzkpb.ProofKind_WINDOW_POST_PARTITION, SectorSize: post.Proof.Shape.SectorSize,
		RegisteredProof: post.Proof.Number, Priority: cuzkpb.Priority_HIGH, VanillaProofs: vanillaProofs(post),
		MinerId: post.Miner, Randomness: post.Randomness[:],
	})
	if err != nil {
		return err
	}
	if err := writeFile(cmd.String("out"), request); err != nil {
		return err
	}
	r := devWPoStResult{
		Out: cmd.String("out"), RegisteredProof: post.Proof.Name, Name: name, Miner: post.Miner,
		Randomness: hex.EncodeToString(post.Randomness[:]),
	}
	for _, s := range post.Sectors {
		r.Sectors = append(r.Sectors, s.ID)
	}
	return a.print(r)
}

func vanillaProofs(post *synth.WindowPoSt) [][]byte {
	var proofs [][]byte
	for _, s := range post.Sectors {
		proofs = append(proofs, s.Vanilla)
	}
	return proofs
}

// encodeRequest writes a request as protobuf JSON, the same every time: protobuf
// itself varies the spaces.
func encodeRequest(m *cuzkpb.SubmitProofRequest) ([]byte, error) {
	loose, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, loose); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	compact.WriteByte('\n')
	return compact.Bytes(), nil
}

type devWPoStResult struct {
	Out             string   `json:"out"`
	RegisteredProof string   `json:"registered_proof"`
	Name            string   `json:"name"`
	Miner           uint64   `json:"miner"`
	Sectors         []uint64 `json:"sectors"`
	Randomness      string   `json:"randomness"`
}

func (r devWPoStResult) text(w io.Writer) {
	fmt.Fprintf(w, "wrote %s: made-up %s request %q\n", r.Out, r.RegisteredProof, r.Name)
	fmt.Fprintf(w, "miner      %d\nsectors    %v\nrandomness %s\n", r.Miner, r.Sectors, r.Randomness)
}
