//go:build unix

package crawl

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns what this process has taken of the processors so far:
// other than the time of day, it does not pass faster on a busy machine.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
