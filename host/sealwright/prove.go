package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
)

func (a *app) proveCommand() *cli.Command {
	return &cli.Command{
		Name:  "prove",
		Usage: "prove a C1 output or a request, verify the proof, write it",
		Description: `Checks the input in full, starts the engine as a process of its own, has it prove, verifies the proof and
writes it: 192 bytes a partition. A file that is written is a proof that verifies.

Name the sector, so that replica_id is checked against it:
   sealwright prove --c1 c1.json --miner f01000 --sector 1 --out proof.bin
An envelope brings the sector's number:
   sealwright prove --c1 envelope.json --miner f01000 --out proof.bin
What a miner sends to a proving daemon, cuzk.v1 SubmitProofRequest as protobuf JSON:
   sealwright prove --request request.json --out proof.bin`,
		Flags:  proveFlags(),
		Action: a.prove,
	}
}

func (a *app) devProveCommand() *cli.Command {
	return &cli.Command{
		Name:  "prove",
		Usage: "prove with fixed blinding: INSECURE, the same proof every time",
		Description: `As the verb prove, but with r and s that follow from a name, so that the proof can be compared with another
implementation's. Such a proof is not zero-knowledge.

   sealwright dev prove --c1 c1.json --blinding m1000-s1 --params keys --dev-key fpref --out proof.bin`,
		Flags: append(proveFlags(), &cli.StringFlag{
			Name: "blinding", Usage: `r and s of partition K are fr("fpref/NAME/partition/K/r") and so on for this ` + "`NAME`",
		}),
		Action: a.prove,
	}
}

func proveFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "c1", Usage: "C1 output `FILE`, bare or in its envelope"},
		&cli.StringFlag{Name: "request", Usage: "in place of --c1: request `FILE`"},
		outFlag(),
	}, identityFlags(), keyFlags(), []cli.Flag{engineFlag()})
}

func (a *app) prove(ctx context.Context, cmd *cli.Command) (err error) {
	req, err := readRequest(cmd)
	if err != nil {
		return err
	}
	if cmd.String("blinding") != "" {
		a.warn("INSECURE blinding %q: the proof is not zero-knowledge", cmd.String("blinding"))
	}
	engine, err := enginePath(cmd)
	if err != nil {
		return err
	}
	source := a.keySource(cmd)
	h, err := host.New(ctx, host.Options{
		EnginePath: engine, ParamsDir: source.Dir, DevKeyLabel: source.DevLabel,
		Blinding: cmd.String("blinding"), Logger: a.logger(cmd),
	})
	if err != nil {
		return environment(err)
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	return a.proveWith(ctx, h, req, cmd)
}

// proveWith proves and writes the proof. The output's folder is looked at once
// the input and the key are found good, and before any proving.
func (a *app) proveWith(ctx context.Context, h *host.Host, req *host.Request, cmd *cli.Command) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := &watcher{app: a, tracker: a.tracker()}
	var out *outFile
	req.Progress = func(p host.Progress) {
		if out == nil && p.Step != host.StepCheck && ctx.Err() == nil {
			var err error
			if out, err = createOut(cmd.String("out")); err != nil {
				cancel(err)
			}
			watch.checked(req)
		}
		watch.progress(p)
	}
	result, err := h.Prove(ctx, *req)
	if out != nil {
		defer out.discard()
	}
	if err != nil {
		watch.tracker.abandon()
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
			return cause
		}
		return err
	}
	watch.proved(result)
	if err := out.commit(func(w io.Writer) error { _, err := w.Write(result.Proof); return err }); err != nil {
		return err
	}
	return a.print(newProveResult(result, cmd))
}

// readRequest reads what is to be proved.
func readRequest(cmd *cli.Command) (*host.Request, error) {
	c1, request := cmd.String("c1"), cmd.String("request")
	if (c1 == "") == (request == "") {
		return nil, usage("%swant --c1 or --request, one of them", verb(cmd))
	}
	id, err := parseIdentity(cmd)
	if err != nil {
		return nil, err
	}
	if request != "" {
		if id != (identity{}) {
			return nil, usage("%s--miner, --prover-id and --sector go with --c1: a request names its own sector", verb(cmd))
		}
		data, err := readInput(request)
		if err != nil {
			return nil, err
		}
		req, err := parseRequest(data)
		if err != nil {
			return nil, invalid(err)
		}
		return req, nil
	}
	data, err := readInput(c1)
	if err != nil {
		return nil, err
	}
	return &host.Request{Kind: host.PoRep, C1: data, ProverID: id.prover, Sector: id.sector}, nil
}
