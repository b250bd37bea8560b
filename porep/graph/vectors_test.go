package graph

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hash32 is 32 bytes that JSON spells in hex.
type hash32 [32]byte

func (h *hash32) UnmarshalText(text []byte) error {
	_, err := hex.Decode(h[:], text)
	return err
}

// number returns the hash as a small little-endian integer.
func (h *hash32) number() uint64 { return binary.LittleEndian.Uint64(h[:]) }

// sector is a *.sector.json of testdata, made with rust-fil-proofs 19.1.0.
type sector struct {
	PorepID    hash32 `json:"porep_id"`
	ProverID   hash32 `json:"prover_id"`
	SectorID   uint64 `json:"sector_id"`
	CommD      hash32 `json:"comm_d"`
	Seed       hash32
	Ticket     hash32
	SectorSize uint64 `json:"sector_size"`
	TrueSize   uint64 `json:"true_sector_size"` // of the shapes that are no registered proofs
	Partitions []struct {
		PublicInputs []hash32 `json:"public_inputs_le_hex"`
	}
}

func (s *sector) nodes() uint64 { return max(s.SectorSize, s.TrueSize) / 32 }

// readTestdata unmarshals a file of testdata, gzipped if its name says so.
func readTestdata(t testing.TB, path string, into any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.NewDecoder(r).Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestSectors derives replica id, challenges and parents of every vector and
// compares them with the public inputs.
func TestSectors(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.sector.json*")
	if err != nil || len(paths) < 8 {
		t.Fatalf("found %d sectors (%v)", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.SplitN(filepath.Base(path), ".", 2)[0], func(t *testing.T) {
			var s sector
			readTestdata(t, path, &s)
			replica := ReplicaID(s.ProverID, s.SectorID, s.Ticket, s.CommD, s.PorepID)
			g := New(s.PorepID, s.nodes(), true)
			for k, p := range s.Partitions {
				if p.PublicInputs[0] != replica {
					t.Errorf("replica id is %x, want %x", replica, p.PublicInputs[0])
				}
				rest := p.PublicInputs[3:]
				if len(rest)%18 != 0 {
					t.Fatalf("partition %d has %d inputs", k, len(rest))
				}
				for _, challenge := range Challenges(replica, s.Seed, s.nodes(), len(rest)/18, k) {
					checkInputs(t, g, challenge, rest[:18])
					rest = rest[18:]
				}
			}
		})
	}
}

// checkInputs compares a challenge's 18 public inputs: its node, 6 DRG parents, 8
// expander parents, and the node three times.
func checkInputs(t *testing.T, g *Graph, challenge uint64, inputs []hash32) {
	t.Helper()
	want := []uint64{challenge}
	for _, p := range g.DRGParents(challenge) {
		want = append(want, uint64(p))
	}
	for _, p := range g.ExpanderParents(challenge) {
		want = append(want, uint64(p))
	}
	want = append(want, challenge, challenge, challenge)
	var got []uint64
	for i := range inputs {
		got = append(got, inputs[i].number())
	}
	if !slices.Equal(got, want) {
		t.Errorf("inputs are %v, derived %v", got, want)
	}
}

func TestHashes(t *testing.T) {
	var v struct {
		Nodes []struct {
			Left   hash32 `json:"left_hex"`
			Right  hash32 `json:"right_hex"`
			Digest hash32 `json:"digest_hex"`
		} `json:"sha256_node"`
		Replicas []struct {
			ProverID  hash32 `json:"prover_id"`
			SectorID  uint64 `json:"sector_id"`
			Ticket    hash32
			CommD     hash32 `json:"comm_d"`
			PorepID   hash32 `json:"porep_id"`
			ReplicaID hash32 `json:"replica_id"`
		} `json:"replica_id"`
	}
	readTestdata(t, "testdata/sha-and-field.json", &v)
	if len(v.Nodes) == 0 || len(v.Replicas) == 0 {
		t.Fatal("found no cases")
	}
	for _, c := range v.Nodes {
		if got := PairHash((*[32]byte)(&c.Left), (*[32]byte)(&c.Right)); got != c.Digest {
			t.Errorf("hash of %x and %x is %x, want %x", c.Left, c.Right, got, c.Digest)
		}
	}
	for _, c := range v.Replicas {
		if got := ReplicaID(c.ProverID, c.SectorID, c.Ticket, c.CommD, c.PorepID); got != c.ReplicaID {
			t.Errorf("replica id of sector %d is %x, want %x", c.SectorID, got, c.ReplicaID)
		}
	}
}

func TestWindowPoStChallenges(t *testing.T) {
	// From a WindowPoSt of two 2 KiB sectors, API version 1.2.0.
	var randomness hash32
	if err := randomness.UnmarshalText([]byte("2ad97600b03056cb54da352dfeab44728f366c2062c87ee4546f09c6b06b4c2a")); err != nil {
		t.Fatal(err)
	}
	for sector, want := range map[uint64][]uint64{
		101: {31, 56, 51, 17, 24, 16, 12, 47, 43, 19},
		102: {14, 37, 46, 31, 27, 38, 26, 61, 9, 49},
	} {
		if got := WindowPoStChallenges(randomness, sector, 64, true, 1, len(want)); !slices.Equal(got, want) {
			t.Errorf("challenges of sector %d are %v, want %v", sector, got, want)
		}
	}
}
