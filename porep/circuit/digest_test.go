package circuit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// referenceDigests are the circuits and the files of their published digests.
var referenceDigests = []struct {
	id, file string
	long     bool
}{
	{"wpost-2k", "circuit-windowpost-2KiB.json", false},
	{"porep-2k", "circuit-porep-2KiB.json", false},
	{"porep-16k-sub8", "circuit-porep-16KiB.json", false},
	{"porep-32k-top2", "circuit-porep-32KiB.json", false},
	{"porep-8m", "circuit-porep-8MiB.json", true},
	{"porep-512m", "circuit-porep-512MiB.json", true},
	{"porep-32g", "circuit-porep-32GiB.json", true},
	{"porep-64g", "circuit-porep-64GiB.json", true},
}

// TestDigestsEqualReference compares everything that the reference publishes of
// each circuit: digest, checkpoints, counts, densities, key lengths.
func TestDigestsEqualReference(t *testing.T) {
	for _, test := range referenceDigests {
		t.Run(test.id, func(t *testing.T) {
			if test.long && testing.Short() {
				t.Skip("long")
			}
			p, err := Compile(t.Context(), test.id)
			if err != nil {
				t.Fatal(err)
			}
			report, err := Digest(t.Context(), p.Circuit)
			if err != nil {
				t.Fatal(err)
			}
			compareReport(t, report, readReference(t, test.file))
		})
	}
}

func readReference(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "circuits", file))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// compareReport compares each of the report's fields that the reference has.
func compareReport(t *testing.T, report *DigestReport, want map[string]any) {
	t.Helper()
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"num_inputs", "num_aux", "num_constraints", "num_constraints_with_input_consistency", "domain_log2", "nnz",
		"max_terms_per_constraint", "density", "lengths", "expected_params_bytes", "expected_vk_bytes", "bytes_hashed",
		"checkpoint_every", "checkpoints", "sha256",
	} {
		g, w := mustJSON(t, got[name]), mustJSON(t, want[name])
		if g != w || w == "null" {
			t.Errorf("%s is %.200s, expected %.200s", name, g, w)
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
