package srs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
)

func TestDir(t *testing.T) {
	t.Setenv(srs.CacheVariable, "")
	if got := srs.Dir(""); got != srs.DefaultDir {
		t.Errorf("default %s", got)
	}
	t.Setenv(srs.CacheVariable, "/env")
	if got := srs.Dir(""); got != "/env" {
		t.Errorf("from the environment: %s", got)
	}
	if got := srs.Dir("/flag"); got != "/flag" {
		t.Errorf("given: %s", got)
	}
}

// devDir makes a folder with a development key of testShape.
func devDir(t *testing.T, label string) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := srs.MakeDevKey(t.Context(), devConfig(t, dir, label)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func devConfig(t *testing.T, dir, label string) srs.DevKeyConfig {
	t.Helper()
	bufs := new(sdk.HeapBuffers)
	return srs.DevKeyConfig{
		Dir: dir, Label: label, Shape: testShape, Circuit: testCase().Circuit, Device: openCPU(t, bufs), Buffers: bufs,
	}
}

func TestSourceDevKey(t *testing.T) {
	dir := devDir(t, "alice")
	source := srs.Source{Dir: dir, DevLabel: "alice"}
	f, err := source.Params(t.Context(), testShape)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := source.VK(testShape); err != nil {
		t.Error(err)
	}
	other := srs.Source{Dir: dir, DevLabel: "bob"}
	_, err = other.Params(t.Context(), testShape)
	wantError(t, err, `expected label "bob", found "alice"`)
	_, err = other.VK(testShape)
	wantError(t, err, `expected label "bob", found "alice"`)
	_, err = srs.Source{Dir: dir}.VK(testShape)
	wantError(t, err, "not in the published parameters.json")

	wide := testShape
	wide.Challenges++
	_, err = source.VK(wide)
	wantError(t, err, "section ic, byte 864: expected 8 points for test, found 7")
}

func TestSourceFindsFlips(t *testing.T) {
	for _, suffix := range []string{srs.ParamsSuffix, srs.VKSuffix} {
		dir := devDir(t, "alice")
		path := filepath.Join(dir, testShape.KeyName+suffix)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-40] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		source := srs.Source{Dir: dir, DevLabel: "alice"}
		if suffix == srs.VKSuffix {
			_, err = source.VK(testShape)
			wantError(t, err, path, "section ic", "not on the curve")
		} else {
			_, err = source.Params(t.Context(), testShape)
			wantError(t, err, path, "whole file", "expected SHA-256")
		}
	}
}

// TestSourceRefusesOtherSetups lays a well-formed key of somebody's own setup
// under a published name.
func TestSourceRefusesOtherSetups(t *testing.T) {
	shape, _ := registry.ShapeOf("porep-2k")
	data, err := os.ReadFile("../groth16/testdata/polka-storage-2k.vk")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, shape.KeyName+srs.VKSuffix), data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = srs.Source{Dir: dir}.VK(shape)
	wantError(t, err, "expected published digest ", "no published key")
	_, err = srs.Source{Dir: dir, DevLabel: "fpref"}.VK(shape)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no side file: got %v", err)
	}
}

func TestSourceMissing(t *testing.T) {
	dir := t.TempDir()
	source := srs.Source{Dir: dir}
	_, err := source.VK(testShape)
	wantError(t, err, filepath.Join(dir, "v28-test-key.vk")+" is missing", srs.CacheVariable)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "v27-test-key.vk"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = source.VK(testShape)
	wantError(t, err, "expected version v28, found version v27", "v27-test-key.vk")
	_, err = source.VK(registry.Shape{CircuitID: "porep-16k-sub8"})
	wantError(t, err, "this circuit has none")
}
