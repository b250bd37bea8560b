package circuit

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// The digest's form of a term: kind, index, coefficient.
const (
	kindInput  = 0
	kindAux    = 1
	indexBytes = 4
	termBytes  = 1 + indexBytes + fr.Bytes
)

// layout is a template's rows in the digest's form with the indices left out,
// for one order of the ports. The terms of a row stand in the order of the
// variables that they mean, so the form depends on which wire comes first.
type layout struct {
	rows    []byte
	ends    []int32 // where each row ends in rows
	patches []patch
	pieces  []piece
}

// patch is an index to be filled in: the number of the variable that column
// means, inputs and aux each counted from 0.
type patch struct {
	at     uint32
	column sdk.Column
}

// piece is a run of whole rows of about pieceBytes.
type piece struct{ firstRow, endRow, firstPatch, endPatch int }

const pieceBytes = 128 << 10

// newLayout lays out a template for an order of its ports.
func newLayout(t *sdk.Template, coeffs [][fr.Bytes]byte, order []byte, kinds *[256]byte) *layout {
	var rank [256]int
	for i, port := range order {
		rank[port] = i
	}
	byVariable := func(a, b sdk.Term) int {
		return cmp.Or(
			cmp.Compare(rank[a.Column.Port()], rank[b.Column.Port()]),
			cmp.Compare(a.Column.Offset(), b.Column.Offset()))
	}
	l := &layout{ends: make([]int32, t.Rows)}
	var terms []sdk.Term
	for row := range t.Rows {
		for _, m := range []*sdk.Matrix{&t.A, &t.B, &t.C} {
			terms = append(terms[:0], m.Row(row)...)
			slices.SortFunc(terms, byVariable)
			l.rows = binary.LittleEndian.AppendUint32(l.rows, uint32(len(terms)))
			for _, term := range terms {
				l.patches = append(l.patches, patch{uint32(len(l.rows)) + 1, term.Column})
				l.rows = append(l.rows, kinds[term.Column.Port()], 0, 0, 0, 0)
				l.rows = append(l.rows, coeffs[term.Coeff][:]...)
			}
		}
		l.ends[row] = int32(len(l.rows))
	}
	l.cut()
	return l
}

// cut divides the rows into pieces.
func (l *layout) cut() {
	var p piece
	start := int32(0)
	for row, end := range l.ends {
		p.endRow = row + 1
		if end-start < pieceBytes && p.endRow < len(l.ends) {
			continue
		}
		n, _ := slices.BinarySearchFunc(l.patches, uint32(end), func(p patch, end uint32) int { return cmp.Compare(p.at, end) })
		p.endPatch = n
		l.pieces = append(l.pieces, p)
		p.firstRow, p.firstPatch, start = p.endRow, p.endPatch, end
	}
}

// bounds returns where a piece's bytes lie in rows.
func (l *layout) bounds(p *piece) (start, end int) {
	if p.firstRow > 0 {
		start = int(l.ends[p.firstRow-1])
	}
	return start, int(l.ends[p.endRow-1])
}

// appendPiece appends a piece with its indices filled in.
func (l *layout) appendPiece(out []byte, p *piece, at *ports) []byte {
	start, end := l.bounds(p)
	base := len(out) - start
	out = append(out, l.rows[start:end]...)
	for _, patch := range l.patches[p.firstPatch:p.endPatch] {
		index := at.base[patch.column.Port()] + patch.column.Offset()
		binary.LittleEndian.PutUint32(out[base+int(patch.at):], index)
	}
	return out
}
