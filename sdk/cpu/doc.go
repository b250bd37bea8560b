// Package cpu is the reference device: every method of sdk.Device and of its
// optional interfaces, on the processor, over gnark-crypto's field arithmetic.
// It is what a machine without a GPU proves with, what other devices are
// compared to, and what a vendor's first device embeds.
//
// # Embedding
//
// A backend starts with a struct that embeds *Device and overrides one method,
// say MSMG1; the rest works from the first day. Type assertions to the optional
// interfaces of sdk find this package's methods through the embedding, so a
// vendor hides one only by overriding it. The package's example shows the whole
// of it.
//
// # Costs
//
// Multiexponentiations, mask sums and fixed-base products all come down to
// affine additions done in batches that share one inversion (Montgomery's
// trick): five multiplications and a squaring each. That rate is the floor that
// the benchmarks compare with. Transforms are cut into columns and rows of about
// √n elements, which fit into the second-level cache and need tables of √n
// twiddles only.
//
// # Memory, threads, progress
//
// Working memory over sdk.LargeBuffer comes from DeviceConfig.Buffers as
// BufferScratch and is given back before the method returns, on every path. At
// most DeviceConfig.Threads goroutines compute at a time, over all calls
// together. Work is cut into pieces of well under two seconds; after each the
// device counts progress and looks at the context.
//
// # Input
//
// Points in file order are checked while they are converted: flags, canonical
// coordinates and the curve's equation; not their subgroup, which costs more
// than the sum itself and is for whoever accepts a key. Points in Montgomery
// form are taken as they are.
package cpu
