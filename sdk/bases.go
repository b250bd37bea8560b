package sdk

import "fmt"

// Group tells which group the points of Bases lie in.
type Group uint8

// The two groups of the pairing.
const (
	GroupG1 Group = iota + 1
	GroupG2
)

// String returns "G1" or "G2".
func (g Group) String() string {
	switch g {
	case GroupG1:
		return "G1"
	case GroupG2:
		return "G2"
	}
	return fmt.Sprintf("Group(%d)", uint8(g))
}

// Encoding tells how the points of Bases are written.
type Encoding uint8

const (
	// FileOrder is the uncompressed encoding of proving key files: G1 is x‖y,
	// G2 is x.c1‖x.c0‖y.c1‖y.c0, each coordinate 48 bytes big-endian,
	// canonical (not Montgomery); the top three bits of the first byte are flags
	// (0x40: infinity).
	FileOrder Encoding = iota + 1
	// Montgomery is the in-memory layout of G1 and G2.
	Montgomery
)

// Bases is a read-only run of points, usually a section of a mapped proving
// key. The bytes belong to whoever made the Bases and stay valid and unchanged
// until that owner closes its key; a Device must not write to them nor keep
// them after the call. Both encodings take 96 bytes a G1 point and 192 a G2
// point.
type Bases struct {
	Group    Group
	Encoding Encoding
	Data     []byte
}

// PointBytes returns the size of one point.
func (b Bases) PointBytes() int {
	if b.Group == GroupG2 {
		return G2Bytes
	}
	return G1Bytes
}

// Len returns the number of points.
func (b Bases) Len() int { return len(b.Data) / b.PointBytes() }

// Slice returns the points [i, j), sharing b's bytes.
func (b Bases) Slice(i, j int) Bases {
	size := b.PointBytes()
	b.Data = b.Data[i*size : j*size : j*size]
	return b
}

// Validate reports a Bases whose fields contradict each other.
func (b Bases) Validate() error {
	switch {
	case b.Group != GroupG1 && b.Group != GroupG2:
		return fmt.Errorf("%w: bases: unknown group %d", ErrInvalidInput, b.Group)
	case b.Encoding != FileOrder && b.Encoding != Montgomery:
		return fmt.Errorf("%w: bases: unknown encoding %d", ErrInvalidInput, b.Encoding)
	case len(b.Data)%b.PointBytes() != 0:
		return fmt.Errorf("%w: bases: %d bytes is no whole number of %s points (%d bytes each)",
			ErrInvalidInput, len(b.Data), b.Group, b.PointBytes())
	}
	return nil
}
