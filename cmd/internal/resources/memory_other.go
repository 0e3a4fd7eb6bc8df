//go:build !linux

package resources

import (
	"math"
	"os"
	"runtime/debug"
)

// Memory returns how many bytes of memory this process may use: those of the machine, or the
// limit of GOMEMLIMIT where that is less; 0 where nobody knows.
func Memory() int64 {
	least := int64(math.MaxInt64)
	if os.Getenv("GOMEMLIMIT") != "" {
		least = debug.SetMemoryLimit(-1)
	}
	if n := machineMemory(); n > 0 {
		least = min(least, n)
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}
