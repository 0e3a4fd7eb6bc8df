//go:build unix

package fleet

import (
	"syscall"
	"testing"
	"time"

	"robots-audit/audit"
)

// throughputSites is how many sites TestWorkerThroughput does; more with -tags soak.
var throughputSites = 500

// TestWorkerThroughput: every one of many sites has one result; and what the queue itself costs a site, with a server in this process that keeps
// all that it acknowledges, is told with -v.
func TestWorkerThroughput(t *testing.T) {
	n := throughputSites
	c := localConn(t)
	if _, err := c.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	bucketOf(t, c, t.TempDir(), "run1")
	cpu, begun := used(t), time.Now()
	feed(t, c, "run1", 0, n)
	t.Logf("fed: %.0f a second, %s of CPU each", float64(n)/time.Since(begun).Seconds(), (used(t)-cpu)/time.Duration(n))

	cpu, begun = used(t), time.Now()
	w := testWorker(c, "w1", &testWork{})
	w.Pool = audit.NewPool(64, -1)
	stop := start(t, w)
	all := results(t, c, "run1", n)
	t.Logf("done: %.0f a second, %s of CPU each", float64(n)/time.Since(begun).Seconds(), (used(t)-cpu)/time.Duration(n))
	if err := stop(); err != nil {
		t.Error(err)
	}
	seen := make([]bool, n)
	for _, r := range all {
		if seen[r.Ordinal] {
			t.Errorf("%d twice", r.Ordinal)
		}
		seen[r.Ordinal] = true
	}
	if len(all) != n {
		t.Errorf("%d results", len(all))
	}
}

// used is the CPU time that this process has used.
func used(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	noError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
