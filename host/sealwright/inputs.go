package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	commcid "github.com/filecoin-project/go-fil-commcid"
	"github.com/ipfs/go-cid"

	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/registry"
)

// inputsFile is what `verify --inputs` reads: all that a proof's public inputs
// follow from.
type inputsFile struct {
	RegisteredProof json.RawMessage `json:"registered_proof"` // name or number
	PorepID         string          `json:"porep_id"`         // hex; without it, the type's own
	ProverID        string          `json:"prover_id"`        // hex
	Miner           string          `json:"miner"`            // f0N, in place of prover_id
	Sector          *uint64         `json:"sector"`
	Ticket          string          `json:"ticket"` // hex
	Seed            string          `json:"seed"`   // hex
	CommR           string          `json:"comm_r"` // hex or CID
	CommD           string          `json:"comm_d"` // hex or CID
}

// parseInputs reads an inputs file. Errors name the field, what was found and
// what was expected.
func parseInputs(data []byte) (*porep.SealStatement, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var f inputsFile
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("found more after the JSON object, want its end")
	}
	in := new(porep.SealStatement)
	if err := f.readType(in); err != nil {
		return nil, err
	}
	if err := f.readProver(in); err != nil {
		return nil, err
	}
	for _, field := range []struct {
		name, text string
		cid        func(cid.Cid) ([]byte, error) // nil: never a CID
		to         *[32]byte
	}{
		{"ticket", f.Ticket, nil, &in.Ticket},
		{"seed", f.Seed, nil, &in.Seed},
		{"comm_r", f.CommR, commcid.CIDToReplicaCommitmentV1, &in.CommR},
		{"comm_d", f.CommD, commcid.CIDToDataCommitmentV1, &in.CommD},
	} {
		value, err := readCommitment(field.text, field.cid)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field.name, err)
		}
		*field.to = *value
	}
	return in, nil
}

// readType finds the registered proof by name, by number or by the number at the
// head of porep_id.
func (f *inputsFile) readType(in *porep.SealStatement) error {
	var porepID *[32]byte
	if f.PorepID != "" {
		var err error
		if porepID, err = bytes32(f.PorepID); err != nil {
			return fmt.Errorf("porep_id: %w", err)
		}
	}
	var name string
	var number uint64
	var known bool
	switch {
	case f.RegisteredProof == nil && porepID == nil:
		return errors.New("registered_proof: missing, and porep_id too: want one of them")
	case f.RegisteredProof == nil:
		in.Seal, known = registry.SealByNumber(binary.LittleEndian.Uint64(porepID[:8]))
		if !known {
			return errors.New("porep_id: its first 8 bytes are no registered proof's number: want registered_proof beside it")
		}
	case json.Unmarshal(f.RegisteredProof, &name) == nil:
		in.Seal, known = registry.SealByName(name)
	case json.Unmarshal(f.RegisteredProof, &number) == nil:
		in.Seal, known = registry.SealByNumber(number)
	}
	if !known {
		return fmt.Errorf("registered_proof: found %s, want a name such as \"StackedDrg32GiBV1_1\" or its number", f.RegisteredProof)
	}
	if in.Seal.Feature != registry.Interactive {
		return fmt.Errorf("registered_proof: %s is a %s proof, which is unsupported", in.Seal.Name, in.Seal.Feature)
	}
	in.PorepID = in.Seal.PorepID()
	if porepID != nil {
		in.PorepID = *porepID
	}
	return nil
}

func (f *inputsFile) readProver(in *porep.SealStatement) error {
	var prover *[32]byte
	var err error
	switch {
	case f.ProverID != "" && f.Miner != "":
		return errors.New("miner: found beside prover_id, want one of them")
	case f.Miner != "":
		if prover, err = proverOfAddress(f.Miner); err != nil {
			return fmt.Errorf("miner: %w", err)
		}
	case f.ProverID != "":
		if prover, err = bytes32(f.ProverID); err != nil {
			return fmt.Errorf("prover_id: %w", err)
		}
	default:
		return errors.New("prover_id: missing, and miner too: want one of them")
	}
	if f.Sector == nil {
		return errors.New("sector: missing, want the sector's number")
	}
	in.ProverID, in.Sector = *prover, *f.Sector
	return nil
}

// readCommitment reads 32 bytes in hex or, where a CID is allowed, as one.
func readCommitment(text string, fromCID func(cid.Cid) ([]byte, error)) (*[32]byte, error) {
	if text == "" {
		return nil, errors.New("missing, want 32 bytes")
	}
	// Every commitment's CID in base 32 begins with "bag", which is not hex; one of
	// comm_d is as long as the hex.
	if fromCID == nil || !strings.HasPrefix(text, "bag") {
		return bytes32(text)
	}
	c, err := cid.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("read CID %q: %w", text, err)
	}
	raw, err := fromCID(c)
	if err != nil {
		return nil, fmt.Errorf("read CID %q: %w", text, err)
	}
	return (*[32]byte)(raw), nil
}
