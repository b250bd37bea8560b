package groth16

import "github.com/sealwright/sealwright/sdk"

// Memory is the most that proving takes through sdk.Buffers, in bytes, besides
// what the device takes for itself.
type Memory struct {
	Layout  int64 // a circuit, as long as its layout is held
	Vectors int64 // a partition, from Assign on: a and b
	Third   int64 // a partition in Prove, where the device is no sdk.Quotienter: c
	Aux     int64 // a partition in Prove, once a and b are given back
}

// MemoryOf returns what proving a circuit takes.
func MemoryOf(c *sdk.Circuit) Memory {
	variables := int(c.NumInputs) + int(c.NumAux)
	bits := int64(words(variables)) * 8
	vector := int64(domainSize(c)) * int64(sdk.FrBytes)
	fields := int64(c.NumFields)
	gathered := max(min(fields, gatherBlock), min(int64(variables), onesBlock)) * int64(sdk.G2Bytes+sdk.FrBytes)
	return Memory{
		Layout: 2 * bits, Vectors: 2 * vector, Third: vector,
		Aux: bits + fields*8 + max(bits, gathered),
	}
}
