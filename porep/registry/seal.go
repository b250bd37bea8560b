package registry

// Feature is what sets a registered seal proof apart from plain interactive
// PoRep.
type Feature string

// The features of seal proofs. Only interactive ones are proved.
const (
	Interactive    Feature = "interactive"
	Synthetic      Feature = "synthetic"
	NonInteractive Feature = "non-interactive"
)

// Seal is a registered seal proof.
type Seal struct {
	Number      uint64 // abi.RegisteredSealProof
	Name        string // as C1 JSON spells it: "StackedDrg2KiBV1_1"
	VanillaName string // key of vanilla_proofs in C1 JSON: always the V1 name of the size
	V1_1        bool   // graph as of API version 1.1.0; false: 1.0.0
	Feature     Feature
	Shape       Shape
}

// PorepID returns the 32 bytes that seed a sector's graph: the number, then a
// zero nonce.
func (s *Seal) PorepID() [32]byte {
	var id [32]byte
	for i := range 8 {
		id[i] = byte(s.Number >> (8 * i))
	}
	return id
}

// Seals returns all registered seal proofs, ascending by number.
func Seals() []Seal {
	versions := []struct {
		suffix  string
		v1_1    bool
		feature Feature
	}{
		{"V1", false, Interactive},
		{"V1_1", true, Interactive},
		{"V1_1_Feat_SyntheticPoRep", true, Synthetic},
		{"V1_2_Feat_NonInteractivePoRep", true, NonInteractive},
	}
	sizes := []struct{ name, circuit string }{
		{"2KiB", "porep-2k"}, {"8MiB", "porep-8m"}, {"512MiB", "porep-512m"}, {"32GiB", "porep-32g"}, {"64GiB", "porep-64g"},
	}
	var seals []Seal
	for _, v := range versions {
		for _, size := range sizes {
			shape, _ := ShapeOf(size.circuit)
			seals = append(seals, Seal{
				Number: uint64(len(seals)), Name: "StackedDrg" + size.name + v.suffix,
				VanillaName: "StackedDrg" + size.name + "V1", V1_1: v.v1_1, Feature: v.feature, Shape: shape,
			})
		}
	}
	return seals
}

// SealByName returns the registered seal proof that C1 JSON spells so.
func SealByName(name string) (Seal, bool) {
	for _, s := range Seals() {
		if s.Name == name {
			return s, true
		}
	}
	return Seal{}, false
}

// SealByNumber returns the registered seal proof of an abi number.
func SealByNumber(n uint64) (Seal, bool) {
	if all := Seals(); n < uint64(len(all)) {
		return all[n], true
	}
	return Seal{}, false
}
