package sdk

// Witness is a compact assignment of a Circuit: bits as bits, field elements
// as field elements. For a 32 GiB sealing partition it takes about 70 MB where
// one element a variable would take 4 GiB.
//
// A Witness is written once, by whoever synthesizes it, and read-only from then
// on. Its memory belongs to whoever made it; see Buffers.
type Witness struct {
	// Bits holds bit i at bit i%64 of word i/64. Bits past Circuit.NumBits
	// are zero.
	Bits []uint64
	// Fields holds the public inputs (Fields[0] is one), then the aux variables
	// of kind Field in order, in Montgomery form.
	Fields []Fr
}

// Bit returns bit i.
func (w *Witness) Bit(i uint32) bool { return w.Bits[i/64]>>(i%64)&1 == 1 }
