package srs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// DevKeyConfig says which development key is wanted and what to make it with.
type DevKeyConfig struct {
	// Dir is the folder of keys; where empty, one of the label's own in the
	// user's cache folder.
	Dir     string
	Label   string // the trapdoor is derived from it: INSECURE
	Shape   registry.Shape
	Circuit *sdk.Circuit
	Device  sdk.FixedBaser
	Buffers sdk.Buffers
	// Progress, where not nil, is told how many points of how many are made.
	Progress func(done, total int64)
}

// Validate reports a field that is missing or unusable.
func (c *DevKeyConfig) Validate() error {
	switch {
	case c.Label == "" || c.Label != filepath.Base(c.Label) || c.Label == "..":
		return fmt.Errorf("check development key: Label: expected a plain name, found %q", c.Label)
	case c.Shape.KeyName == "":
		return fmt.Errorf("check development key: Shape: %s has no key", c.Shape.CircuitID)
	case c.Circuit == nil:
		return errors.New("check development key: Circuit is nil")
	case c.Circuit.ID != c.Shape.CircuitID:
		return fmt.Errorf("check development key: expected circuit %s, found %s", c.Shape.CircuitID, c.Circuit.ID)
	}
	return nil
}

// dir returns the folder that the key lies in.
func (c *DevKeyConfig) dir() (string, error) {
	if c.Dir != "" {
		return c.Dir, nil
	}
	return DevKeyDir(c.Label)
}

// DevKeyDir returns the folder of a label's development keys in the user's cache
// folder.
func DevKeyDir(label string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache folder: %w", err)
	}
	return filepath.Join(cache, "sealwright", "dev-keys", label), nil
}

// DevKey opens a development key, and makes it first where there is none, or
// one of another circuit, or a damaged one. Processes that want the same key at
// the same time wait for the one that makes it.
func DevKey(ctx context.Context, cfg DevKeyConfig) (*File, error) {
	dir, unlock, err := cfg.claim(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if f, err := openDevKey(ctx, cfg, dir); err == nil || ctx.Err() != nil {
		return f, err
	}
	if _, err := makeDevKey(ctx, cfg, dir); err != nil {
		return nil, err
	}
	return openDevKey(ctx, cfg, dir)
}

// claim checks the configuration, makes the key's folder and takes the key's lock, which unlock
// gives back.
func (c *DevKeyConfig) claim(ctx context.Context) (dir string, unlock func(), err error) {
	if err := c.Validate(); err != nil {
		return "", nil, err
	}
	if dir, err = c.dir(); err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, fmt.Errorf("make folder of development keys: %w", err)
	}
	unlock, err = lockKey(ctx, filepath.Join(dir, c.Shape.KeyName))
	return dir, unlock, err
}

// openDevKey opens a key that is there, of this label and circuit, and whole.
func openDevKey(ctx context.Context, cfg DevKeyConfig, dir string) (*File, error) {
	path := filepath.Join(dir, cfg.Shape.KeyName+ParamsSuffix)
	info, err := ReadDevInfo(path)
	if err != nil {
		return nil, err
	}
	if err := info.checkLabel(path, cfg.Label); err != nil {
		return nil, err
	}
	structure := groth16.StructureDigest(cfg.Circuit)
	if got := hex.EncodeToString(structure[:]); info.Structure != got {
		return nil, fmt.Errorf("check development key %s: expected a circuit of structure %s, found %s", path, got, info.Structure)
	}
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := f.CheckDev(ctx, info); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// MakeDevKey makes a development key, its `.vk` and its side file anew, whatever
// development key lies there. A key without a side file, which may be of the trusted setup, is
// never overwritten.
func MakeDevKey(ctx context.Context, cfg DevKeyConfig) (*DevInfo, error) {
	dir, unlock, err := cfg.claim(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return makeDevKey(ctx, cfg, dir)
}

func makeDevKey(ctx context.Context, cfg DevKeyConfig, dir string) (*DevInfo, error) {
	path := filepath.Join(dir, cfg.Shape.KeyName+ParamsSuffix)
	if err := refuseReal(path); err != nil {
		return nil, err
	}
	if err := removeTemporary(path); err != nil {
		return nil, err
	}
	structure := groth16.StructureDigest(cfg.Circuit)
	info := &DevInfo{
		Warning: insecureWarning, Label: cfg.Label, Circuit: cfg.Circuit.ID, Structure: hex.EncodeToString(structure[:]),
	}
	var result *groth16.SetupResult
	err := writeAtomic(path, func(w io.Writer) (err error) {
		sum := sha256.New()
		result, err = groth16.Setup(ctx, groth16.SetupConfig{
			Circuit: cfg.Circuit, Trapdoor: groth16.TrapdoorFromLabel(cfg.Label),
			Device: cfg.Device, Buffers: cfg.Buffers, Progress: cfg.Progress,
		}, io.MultiWriter(w, sum))
		info.ParamsSHA256 = hex.EncodeToString(sum.Sum(nil))
		return err
	})
	if err != nil {
		return nil, err
	}
	vk := result.VK.Bytes()
	sum := sha256.Sum256(vk)
	info.VKSHA256, info.ParamsBytes = hex.EncodeToString(sum[:]), result.Counts.Bytes()
	if err := writeFile(filepath.Join(dir, cfg.Shape.KeyName+VKSuffix), vk); err != nil {
		return nil, err
	}
	return info, info.write(path)
}

// refuseReal fails where a key lies at path (or its `.vk` beside it) that has no
// side file.
func refuseReal(path string) error {
	if _, err := os.Stat(devInfoPath(path)); err == nil {
		return nil
	}
	base := path[:len(path)-len(ParamsSuffix)]
	for _, name := range []string{path, base + VKSuffix} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("make development key: refuse to overwrite %s: it has no side file %s, so it may be a real key",
				name, devInfoPath(path))
		}
	}
	return nil
}
