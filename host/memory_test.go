package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMemoryBudget(t *testing.T) {
	const gib = int64(1) << 30
	const meminfo = "MemTotal:       134217728 kB\nMemFree:        1 kB\nHugetlb:               0 kB\n" // 128 GiB
	for _, c := range []struct {
		name   string
		files  map[string]string
		limit  int64
		source string // of the limit, below the made root
		others int
	}{
		{"no cgroups at all", map[string]string{"proc/meminfo": meminfo}, 128 * gib, "proc/meminfo MemTotal", 0},
		{"huge pages are not ours", map[string]string{
			"proc/meminfo": "MemTotal: 134217728 kB\nHugetlb: 33554432 kB\n",
		}, 96 * gib, "proc/meminfo MemTotal", 0},
		{"version 2 without a limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user.slice/a.scope\n",
			"cgroup/user.slice/memory.max": "max\n", "cgroup/user.slice/a.scope/memory.max": "max\n",
		}, 128 * gib, "proc/meminfo MemTotal", 0},
		{"version 2, own limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/sealwright.service\n",
			"cgroup/system.slice/memory.max":                    "max\n",
			"cgroup/system.slice/sealwright.service/memory.max": "68719476736\n",
		}, 64 * gib, "cgroup/system.slice/sealwright.service/memory.max", 1},
		{"version 2, the limit is two levels up", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b/c\n",
			"cgroup/a/memory.max": "34359738368\n", "cgroup/a/b/memory.max": "68719476736\n", "cgroup/a/b/c/memory.max": "max\n",
		}, 32 * gib, "cgroup/a/memory.max", 2},
		{"version 2, memory.high is lower", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a\n",
			"cgroup/a/memory.max": "68719476736\n", "cgroup/a/memory.high": "51539607552\n",
		}, 48 * gib, "cgroup/a/memory.high", 2},
		{"version 2, a container that is its own root", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "cgroup/memory.max": "17179869184\n",
		}, 16 * gib, "cgroup/memory.max", 1},
		{"version 2, a limit above the machine's memory", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a\n", "cgroup/a/memory.max": "274877906944\n",
		}, 128 * gib, "proc/meminfo MemTotal", 1},
		{"version 1, own limit", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n",
			"cgroup/memory/docker/x/memory.limit_in_bytes": "34359738368\n",
			"cgroup/memory/docker/memory.limit_in_bytes":   "9223372036854771712\n",
			"cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
		}, 32 * gib, "cgroup/memory/docker/x/memory.limit_in_bytes", 1},
		{"version 1, a container that does not see its path", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/docker/x\n",
			"cgroup/memory/memory.limit_in_bytes": "34359738368\n",
		}, 32 * gib, "cgroup/memory/memory.limit_in_bytes", 1},
		{"version 1, a limit that only memory.stat tells of", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:cpu,memory:/x\n",
			"cgroup/memory/x/memory.limit_in_bytes": "9223372036854771712\n",
			"cgroup/memory/x/memory.stat":           "cache 0\nhierarchical_memory_limit 8589934592\nrss 1\n",
		}, 8 * gib, "cgroup/memory/x/memory.stat hierarchical_memory_limit", 1},
		{"versions 1 and 2 side by side", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "9:name=systemd:/u\n4:memory:/m\n0::/u\n",
			"cgroup/memory/m/memory.limit_in_bytes": "68719476736\n", "cgroup/unified/u/memory.max": "34359738368\n",
		}, 32 * gib, "cgroup/unified/u/memory.max", 2},
		{"a path that climbs", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../../a\n", "cgroup/a/memory.max": "34359738368\n",
		}, 32 * gib, "cgroup/a/memory.max", 1},
		{"what cannot be read as a limit is none", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "nonsense\n0::/a\n", "cgroup/a/memory.max": "many\n",
		}, 128 * gib, "proc/meminfo MemTotal", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := makeTree(t, c.files)
			b, err := MemoryBudget(MemoryRoots{Proc: filepath.Join(root, "proc"), Cgroup: filepath.Join(root, "cgroup")})
			if err != nil {
				t.Fatal(err)
			}
			if b.Limit != (MemoryLimit{c.limit, filepath.Join(root, c.source)}) || len(b.Others) != c.others {
				t.Errorf("limit %+v, others %+v, expected %d of %s and %d others", b.Limit, b.Others, c.limit, c.source, c.others)
			}
			if b.Bytes+b.Margin != c.limit || b.Margin < c.limit/16 {
				t.Errorf("budget %d, margin %d of %d", b.Bytes, b.Margin, c.limit)
			}
			if line := b.String(); !strings.Contains(line, c.source) || strings.Contains(line, "\n") {
				t.Errorf("line %q", line)
			}
		})
	}
}

func TestMemoryBudgetMargin(t *testing.T) {
	const mib, gib = int64(1) << 20, int64(1) << 30
	for _, c := range []struct{ limit, margin int64 }{
		{600 * mib, 300 * mib}, {4 * gib, 512 * mib}, {64 * gib, 4 * gib}, {256 * gib, 16 * gib}, {1024 * gib, 16 * gib},
	} {
		b := BudgetOf(MemoryLimit{Bytes: c.limit})
		if b.Margin != c.margin || b.Each(2) != (c.limit-c.margin)/2 {
			t.Errorf("%d: margin %d, expected %d; half %d", c.limit, b.Margin, c.margin, b.Each(2))
		}
	}
}

func TestMemoryBudgetNeedsMeminfo(t *testing.T) {
	for _, files := range []map[string]string{{}, {"meminfo": "MemFree: 5 kB\n"}, {"meminfo": "MemTotal: lots kB\n"}} {
		if b, err := MemoryBudget(MemoryRoots{Proc: makeTree(t, files)}); err == nil || !strings.Contains(err.Error(), "meminfo") {
			t.Errorf("%v: got %v, %v", files, b, err)
		}
	}
}

// TestMemoryBudgetHere holds that this machine can be read.
func TestMemoryBudgetHere(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err != nil {
		t.Skip("no /proc")
	}
	b, err := MemoryBudget(MemoryRoots{})
	if err != nil || b.Bytes <= 0 {
		t.Errorf("got %v, %v", b, err)
	}
	t.Log(b)
}

func makeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
