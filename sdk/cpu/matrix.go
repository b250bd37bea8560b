package cpu

import (
	"context"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

const (
	// rowsOnly is the logarithm of the longest transform that is done as one row.
	rowsOnly = 11
	// tileColumns is how many columns are worked on together: four cache lines of
	// each row.
	tileColumns = 8
	// tilePad is how many elements, a cache line, lie between the columns of a tile:
	// with a power of two between them all would share few sets of the cache.
	tilePad = 2
	// rowPiece is about how many elements of rows make a piece of work.
	rowPiece = 1 << 15
)

// matrix is a transform of n = rows·columns points done as a matrix in row-major
// order (Bailey's four steps, FFTs in external or hierarchical memory, 1989).
//
// Going from natural to bit-reversed order, with j = columns·j1 + j2 in and
// k = k1 + rows·k2 out: transform the columns over j1, multiply element (k1, j2) by
// ω^(k1·j2), transform the rows over j2. The result k lies at row reversed(k1), column
// reversed(k2), which is its bit-reversed place. Going back is the mirror image.
//
// A scaling of element k by f^k splits into f^k1, which goes into the factor
// between the steps, and (f^rows)^k2, one multiplication in the row.
type matrix struct {
	device           *Device
	rows, columns    int
	forward, inverse roots
	omega, omegaInv  fr.Element // of order n
	workers          []columnTiles
	owned            []*scratch
}

// columnTiles is one worker's memory for work on columns: three tiles of them
// and two columns of factors.
type columnTiles struct {
	tiles   [3][]fr.Element // column by column; see column
	factors [2][]fr.Element // one column each
}

// newMatrix readies transforms of n points, a power of two up to 2^maxLog. The
// caller releases it.
func newMatrix(d *Device, n int) (_ *matrix, err error) {
	m := &matrix{device: d, rows: 1, columns: n}
	if log := log2(n); log > rowsOnly {
		m.rows = 1 << (log / 2)
		m.columns = n / m.rows
	}
	if m.forward, m.inverse, err = d.rootsFor(m.columns); err != nil {
		return nil, err
	}
	m.omega = rootOfUnity(n)
	m.omegaInv.Inverse(&m.omega)
	m.workers = make([]columnTiles, d.workers(m.columnTasks()))
	for k := range m.workers {
		const columnsOfAll = 3*tileColumns + 2
		memory, err := takeScratch[fr.Element](d, &m.owned, columnsOfAll*(m.rows+tilePad))
		if err != nil {
			m.release()
			return nil, err
		}
		m.workers[k].cut(memory, m.rows+tilePad)
	}
	return m, nil
}

func (c *columnTiles) cut(memory []fr.Element, stride int) {
	next := func(columns int) []fr.Element {
		part := memory[:columns*stride]
		memory = memory[columns*stride:]
		return part
	}
	for k := range c.tiles {
		c.tiles[k] = next(tileColumns)
	}
	for k := range c.factors {
		c.factors[k] = next(1)[:stride-tilePad]
	}
}

func (m *matrix) release() { releaseAll(m.owned) }

// columnTasks returns how many tiles of columns there are; none where the
// matrix is a single row.
func (m *matrix) columnTasks() int {
	if m.rows == 1 {
		return 0
	}
	return m.columns / tileColumns
}

// eachTile runs work on every tile of columns, given its first column.
func (m *matrix) eachTile(ctx context.Context, work func(c *columnTiles, first int)) error {
	return m.device.parallel(ctx, m.columnTasks(), func(worker, task int) error {
		work(&m.workers[worker], task*tileColumns)
		return nil
	})
}

// eachRow runs work on every row number.
func (m *matrix) eachRow(ctx context.Context, work func(row int)) error {
	each := max(1, rowPiece/m.columns)
	return m.device.parallel(ctx, pieces(m.rows, each), func(_, task int) error {
		for row := task * each; row < min((task+1)*each, m.rows); row++ {
			work(row)
		}
		return nil
	})
}

// row returns one row of a.
func (m *matrix) row(a []fr.Element, row int) []fr.Element {
	return a[row*m.columns : (row+1)*m.columns]
}

// column returns column k of a tile.
func (m *matrix) column(tile []fr.Element, k int) []fr.Element {
	return tile[k*(m.rows+tilePad):][:m.rows]
}

// load copies the tile of a that starts at column first.
func (m *matrix) load(tile, a []fr.Element, first int) {
	stride := m.rows + tilePad
	for row := range m.rows {
		line := (*[tileColumns]fr.Element)(a[row*m.columns+first:])
		for k := range line {
			tile[k*stride+row] = line[k]
		}
	}
}

// store is load's reverse.
func (m *matrix) store(a, tile []fr.Element, first int) {
	stride := m.rows + tilePad
	for row := range m.rows {
		line := (*[tileColumns]fr.Element)(a[row*m.columns+first:])
		for k := range line {
			line[k] = tile[k*stride+row]
		}
	}
}

// between computes the factors between the steps for one column, in
// bit-reversed order: start·(omega^column·scale)^k1.
func (m *matrix) between(factors []fr.Element, omega fr.Element, column int, start fr.Element, scale *fr.Element) {
	ratio := power(omega, uint64(column))
	ratio.Mul(&ratio, scale)
	reversedPowers(factors, start, &ratio)
}

// rowScale returns start·(scale^rows)^k2 for a row in bit-reversed order. The
// caller releases owned.
func (m *matrix) rowScale(start, scale fr.Element, owned *[]*scratch) ([]fr.Element, error) {
	factors, err := takeScratch[fr.Element](m.device, owned, m.columns)
	if err != nil {
		return nil, err
	}
	ratio := power(scale, uint64(m.rows))
	reversedPowers(factors, start, &ratio)
	return factors, nil
}
