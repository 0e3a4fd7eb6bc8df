package resources

import (
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// Memory returns how many bytes of memory this process may use: those of the machine, or
// the limit of its control group or of GOMEMLIMIT where that is less; 0 where nobody knows.
func Memory() int64 {
	least := int64(math.MaxInt64)
	if os.Getenv("GOMEMLIMIT") != "" {
		least = debug.SetMemoryLimit(-1)
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && n > 0 { // else it says "max"
				least = min(least, n)
			}
		}
	}
	text, _ := os.ReadFile("/proc/meminfo")
	if _, rest, found := bytes.Cut(text, []byte("MemTotal:")); found {
		if fields := bytes.Fields(rest); len(fields) > 0 {
			if kb, err := strconv.ParseInt(string(fields[0]), 10, 64); err == nil && kb > 0 {
				least = min(least, kb<<10)
			}
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}
