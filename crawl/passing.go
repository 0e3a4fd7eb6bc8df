package crawl

import "time"

// Passes reports whether the trouble is one that passes: who asks again in some minutes may get an
// answer. Beside what is worth another try at once, that is a server that takes too long.
func (o *Outcome) Passes() bool {
	return o.Code == CodeConnectTimeout || o.Code == CodeTimeout || temporary(o)
}

// RetryAfter is how long the server has asked to be left alone by Retry-After with its last
// answer, from now; 0 = it has not asked. A day at most: a server may ask for ten years.
func RetryAfter(o *Outcome, now time.Time) time.Duration {
	if len(o.Hops) == 0 {
		return 0
	}
	return pauseAsked(o.Hops[len(o.Hops)-1].Header, now, 24*time.Hour)
}
