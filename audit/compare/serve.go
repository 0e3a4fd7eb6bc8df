package compare

import (
	"iter"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// Serve returns the records of a site as if host had answered every request for its
// robots.txt with status 200 and body, by http and by https, without a redirect. host
// is the host of an origin, with its port where it has one: "example.com",
// "example.com:8080". Verdicts and counts in the records stay what they were, which
// is no harm, since a comparison judges anew.
func Serve(records iter.Seq2[audit.Record, error], host string, body []byte) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.Robots != nil && hostOf(rec.Robots.Origin) == host {
				served := *rec.Robots
				served.SameAs = ""
				served.File = *crawl.ServedRobots(served.Origin, body, 0)
				served.File.Started = rec.Robots.File.Started
				rec.Robots = &served
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// hostOf returns what follows the scheme of an origin: "example.com:8080".
func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}
