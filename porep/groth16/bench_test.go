package groth16_test

import (
	"context"
	"encoding/hex"
	"io"
	"testing"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk"
)

// BenchmarkSetup makes whole keys and holds the 2 KiB PoRep's sections against the
// reference's digests.
func BenchmarkSetup(b *testing.B) {
	var want struct {
		Sections map[string]referenceVector `json:"sections"`
	}
	readReference(b, "testdata/porep-2k.params.json", &want)
	for _, id := range []string{"wpost-2k", "porep-2k"} {
		b.Run(id, func(b *testing.B) {
			c := compile(b, id).Circuit
			bufs := new(sdk.HeapBuffers)
			dev := openCPU(b, bufs)
			points := 0
			for b.Loop() {
				result, err := groth16.Setup(context.Background(), groth16.SetupConfig{
					Circuit: c, Trapdoor: groth16.TrapdoorFromLabel("fpref"), Device: dev, Buffers: bufs,
				}, io.Discard)
				if err != nil {
					b.Fatal(err)
				}
				for name, sum := range result.Sections {
					if got := hex.EncodeToString(sum[:]); id == "porep-2k" && got != want.Sections[name].SHA256 {
						b.Errorf("section %s: %s, want %s", name, got, want.Sections[name].SHA256)
					}
				}
				counts := result.Counts
				points = counts.IC + counts.H + counts.L + counts.A + 2*counts.B
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*points), "us/point")
			b.ReportMetric(float64(bufs.Stats(sdk.BufferScratch).HighWater)/(1<<20), "MiB-scratch")
		})
	}
}

func BenchmarkLayout(b *testing.B) {
	c := compile(b, "porep-2k").Circuit
	bufs := new(sdk.HeapBuffers)
	for b.Loop() {
		l, err := groth16.NewLayout(context.Background(), c, bufs)
		if err != nil {
			b.Fatal(err)
		}
		l.Release()
	}
}

// BenchmarkAssign evaluates all rows of A and B.
func BenchmarkAssign(b *testing.B) {
	p := compile(b, "porep-2k")
	bufs := new(sdk.HeapBuffers)
	w := makeWitness(b, p, readC1(b, "../vanilla/testdata/2k-A.c1.json.gz"), bufs)
	l := layOut(b, p.Circuit, bufs)
	for b.Loop() {
		rows, err := l.Assign(context.Background(), &w.Witness, bufs)
		if err != nil {
			b.Fatal(err)
		}
		rows.Release()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Circuit.NumRows), "ns/row")
}

// BenchmarkProve proves a 2 KiB PoRep partition and reports each stage. The key
// is made first where the user's cache folder has none.
func BenchmarkProve(b *testing.B) {
	p := compile(b, "porep-2k")
	f := devKey(b, p)
	bufs := new(sdk.HeapBuffers)
	dev := openCPU(b, bufs)
	w := makeWitness(b, p, readC1(b, "../vanilla/testdata/2k-A.c1.json.gz"), bufs)
	l := layOut(b, p.Circuit, bufs)
	stages := map[string]float64{}
	for b.Loop() {
		_, _, report := prove(b, l, dev, f, &w.Witness, groth16.BlindingFromLabel("2k-A", 0), bufs)
		for _, op := range report.Ops {
			stages[op.Name] += op.Duration.Seconds()
		}
	}
	for _, name := range []string{"quotient", "msm h", "mask l", "msm l", "mask a", "msm a", "mask b_g1", "msm b_g1", "mask b_g2", "msm b_g2"} {
		b.ReportMetric(stages[name]/float64(b.N), "s-"+metricName(name))
	}
	b.ReportMetric(float64(bufs.Stats(sdk.BufferAux).HighWater)/(1<<20), "MiB-aux")
}

// metricName is name without the spaces that a metric's unit must not have.
func metricName(name string) string {
	out := []byte(name)
	for i := range out {
		if out[i] == ' ' {
			out[i] = '-'
		}
	}
	return string(out)
}

func BenchmarkFinish(b *testing.B) {
	vk, err := groth16.ParseVerifyingKey(readPolka(b).vk)
	if err != nil {
		b.Fatal(err)
	}
	sums := &groth16.Sums{A: vk.AlphaG1, B1: vk.BetaG1, L: vk.DeltaG1, H: vk.IC[0], B2: vk.GammaG2}
	blinding, err := groth16.RandomBlinding()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		groth16.Finish(sums, vk, blinding)
	}
}
