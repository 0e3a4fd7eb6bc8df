//go:build soak && unix

package history

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is the processor time of this process, including the system's work for it.
func processorTime(t testing.TB) time.Duration {
	var of syscall.Rusage
	noError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &of))
	return time.Duration(of.Utime.Nano() + of.Stime.Nano())
}
