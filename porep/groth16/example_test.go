package groth16_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/groth16"
)

// A proof of a 2 KiB sector is verified under its key, then refused for another
// ticket's public inputs.
func ExamplePreparedKey_Verify() {
	vkBytes, err := os.ReadFile("testdata/porep-2k.vk")
	if err != nil {
		panic(err)
	}
	proofBytes, err := os.ReadFile("testdata/2k-A.p0.proof")
	if err != nil {
		panic(err)
	}
	vk, err := groth16.ParseVerifyingKey(vkBytes)
	if err != nil {
		panic(err)
	}
	key, err := vk.Prepare()
	if err != nil {
		panic(err)
	}
	proof, err := groth16.ParseProof(proofBytes)
	if err != nil {
		panic(err)
	}
	inputs := exampleInputs("testdata/2k-A.inputs.json")
	fmt.Println(key.Verify(proof, inputs))
	inputs[0].SetOne()
	fmt.Println(key.Verify(proof, inputs))
	// Output:
	// <nil>
	// proof does not verify
}

// exampleInputs reads a partition's public inputs, little-endian hex.
func exampleInputs(path string) []fr.Element {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	var partitions [][]string
	if err := json.Unmarshal(data, &partitions); err != nil {
		panic(err)
	}
	inputs := make([]fr.Element, len(partitions[0]))
	for i, text := range partitions[0] {
		raw, err := hex.DecodeString(text)
		if err != nil {
			panic(err)
		}
		if inputs[i], err = fr.LittleEndian.Element((*[fr.Bytes]byte)(raw)); err != nil {
			panic(err)
		}
	}
	return inputs
}
