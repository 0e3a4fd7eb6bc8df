package audit

import (
	"fmt"
	"strings"

	"robots-audit/crawl"
)

// lookAtTwin notes an answer to the question for robots.txt that differs from
// the one that counts.
func (s *site) lookAtTwin(id string, other crawl.RobotsFile, words string) {
	if e := s.origins[0].evidence; e != nil && s.firstLook(id, other.URL+" "+words) {
		e.hit(id, 0, words, other.URL)
	}
}

// lookAtTwins compares the site's robots.txt with that of its other schemes
// and ports, and with and without "www.", as far as known URLs lie there: a
// robots.txt counts for its own scheme, host and port alone.
func (s *site) lookAtTwins() {
	own := s.origins[0]
	for _, o := range s.origins[1:] {
		if o.evidence == nil || !twins(own.name, o.name) || o.file.Code == own.file.Code && o.file.Status == own.file.Status && o.file.SHA256 == own.file.SHA256 {
			continue
		}
		other := crawl.RobotsFile{Outcome: o.file}
		s.lookAtTwin("FET009", other, fmt.Sprintf("%s has %s, %s has %s", own.name, inWords(crawl.RobotsFile{Outcome: own.file}), o.name, inWords(other)))
	}
}

// twins reports whether two origins are what visitors take for one site.
func twins(a, b string) bool {
	host := func(origin string) string {
		d, _ := ParseDomain(origin)
		return strings.TrimPrefix(d.Host, "www.")
	}
	return host(a) == host(b)
}
