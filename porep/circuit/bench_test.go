package circuit

import (
	"testing"

	"github.com/sealwright/sealwright/sdk"
)

var benchmarked = []string{"wpost-2k", "porep-2k", "porep-32g"}

func BenchmarkCompile(b *testing.B) {
	for _, id := range benchmarked {
		b.Run(id, func(b *testing.B) {
			b.ReportAllocs()
			var p *Program
			for b.Loop() {
				p = compile(b, id)
			}
			b.ReportMetric(float64(p.Circuit.Bytes())/(1<<20), "MiB")
			b.ReportMetric(float64(len(p.Circuit.Templates)), "templates")
			b.ReportMetric(float64(len(p.Circuit.Instances)), "instances")
		})
	}
}

func BenchmarkDigest(b *testing.B) {
	for _, id := range benchmarked {
		b.Run(id, func(b *testing.B) {
			p := compile(b, id)
			b.ReportAllocs()
			for b.Loop() {
				report, err := Digest(b.Context(), p.Circuit)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(report.BytesHashed)
			}
		})
	}
}

func BenchmarkWitness(b *testing.B) {
	for _, test := range []struct {
		id      string
		secrets func(b *testing.B) *Secrets
	}{
		{"wpost-2k", func(b *testing.B) *Secrets { return windowPoStSecrets(b) }},
		{"porep-2k", func(b *testing.B) *Secrets { return poRepSecrets(b, "2k-A.c1.json.gz") }},
		{"porep-512m", func(b *testing.B) *Secrets { return poRepSecrets(b, "c1/c1-512m.json.gz") }},
		{"porep-32g", func(b *testing.B) *Secrets { return poRepSecrets(b, "c1/c1-32g.json.gz") }},
	} {
		b.Run(test.id, func(b *testing.B) {
			p, secrets := compile(b, test.id), test.secrets(b)
			var bufs sdk.HeapBuffers
			b.ReportAllocs()
			for b.Loop() {
				w, err := p.Witness(b.Context(), secrets, &bufs)
				if err != nil {
					b.Fatal(err)
				}
				w.Release()
			}
			b.ReportMetric(float64(bufs.Stats(sdk.BufferSynth).HighWater)/(1<<20), "MiB")
		})
	}
}
