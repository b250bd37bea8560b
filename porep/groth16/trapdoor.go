package groth16

import (
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Trapdoor is the secret of a setup. Whoever knows it can prove anything.
type Trapdoor struct{ Alpha, Beta, Gamma, Delta, Tau fr.Element }

// TrapdoorFromLabel derives a trapdoor from a label, as fr("LABEL/trapdoor/alpha")
// and so on. INSECURE: for development only.
func TrapdoorFromLabel(label string) Trapdoor {
	at := func(name string) fr.Element { return FrFromLabel(label + "/trapdoor/" + name) }
	return Trapdoor{Alpha: at("alpha"), Beta: at("beta"), Gamma: at("gamma"), Delta: at("delta"), Tau: at("tau")}
}

// validate reports a trapdoor that no key can be made from.
func (t *Trapdoor) validate() error {
	for _, v := range []struct {
		name  string
		value *fr.Element
	}{{"alpha", &t.Alpha}, {"beta", &t.Beta}, {"gamma", &t.Gamma}, {"delta", &t.Delta}, {"tau", &t.Tau}} {
		if v.value.IsZero() {
			return fmt.Errorf("check trapdoor: %s is zero", v.name)
		}
	}
	return nil
}
