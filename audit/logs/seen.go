package logs

import (
	"net/http"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Seen is the robots.txt of a record: as the run saw it, and before as far as the server says when it
// was last changed.
func Seen(r *audit.Robots) []Observation {
	o := Observation{
		At: r.File.Started, SHA256: r.File.SHA256, Told: audit.Answered(r.File.Code) && !r.LacksBody(),
		File: engine.File{
			Status: r.File.Status, Error: r.File.Code, Hops: r.File.Redirects(), Body: r.File.Body, Truncated: r.File.Truncated, ContentType: r.File.Type,
		},
	}
	if !r.File.CachedAt.IsZero() && r.File.FromCache {
		o.At = r.File.CachedAt
	}
	list := []Observation{o}
	if n := len(r.File.Hops); n > 0 && o.Told {
		if at, err := http.ParseTime(r.File.Hops[n-1].Header.Get("Last-Modified")); err == nil && at.Before(o.At) {
			o.At = at
			list = []Observation{o, list[0]}
		}
	}
	return list
}
