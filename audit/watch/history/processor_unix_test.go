//go:build soak && unix

package history

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is what this process has had of the processors, with the system's work for it.
func processorTime(t testing.TB) time.Duration {
	var of syscall.Rusage
	noError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &of))
	return time.Duration(of.Utime.Nano() + of.Stime.Nano())
}
