//go:build unix

package crawl

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns the processor time of this process: unlike wall time,
// it does not pass faster on a busy machine.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
