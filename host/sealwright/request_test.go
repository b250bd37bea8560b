package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/host"
)

func TestParseRequestPoRep(t *testing.T) {
	c1 := base64.StdEncoding.EncodeToString([]byte(`{"registered_proof":"x"}`))
	r, err := parseRequest([]byte(`{"request_id":"porep-1000-7","proof_kind":"POREP_SEAL_COMMIT","sector_size":"2048",
		"registered_proof":"5","priority":"HIGH","vanilla_proof":"` + c1 + `","sector_number":"7","miner_id":"1000"}`))
	if err != nil {
		t.Fatal(err)
	}
	if r.ID != "porep-1000-7" || r.Kind != host.PoRep || r.SectorSize != 2048 || *r.RegisteredProof != 5 || r.Priority != host.PriorityHigh {
		t.Errorf("request is %+v", r)
	}
	if string(r.C1) != `{"registered_proof":"x"}` {
		t.Errorf("C1 is %s", r.C1)
	}
	if r.ProverID == nil || r.ProverID[0] != 0xe8 || r.ProverID[1] != 0x07 || *r.Sector != 7 {
		t.Errorf("prover %x, sector %v", r.ProverID, r.Sector)
	}
}

func TestParseRequestLeavesOutUnknown(t *testing.T) {
	r, err := parseRequest([]byte(`{"proof_kind":1,"vanilla_proof":"e30="}`))
	if err != nil {
		t.Fatal(err)
	}
	if r.RegisteredProof != nil || r.ProverID != nil || r.Sector != nil {
		t.Errorf("registered proof %v, prover %v, sector %v, want none", r.RegisteredProof, r.ProverID, r.Sector)
	}
}

func TestParseRequestWindowPoSt(t *testing.T) {
	r, err := parseRequest([]byte(`{"proof_kind":"WINDOW_POST_PARTITION","registered_proof":"10","randomness":"AAEC",
		"vanilla_proofs":["AA==","AQ=="],"partition_index":3,"miner_id":"1000"}`))
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != host.WindowPoSt || *r.RegisteredProof != 10 || len(r.Randomness) != 3 || len(r.VanillaProofs) != 2 || r.PartitionIndex != 3 {
		t.Errorf("request is %+v", r)
	}
}

func TestParseRequestErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, "read request"},
		{`[]`, "read request"},
		{`{"proof_kind":"NO_SUCH"}`, "NO_SUCH"},
		{`{"proof_kind":"SNAP_DEALS_UPDATE"}`, "proof_kind: found SNAP_DEALS_UPDATE, which is unsupported"},
		{`{}`, "proof_kind: found PROOF_KIND_UNSPECIFIED"},
		{`{"proof_kind":"POREP_SEAL_COMMIT"}`, "vanilla_proof: empty"},
		{`{"proof_kind":"POREP_SEAL_COMMIT","vanila_proof":"e30="}`, "vanila_proof"},
		{`{"proof_kind":"POREP_SEAL_COMMIT","vanilla_proof":"e30=","miner_id":-1}`, "minerId"},
		{`{"proof_kind":"POREP_SEAL_COMMIT","vanilla_proof":"!"}`, "vanillaProof"},
	} {
		if _, err := parseRequest([]byte(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.in, err, c.want)
		}
	}
}

func TestReadInput(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want exitCode
	}{{empty, exitInvalid}, {filepath.Join(dir, "missing"), exitEnvironment}, {dir, exitEnvironment}} {
		if _, err := readInput(c.path); codeOf(err) != c.want {
			t.Errorf("%s: %v ends with %d, want %d", c.path, err, codeOf(err), c.want)
		}
	}
}

// FuzzRequest holds that a request file of any bytes gives a request or an error.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"proof_kind":"WINDOW_POST_PARTITION","registered_proof":"10","randomness":"AAEC","vanilla_proofs":["AA=="]}`))
	f.Add([]byte(`{"proof_kind":1,"vanilla_proof":"e30=","miner_id":"1000"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseRequest(data)
		if err == nil && r.Kind == 0 {
			t.Error("no error and no kind")
		}
	})
}
