package resources

import (
	"bytes"
	"math"
	"os"
	"strconv"
)

// machineMemory returns how many bytes of memory the machine has, or the limit of this process's
// control group if lower; math.MaxInt64 if unknown.
func machineMemory() int64 {
	least := int64(math.MaxInt64)
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, _ := os.ReadFile(file)
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && n > 0 { // otherwise it is "max"
			least = min(least, n)
		}
	}
	text, _ := os.ReadFile("/proc/meminfo")
	_, rest, _ := bytes.Cut(text, []byte("MemTotal:"))
	number, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	if kb, err := strconv.ParseInt(string(number), 10, 64); err == nil && kb > 0 {
		least = min(least, kb<<10)
	}
	return least
}
