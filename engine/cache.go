package engine

// cacheHours is how long a copy of robots.txt may be used without asking again.
const cacheHours = 24

// CacheUsable reports whether a crawler may use a copy of robots.txt that is
// some hours old without asking again: up to 24 hours, and longer while it
// cannot be fetched. No reader's page says otherwise (RFC 9309 2.4; Google's
// page, "Caching"); a max-age of the answer may lengthen or shorten it.
func CacheUsable(hours float64, unreachable bool) bool {
	return hours <= cacheHours || unreachable
}
