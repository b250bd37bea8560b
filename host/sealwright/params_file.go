package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
)

// States of a key file.
const (
	keyMissing  = "missing"
	keyPresent  = "present"     // not hashed
	keyOK       = "ok"          // hashed, as published
	keyInsecure = "development" // verify: hashed, as its side file says
	keyDamaged  = "damaged"
)

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
