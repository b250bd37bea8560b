// Package porep turns a miner's request into what a prover and a verifier need:
// it reads the request's parts, checks them natively in full, and gives the
// public inputs and the circuit's secrets of each partition.
//
// Host and engine both read a job through Parse, from the same parts.
package porep
