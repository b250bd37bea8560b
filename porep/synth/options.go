package synth

import (
	"encoding/binary"
	"fmt"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// Options name a synthetic sector. Sectors of equal options are equal.
type Options struct {
	// SectorSize is the size in bytes of a registered seal proof: 2 KiB, 8 MiB,
	// 512 MiB, 32 GiB or 64 GiB. The proof is the size's interactive V1_1.
	SectorSize uint64
	// Name is what all identifiers and fillers are hashed from.
	Name string
	// Miner is the miner's number, and nil to draw a prover id from the name: then
	// it is no miner's.
	Miner *uint64
	// Sector is the sector's number, and nil to draw one from the name.
	Sector *uint64
}

// Validate tells whether there is such a sector.
func (o *Options) Validate() error {
	if _, ok := o.seal(); !ok {
		return fmt.Errorf("validate sector size: no interactive seal proof has %d bytes", o.SectorSize)
	}
	if o.Name == "" {
		return fmt.Errorf("validate name: it is empty")
	}
	return nil
}

// seal returns the registered seal proof of the sector.
func (o *Options) seal() (registry.Seal, bool) {
	for _, s := range registry.Seals() {
		if s.V1_1 && s.Feature == registry.Interactive && s.Shape.SectorSize == o.SectorSize {
			return s, true
		}
	}
	return registry.Seal{}, false
}

// identifier returns what the name says of a property.
func (o *Options) identifier(property string) Hash {
	return hashOf([]byte("c1synth/" + o.Name + "/" + property))
}

// proverID returns the prover id: a miner's number in LEB128, padded with zeros,
// where there is a miner.
func (o *Options) proverID() Hash {
	if o.Miner == nil {
		return o.identifier("prover_id")
	}
	return vanilla.MinerProverID(*o.Miner)
}

// sectorID returns the sector number.
func (o *Options) sectorID() uint64 {
	if o.Sector == nil {
		return number(o.identifier("sector_id"))
	}
	return *o.Sector
}

// number cuts a hash to a number of 53 bits, exact in any JSON reader.
func number(h Hash) uint64 { return binary.LittleEndian.Uint64(h[:8]) >> 11 }
