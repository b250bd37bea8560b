package groth16_test

import (
	"testing"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk"
)

// TestLayoutCounts holds the counts of every circuit's key, and so which
// variables are in a and b, against the reference's.
func TestLayoutCounts(t *testing.T) {
	for _, tt := range []struct {
		id, file string
		large    bool
	}{
		{"wpost-2k", "windowpost-2KiB", false},
		{"porep-2k", "porep-2KiB", false},
		{"porep-16k-sub8", "porep-16KiB", true},
		{"porep-32k-top2", "porep-32KiB", true},
		{"porep-8m", "porep-8MiB", true},
		{"porep-512m", "porep-512MiB", true},
		{"porep-32g", "porep-32GiB", true},
		{"porep-64g", "porep-64GiB", true},
	} {
		t.Run(tt.id, func(t *testing.T) {
			if tt.large && testing.Short() {
				t.Skip("the other circuits take seconds each")
			}
			var want struct {
				DomainLog2 int `json:"domain_log2"`
				Lengths    struct {
					A  int `json:"a"`
					B1 int `json:"b_g1"`
					H  int `json:"h"`
					IC int `json:"ic"`
					L  int `json:"l"`
				} `json:"lengths"`
				ParamsBytes int64 `json:"expected_params_bytes"`
			}
			readReference(t, "../circuit/testdata/circuits/circuit-"+tt.file+".json", &want)
			l := layOut(t, compile(t, tt.id).Circuit, new(sdk.HeapBuffers))
			counts := groth16.Counts{
				IC: want.Lengths.IC, H: want.Lengths.H, L: want.Lengths.L, A: want.Lengths.A, B: want.Lengths.B1,
			}
			if l.Counts != counts || l.Domain != 1<<want.DomainLog2 {
				t.Errorf("counts %+v and domain %d, want %+v and 2^%d", l.Counts, l.Domain, counts, want.DomainLog2)
			}
			if got := l.Counts.Bytes(); got != want.ParamsBytes {
				t.Errorf("key of %d bytes, want %d", got, want.ParamsBytes)
			}
		})
	}
}
