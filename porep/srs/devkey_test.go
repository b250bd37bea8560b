package srs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sealwright/sealwright/porep/groth16/groth16test"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
)

// countMade makes cfg count how many keys are made.
func countMade(cfg *srs.DevKeyConfig) *atomic.Int64 {
	made := new(atomic.Int64)
	cfg.Progress = func(done, total int64) {
		if done == total {
			made.Add(1)
		}
	}
	return made
}

func TestDevKeyIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	cfg := devConfig(t, dir, "alice")
	made := countMade(&cfg)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			f, err := srs.DevKey(t.Context(), cfg)
			if err != nil {
				t.Error(err)
				return
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := made.Load(); n != 1 {
		t.Errorf("made %d times, want once", n)
	}
	info, err := srs.ReadDevInfo(filepath.Join(dir, testShape.KeyName+srs.ParamsSuffix))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(info.Warning, "INSECURE") || info.Label != "alice" || info.Circuit != "test" {
		t.Errorf("side file: %+v", info)
	}
}

func TestDevKeyIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	cfg := devConfig(t, dir, "alice")
	made := countMade(&cfg)
	use := func(what string, want int64) {
		t.Helper()
		f, err := srs.DevKey(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if n := made.Load(); n != want {
			t.Errorf("%s: made %d times, want %d", what, n, want)
		}
	}
	use("new", 1)
	use("known", 1)
	path := filepath.Join(dir, testShape.KeyName+srs.ParamsSuffix)
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	use("cut short", 2)
	cfg.Label = "bob"
	use("another label", 3)
	cfg.Circuit = groth16test.Random(2, 24).Circuit
	use("another circuit", 4)
}

func TestDevKeyLeavesRealKeysAlone(t *testing.T) {
	for _, suffix := range []string{srs.ParamsSuffix, srs.VKSuffix} {
		dir := t.TempDir()
		path := filepath.Join(dir, testShape.KeyName+suffix)
		if err := os.WriteFile(path, []byte("real"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := srs.MakeDevKey(t.Context(), devConfig(t, dir, "alice"))
		wantError(t, err, "refuse to overwrite "+path)
		_, err = srs.DevKey(t.Context(), devConfig(t, dir, "alice"))
		wantError(t, err, "refuse to overwrite "+path)
		if data, err := os.ReadFile(path); err != nil || string(data) != "real" {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
}

// failingBaser ends a setup half way.
type failingBaser struct{ sdk.FixedBaser }

var errBaser = errors.New("no more")

func (failingBaser) FixedBaseG2(context.Context, sdk.G2, []sdk.Fr, []sdk.G2) error { return errBaser }

func TestDevKeyFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	killed := filepath.Join(dir, testShape.KeyName+srs.ParamsSuffix+".tmp-123")
	if err := os.WriteFile(killed, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := devConfig(t, dir, "alice")
	cfg.Device = failingBaser{cfg.Device}
	if _, err := srs.MakeDevKey(t.Context(), cfg); !errors.Is(err, errBaser) {
		t.Errorf("got %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			t.Errorf("%s is left behind", e.Name())
		}
	}
}

func TestDevKeyValidates(t *testing.T) {
	for _, tt := range []struct {
		edit func(*srs.DevKeyConfig)
		text string
	}{
		{func(c *srs.DevKeyConfig) { c.Label = "" }, "Label: expected a plain name"},
		{func(c *srs.DevKeyConfig) { c.Label = "../x" }, "Label: expected a plain name"},
		{func(c *srs.DevKeyConfig) { c.Shape.KeyName = "" }, "Shape: test has no key"},
		{func(c *srs.DevKeyConfig) { c.Circuit = nil }, "Circuit is nil"},
		{func(c *srs.DevKeyConfig) { c.Shape.CircuitID = "x" }, "expected circuit x, found test"},
	} {
		cfg := devConfig(t, t.TempDir(), "alice")
		tt.edit(&cfg)
		_, err := srs.DevKey(t.Context(), cfg)
		wantError(t, err, tt.text)
		_, err = srs.MakeDevKey(t.Context(), cfg)
		wantError(t, err, tt.text)
	}
}

func TestDevKeyWaitsForContext(t *testing.T) {
	dir := t.TempDir()
	cfg := devConfig(t, dir, "alice")
	started, release := make(chan struct{}), make(chan struct{})
	slow := cfg
	slow.Progress = func(done, _ int64) {
		select {
		case started <- struct{}{}:
		default:
		}
		<-release
	}
	finished := make(chan error)
	go func() {
		_, err := srs.MakeDevKey(t.Context(), slow)
		finished <- err
	}()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := srs.DevKey(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(release)
	if err := <-finished; err != nil {
		t.Error(err)
	}
}
