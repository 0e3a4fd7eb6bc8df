//go:build !linux

package resources

import (
	"os"
	"runtime/debug"
)

// Memory returns how many bytes of memory this process may use by GOMEMLIMIT; 0 where nobody
// knows, as where that is not set.
func Memory() int64 {
	if os.Getenv("GOMEMLIMIT") == "" {
		return 0
	}
	return debug.SetMemoryLimit(-1)
}
