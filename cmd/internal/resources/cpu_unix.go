//go:build unix

package resources

import (
	"syscall"
	"time"
)

// CPU returns the processor time of this process, its own and the system's for it; 0 if unknown.
func CPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
