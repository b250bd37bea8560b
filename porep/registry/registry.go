// Package registry is the one table of registered proofs, tree shapes,
// challenge counts, circuit ids and proving key names. No other package writes
// such a number down.
//
// Sources: go-state-types abi (numbers and names), FIP-0003 and the published
// parameters.json of rust-fil-proofs (cache identifiers).
package registry

// NodeBytes is the size of a node of a sector's graph.
const NodeBytes = 32

// Degrees of the graph that labels are computed over.
const (
	BaseDegree     = 6
	ExpanderDegree = 8
)

// LabelParents is how many parents' labels a label's preimage holds, repeated
// from the BaseDegree (first layer) or BaseDegree+ExpanderDegree parents.
const LabelParents = 37

// Tree is the shape of trees C and R: a base of arity Base, topped by one level
// of arity Sub and one of arity Top where those are not 0.
type Tree struct{ Base, Sub, Top int }

// String returns the shape as file names spell it, "8-8-2".
func (t Tree) String() string { return itoa(t.Base) + "-" + itoa(t.Sub) + "-" + itoa(t.Top) }

// Levels returns the arity of each level from the leaves up, for a sector of
// the given number of nodes (a power of two that the shape fits).
func (t Tree) Levels(nodes uint64) []int {
	for _, a := range []int{t.Sub, t.Top} {
		if a > 0 {
			nodes /= uint64(a)
		}
	}
	var levels []int
	for ; nodes > 1; nodes /= uint64(t.Base) {
		levels = append(levels, t.Base)
	}
	for _, a := range []int{t.Sub, t.Top} {
		if a > 0 {
			levels = append(levels, a)
		}
	}
	return levels
}

func itoa(n int) string { return string(rune('0' + n)) }

// Shape is all that a circuit depends on.
type Shape struct {
	CircuitID  string
	SectorSize uint64 // bytes
	Tree       Tree
	Layers     int // PoRep: layers of labels
	Partitions int // PoRep: partitions of a proof
	Challenges int // PoRep: a partition; PoSt: a sector
	Sectors    int // PoSt: sectors of a partition
	KeyName    string
}

// Nodes returns the number of nodes of a sector.
func (s *Shape) Nodes() uint64 { return s.SectorSize / NodeBytes }

// Inputs returns the number of public inputs of a partition, with the constant
// one.
func (s *Shape) Inputs() int {
	switch {
	case s.Sectors > 0: // one, randomness-free: comm_r and challenges of each sector
		return 1 + s.Sectors*(1+s.Challenges)
	default: // one, replica_id, comm_d, comm_r; D path, parents, challenge, R path, C path
		return 1 + 3 + s.Challenges*(BaseDegree+ExpanderDegree+4)
	}
}

// Production tells whether the shape's sectors are on the network, as opposed to
// those that only tests use.
func (s *Shape) Production() bool { return s.KeyName != "" }

const (
	stackedPrefix  = "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-"
	fallbackPrefix = "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-"
)

func stacked(id string, size uint64, t Tree, layers, partitions, challenges int, identifier string) Shape {
	s := Shape{CircuitID: id, SectorSize: size, Tree: t, Layers: layers, Partitions: partitions, Challenges: challenges}
	if identifier != "" {
		s.KeyName = stackedPrefix + t.String() + "-sha256_hasher-" + identifier
	}
	return s
}

// Shapes returns all circuits' shapes, in order of kind and size.
func Shapes() []Shape {
	return []Shape{
		stacked("porep-2k", 2<<10, Tree{8, 0, 0}, 2, 1, 2, "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f"),
		stacked("porep-16k-sub8", 16<<10, Tree{8, 8, 0}, 2, 1, 2, ""),
		stacked("porep-32k-top2", 32<<10, Tree{8, 8, 2}, 2, 1, 2, ""),
		stacked("porep-8m", 8<<20, Tree{8, 0, 0}, 2, 1, 2, "ecd683648512ab1765faa2a5f14bab48f676e633467f0aa8aad4b55dcb0652bb"),
		stacked("porep-512m", 512<<20, Tree{8, 0, 0}, 2, 1, 2, "6babf46ce344ae495d558e7770a585b2382d54f225af8ed0397b8be7c3fcd472"),
		stacked("porep-32g", 32<<30, Tree{8, 8, 0}, 11, 10, 18, "82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820"),
		stacked("porep-64g", 64<<30, Tree{8, 8, 2}, 11, 10, 18, "96f1b4a04c5c51e4759bbf224bbc2ef5a42c7100f16ec0637123f16a845ddfb2"),
		{
			CircuitID: "wpost-2k", SectorSize: 2 << 10, Tree: Tree{8, 0, 0}, Partitions: 1, Challenges: 10, Sectors: 2,
			KeyName: fallbackPrefix + "8-0-0-0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
		},
	}
}

// ShapeOf returns the shape of a circuit id.
func ShapeOf(circuitID string) (Shape, bool) {
	for _, s := range Shapes() {
		if s.CircuitID == circuitID {
			return s, true
		}
	}
	return Shape{}, false
}

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

// WindowPoSt is a registered WindowPoSt proof.
type WindowPoSt struct {
	Number uint64 // abi.RegisteredPoStProof
	Name   string
	V1_1   bool // challenges as of API version 1.1.0 and later
	Shape  Shape
}

// WindowPoSts returns the registered WindowPoSt proofs that can be proved.
func WindowPoSts() []WindowPoSt {
	shape, _ := ShapeOf("wpost-2k")
	return []WindowPoSt{
		{5, "StackedDrgWindow2KiBV1", false, shape},
		{10, "StackedDrgWindow2KiBV1_1", true, shape},
	}
}

// WindowPoStByNumber returns the registered WindowPoSt proof of an abi number.
func WindowPoStByNumber(n uint64) (WindowPoSt, bool) {
	for _, p := range WindowPoSts() {
		if p.Number == n {
			return p, true
		}
	}
	return WindowPoSt{}, false
}
