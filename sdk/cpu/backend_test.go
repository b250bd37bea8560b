package cpu

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

func TestBackend(t *testing.T) {
	backend := New()
	if got := backend.Describe().Name; got != "cpu" {
		t.Errorf("name is %q, want cpu", got)
	}
	devices, err := backend.Devices(t.Context())
	if err != nil || len(devices) != 1 || devices[0].ID != DeviceID || devices[0].Kind != "cpu" || devices[0].Name == "" {
		t.Fatalf("devices are %+v (error %v), want the one", devices, err)
	}
	device, err := backend.Open(t.Context(), sdk.DeviceConfig{ID: devices[0].ID, Buffers: new(sdk.HeapBuffers)})
	if err != nil {
		t.Fatal(err)
	}
	if got := device.Memory(); got != (sdk.MemoryInfo{}) {
		t.Errorf("memory without a limit is %+v, want zero", got)
	}
	if err := device.Close(); err != nil {
		t.Error(err)
	}
}

// TestDomains pins the roots of unity and the coset's factor to those of the
// reference implementation.
func TestDomains(t *testing.T) {
	raw, err := os.ReadFile("testdata/domains.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Generator string `json:"multiplicative_generator_le_hex"`
		Omegas    []struct {
			Log   int    `json:"log2"`
			Omega string `json:"omega_le_hex"`
		}
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	inHex := func(x fr.Element) string {
		b := x.Bytes()
		slices.Reverse(b[:])
		return hex.EncodeToString(b[:])
	}
	if got := inHex(cosetFactor()); got != want.Generator {
		t.Errorf("coset factor is %s, want %s", got, want.Generator)
	}
	if len(want.Omegas) == 0 {
		t.Fatal("no roots in testdata")
	}
	for _, w := range want.Omegas {
		if got := inHex(rootOfUnity(1 << w.Log)); got != w.Omega {
			t.Errorf("root of order 2^%d is %s, want %s", w.Log, got, w.Omega)
		}
	}
}

// TestConcurrentCalls runs methods side by side on one device.
func TestConcurrentCalls(t *testing.T) {
	d := openTest(t, 2)
	n := 1 << 12
	logs, scalars := testScalars(n, 1), testScalars(n, 2)
	points, sum := montgomery(onG1(t, logs)), inner(logs, scalars)
	want := expG1(&sum)
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			if got, err := d.MSMG1(t.Context(), points, frs(scalars)); err != nil || asG1(got) != want {
				t.Errorf("sum differs (error %v)", err)
			}
		})
		calls.Go(func() {
			a := slices.Clone(scalars)
			for _, transform := range []sdk.Transform{{}, {Inverse: true}} {
				if err := d.NTT(t.Context(), frs(a), transform); err != nil {
					t.Error(err)
				}
			}
			if !slices.Equal(a, scalars) {
				t.Error("the transform there and back differs")
			}
		})
	}
	calls.Wait()
}
