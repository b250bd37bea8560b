// Package groth16 proves, verifies and makes keys for the Groth16 argument
// (Jens Groth, "On the Size of Pairing-based Non-interactive Arguments", 2016,
// section 3.2) over BLS12-381, in the encodings that Filecoin's proofs and
// parameter files have.
//
// A proof is made in three stages, so that a pipeline can drive them: Assign
// evaluates A·z and B·z row by row on the host, Prove computes the quotient and
// the five multiexponentiations on a sdk.Device, Finish blinds and assembles
// the 192 bytes. Each stage gives back the memory it is done with.
//
// Setup makes a key from a known trapdoor. Whoever knows a trapdoor can forge
// proofs: such keys are for development and tests only.
package groth16
