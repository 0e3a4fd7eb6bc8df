package resources

import (
	"runtime"
	"testing"
	"time"
)

// On released platforms the program knows the machine's memory and its own CPU time.
func TestSystem(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	switch runtime.GOOS {
	case "linux", "darwin", "windows":
	default:
		return // unknown
	}
	if n := Memory(); n < 32<<20 || n > 1<<50 {
		t.Errorf("%d bytes of memory", n)
	}
	before := CPU()
	for begun := time.Now(); CPU() == before; {
		if time.Since(begun) > time.Minute {
			t.Fatalf("%v of the processors, and no more in a minute of work", before)
		}
	}
	if after := CPU(); after < before || after > time.Hour {
		t.Errorf("%v of the processors, and %v before", after, before)
	}
}
