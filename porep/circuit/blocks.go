package circuit

import (
	"strconv"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

const (
	blockBits = 512
	nodeBits  = 8 * registry.NodeBytes
)

func decimal(n int) string { return strconv.Itoa(n) }

// nodeBlock is the block that hashes two children of tree D. Wires: their bits.
func (s *assembler) nodeBlock() *gadget {
	return s.gadget("sha256 node", func(r *recorder) expander {
		var b block
		b.numbers(r.port(sdk.Bit), r.port(sdk.Bit))
		return b.record(r, true, 0)
	})
}

// nodePadding is the block after nodeBlock, of padding alone. Wire: the state.
func (s *assembler) nodePadding() *gadget {
	return s.gadget("sha256 node padding", func(r *recorder) expander {
		state := r.port(sdk.Bit)
		var b block
		b.padding(0, 2*nodeBits)
		return b.record(r, false, state)
	})
}

// labelFirst is the first block of a label: the replica id, the layer (a
// constant), the node's index, zeros. Wires: the bits of the replica id and of
// the index.
func (s *assembler) labelFirst(layer int) *gadget {
	return s.gadget("sha256 label of layer "+decimal(layer), func(r *recorder) expander {
		replicaID, node := r.port(sdk.Bit), r.port(sdk.Bit)
		var b block
		b.numbers(replicaID)
		b[8] = constantBlockWord(uint32(layer))
		b[9], b[10] = integerWord(node, 32), integerWord(node, 0)
		for i := 11; i < len(b); i++ {
			b[i] = constantBlockWord(0)
		}
		return b.record(r, true, 0)
	})
}

// labelMiddle is a block of two parents' labels. Wires: the state, their bits.
func (s *assembler) labelMiddle() *gadget {
	return s.gadget("sha256 label parents", func(r *recorder) expander {
		state := r.port(sdk.Bit)
		var b block
		b.numbers(r.port(sdk.Bit), r.port(sdk.Bit))
		return b.record(r, false, state)
	})
}

// labelLast is the block of the last parent's label and the padding. Wires: the
// state, its bits.
func (s *assembler) labelLast() *gadget {
	return s.gadget("sha256 label end", func(r *recorder) expander {
		state := r.port(sdk.Bit)
		var b block
		b.numbers(r.port(sdk.Bit))
		b.padding(8, blockBits+registry.LabelParents*nodeBits)
		return b.record(r, false, state)
	})
}
