package host

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// What the budget leaves of the memory there is: for the host, the engines' own
// small things, the kernel and whoever else. A sixteenth, within bounds.
const (
	marginShare = 16
	marginLeast = 512 << 20
	marginMost  = 16 << 30
)

// MemoryRoots say where the kernel tells of memory; tests name a made tree.
type MemoryRoots struct {
	Proc   string // empty: /proc
	Cgroup string // empty: /sys/fs/cgroup
}

// MemoryLimit is a bound on our memory and where it was found.
type MemoryLimit struct {
	Bytes  int64
	Source string // the file, and the field where it has several
}

// Budget is the memory that engines may have together.
type Budget struct {
	Bytes  int64         // Limit less Margin
	Limit  MemoryLimit   // the one that won
	Margin int64         // bytes
	Others []MemoryLimit // those that lost, in the order of looking
}

// String says how the budget came about, for the log.
func (b Budget) String() string {
	s := fmt.Sprintf("%d bytes: %d of %s less a margin of %d", b.Bytes, b.Limit.Bytes, b.Limit.Source, b.Margin)
	for i, o := range b.Others {
		if i == 0 {
			s += "; above it"
		}
		s += fmt.Sprintf(" %d of %s,", o.Bytes, o.Source)
	}
	return strings.TrimSuffix(s, ",")
}

// Each returns one engine's share of the budget.
func (b Budget) Each(engines int) int64 { return b.Bytes / int64(max(1, engines)) }

// MemoryBudget returns the least of the machine's memory and every cgroup limit
// above this process, versions 1 and 2, less a margin. A container that hides the
// cgroups above it hides their limits too.
func MemoryBudget(roots MemoryRoots) (Budget, error) {
	if roots.Proc == "" {
		roots.Proc = "/proc"
	}
	if roots.Cgroup == "" {
		roots.Cgroup = "/sys/fs/cgroup"
	}
	total, err := memTotal(filepath.Join(roots.Proc, "meminfo"))
	if err != nil {
		return Budget{}, fmt.Errorf("read the machine's memory: %w", err)
	}
	limits, err := cgroupLimits(filepath.Join(roots.Proc, "self", "cgroup"), roots.Cgroup)
	if err != nil {
		return Budget{}, fmt.Errorf("read memory limits of cgroups: %w", err)
	}
	return BudgetOf(append([]MemoryLimit{total}, limits...)...), nil
}

// BudgetOf returns the budget under the least of at least one limit.
func BudgetOf(limits ...MemoryLimit) Budget {
	least := 0
	for i, l := range limits {
		if l.Bytes < limits[least].Bytes {
			least = i
		}
	}
	b := Budget{Limit: limits[least]}
	for i, l := range limits {
		if i != least {
			b.Others = append(b.Others, l)
		}
	}
	b.Margin = min(max(b.Limit.Bytes/marginShare, marginLeast), marginMost, b.Limit.Bytes/2)
	b.Bytes = b.Limit.Bytes - b.Margin
	return b
}

// memTotal returns MemTotal, less what is set aside for huge pages.
func memTotal(path string) (MemoryLimit, error) {
	file, err := os.Open(path)
	if err != nil {
		return MemoryLimit{}, err
	}
	defer file.Close()
	fields := map[string]int64{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if kib, ok := strings.CutSuffix(strings.TrimSpace(value), " kB"); ok {
			if n, err := strconv.ParseInt(kib, 10, 53); err == nil {
				fields[name] = n << 10
			}
		}
	}
	if err := lines.Err(); err != nil {
		return MemoryLimit{}, err
	}
	total := fields["MemTotal"] - fields["Hugetlb"]
	if total <= 0 {
		return MemoryLimit{}, fmt.Errorf("%s: %w", path, errors.New("MemTotal is missing or zero"))
	}
	return MemoryLimit{Bytes: total, Source: path + " MemTotal"}, nil
}
