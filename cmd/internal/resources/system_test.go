package resources

import (
	"runtime"
	"testing"
	"time"
)

// Where the program is released for, it knows the machine's memory and what it takes of the processors.
func TestSystem(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	switch runtime.GOOS {
	case "linux", "darwin", "windows":
	default:
		return // nobody knows
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
