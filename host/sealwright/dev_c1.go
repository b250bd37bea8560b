package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/filecoin-project/go-address"
	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/synth"
)

func (a *app) devC1Command() *cli.Command {
	return &cli.Command{
		Name:  "c1",
		Usage: "make up a C1 output that passes every check",
		Description: `Makes up the part of a sector that a C1 output opens, consistently, without sealing. All follows from the
size and the name: the same call writes the same bytes. Such proofs verify and prove nothing.

   sealwright dev c1 --sector-size 2KiB --name first --out c1.json
   sealwright dev c1 --sector-size 32GiB --name second --miner 1000 --sector 7 --out c1.json

Sizes: ` + strings.Join(sectorSizes(), ", ") + `.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "sector-size", Required: true, Usage: "`SIZE` of the sector"},
			&cli.StringFlag{Name: "name", Required: true, Usage: "`NAME` that everything follows from"},
			&cli.StringFlag{Name: "miner", Usage: "the miner's `NUMBER`, 1000 or f01000; without it a prover id that is no miner's"},
			&cli.Uint64Flag{Name: "sector", HideDefault: true, Usage: "the sector's `NUMBER`; without it one that follows from the name"},
			outFlag(),
		},
		Action: a.devC1,
	}
}

func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Required: true, Usage: "`FILE` to write"}
}

// sectorSizes lists the sizes of sectors as registered proofs spell them.
func sectorSizes() []string {
	var sizes []string
	for _, s := range registry.Seals() {
		if size := sizeName(s.Shape.SectorSize); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// sizeName writes a whole number of KiB, MiB or GiB: "32GiB".
func sizeName(bytes uint64) string {
	unit := 0
	for ; bytes >= 1024 && bytes%1024 == 0; bytes /= 1024 {
		unit++
	}
	return strconv.FormatUint(bytes, 10) + []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[unit]
}

func parseSectorSize(text string) (uint64, error) {
	for _, s := range registry.Seals() {
		if strings.EqualFold(text, sizeName(s.Shape.SectorSize)) {
			return s.Shape.SectorSize, nil
		}
	}
	return 0, usage("--sector-size: found %q, want one of %s", text, strings.Join(sectorSizes(), ", "))
}

// parseMinerNumber reads 1000, f01000 or t01000.
func parseMinerNumber(text string) (uint64, error) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	a, err := address.NewFromString(text)
	if err != nil || a.Protocol() != address.ID {
		return 0, usage("--miner: found %q, want a number such as 1000 or an id address such as f01000", text)
	}
	return address.IDFromAddress(a)
}

func (a *app) devC1(ctx context.Context, cmd *cli.Command) error {
	options, err := synthOptions(cmd)
	if err != nil {
		return err
	}
	out, err := createOut(cmd.String("out"))
	if err != nil {
		return err
	}
	defer out.discard()
	t := a.tracker()
	t.begin("make up sector " + options.Name)
	sector, err := synth.New(ctx, options)
	if err != nil {
		return fmt.Errorf("make up a sector: %w", err)
	}
	t.begin("write " + out.path)
	if err := out.commit(func(w io.Writer) error { return sector.WriteC1(ctx, w) }); err != nil {
		return err
	}
	t.end()
	return a.print(devC1Result{
		Out: out.path, RegisteredProof: sector.Seal.Name, Name: options.Name,
		ProverID: hex.EncodeToString(sector.ProverID[:]), Sector: sector.SectorID, ReplicaID: hex.EncodeToString(sector.ReplicaID[:]),
	})
}

func synthOptions(cmd *cli.Command) (synth.Options, error) {
	o := synth.Options{Name: cmd.String("name")}
	var err error
	if o.SectorSize, err = parseSectorSize(cmd.String("sector-size")); err != nil {
		return o, err
	}
	if text := cmd.String("miner"); text != "" {
		miner, err := parseMinerNumber(text)
		if err != nil {
			return o, err
		}
		o.Miner = &miner
	}
	if cmd.IsSet("sector") {
		sector := cmd.Uint64("sector")
		o.Sector = &sector
	}
	if err := o.Validate(); err != nil {
		return o, usage("dev c1: %w", err)
	}
	return o, nil
}

type devC1Result struct {
	Out             string `json:"out"`
	RegisteredProof string `json:"registered_proof"`
	Name            string `json:"name"`
	ProverID        string `json:"prover_id"`
	Sector          uint64 `json:"sector"`
	ReplicaID       string `json:"replica_id"`
}

func (r devC1Result) text(w io.Writer) {
	fmt.Fprintf(w, "wrote %s: made-up %s C1 output %q\n", r.Out, r.RegisteredProof, r.Name)
	fmt.Fprintf(w, "prover id  %s\nsector     %d\nreplica id %s\n", r.ProverID, r.Sector, r.ReplicaID)
}
