package audit

import (
	"fmt"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
)

// noteDifferingRobots notes an answer to the question for robots.txt that
// differs from the one that counts. how says in words how it differs.
func (s *site) noteDifferingRobots(id string, other crawl.RobotsFile, how string) {
	if own := s.origins[0].findings; own != nil && s.firstSeen(id, other.URL+" "+how) {
		own.AddOccurrence(id, 0, how, other.URL)
	}
}

// compareRobots compares the site's robots.txt with that of its other schemes
// and ports, and with and without "www.", as far as known URLs lie there: a
// robots.txt counts for its own scheme, host and port alone.
func (s *site) compareRobots() {
	own := s.origins[0]
	for _, o := range s.origins[1:] {
		if o.findings == nil || !sameSite(own.name, o.name) || o.file.Code == own.file.Code && o.file.Status == own.file.Status && o.file.SHA256 == own.file.SHA256 {
			continue
		}
		other := crawl.RobotsFile{Outcome: o.file}
		s.noteDifferingRobots(findings.DiffersByAddress, other, fmt.Sprintf("%s has %s, %s has %s", own.name, describe(crawl.RobotsFile{Outcome: own.file}), o.name, describe(other)))
	}
}

// sameSite reports whether two origins are what visitors take for one site.
func sameSite(a, b string) bool {
	host := func(origin string) string {
		d, _ := ParseDomain(origin)
		return strings.TrimPrefix(d.Host, "www.")
	}
	return host(a) == host(b)
}
