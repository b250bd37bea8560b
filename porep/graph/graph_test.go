package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sealwright/sealwright/porep/registry"
)

// TestWholeGraphs compares every node's parents with the SHA-256 of the parent
// caches that rust-fil-proofs publishes (parent_cache.json of
// storage-proofs-porep 19.1.0): 14 parents of 4 bytes little-endian a node.
func TestWholeGraphs(t *testing.T) {
	for _, c := range []struct{ seal, digest string }{
		{"StackedDrg2KiBV1", "3da49221e2ed55371b86d0bf3d6526fcf128af61bed904f966428db1b531750d"},
		{"StackedDrg2KiBV1_1", "840057702eea7652cf97e04306c30fe57174714d90de156a25eddd6075c25b97"},
		{"StackedDrg8MiBV1", "a76604f2f59f2744c7151653bbb1d8596b6b57d295e6fa6c1f0c41d725b502ce"},
		{"StackedDrg8MiBV1_1", "03cd13565ded97c240a5f52e54295ad127bd0461b57904cb3a4d79b097bbecab"},
	} {
		t.Run(c.seal, func(t *testing.T) {
			seal, _ := registry.SealByName(c.seal)
			if testing.Short() && seal.Shape.Nodes() > 64 {
				t.Skip("takes seconds")
			}
			t.Parallel()
			g := New(seal.PorepID(), seal.Shape.Nodes(), seal.V1_1)
			h := sha256.New()
			for v := range g.Nodes() {
				var row [56]byte
				drg, expander := g.DRGParents(v), g.ExpanderParents(v)
				for i, p := range append(drg[:], expander[:]...) {
					binary.LittleEndian.PutUint32(row[4*i:], p)
				}
				h.Write(row[:])
			}
			if got := hex.EncodeToString(h.Sum(nil)); got != c.digest {
				t.Errorf("digest of all parents is %s, want %s", got, c.digest)
			}
		})
	}
}

// TestChaCha8 is the key stream of RFC 7539's layout with 8 rounds, key and nonce
// zero (draft-strombergson-chacha-test-vectors, TC1).
func TestChaCha8(t *testing.T) {
	const want = "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e" +
		"984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
	c := newChaCha8([32]byte{})
	var got []byte
	for range 8 {
		got = binary.LittleEndian.AppendUint64(got, c.next())
	}
	if hex.EncodeToString(got) != want {
		t.Errorf("key stream is %x", got)
	}
	first := c.block
	if c.next(); c.block == first {
		t.Error("the second block equals the first")
	}
}

func drawID(t *rapid.T) (id [32]byte) {
	copy(id[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "id"))
	return id
}

// TestEditions: both editions draw the same parents, but for the expander of 32
// and 64 GiB, which the first edition cuts short.
func TestEditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t)
		nodes := uint64(1) << rapid.IntRange(1, 31).Draw(t, "log2 nodes")
		node := rapid.Uint64Range(0, nodes-1).Draw(t, "node")
		v1, v1_1 := New(id, nodes, false), New(id, nodes, true)

		old, drg := v1.DRGParents(node), v1_1.DRGParents(node)
		if node >= 2 && (drg[0] != uint32(node-1) || old[5] != uint32(node-1)) {
			t.Errorf("node %d: predecessor is not in its place", node)
		}
		if rotated := append(slices.Clone(drg[1:]), drg[0]); !slices.Equal(rotated, old[:]) {
			t.Errorf("node %d: DRG parents %v and %v", node, old, drg)
		}
		for _, p := range drg {
			if node > 0 && uint64(p) >= node {
				t.Errorf("node %d: DRG parent %d", node, p)
			}
		}
		oldExpander, expander := v1.ExpanderParents(node), v1_1.ExpanderParents(node)
		for i := range expander {
			if uint64(expander[i]) >= nodes {
				t.Errorf("node %d: expander parent %d", node, expander[i])
			}
			if oldExpander[i] != expander[i]%(1<<29) {
				t.Errorf("node %d: expander parents %d and %d", node, oldExpander[i], expander[i])
			}
		}
	})
}

func TestFeistelPermutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Uint64Range(2, 500).Draw(t, "size")
		f := newFeistel(size, drawID(t))
		seen := make(map[uint64]bool)
		for i := range size {
			to := f.permute(i)
			if to >= size || seen[to] {
				t.Fatalf("%d goes to %d of %d", i, to, size)
			}
			seen[to] = true
		}
	})
}

func TestModulo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t)
		n := rapid.Uint64Range(1, math.MaxUint64).Draw(t, "n")
		be := slices.Clone(id[:])
		slices.Reverse(be)
		want := new(big.Int).SetBytes(be)
		want.Mod(want, new(big.Int).SetUint64(n))
		if got := modulo(id, n); got != want.Uint64() {
			t.Errorf("modulo is %d, want %d", got, want)
		}
	})
}

func TestWindowPoStNumbering(t *testing.T) {
	all := WindowPoStChallenges([32]byte{1}, 7, 64, true, 3, 30)
	for index := range 3 {
		got := WindowPoStChallenges([32]byte{1}, 7, 64, false, index, 10)
		if !slices.Equal(got, all[10*index:10*index+10]) {
			t.Errorf("sector %d of the first edition has challenges %v", index, got)
		}
	}
}

func TestParentsAllocateNothing(t *testing.T) {
	g := New([32]byte{8}, 1<<30, true)
	if n := testing.AllocsPerRun(10, func() {
		g.DRGParents(1 << 29)
		g.ExpanderParents(1 << 29)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkParents(b *testing.B) {
	g := New([32]byte{8}, 1<<30, true)
	for b.Loop() {
		g.DRGParents(1 << 29)
		g.ExpanderParents(1 << 29)
	}
}
