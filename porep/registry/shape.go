package registry

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
