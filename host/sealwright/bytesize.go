package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteUnits are the units of sizes that are read, powers of 1024.
var byteUnits = []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// byteSize writes a size as people read it.
func byteSize(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, exp := float64(n), 0
	for ; value >= unit; value /= unit {
		exp++
	}
	return fmt.Sprintf("%.1f %s", value, byteUnits[exp])
}

// parseByteSize reads what a flag says of a size: "256GiB", "1.5 GiB", "1073741824".
func parseByteSize(flag, text string) (int64, error) {
	number, factor := strings.TrimSpace(text), 1.0
	for exp := len(byteUnits) - 1; exp >= 0; exp-- {
		if before, ok := strings.CutSuffix(number, byteUnits[exp]); ok {
			number, factor = strings.TrimSpace(before), math.Pow(1024, float64(exp))
			break
		}
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || value < 0 || value*factor >= math.MaxInt64 || math.IsNaN(value) {
		return 0, usage("--%s: found %q, want a size such as 256GiB", flag, text)
	}
	return int64(value * factor), nil
}
