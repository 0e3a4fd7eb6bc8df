package fleet

import (
	"math/rand/v2"
	"time"
)

// Retry says how often a site is tried, and when.
type Retry struct {
	Tries int           // the result of the last try always counts [6]
	Base  time.Duration // before the second try; doubled for each further one [1m]
	Cap   time.Duration // maximum, whatever the site's server asks for [6h]
}

// tries is how often a site is tried.
func (r Retry) tries() int {
	if r.Tries <= 0 {
		return 6
	}
	return r.Tries
}

// delay is how long a site waits after its n-th try, n from 1. It is longer if the site's server asked for
// more. A random tenth more or less separates sites that failed together, but the delay is never shorter
// than the server asked for.
func (r Retry) delay(n int, after time.Duration) time.Duration {
	base, limit := r.Base, r.Cap
	if base <= 0 {
		base = time.Minute
	}
	if limit <= 0 {
		limit = 6 * time.Hour
	}
	own := base
	for range n - 1 {
		if own = 2 * own; own >= limit {
			break
		}
	}
	own = time.Duration(float64(min(own, limit)) * (0.9 + 0.2*rand.Float64()))
	asked := time.Duration(float64(min(after, limit)) * (1 + 0.1*rand.Float64()))
	return min(max(own, asked), limit)
}
