package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/plugin/pipeline"
)

func TestMakePlan(t *testing.T) {
	const gib = int64(1) << 30
	c := planCircuit{
		id: "porep-32g", partitions: 10, vector: 4 * gib, key: 44 * gib, resident: gib / 8,
		need: pipeline.Need{Synthesis: 8 * gib, Device: 12 * gib},
	}
	for _, test := range []struct {
		name                 string
		memory, vram         int64
		devices              int
		synthesis            time.Duration
		srs                  string
		pageCache            int64
		permitsMin, permitsM int
		lossMost             float64
		says                 string
	}{
		{"ample", 512 * gib, 80 * gib, 1, 29 * time.Second, "resident", 0, 12, 12, 0.01, "stays on the device"},
		{"small card", 256 * gib, 24 * gib, 1, 29 * time.Second, "streamed", 44 * gib, 12, 12, 0.01, "streamed"},
		{"smaller card", 256 * gib, 16 * gib, 1, 29 * time.Second, "streamed", 44 * gib, 12, 12, 0.01, "in pieces"},
		{"no card", 256 * gib, 0, 1, 29 * time.Second, "mapped", 44 * gib, 12, 12, 0.01, "CPU engine"},
		{"little memory", 32 * gib, 24 * gib, 1, 29 * time.Second, "streamed", 0, 2, 2, 1, "read from the disk"},
		{"two devices", 256 * gib, 80 * gib, 2, 29 * time.Second, "resident", 0, 9, 9, 0.2, "over 2 devices"},
		{"quick synthesis", 256 * gib, 80 * gib, 1, time.Second, "resident", 0, 2, 3, 0.01, "0.3 times"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := machine{
				memory: host.BudgetOf(host.MemoryLimit{Bytes: test.memory, Source: "test"}), vram: test.vram, devices: test.devices,
				synthesis: test.synthesis, device: 3500 * time.Millisecond, spread: 0.3,
			}
			p, err := makePlan(m, c)
			if err != nil {
				t.Fatal(err)
			}
			if p.SRS != test.srs || p.PageCache != test.pageCache {
				t.Errorf("key %s, page cache %d, expected %s and %d", p.SRS, p.PageCache, test.srs, test.pageCache)
			}
			if p.Permits < test.permitsMin || p.Permits > test.permitsM || p.LossMean > test.lossMost {
				t.Errorf("%d permits, loss %.3f, expected %d to %d and at most %.3f", p.Permits, p.LossMean, test.permitsMin, test.permitsM, test.lossMost)
			}
			total := int64(test.devices)*(p.Budget+c.resident) + p.PageCache + p.Margin
			if total > test.memory || p.BytesPeak > p.Budget || p.DeviceBytes > test.vram {
				t.Errorf("%d bytes of %d, peak %d of %d, %d on a device of %d", total, test.memory, p.BytesPeak, p.Budget, p.DeviceBytes, test.vram)
			}
			if why := strings.Join(p.Why, "\n"); !strings.Contains(why, test.says) {
				t.Errorf("it says nothing of %q:\n%s", test.says, why)
			}
		})
	}
}
