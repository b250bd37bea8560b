package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/srs"
)

func (a *app) verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "verify a proof",
		Description: `Verifies a proof, 192 bytes a partition, against what it is said to prove.

A C1 output or a request, as prove takes them:
   sealwright verify --proof proof.bin --c1 c1.json
   sealwright verify --proof proof.bin --request request.json
The sector's values alone, in a JSON file (see docs/cli.md):
   sealwright verify --proof proof.bin --inputs inputs.json
Under a key that is named, whatever its origin:
   sealwright verify --proof proof.bin --inputs inputs.json --vk other.vk`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "proof", Required: true, Usage: "proof `FILE`"},
			&cli.StringFlag{Name: "c1", Usage: "C1 output `FILE`, bare or in its envelope"},
			&cli.StringFlag{Name: "inputs", Usage: "inputs `FILE`"},
			&cli.StringFlag{Name: "request", Usage: "request `FILE`"},
			&cli.StringFlag{Name: "vk", Usage: "verifying key `FILE` of any origin"},
		}, identityFlags(), keyFlags()),
		Action: a.verify,
	}
}

func (a *app) verify(ctx context.Context, cmd *cli.Command) error {
	if cmd.String("vk") != "" && cmd.String("dev-key") != "" {
		return usage("verify: --vk and --dev-key both name the key: give one")
	}
	s, err := readStatement(ctx, cmd)
	if err != nil {
		return err
	}
	proof, err := readInput(cmd.String("proof"))
	if err != nil {
		return err
	}
	if want := len(s.inputs) * groth16.ProofBytes; len(proof) != want {
		return invalid(fmt.Errorf("read %s: found %d bytes, want %d: %d for each of %d partitions of %s",
			cmd.String("proof"), len(proof), want, groth16.ProofBytes, len(s.inputs), s.shape.CircuitID))
	}
	key, err := a.verifyingKey(cmd, s)
	if err != nil {
		return environment(err)
	}
	if err := porep.Verify(key, proof, s.inputs); err != nil {
		return invalid(fmt.Errorf("verify %s: %w", cmd.String("proof"), err))
	}
	return a.print(&verifyResult{
		Valid: true, Circuit: s.shape.CircuitID, RegisteredProof: s.registered, Partitions: len(s.inputs),
		ReplicaID: s.replicaID, VK: cmd.String("vk"), DevKey: cmd.String("dev-key"),
	})
}

// verifyingKey returns the named key, else that of the circuit.
func (a *app) verifyingKey(cmd *cli.Command, s *statement) (*groth16.PreparedKey, error) {
	path := cmd.String("vk")
	var vk *groth16.VerifyingKey
	var err error
	if path != "" {
		vk, err = srs.OpenVK(path)
	} else {
		vk, err = a.keySource(cmd).VK(s.shape)
	}
	if err != nil {
		return nil, err
	}
	if got, want := len(vk.IC), s.shape.Inputs(); got != want {
		return nil, fmt.Errorf("check verifying key %s: found %d ic points, want %d for %s", path, got, want, s.shape.CircuitID)
	}
	return vk.Prepare()
}

type verifyResult struct {
	Valid           bool           `json:"valid"`
	Circuit         string         `json:"circuit"`
	RegisteredProof uint64         `json:"registered_proof"`
	Partitions      int            `json:"partitions"`
	ReplicaID       host.ReplicaID `json:"replica_id,omitempty"`
	VK              string         `json:"vk,omitempty"`      // the named key
	DevKey          string         `json:"dev_key,omitempty"` // INSECURE
}

func (r *verifyResult) text(w io.Writer) {
	fmt.Fprintf(w, "valid  %s, registered proof %d, %d partition(s)", r.Circuit, r.RegisteredProof, r.Partitions)
	switch {
	case r.VK != "":
		fmt.Fprintf(w, ", under %s", r.VK)
	case r.DevKey != "":
		fmt.Fprintf(w, ", under the INSECURE development key %q", r.DevKey)
	}
	if r.ReplicaID == host.ReplicaIDUnchecked {
		fmt.Fprint(w, "; replica_id unchecked")
	}
	fmt.Fprintln(w)
}
