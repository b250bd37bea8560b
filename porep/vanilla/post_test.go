package vanilla

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
)

// readPoSt returns a sector's vanilla proof of testdata.
func readPoSt(t testing.TB, sector string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "windowpost-2k.sector"+sector+".vanilla.bincode"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func postShape(t testing.TB) *registry.Shape {
	t.Helper()
	shape, ok := registry.ShapeOf("wpost-2k")
	if !ok {
		t.Fatal("no shape wpost-2k")
	}
	return &shape
}

// windowPoSt returns the reference's WindowPoSt of two sectors.
func windowPoSt(t testing.TB) *WindowPoSt {
	t.Helper()
	proof, _ := registry.WindowPoStByNumber(10)
	post := &WindowPoSt{Proof: proof, Randomness: sha256.Sum256([]byte("fpref/post/randomness"))}
	post.Randomness[31] &= 0x3f
	for _, sector := range []string{"101", "102"} {
		s, err := ParseWindowPoStSector(readPoSt(t, sector), &proof.Shape)
		if err != nil {
			t.Fatal(err)
		}
		post.Sectors = append(post.Sectors, *s)
	}
	return post
}

func TestWindowPoSt(t *testing.T) {
	post := windowPoSt(t)
	if post.Sectors[0].ID != 101 || post.Sectors[1].ID != 102 {
		t.Errorf("sectors are %d and %d", post.Sectors[0].ID, post.Sectors[1].ID)
	}
	if err := post.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestParseWindowPoStRefuses(t *testing.T) {
	const (
		lists    = 8 + 32     // the list of sectors begins here
		openings = lists + 8  // the list of openings
		variant  = lists + 16 // of the first opening
		root     = variant + 4
		levels   = root + 64
		siblings = levels + 8
		place    = siblings + 8 + 7*32
	)
	put8 := func(at int, n uint64) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint64(b[at:], n); return b }
	}
	for _, c := range []struct {
		name string
		edit func([]byte) []byte
		want string
	}{
		{"empty", func([]byte) []byte { return nil }, "sector_id: at byte 0: found 0 to the end of the input, expected 8 bytes"},
		{"trailing byte", func(b []byte) []byte { return append(b, 0) }, "found 1 trailing bytes, expected the end of the input"},
		{"comm_r beyond r", func(b []byte) []byte { b[8+31] = 0xff; return b }, "comm_r: at byte 40: found "},
		{"no sector", put8(lists, 0), "vanilla_proof.sectors: at byte 48: found 0, expected a list of 1"},
		{"many sectors", put8(lists, 1<<63), "found 9223372036854775808, expected a list of 1"},
		{"openings", put8(openings, 11), "inclusion_proofs: at byte 56: found 11, expected a list of 10"},
		{"variant", func(b []byte) []byte { b[variant] = 1; return b }, "inclusion_proofs[0].data: at byte 60: found 1, expected variant 0, as the tree is 8-0-0"},
		{"root beyond r", func(b []byte) []byte { b[root+31] = 0xff; return b }, "inclusion_proofs[0].root: at byte 92"},
		{"levels", put8(levels, 3), "inclusion_proofs[0].path: at byte 132: found 3, expected a list of 2"},
		{"siblings", put8(siblings, 8), "path[0].hashes: at byte 140: found 8, expected a list of 7"},
		{"place", put8(place, 8), "path[0].index: at byte"},
		{"place of 2^40", put8(place, 1<<40), "expected an integer from 0 to 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseWindowPoStSector(c.edit(readPoSt(t, "101")), postShape(t))
			checkRefusal(t, err, c.want)
		})
	}
	data := readPoSt(t, "101")
	for n := range data {
		if _, err := ParseWindowPoStSector(data[:n], postShape(t)); err == nil {
			t.Fatalf("cut to %d bytes it is accepted", n)
		}
	}
}

func TestCheckWindowPoStRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*WindowPoSt)
		want   string
	}{
		{"no sectors", func(w *WindowPoSt) { w.Sectors = nil }, "sectors: found 0, expected 1 to 2"},
		{"randomness", func(w *WindowPoSt) { w.Randomness[0] ^= 1 }, "sector 0 (number 101): challenge 0 (node "},
		{"sector number", func(w *WindowPoSt) { w.Sectors[1].ID++ }, "sector 1 (number 103): challenge 0"},
		{"comm_r", func(w *WindowPoSt) { w.Sectors[1].CommR[0] ^= 1 }, "comm_r against comm_c and comm_r_last"},
		{"comm_c", func(w *WindowPoSt) { w.Sectors[0].CommC[0] ^= 1 }, "comm_r against comm_c and comm_r_last"},
		{"comm_r_last", func(w *WindowPoSt) { w.Sectors[0].CommRLast[0] ^= 1 }, "comm_r against comm_c and comm_r_last"},
		{"root", func(w *WindowPoSt) { w.Sectors[0].Paths[3].Root[0] ^= 1 }, "challenge 3 (node 17): tree R: root"},
		{"leaf", func(w *WindowPoSt) { w.Sectors[0].Paths[3].Leaf[0] ^= 1 }, "challenge 3 (node 17): tree R: level 2, recomputed from the leaf"},
		{"sibling", func(w *WindowPoSt) { w.Sectors[1].Paths[9].Steps[1].Siblings[6][0] ^= 1 }, "tree R: level 2, recomputed from the leaf"},
		{"place", func(w *WindowPoSt) { w.Sectors[0].Paths[0].Steps[0].Index ^= 1 }, "tree R: index"},
		{"opening missing", func(w *WindowPoSt) { w.Sectors[0].Paths = w.Sectors[0].Paths[:9] }, "openings: found 9, expected 10"},
		{"level missing", func(w *WindowPoSt) { p := &w.Sectors[0].Paths[0]; p.Steps = p.Steps[:1] }, "levels: found 1, expected 2"},
		{"sibling missing", func(w *WindowPoSt) { s := &w.Sectors[0].Paths[0].Steps[0]; s.Siblings = s.Siblings[:6] }, "siblings: found 6, expected 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			post := windowPoSt(t)
			c.change(post)
			checkCheck(t, post.Check(t.Context()), c.want)
		})
	}
}

// checkCheck wants one line about something.
func checkCheck(t *testing.T, err error, want string) {
	t.Helper()
	var checkErr *CheckError
	if !errors.As(err, &checkErr) {
		t.Fatalf("the error is %v, want a CheckError", err)
	}
	if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") {
		t.Errorf("the error is %q, want one line about %q", text, want)
	}
}
