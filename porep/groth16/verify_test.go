package groth16

import (
	"errors"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

func TestVerifyVectors(t *testing.T) {
	tests := []struct{ vk, name string }{
		{"porep-2k.vk", "2k-A"}, {"porep-2k.vk", "2k-B"}, {"windowpost-2k.vk", "windowpost-2k"},
	}
	for _, tt := range tests {
		k := readPrepared(t, tt.vk)
		p := mustParseProof(t, readTestdata(t, tt.name+".p0.proof"))
		inputs := readInputs(t, tt.name+".inputs.json")[0]
		if err := k.Verify(p, inputs); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		one := fr.One()
		for i := range inputs {
			inputs[i].Add(&inputs[i], &one)
			if err := k.Verify(p, inputs); !errors.Is(err, ErrRejected) {
				t.Errorf("%s: input %d plus one: got %v", tt.name, i, err)
			}
			inputs[i].Sub(&inputs[i], &one)
		}
	}
}

func TestVerifyWrongInputCount(t *testing.T) {
	k := readPrepared(t, "porep-2k.vk")
	p := mustParseProof(t, readTestdata(t, "2k-A.p0.proof"))
	err := k.Verify(p, make([]fr.Element, 38))
	if err == nil || errors.Is(err, ErrRejected) || !strings.Contains(err.Error(), "expected 39 public inputs, found 38") {
		t.Errorf("got %v", err)
	}
}

func TestVerifyAllPartitions(t *testing.T) {
	k := readPrepared(t, "c1-32g.vk")
	proofs, err := ParseProofs(readTestdata(t, "c1-32g.proof"), 10)
	if err != nil {
		t.Fatal(err)
	}
	inputs := readInputs(t, "c1-32g.inputs.json.gz")
	if err := k.VerifyAll(proofs, inputs); err != nil {
		t.Fatalf("good batch: %v", err)
	}
	proofs[3], proofs[7] = proofs[7], proofs[3]
	err = k.VerifyAll(proofs, inputs)
	if !errors.Is(err, ErrRejected) {
		t.Fatalf("swapped partitions: %v", err)
	}
	for _, name := range []string{"partition 3: ", "partition 7: "} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("error %q does not name %q", err, name)
		}
	}
	if strings.Contains(err.Error(), "partition 4") {
		t.Errorf("error %q names a good partition", err)
	}
}

// TestVerifyAllCancelling gives two proofs whose errors would cancel out if the
// batch were summed without random weights.
func TestVerifyAllCancelling(t *testing.T) {
	k := readPrepared(t, "porep-2k.vk")
	var proofs []*Proof
	var inputs [][]fr.Element
	for _, name := range []string{"2k-A", "2k-B"} {
		proofs = append(proofs, mustParseProof(t, readTestdata(t, name+".p0.proof")))
		inputs = append(inputs, readInputs(t, name+".inputs.json")[0])
	}
	proofs[0].C.Add(&proofs[0].C, &k.vk.AlphaG1)
	proofs[1].C.Sub(&proofs[1].C, &k.vk.AlphaG1)
	err := k.VerifyAll(proofs, inputs)
	if !errors.Is(err, ErrRejected) || !strings.Contains(err.Error(), "partition 0") || !strings.Contains(err.Error(), "partition 1") {
		t.Errorf("got %v", err)
	}
}

func TestVerifyAllCounts(t *testing.T) {
	k := readPrepared(t, "porep-2k.vk")
	if err := k.VerifyAll(nil, nil); err == nil {
		t.Error("no partitions: no error")
	}
	if err := k.VerifyAll(make([]*Proof, 2), make([][]fr.Element, 1)); err == nil {
		t.Error("2 proofs, 1 set of inputs: no error")
	}
}

func BenchmarkVerify(b *testing.B) {
	k := readPrepared(b, "porep-2k.vk")
	p := mustParseProof(b, readTestdata(b, "2k-A.p0.proof"))
	inputs := readInputs(b, "2k-A.inputs.json")[0]
	for b.Loop() {
		if err := k.Verify(p, inputs); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerifyTenPartitions(b *testing.B) {
	k := readPrepared(b, "c1-32g.vk")
	data := readTestdata(b, "c1-32g.proof")
	inputs := readInputs(b, "c1-32g.inputs.json.gz")
	for b.Loop() {
		proofs, err := ParseProofs(data, 10)
		if err != nil {
			b.Fatal(err)
		}
		if err := k.VerifyAll(proofs, inputs); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrepareKey(b *testing.B) {
	data := readTestdata(b, "c1-32g.vk")
	for b.Loop() {
		vk, err := ParseVerifyingKey(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := vk.Prepare(); err != nil {
			b.Fatal(err)
		}
	}
}
