package srs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
)

// CacheVariable names the environment variable that filecoin-proofs finds its
// keys by; DefaultDir is where they are without it.
const (
	CacheVariable = "FIL_PROOFS_PARAMETER_CACHE"
	DefaultDir    = "/var/tmp/filecoin-proof-parameters"
)

// Dir returns the folder of keys: the given one, else that of CacheVariable,
// else DefaultDir.
func Dir(given string) string {
	if given != "" {
		return given
	}
	if dir := os.Getenv(CacheVariable); dir != "" {
		return dir
	}
	return DefaultDir
}

// Source says which keys are taken.
type Source struct {
	Dir string // folder of keys, see Dir
	// DevLabel, where not empty, takes the development key of that label and no
	// other. Where empty, only published keys are taken.
	DevLabel string
	// Full hashes the whole of a published proving key too (a 32 GiB one takes
	// minutes). Otherwise the verifying key in it is held against the published one,
	// and a wrong point further on shows as a proof that does not verify.
	Full bool
}

// Params opens the proving key of a shape and checks its identity.
func (s Source) Params(ctx context.Context, shape registry.Shape) (*File, error) {
	path, err := s.find(shape, ParamsSuffix)
	if err != nil {
		return nil, err
	}
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := s.checkParams(ctx, f, shape); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (s Source) checkParams(ctx context.Context, f *File, shape registry.Shape) error {
	if err := s.checkVK(f.VKBytes(), f.Path(), shape); err != nil {
		return err
	}
	if s.DevLabel != "" {
		info, err := ReadDevInfo(f.Path())
		if err != nil {
			return err
		}
		return f.CheckDev(ctx, info)
	}
	if !s.Full {
		return nil
	}
	want, ok := Published(shape.KeyName + ParamsSuffix)
	if !ok {
		return unpublished(f.Path())
	}
	got, err := FileDigest(ctx, f.Path(), nil)
	if err == nil && got != want.Digest {
		err = f.digestError("published digest "+want.Digest.String(), got.String())
	}
	return err
}

// VK reads the verifying key of a shape and checks its identity.
func (s Source) VK(shape registry.Shape) (*groth16.VerifyingKey, error) {
	path, err := s.find(shape, VKSuffix)
	if err != nil {
		return nil, err
	}
	data, err := readVK(path)
	if err != nil {
		return nil, err
	}
	vk, err := parseVK(data, path)
	if err != nil {
		return nil, err
	}
	if len(vk.IC) != shape.Inputs() {
		return nil, &groth16.KeyError{
			File: path, Section: "ic", Offset: int64(groth16.VerifyingKeyBytes(0)) - groth16.CountBytes,
			Expected: fmt.Sprintf("%d points for %s", shape.Inputs(), shape.CircuitID), Found: fmt.Sprint(len(vk.IC)),
		}
	}
	return vk, s.checkVK(data, path, shape)
}

// checkVK holds the bytes of a verifying key against the published digest or the
// development key's side file.
func (s Source) checkVK(data []byte, path string, shape registry.Shape) error {
	if s.DevLabel != "" {
		info, err := ReadDevInfo(path)
		if err != nil {
			return fmt.Errorf("check development key %q: %w", s.DevLabel, err)
		}
		if err := info.checkLabel(path, s.DevLabel); err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); got != info.VKSHA256 {
			return vkDigestError(path, "SHA-256 "+info.VKSHA256+" (of its side file)", got)
		}
		return nil
	}
	want, ok := Published(shape.KeyName + VKSuffix)
	if !ok {
		return unpublished(path)
	}
	if got := groth16.DigestOf(data); got != want.Digest {
		return vkDigestError(path, "published digest "+want.Digest.String(), got.String()+
			" (no published key; a development key must be asked for by its label)")
	}
	return nil
}

func vkDigestError(path, expected, found string) error {
	return &groth16.KeyError{File: path, Section: "verifying key", Expected: expected, Found: found}
}

func unpublished(path string) error {
	return fmt.Errorf("check key %s: not in the published parameters.json", path)
}

// find returns the path of a shape's file. An error about a missing one says
// where it was looked for, and names a file of another version if there is one.
func (s Source) find(shape registry.Shape, suffix string) (string, error) {
	if shape.KeyName == "" {
		return "", fmt.Errorf("find key of %s: this circuit has none", shape.CircuitID)
	}
	dir := Dir(s.Dir)
	path := filepath.Join(dir, shape.KeyName+suffix)
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return path, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("find key of %s: %w", shape.CircuitID, err)
	}
	if other := otherVersion(dir, shape.KeyName+suffix); other != "" {
		version, _, _ := strings.Cut(other, "-")
		want, _, _ := strings.Cut(shape.KeyName, "-")
		return "", fmt.Errorf("find key of %s: expected version %s, found version %s: %s: %w",
			shape.CircuitID, want, version, filepath.Join(dir, other), fs.ErrNotExist)
	}
	return "", fmt.Errorf("find key of %s: %s is missing (keys are looked for in --params, else %s, else %s): %w",
		shape.CircuitID, path, CacheVariable, DefaultDir, fs.ErrNotExist)
}

// otherVersion returns a file of dir whose name is the given one but for the
// version in front ("v28-").
func otherVersion(dir, name string) string {
	_, rest, _ := strings.Cut(name, "-")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		version, tail, ok := strings.Cut(e.Name(), "-")
		if ok && tail == rest && strings.HasPrefix(version, "v") && e.Name() != name {
			return e.Name()
		}
	}
	return ""
}
