package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
)

func (a *app) paramsCommand() *cli.Command {
	return &cli.Command{
		Name:  "params",
		Usage: "look at the key files, or check them",
		Commands: []*cli.Command{
			{
				Name:  "inspect",
				Usage: "list the key files: sizes, sections, what the published list says",
				Description: `Lists every key file of the circuits that are proved, without hashing any.

   sealwright params inspect --params /data/filecoin-proof-parameters`,
				Flags:  []cli.Flag{paramsFlag()},
				Action: func(ctx context.Context, cmd *cli.Command) error { return a.params(ctx, cmd, false) },
			},
			{
				Name:  "verify",
				Usage: "hash the key files and compare with the published list",
				Description: `Hashes every key file that is there (the first 16 bytes of BLAKE2b-512, as the published list has it; a
development key by its side file) and compares. A 32 GiB key takes minutes.

   sealwright params verify --params /data/filecoin-proof-parameters`,
				Flags:  []cli.Flag{paramsFlag()},
				Action: func(ctx context.Context, cmd *cli.Command) error { return a.params(ctx, cmd, true) },
			},
		},
	}
}

type paramsResult struct {
	Dir  string    `json:"dir"`
	Keys []keyFile `json:"keys"`
}

func (a *app) params(ctx context.Context, cmd *cli.Command, hash bool) error {
	r := paramsResult{Dir: srs.Dir(cmd.String("params"))}
	if _, err := os.Stat(r.Dir); err != nil {
		return environment(fmt.Errorf("look at the keys: %w", err))
	}
	t := a.tracker()
	for _, shape := range registry.Shapes() {
		if !shape.Production() {
			continue
		}
		for _, suffix := range []string{srs.ParamsSuffix, srs.VKSuffix} {
			k := inspectKey(r.Dir, shape, suffix)
			if hash && k.State == keyPresent {
				t.begin("hash " + k.File)
				k.verify(ctx, r.Dir, shape, t.at)
				t.end()
			}
			r.Keys = append(r.Keys, k)
		}
	}
	if err := a.print(r); err != nil {
		return err
	}
	return r.verdict(hash)
}

// verdict is an error where a key is damaged or, after a check, none is there.
func (r paramsResult) verdict(hash bool) error {
	missing := 0
	for _, k := range r.Keys {
		switch k.State {
		case keyDamaged:
			return answered(exitEnvironment, "%s", k.Error)
		case keyMissing:
			missing++
		}
	}
	if hash && missing == len(r.Keys) {
		return answered(exitEnvironment, "check the keys: none in %s", r.Dir)
	}
	return nil
}

func (r paramsResult) text(w io.Writer) {
	fmt.Fprintln(w, r.Dir)
	for _, k := range r.Keys {
		fmt.Fprintf(w, "%-11s  %-10s  %10s  %s", k.State, k.Circuit, byteSize(k.Bytes), k.File)
		if k.DevLabel != "" {
			fmt.Fprintf(w, "  INSECURE, label %q", k.DevLabel)
		}
		fmt.Fprintln(w)
		if k.Published != "" && k.State != keyMissing {
			fmt.Fprintf(w, "             published  %s\n", k.Published)
		}
		if k.Digest != "" {
			fmt.Fprintf(w, "             found      %s\n", k.Digest)
		}
		for _, s := range k.Sections {
			fmt.Fprintf(w, "             %-9s  %d points, %s\n", s.Name, s.Points, byteSize(s.Bytes))
		}
		if k.Error != "" {
			fmt.Fprintf(w, "             %s\n", k.Error)
		}
	}
}
