package circuit

import "github.com/sealwright/sealwright/porep/registry"

// assembleWindowPoSt places the fallback PoSt circuit, as WindowPoSt uses it. It
// shows for each sector that comm_r opens to tree R's root and that the
// challenged leaves are in that tree.
func (s *assembler) assembleWindowPoSt(shape *registry.Shape) {
	s.endSection() // nothing is shared
	for range shape.Sectors {
		s.windowPoStSector(shape)
		s.endSection()
	}
}

func (s *assembler) windowPoStSector(shape *registry.Shape) {
	roots := run(s.place(s.secrets(2)).out(0), 2)
	rLast, commC := roots[0], roots[1]
	commR := s.place(s.publicNumber()).out(0)
	hash := s.place(s.poseidonHash(2), commC, rLast).out(0)
	s.place(s.equal(), commR, hash)
	for range shape.Challenges {
		leaf := s.place(s.secrets(1)).out(0)
		s.poseidonPath(shape.Tree.Levels(shape.Nodes()), leaf, rLast)
	}
}
