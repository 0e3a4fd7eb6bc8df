//go:build unix

package resources

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used, its own and the system's on its
// behalf; 0 where it is not known.
func CPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
