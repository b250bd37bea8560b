package porep

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/porep/synth"
	"github.com/sealwright/sealwright/sdk"
)

// windowPoStParts returns the reference's WindowPoSt of two sectors.
func windowPoStParts(t *testing.T) [][]byte {
	t.Helper()
	randomness := sha256.Sum256([]byte("fpref/post/randomness"))
	return [][]byte{
		randomness[:],
		readFile(t, "vanilla/testdata/windowpost-2k.sector101.vanilla.bincode"),
		readFile(t, "vanilla/testdata/windowpost-2k.sector102.vanilla.bincode"),
	}
}

func windowPoStClaims() Claims {
	number := uint64(10)
	return Claims{RegisteredProof: &number}
}

// windowPoSt reads the reference's WindowPoSt after change, where there is one.
func windowPoSt(t *testing.T, change func([][]byte) [][]byte) *Job {
	t.Helper()
	parts := windowPoStParts(t)
	if change != nil {
		parts = change(parts)
	}
	job, err := Parse(t.Context(), KindWindowPoSt, parts, windowPoStClaims())
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// TestWindowPoStPadding fills a circuit's places with the last sector again.
func TestWindowPoStPadding(t *testing.T) {
	job := windowPoSt(t, func(parts [][]byte) [][]byte { return parts[:2] })
	inputs, err := job.PublicInputs(0)
	if err != nil {
		t.Fatal(err)
	}
	if half := len(inputs) / 2; !slices.Equal(inputs[:half], inputs[half:]) {
		t.Error("the second sector's inputs are not the first one's")
	}
	if _, err := job.PublicInputs(1); err == nil {
		t.Error("there is a second partition")
	}
}

// madeUp returns the job of a made-up WindowPoSt.
func madeUp(t *testing.T, name string) *Job {
	t.Helper()
	post, err := synth.NewWindowPoSt(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	parts := [][]byte{post.Randomness[:]}
	for _, s := range post.Sectors {
		parts = append(parts, s.Vanilla)
	}
	job, err := Parse(t.Context(), KindWindowPoSt, parts, Claims{RegisteredProof: &post.Proof.Number})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func TestWindowPoStRefusals(t *testing.T) {
	other, synthetic := uint64(5), uint64(13)
	for _, c := range []struct {
		name   string
		change func(parts [][]byte, claims *Claims) [][]byte
		want   string
	}{
		{"no parts", func([][]byte, *Claims) [][]byte { return nil }, "read parts"},
		{"no sectors", func(p [][]byte, _ *Claims) [][]byte { return p[:1] }, "found 0, expected 1 to 2"},
		{"three sectors", func(p [][]byte, _ *Claims) [][]byte { return append(p, p[1]) }, "found 3, expected 1 to 2"},
		{"short randomness", func(p [][]byte, _ *Claims) [][]byte { p[0] = p[0][:31]; return p }, "found 31 bytes, expected 32"},
		{"other randomness", func(p [][]byte, _ *Claims) [][]byte { p[0][3] ^= 1; return p }, "sector 0 (number 101): challenge 0"},
		{"sectors swapped", func(p [][]byte, c *Claims) [][]byte {
			p[1], p[2], c.RegisteredProof = p[2], p[1], &other
			return p
		}, "challenge 0"},
		{"no type", func(p [][]byte, c *Claims) [][]byte { c.RegisteredProof = nil; return p }, "check registered proof: found none"},
		{"another type", func(p [][]byte, c *Claims) [][]byte { c.RegisteredProof = &synthetic; return p }, "unsupported number 13"},
		{"another size", func(p [][]byte, c *Claims) [][]byte { c.SectorSize = 8 << 20; return p }, "check sector size"},
		{"truncated", func(p [][]byte, _ *Claims) [][]byte { p[2] = p[2][:100]; return p }, "read vanilla proof 1 of 2: parse WindowPoSt vanilla proof"},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := windowPoStClaims()
			parts := windowPoStParts(t)
			for i := range parts {
				parts[i] = slices.Clone(parts[i])
			}
			_, err := Parse(t.Context(), KindWindowPoSt, c.change(parts, &claims), claims)
			if err == nil {
				t.Fatal("it is accepted")
			}
			if !errors.Is(err, sdk.ErrInvalidInput) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %q, want one line about %q", err, c.want)
			}
		})
	}
}
