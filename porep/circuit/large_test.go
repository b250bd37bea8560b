package circuit

import (
	"math/bits"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// TestWitnessOf32GiB counts the values of a partition of a 32 GiB sector, as the
// reference has them, and evaluates all of its 130,278,541 rows.
func TestWitnessOf32GiB(t *testing.T) {
	if testing.Short() {
		t.Skip("a 32 GiB partition")
	}
	p := compile(t, "porep-32g")
	secrets := poRepSecrets(t, "c1/c1-32g.json.gz")
	w, err := p.Witness(t.Context(), secrets, &sdk.HeapBuffers{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	zeros, ones, others := countValues(&w.Witness, p.Circuit)
	if zeros != 66_968_219 || ones != 61_502_644 || others != 1_699_030 {
		t.Errorf("aux variables: %d zeros, %d ones, %d others, expected 66968219, 61502644, 1699030", zeros, ones, others)
	}
	if err := Check(t.Context(), p.Circuit, &w.Witness); err != nil {
		t.Error(err)
	}
}

// countValues counts the aux variables that are zero, one and neither.
func countValues(w *sdk.Witness, c *sdk.Circuit) (zeros, ones, others int) {
	for _, word := range w.Bits {
		ones += bits.OnesCount64(word)
	}
	zeros = int(c.NumBits) - ones
	one := sdk.Fr(fr.One())
	for _, e := range w.Fields[c.NumInputs:] {
		switch e {
		case sdk.Fr{}:
			zeros++
		case one:
			ones++
		default:
			others++
		}
	}
	return zeros, ones, others
}
