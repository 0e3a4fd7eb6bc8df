package cachefile

import (
	"path/filepath"
	"testing"
	"time"
)

// An entry that is not used is dropped after two months, but not because a clock was wrong once.
func TestSweepByClock(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		passes []time.Duration // before each start
		stays  bool
	}{
		"within two months":          {[]time.Duration{30 * day, 29 * day}, true},
		"after two months":           {[]time.Duration{30 * day, 31 * day}, false},
		"a year ahead":               {[]time.Duration{365 * day}, true},
		"a year ahead, and back":     {[]time.Duration{365 * day, -364 * day, day}, true},
		"not used for a year":        {[]time.Duration{365 * day, day}, false},
		"a year back":                {[]time.Duration{-365 * day}, true},
		"a year ahead, twice a week": {[]time.Duration{365 * day, -362 * day, 365 * day, -362 * day}, true},
	} {
		t.Run(name, func(t *testing.T) {
			clock, path := newClock(), filepath.Join(t.TempDir(), "cache.db")
			f := fileAt(t, clock, path)
			f.Put("a", []byte("b"))
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			for _, d := range c.passes {
				clock.pass(d)
				f := fileAt(t, clock, path)
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			}
			f = fileAt(t, clock, path)
			if stays := f.Get("a") != nil; stays != c.stays {
				t.Errorf("stays: %v, want %v", stays, c.stays)
			}
		})
	}
}
