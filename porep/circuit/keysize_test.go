package circuit

import "testing"

// TestKeySizesEqualReference holds key sizes against the published ones, without
// going over the rows.
func TestKeySizesEqualReference(t *testing.T) {
	for _, test := range referenceDigests {
		p, err := Compile(t.Context(), test.id)
		if err != nil {
			t.Fatal(err)
		}
		want := readReference(t, test.file)
		if _, got := KeySize(p.Circuit); float64(got) != want["expected_params_bytes"] {
			t.Errorf("%s: key of %d bytes, want %v", test.id, got, want["expected_params_bytes"])
		}
	}
}
