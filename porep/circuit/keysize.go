package circuit

import "github.com/sealwright/sealwright/sdk"

// KeySize returns the lengths of a circuit's proving key by section, and the
// bytes of its file, without going over the rows as Digest does.
func KeySize(c *sdk.Circuit) (lengths KeyLengths, paramsBytes int64) {
	r := DigestReport{Density: densities(c)}
	r.fill(c)
	return r.Lengths, r.ParamsBytes
}
