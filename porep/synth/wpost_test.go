package synth

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"os"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/poseidon"
)

// reader reads bincode and remembers whether it ran out.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if len(r.rest) < n {
		r.short = true
		return make([]byte, n)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) le4() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) le8() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *reader) hash() Hash  { return Hash(r.take(32)) }

// checkVanilla reads a sector's vanilla proof and recomputes every commitment in
// it; it returns the sector's number.
func checkVanilla(t *testing.T, data []byte, randomness Hash) uint64 {
	t.Helper()
	r := &reader{rest: data}
	id, commR := r.le8(), r.hash()
	if n := r.le8(); n != 1 {
		t.Fatalf("proof is of %d sectors", n)
	}
	challenges := graph.WindowPoStChallenges(randomness, id, 64, true, 0, int(r.le8()&0xff))
	if len(challenges) != 10 {
		t.Fatalf("proof opens %d leaves", len(challenges))
	}
	var roots []Hash
	for _, c := range challenges {
		if shape := r.le4(); shape != single {
			t.Fatalf("opening has shape %d", shape)
		}
		roots = append(roots, r.hash())
		value, leaf := r.hash(), uint64(0)
		for h := range r.le8() & 0xff {
			children := make([]Hash, r.le8()&7)
			for i := range children {
				children[i] = r.hash()
			}
			place := r.le8() & 7
			leaf += place << (3 * h)
			value = mustHash(t, slices.Insert(children, int(place), value))
		}
		if leaf != c || value != roots[0] || value != roots[len(roots)-1] {
			t.Errorf("opening of leaf %d for challenge %d leads to %x, root %x", leaf, c, value, roots[0])
		}
	}
	commC, commRLast := r.hash(), r.hash()
	if commRLast != roots[0] {
		t.Errorf("comm_r_last is %x, root %x", commRLast, roots[0])
	}
	if got := mustHash(t, []Hash{commC, commRLast}); got != commR {
		t.Errorf("comm_r is %x, want %x", commR, got)
	}
	if r.short || len(r.rest) > 0 {
		t.Errorf("proof is short: %v; %d bytes are left", r.short, len(r.rest))
	}
	return id
}

func mustHash(t *testing.T, nodes []Hash) Hash {
	t.Helper()
	h, err := hashNodes(poseidon.ForArity(len(nodes)), nodes)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestReferenceVanilla holds the checker itself, and so the layout, to a proof
// that filecoin-proofs-api wrote.
func TestReferenceVanilla(t *testing.T) {
	const randomness = "2ad97600b03056cb54da352dfeab44728f366c2062c87ee4546f09c6b06b4c2a"
	data, err := os.ReadFile("testdata/windowpost-2k.sector101.vanilla.bincode")
	if err != nil {
		t.Fatal(err)
	}
	var r Hash
	if _, err := hex.Decode(r[:], []byte(randomness)); err != nil {
		t.Fatal(err)
	}
	if id := checkVanilla(t, data, r); id != 101 {
		t.Errorf("sector is %d", id)
	}
}

func TestWindowPoSt(t *testing.T) {
	a, err := NewWindowPoSt(context.Background(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if a.Proof.Number != 10 || len(a.Sectors) != 2 || a.Sectors[0].ID >= a.Sectors[1].ID || a.Miner > 1<<32 {
		t.Errorf("request is of proof %d, miner %d, %d sectors", a.Proof.Number, a.Miner, len(a.Sectors))
	}
	for _, s := range a.Sectors {
		if id := checkVanilla(t, s.Vanilla, a.Randomness); id != s.ID {
			t.Errorf("vanilla proof of sector %d is of %d", s.ID, id)
		}
	}
	if a.Sectors[0].CommR == a.Sectors[1].CommR {
		t.Error("both sectors are the same")
	}
	again, err := NewWindowPoSt(context.Background(), "a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewWindowPoSt(context.Background(), "b")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Sectors[1].Vanilla, again.Sectors[1].Vanilla) || a.Miner != again.Miner || a.Randomness != again.Randomness {
		t.Error("the same name gives another request")
	}
	if a.Randomness == other.Randomness || a.Sectors[0].CommR == other.Sectors[0].CommR {
		t.Error("another name gives the same request")
	}
}

func TestWindowPoStWithoutName(t *testing.T) {
	if _, err := NewWindowPoSt(context.Background(), ""); err == nil || err.Error() != "validate name: it is empty" {
		t.Errorf("error is %v", err)
	}
}
