// Package circuit holds the constraint systems of Filecoin's proofs and makes
// their witnesses, equal to the reference implementation variable for variable
// and constraint for constraint.
//
// A circuit is made of templates and instances (sdk.Circuit). A template is one
// gadget: one SHA-256 block, one level of a Merkle tree, one Poseidon. Its rows
// are written down once, by running the gadget's code against a recorder whose
// inputs are ports instead of variables. An assembler then stitches instances
// together by wires. The rows of a whole circuit are never in memory.
//
// Each gadget brings an expander besides its rows: native code that computes
// the values of an instance's variables from its wires and, where the gadget
// takes secrets, from a tape. Program.Witness runs them section by section (a
// section is a challenge or a sector), sections in parallel.
//
// Digest folds a circuit into the reference's digest, Check evaluates every row
// on a witness.
//
// Sources: FIP-0003 and the crates storage-proofs-porep, storage-proofs-post and
// storage-proofs-core 19.1.0, bellpepper 0.2.1, neptune 11.0.0, which define the
// order of variables and constraints.
package circuit
