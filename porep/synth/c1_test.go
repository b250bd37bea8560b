package synth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/sealwright/sealwright/porep/vanilla"
)

func ptr(n uint64) *uint64 { return &n }

// TestC1 compares the SHA-256 of the JSON with that of files which the
// reference's own graph, hash and serde_json code made by the same rules.
func TestC1(t *testing.T) {
	for _, c := range []struct {
		options Options
		sha256  string
	}{
		{Options{SectorSize: 2 << 10, Name: "c1-2k"}, "409828733300f8b88bd336989cee057644cc62c420fe02ae1e612d60440cc5dd"},
		{Options{SectorSize: 2 << 10, Name: "m1000-s2", Miner: ptr(1000), Sector: ptr(2)}, "3d00322275bc1f1f973bc46029023e35f58581a4243aff418f4cbd02a29bc3e3"},
		{Options{SectorSize: 2 << 10, Name: "m1000-s1", Miner: ptr(1000), Sector: ptr(1)}, "ac7c4789cd262f4beff52dd08a5033f136cfef9cd40384fc5e20975b3ab099eb"},
		{Options{SectorSize: 8 << 20, Name: "c1-8m"}, "42834d8f78359b252093ce187acb80604c1633420558fb3c89dc75b88e7c9d1b"},
		{Options{SectorSize: 512 << 20, Name: "c1-512m"}, "4557e25e81cccefc42fad9653bdcf1bb85ee456bc81cc335b17dca094e06c805"},
		{Options{SectorSize: 32 << 30, Name: "m1000-s3", Miner: ptr(1000), Sector: ptr(3)}, "2a1f7a50316ad331e28bec073564ac310ee3d994077934b8818ec7aa0e52eecb"},
		{Options{SectorSize: 32 << 30, Name: "c1-32g"}, "fd20541c3ed0ba6dacde19398bfa969aae16eddbbbe9384f668f1b71da10966e"},
	} {
		t.Run(c.options.Name, func(t *testing.T) {
			if testing.Short() && c.options.SectorSize > 1<<30 {
				t.Skip("takes seconds")
			}
			s, err := New(context.Background(), c.options)
			if err != nil {
				t.Fatal(err)
			}
			h := sha256.New()
			if err := s.WriteC1(context.Background(), h); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(h.Sum(nil)); got != c.sha256 {
				t.Errorf("SHA-256 is %s, want %s", got, c.sha256)
			}
		})
	}
}

// TestC1Checks hands outputs to the prover's own parser and checks. It is all that
// holds the 64 GiB shape, which has no file to compare with.
func TestC1Checks(t *testing.T) {
	for _, o := range []Options{
		{SectorSize: 2 << 10, Name: "drawn"},
		{SectorSize: 8 << 20, Name: "given", Miner: ptr(math.MaxUint64), Sector: ptr(0)},
		{SectorSize: 64 << 30, Name: "large", Miner: ptr(1000), Sector: ptr(7)},
	} {
		if testing.Short() && o.SectorSize > 1<<30 {
			continue
		}
		s, err := New(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.WriteC1(context.Background(), &out); err != nil {
			t.Fatal(err)
		}
		c1, err := vanilla.ParseC1(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := c1.Check(context.Background(), &vanilla.Identity{ProverID: s.ProverID, Sector: s.SectorID}); err != nil {
			t.Errorf("%d bytes: %v", o.SectorSize, err)
		}
		if c1.Seal != s.Seal || c1.CommR != s.CommR || c1.Partitions[0][0].Node() != s.Challenges(0)[0] {
			t.Errorf("output of %s is of %s, comm_r %v", s.Seal.Name, c1.Seal.Name, c1.CommR)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Name: "a"}, "validate sector size: no interactive seal proof has 0 bytes"},
		{Options{Name: "a", SectorSize: 16 << 10}, "validate sector size: no interactive seal proof has 16384 bytes"},
		{Options{SectorSize: 2 << 10}, "validate name: it is empty"},
	} {
		if _, err := New(context.Background(), c.options); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}

func TestNewCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(ctx, Options{SectorSize: 2 << 10, Name: "a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// brokenWriter accepts a number of bytes, then errs.
type brokenWriter struct{ room int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteC1PassesErrors(t *testing.T) {
	s, err := New(context.Background(), Options{SectorSize: 2 << 10, Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for room := 0; room < 100_000; room += 9_999 {
		if err := s.WriteC1(context.Background(), &brokenWriter{room}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("error after %d bytes is %v", room, err)
		}
	}
}

func BenchmarkC1(b *testing.B) {
	for _, c := range []struct {
		name string
		size uint64
	}{{"2KiB", 2 << 10}, {"32GiB", 32 << 30}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := New(context.Background(), Options{SectorSize: c.size, Name: "bench"})
				if err == nil {
					err = s.WriteC1(context.Background(), io.Discard)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
