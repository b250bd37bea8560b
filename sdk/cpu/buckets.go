package cpu

import "slices"

// buckets adds points into buckets by batched affine additions. A batch holds
// each bucket once at most; a point whose bucket is taken waits until many such
// points are there, which are then first added up among themselves. So neither
// equal digits nor few buckets are slow, and results are exact for all input.
type buckets[P any, G group[P]] struct {
	group  G
	adder  adder[P]
	sums   []P      // one a bucket
	busy   []uint64 // bit b: bucket b is in the open batch
	ops    []op     // the open batch: into sums, from the caller's points
	late   []P      // points that wait
	lateOf []uint64 // their buckets in the upper half, their index in late below
}

// newBuckets makes buckets over the given memory, which is taken as it is.
func newBuckets[P any, G group[P]](sums []P) *buckets[P, G] {
	b := &buckets[P, G]{
		sums:   sums,
		busy:   make([]uint64, pieces(len(sums), 64)),
		ops:    make([]op, 0, batchSize),
		late:   make([]P, 0, batchSize),
		lateOf: make([]uint64, 0, batchSize),
	}
	b.adder = b.group.newAdder()
	return b
}

// reset sets all buckets to infinity.
func (b *buckets[P, G]) reset() { clear(b.sums) }

// put adds ±points[i] into a bucket. The point is read by the next flush at the
// latest; all puts between two flushes name the same points.
func (b *buckets[P, G]) put(bucket uint32, points []P, i int, negative bool) {
	if bit := uint64(1) << (bucket % 64); b.busy[bucket/64]&bit == 0 {
		b.busy[bucket/64] |= bit
		src := uint32(i)
		if negative {
			src |= opNeg
		}
		b.ops = append(b.ops, op{dst: bucket, src: src})
		if len(b.ops) == batchSize {
			b.run(points)
		}
		return
	}
	b.wait(bucket, &points[i], negative)
}

// run executes the open batch.
func (b *buckets[P, G]) run(points []P) {
	for _, o := range b.ops {
		b.busy[o.dst/64] = 0
	}
	b.adder.add(b.sums, points, b.ops)
	b.ops = b.ops[:0]
}

func (b *buckets[P, G]) wait(bucket uint32, p *P, negative bool) {
	b.lateOf = append(b.lateOf, uint64(bucket)<<32|uint64(len(b.late)))
	b.late = append(b.late, *p)
	if negative {
		b.group.neg(&b.late[len(b.late)-1])
	}
	if len(b.late) == batchSize {
		b.runLate()
	}
}

// runLate adds the waiting points into their buckets: pairwise until each
// bucket has one, then those.
func (b *buckets[P, G]) runLate() {
	slices.Sort(b.lateOf)
	ops := make([]op, 0, batchSize)
	for merged := true; merged; {
		merged = false
		left := b.lateOf[:0]
		for k := 0; k < len(b.lateOf); k++ {
			first := b.lateOf[k]
			left = append(left, first)
			if k+1 < len(b.lateOf) && b.lateOf[k+1]>>32 == first>>32 {
				ops = append(ops, op{dst: uint32(first), src: uint32(b.lateOf[k+1])})
				merged = true
				k++
			}
		}
		b.lateOf = left
		b.adder.add(b.late, b.late, ops)
		ops = ops[:0]
	}
	for _, entry := range b.lateOf {
		ops = append(ops, op{dst: uint32(entry >> 32), src: uint32(entry)})
	}
	b.adder.add(b.sums, b.late, ops)
	b.late, b.lateOf = b.late[:0], b.lateOf[:0]
}

// flush ends a run of puts from points.
func (b *buckets[P, G]) flush(points []P) {
	b.run(points)
	b.runLate()
}

// drop forgets what has been put since the last flush.
func (b *buckets[P, G]) drop() {
	for _, o := range b.ops {
		b.busy[o.dst/64] = 0
	}
	b.ops, b.late, b.lateOf = b.ops[:0], b.late[:0], b.lateOf[:0]
}

// fewBuckets are summed up one by one: below, batches do not pay.
const fewBuckets = 64

// lanesOf returns how many segments so many buckets are summed up in, side by
// side: an inversion a step against some Jacobian additions a segment is
// least for about √(5·n).
func lanesOf(n int) int { return min(batchSize, 1<<((log2(n)+3)/2)) }

// weighted returns Σ (k+1)·sums[k].
//
// The buckets are cut into segments of equal length, whose running sums go in
// step, so that they too are batched. With segment l's plain sum R_l and its
// weighted sum T_l (weights from 1) the result is Σ T_l + length·Σ l·R_l.
func (b *buckets[P, G]) weighted() P {
	if len(b.sums) <= fewBuckets {
		return b.group.weighted(b.sums)
	}
	lanes := lanesOf(len(b.sums))
	length := len(b.sums) / lanes
	plain, weighted := make([]P, lanes), make([]P, lanes)
	for step := length - 1; step >= 0; step-- {
		for l := range lanes {
			b.ops = append(b.ops, op{dst: uint32(l), src: uint32(l*length + step)})
		}
		b.adder.add(plain, b.sums, b.ops)
		b.ops = b.ops[:0]
		for l := range lanes {
			b.ops = append(b.ops, op{dst: uint32(l), src: uint32(l)})
		}
		b.adder.add(weighted, plain, b.ops)
		b.ops = b.ops[:0]
	}
	parts := []P{b.group.sum(weighted), b.group.weighted(plain[1:])}
	return b.group.horner(parts, log2(length))
}
