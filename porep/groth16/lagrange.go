package groth16

import (
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
)

// vanishing returns x^n - 1: the domain's vanishing polynomial at x.
func vanishing(x *fr.Element, n int) fr.Element {
	var z fr.Element
	z.Exp(*x, big.NewInt(int64(n)))
	one := fr.One()
	z.Sub(&z, &one)
	return z
}

// lagrange fills out with the values at x of the Lagrange polynomials of the
// domain with len(out) points: L_i(x) = (x^n - 1)/n · ω^i/(x - ω^i). Its length is
// a power of two. It fails where x lies in the domain.
func lagrange(out []fr.Element, x *fr.Element) error {
	n := len(out)
	omega, err := fft.Generator(uint64(n))
	if err != nil {
		return fmt.Errorf("take root of unity: %w", err)
	}
	scale := vanishing(x, n)
	if scale.IsZero() {
		return errors.New("evaluate Lagrange polynomials: the point lies in the domain")
	}
	var size fr.Element
	size.SetUint64(uint64(n))
	scale.Div(&scale, &size)
	each := (n + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for from := 0; from < n; from += each {
		wg.Go(func() { lagrangeRun(out[from:min(from+each, n)], from, &omega, x, &scale) })
	}
	wg.Wait()
	return nil
}

// lagrangeRun fills in out[k] = scale·ω^(first+k)/(x - ω^(first+k)), with one
// inversion a block.
func lagrangeRun(out []fr.Element, first int, omega, x, scale *fr.Element) {
	const block = 1 << 10
	var power fr.Element
	power.Exp(*omega, big.NewInt(int64(first)))
	var powers, products [block]fr.Element
	for len(out) > 0 {
		run := out[:min(block, len(out))]
		product := fr.One()
		for i := range run {
			powers[i] = power
			power.Mul(&power, omega)
			run[i].Sub(x, &powers[i])
			products[i] = product
			product.Mul(&product, &run[i])
		}
		product.Inverse(&product)
		product.Mul(&product, scale)
		for i := len(run) - 1; i >= 0; i-- {
			difference := run[i]
			run[i].Mul(&product, &products[i]).Mul(&run[i], &powers[i])
			product.Mul(&product, &difference)
		}
		out = out[len(run):]
	}
}
