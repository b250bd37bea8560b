package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/porep/groth16"
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

// States of a key file.
const (
	keyMissing  = "missing"
	keyPresent  = "present"     // not hashed
	keyOK       = "ok"          // hashed, as published
	keyInsecure = "development" // verify: hashed, as its side file says
	keyDamaged  = "damaged"
)

type paramsResult struct {
	Dir  string    `json:"dir"`
	Keys []keyFile `json:"keys"`
}

type keyFile struct {
	Circuit   string       `json:"circuit"`
	File      string       `json:"file"`
	State     string       `json:"state"`
	Bytes     int64        `json:"bytes,omitempty"`
	Digest    string       `json:"digest,omitempty"`    // computed by verify
	Published string       `json:"published,omitempty"` // digest in the published list
	DevLabel  string       `json:"dev_label,omitempty"` // INSECURE
	Sections  []keySection `json:"sections,omitempty"`
	Error     string       `json:"error,omitempty"`
}

type keySection struct {
	Name   string `json:"name"`
	Points int    `json:"points"`
	Bytes  int64  `json:"bytes"`
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

// inspectKey tells of one key file without hashing it.
func inspectKey(dir string, shape registry.Shape, suffix string) keyFile {
	k := keyFile{Circuit: shape.CircuitID, File: shape.KeyName + suffix, State: keyPresent}
	if published, ok := srs.Published(k.File); ok {
		k.Published = published.Digest.String()
	}
	path := filepath.Join(dir, k.File)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		k.State = keyMissing
		return k
	case err != nil:
		k.damaged(err)
		return k
	}
	k.Bytes = info.Size()
	if dev, err := srs.ReadDevInfo(path); err == nil {
		k.DevLabel = dev.Label
	} else if !errors.Is(err, fs.ErrNotExist) {
		k.damaged(err)
		return k
	}
	if err := k.readSections(path, suffix); err != nil {
		k.damaged(err)
	}
	return k
}

func (k *keyFile) damaged(err error) { k.State, k.Error = keyDamaged, oneLine(err.Error()) }

func (k *keyFile) readSections(path, suffix string) error {
	if suffix == srs.VKSuffix {
		vk, err := srs.OpenVK(path)
		if err == nil {
			k.Sections = []keySection{icSection(vk)}
		}
		return err
	}
	f, err := srs.Open(path)
	if err != nil {
		return err
	}
	k.Sections = []keySection{icSection(f.Key().VK)}
	for _, s := range f.Sections() {
		k.Sections = append(k.Sections, keySection{s.Name, s.Bases.Len(), int64(len(s.Bases.Data))})
	}
	return f.Close()
}

func icSection(vk *groth16.VerifyingKey) keySection {
	return keySection{"ic", len(vk.IC), int64(len(vk.IC)) * groth16.G1Uncompressed}
}

// verify hashes a key file and compares: with its side file where it is a
// development key, else with the published list.
func (k *keyFile) verify(ctx context.Context, dir string, shape registry.Shape, progress srs.Progress) {
	path := filepath.Join(dir, k.File)
	if k.DevLabel != "" {
		if err := verifyDevKey(ctx, srs.Source{Dir: dir, DevLabel: k.DevLabel}, shape, filepath.Ext(k.File)); err != nil {
			k.damaged(err)
			return
		}
		k.State = keyInsecure
		return
	}
	digest, err := srs.FileDigest(ctx, path, progress)
	if err != nil {
		k.damaged(err)
		return
	}
	k.Digest, k.State = digest.String(), keyOK
	if k.Digest != k.Published {
		k.damaged(fmt.Errorf("check key %s: expected published digest %s, found %s", path, k.Published, k.Digest))
	}
}

func verifyDevKey(ctx context.Context, source srs.Source, shape registry.Shape, suffix string) error {
	if suffix == srs.VKSuffix {
		_, err := source.VK(shape)
		return err
	}
	f, err := source.Params(ctx, shape)
	if err != nil {
		return err
	}
	return f.Close()
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
