package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

func (a *app) devSetupCommand() *cli.Command {
	return &cli.Command{
		Name:  "setup",
		Usage: "make an INSECURE proving key from a label, if it is not there",
		Description: `Makes a proving key from a trapdoor that follows from the label, so whoever knows the label can forge proofs
under it. Beside the .params and .vk files lies one named .insecure.json that says so. A key of this label
that is there already and whole is left alone; one without such a file, which may be real, is never overwritten.

   sealwright dev setup --circuit wpost-2k --label fpref --params keys
   sealwright dev setup --circuit porep-2k --label fpref --params keys      (1.1 GB, minutes)`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "circuit", Required: true, Usage: "circuit `ID`"},
			&cli.StringFlag{Name: "label", Required: true, Usage: "`LABEL` that the trapdoor follows from"},
			&cli.StringFlag{Name: "params", Required: true, Usage: "folder `DIR` to write to"},
		},
		Action: a.devSetup,
	}
}

func (a *app) devSetup(ctx context.Context, cmd *cli.Command) (err error) {
	shape, err := shapeOf(cmd.String("circuit"))
	if err != nil {
		return err
	}
	cfg := srs.DevKeyConfig{Dir: cmd.String("params"), Label: cmd.String("label"), Shape: shape, Buffers: new(sdk.HeapBuffers)}
	a.warn("INSECURE: whoever knows the label %q can forge proofs under this key", cfg.Label)
	t := a.tracker()
	t.begin("compile " + shape.CircuitID)
	program, err := circuit.Compile(ctx, shape.CircuitID)
	if err != nil {
		return fmt.Errorf("compile circuit: %w", err)
	}
	device, err := cpu.Open(sdk.DeviceConfig{Buffers: cfg.Buffers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, device.Close()) }()
	cfg.Circuit, cfg.Device = program.Circuit, device

	t.begin("look for the key")
	made := false
	cfg.Progress = func(done, total int64) {
		if !made {
			made = true
			t.begin("make the key")
		}
		t.at(done, total)
	}
	file, err := srs.DevKey(ctx, cfg)
	if err != nil {
		t.abandon()
		return err
	}
	t.end()
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := srs.ReadDevInfo(file.Path())
	if err != nil {
		return err
	}
	return a.print(&devSetupResult{Insecure: true, Made: made, Params: file.Path(), DevInfo: *info})
}

// devSetupResult is the answer of dev setup: the key's side file and where it
// lies.
type devSetupResult struct {
	Insecure bool   `json:"insecure"`
	Made     bool   `json:"made"` // false: it was there
	Params   string `json:"params"`
	srs.DevInfo
}

func (r *devSetupResult) text(w io.Writer) {
	what := "there already"
	if r.Made {
		what = "made"
	}
	fmt.Fprintf(w, "INSECURE key of %s, label %q: %s\n", r.Circuit, r.Label, what)
	fmt.Fprintf(w, "file    %s\nsize    %d bytes\nsha256  %s\nvk      %s\n", r.Params, r.ParamsBytes, r.ParamsSHA256, r.VKSHA256)
}
