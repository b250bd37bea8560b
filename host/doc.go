// Package host proves sectors by engines in other processes, and answers for the
// proofs: each one is verified before it counts. A miner's daemon and a Go
// program that embeds the host use it alike:
//
//	h, err := host.New(ctx, host.Options{EnginePath: "/usr/lib/sealwright/sealwright-engine-cpu"})
//	...
//	defer h.Close()
//	proof, err := h.SealCommit2(ctx, host.SectorRef{ID: id, ProofType: proofType}, c1Output)
//
// The process of the host links no code that can touch a device: whatever an
// engine does, crash, abort, run out of memory, it does in a process of its own.
package host
