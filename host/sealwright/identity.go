package main

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/filecoin-project/go-address"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
)

// identityFlags name the sector that an input is said to belong to.
func identityFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "miner", Usage: "the sector's miner, an id `ADDRESS` such as f01000"},
		&cli.StringFlag{Name: "prover-id", Usage: "in place of --miner: the prover id, 32 bytes in `HEX`"},
		&cli.Uint64Flag{Name: "sector", HideDefault: true, Usage: "the sector's `NUMBER`; an envelope brings its own"},
	}
}

// identity is what the flags say of a sector; nil where they are silent.
type identity struct {
	prover *[32]byte
	sector *uint64
}

func parseIdentity(cmd *cli.Command) (identity, error) {
	var id identity
	miner, prover := cmd.String("miner"), cmd.String("prover-id")
	var err error
	switch {
	case miner != "" && prover != "":
		return id, usage("--miner and --prover-id say the same thing: give one")
	case miner != "":
		id.prover, err = proverOfAddress(miner)
	case prover != "":
		id.prover, err = bytes32(prover)
	}
	if err != nil {
		return id, usage("%s: %w", map[bool]string{true: "--miner", false: "--prover-id"}[miner != ""], err)
	}
	if cmd.IsSet("sector") {
		sector := cmd.Uint64("sector")
		id.sector = &sector
	}
	return id, nil
}

// proverOfAddress returns the prover id of a miner's id address, f0N or t0N.
func proverOfAddress(text string) (*[32]byte, error) {
	a, err := address.NewFromString(text)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w, want an id address such as f01000", text, err)
	}
	if a.Protocol() != address.ID {
		return nil, fmt.Errorf("read %q: it is no id address, want one such as f01000", text)
	}
	id, err := address.IDFromAddress(a)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", text, err)
	}
	prover := host.ProverID(abi.ActorID(id))
	return &prover, nil
}

// bytes32 reads 32 bytes in hex.
func bytes32(text string) (*[32]byte, error) {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w, want 64 hex digits", text, err)
	}
	if len(raw) != 32 {
		return nil, fmt.Errorf("found %d bytes, want 32", len(raw))
	}
	return (*[32]byte)(raw), nil
}
