package compare

import (
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// Serve returns the records of a site as if host had answered every request for its
// robots.txt with status 200 and body, by http and by https, without a redirect. host
// is the host of an origin, with its port where it has one: "example.com",
// "example.com:8080". Verdicts and counts in the records stay what they were, which
// is no harm, since a comparison judges again. The site's state becomes unknown, since
// that is not computed again.
func Serve(records iter.Seq2[audit.Record, error], host string, body []byte) iter.Seq2[audit.Record, error] {
	var first *audit.Robots // of the host; what serves the same later is reported with it
	return replaced(records, func(r *audit.Robots) {
		if hostOf(r.Origin) != host {
			return
		}
		was := r.File
		r.File, r.SameAs = *crawl.ServedRobots(r.Origin, body, 0), ""
		r.File.Started = was.Started
		if was.Status/100 == 2 && isText(was.Type) { // the server that sent it would send the new one alike
			r.File.Type = was.Type
		}
		if first == nil || first.Origin == r.Origin {
			first = r
		} else if first.Index < r.Index {
			r.SameAs = first.Origin
		}
	})
}

// Edit returns the records of a site as if the files that some origins serve had another
// body: status, redirects and type stay what they were. For the rest it is like Serve.
func Edit(records iter.Seq2[audit.Record, error], origins []string, body []byte) iter.Seq2[audit.Record, error] {
	return replaced(records, func(r *audit.Robots) {
		if slices.Contains(origins, r.Origin) {
			served := crawl.ServedRobots(r.Origin, body, 0)
			r.File.Body, r.File.Bytes, r.File.SHA256, r.File.Truncated = served.Body, served.Bytes, served.SHA256, served.Truncated
		}
	})
}

// replaced returns records with other answers: replace changes those that it knows.
func replaced(records iter.Seq2[audit.Record, error], replace func(*audit.Robots)) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.Robots != nil {
				other := *rec.Robots
				replace(&other)
				rec.Robots = &other
			}
			if rec.Done != nil {
				other := *rec.Done
				other.State = audit.Undetermined
				rec.Done = &other
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// isText reports whether a content type is that of a robots.txt.
func isText(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(media), "text/plain")
}

// hostOf returns what follows the scheme of an origin: "example.com:8080".
func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}
