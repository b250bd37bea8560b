// Package sdk is the contract between Sealwright and the code that drives a
// proving device. A vendor implements Backend and Device; most start by
// embedding the reference device of sdk/cpu and override one method at a time.
//
// The package imports the standard library only and speaks in plain data:
// field elements, points, bases, circuits, witnesses. Nothing in it knows
// Filecoin.
//
// # Forms
//
// Every value in memory is in gnark-crypto's layout for BLS12-381: field
// elements in Montgomery form, little-endian 64-bit limbs; affine points as
// (X, Y) with infinity all zeros; Fp2 as (A0, A1) for A0 + A1·u. Going to and
// from gnark-crypto (or a CUDA kernel) is a cast, never a conversion. The one
// exception is Bases with Encoding FileOrder, which are bytes of a proving key
// file as they lie there.
package sdk
