package srs

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/sealwright/sealwright/porep/groth16"
)

// insecureWarning opens every side file.
const insecureWarning = "INSECURE development key: its trapdoor is derived from the label, so anyone can forge proofs under it. Never use it on a network."

// DevInfo is the side file of a development key: it says that the key is
// insecure and pins its bytes.
type DevInfo struct {
	Warning      string `json:"warning"`
	Label        string `json:"label"`            // the trapdoor is derived from it
	Circuit      string `json:"circuit"`          // circuit id
	Structure    string `json:"structure_sha256"` // of the circuit that the key was made for, see groth16.StructureDigest
	ParamsBytes  int64  `json:"params_bytes"`
	ParamsSHA256 string `json:"params_sha256"`
	VKSHA256     string `json:"vk_sha256"`
}

// Suffixes of the files that belong to one key name.
const (
	ParamsSuffix = ".params"
	VKSuffix     = ".vk"
	DevSuffix    = ".insecure.json"
)

// devInfoPath returns the side file's path of a key file.
func devInfoPath(path string) string {
	for _, suffix := range []string{ParamsSuffix, VKSuffix} {
		if base, ok := strings.CutSuffix(path, suffix); ok {
			return base + DevSuffix
		}
	}
	return path + DevSuffix
}

// ReadDevInfo reads the side file of a development key, by the path of its
// `.params` or `.vk` file. Where there is none the error wraps fs.ErrNotExist.
func ReadDevInfo(path string) (*DevInfo, error) {
	side := devInfoPath(path)
	data, err := os.ReadFile(side)
	if err != nil {
		return nil, fmt.Errorf("read development key's side file: %w", err)
	}
	var info DevInfo
	if err := json.Unmarshal(data, &info); err != nil {
		return nil, fmt.Errorf("parse %s: %w", side, err)
	}
	return &info, nil
}

// write stores the side file of the key file at path, whole or not at all.
func (d *DevInfo) write(path string) error {
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", devInfoPath(path), err)
	}
	return writeFile(devInfoPath(path), append(data, '\n'))
}

// checkLabel holds the label that a key was asked for by against the side file.
func (d *DevInfo) checkLabel(path, label string) error {
	if d.Label != label {
		return fmt.Errorf("check development key %s: expected label %q, found %q", path, label, d.Label)
	}
	return nil
}

// CheckDev reads the whole file and holds its SHA-256 against the side file (a
// 1.1 GB key takes about a second): a development key is small enough to be checked every
// time it is loaded.
func (f *File) CheckDev(ctx context.Context, info *DevInfo) error {
	if f.Size() != info.ParamsBytes {
		return f.digestError(fmt.Sprintf("%d bytes", info.ParamsBytes), fmt.Sprint(f.Size()))
	}
	sum, err := FileSHA256(ctx, f.path, nil)
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum[:]); got != info.ParamsSHA256 {
		return f.digestError("SHA-256 "+info.ParamsSHA256+" (of its side file)", got)
	}
	return nil
}

func (f *File) digestError(expected, found string) error {
	return &groth16.KeyError{File: f.path, Section: "whole file", Expected: expected, Found: found}
}
