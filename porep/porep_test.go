package porep

import (
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
)

// sidecar is a *.sector.json: what a vector's C1 output was made from.
type sidecar struct {
	ProverID   bytes32 `json:"prover_id"`
	Sector     uint64  `json:"sector_id"`
	Ticket     bytes32 `json:"ticket"`
	Seed       bytes32 `json:"seed"`
	CommR      bytes32 `json:"comm_r"`
	CommD      bytes32 `json:"comm_d"`
	PorepID    bytes32 `json:"porep_id"`
	Partitions []struct {
		Inputs []string `json:"public_inputs_le_hex"`
	} `json:"partitions"`
}

func (s *sidecar) inputs() [][]string {
	var all [][]string
	for _, p := range s.Partitions {
		all = append(all, p.Inputs)
	}
	return all
}

// sectors are the vectors with a sidecar. The large one is left to longer tests.
var sectors = []struct {
	c1, sidecar string
	number      uint64
	large       bool
}{
	{"2k-A.c1", "graph/testdata/2k-A.sector.json", 5, false},
	{"2k-B.c1", "graph/testdata/2k-B.sector.json", 5, false},
	{"8m-seed-8.c1", "vanilla/testdata/8m-seed-8.sector.json", 6, false},
	{"c1/c1-2k", "graph/testdata/c1-2k.sector.json", 5, false},
	{"c1/c1-8m", "graph/testdata/c1-8m.sector.json", 6, false},
	{"c1/c1-512m", "graph/testdata/c1-512m.sector.json", 7, false},
	{"c1/c1-32g", "graph/testdata/c1-32g.sector.json.gz", 8, true},
}

// TestPublicInputs holds public inputs to the reference's: from the C1 output,
// and from the identifiers alone.
func TestPublicInputs(t *testing.T) {
	for _, c := range sectors {
		t.Run(c.c1, func(t *testing.T) {
			if c.large && testing.Short() {
				t.Skip("a 32 GiB C1 output")
			}
			var s sidecar
			readJSON(t, c.sidecar, &s)
			id := Identity{ProverID: s.ProverID, Sector: s.Sector}
			job, err := ParsePoRep(t.Context(), readFile(t, "vanilla/testdata/"+c.c1+".json.gz"), &id)
			if err != nil {
				t.Fatal(err)
			}
			if job.RegisteredProof() != c.number || job.Partitions() != len(s.Partitions) || !job.IdentityChecked() {
				t.Errorf("job is of proof %d, %d partitions, identity checked %t", job.RegisteredProof(), job.Partitions(), job.IdentityChecked())
			}
			found, err := job.AllPublicInputs()
			if err != nil {
				t.Fatal(err)
			}
			wantInputs(t, found, s.inputs())

			seal, _ := registry.SealByNumber(c.number)
			statement := SealStatement{
				Seal: seal, PorepID: seal.PorepID(), ProverID: s.ProverID, Sector: s.Sector,
				Ticket: s.Ticket, Seed: s.Seed, CommR: s.CommR, CommD: s.CommD,
			}
			if found, err = statement.PublicInputs(); err != nil {
				t.Fatal(err)
			}
			wantInputs(t, found, s.inputs())
		})
	}
}

// TestWindowPoStInputs holds a WindowPoSt's public inputs to the reference's.
func TestWindowPoStInputs(t *testing.T) {
	job := windowPoSt(t, nil)
	var want [][]string
	readJSON(t, "groth16/testdata/windowpost-2k.inputs.json", &want)
	found, err := job.AllPublicInputs()
	if err != nil {
		t.Fatal(err)
	}
	wantInputs(t, found, want)
}
