package compare

import (
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// Serve returns the records of a site as if host had answered every request for its robots.txt with
// status 200 and body, by http and https, without a redirect. host is the host of an origin, with
// its port if it has one: "example.com", "example.com:8080". Verdicts and counts in the records
// stay unchanged, because a comparison judges again. The site's state becomes unknown, because it
// is not computed again.
func Serve(records iter.Seq2[audit.Record, error], host string, body []byte) iter.Seq2[audit.Record, error] {
	var first *audit.Robots // of the host; later ones with the same file are reported with it
	return replaced(records, func(r *audit.Robots) {
		if hostOf(r.Origin) != host {
			return
		}
		was := r.File
		r.File, r.SameAs = *crawl.ServedRobots(r.Origin, body, 0), ""
		r.File.Started = was.Started
		if was.Status/100 == 2 && isText(was.Type) { // the same server would send the new one in the same way
			r.File.Type = was.Type
		}
		if first == nil || first.Origin == r.Origin {
			first = r
		} else if first.Index < r.Index {
			r.SameAs = first.Origin
		}
	})
}

// Edit returns the records of a site as if the files of some origins had another body. Status,
// redirects and type stay unchanged. Otherwise it is like Serve.
func Edit(records iter.Seq2[audit.Record, error], origins []string, body []byte) iter.Seq2[audit.Record, error] {
	return replaced(records, func(r *audit.Robots) {
		if slices.Contains(origins, r.Origin) {
			served := crawl.ServedRobots(r.Origin, body, 0)
			r.File.Body, r.File.Bytes, r.File.SHA256, r.File.Truncated = served.Body, served.Bytes, served.SHA256, served.Truncated
		}
	})
}

// replaced returns records with other answers: replace modifies the answers to be changed.
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
