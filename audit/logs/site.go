package logs

import (
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Site is a site whose requests are judged.
type Site struct {
	Name    string // of the run; or the origin
	Source  audit.LogSource
	Bare    bool                         // requests in lines without a host are to the first origin
	Origins []Origin                     // the first is its own: lines without a scheme are requests to the origin of their host that comes first
	URLs    func() iter.Seq2[URL, error] // of a run; nil = none, or Known has them. It is called twice
	Known   *Known                       // of a running audit; nil = none
	Audited []string                     // audit.Crawler.Label of the crawlers of URL.Verdicts; nil = the verdicts are not of this robots.txt
	Segment func(loc string) string      // the user's name for a part of the site; nil or "" = none
}

// Origin is a scheme, host and port with its robots.txt.
type Origin struct {
	Name string // "https://example.com", "http://example.com:8080"
	Seen []Observation
}

// URL is a URL of a run.
type URL struct {
	Loc      string
	Listed   bool             // a sitemap has it
	Verdicts []engine.Verdict // one for each of Site.Audited, valid until the next URL; nil = none
}

// blocks reports whether the URL is blocked for the i-th of Site.Audited; -1 = a crawler that is none of them.
func (u *URL) blocks(i int) bool {
	return i >= 0 && i < len(u.Verdicts) && u.Verdicts[i] == engine.Disallow
}

// audited is the index of a crawler in Audited, as its own profile reads robots.txt if the audit has that;
// -1 = the audit did not test it.
func (s *Site) audited(name string) int {
	other := -1
	for i, label := range s.Audited {
		of, _, profiled := strings.Cut(label, "@")
		switch {
		case !strings.EqualFold(of, name):
		case !profiled:
			return i
		case other < 0:
			other = i
		}
	}
	return other
}

// place finds the origin of a request to a host. exact = false if the site has no robots.txt of this
// scheme; origin = -1 if the site has no such host.
func (s *Site) place(host, scheme string) (origin int, exact bool) {
	origin = -1
	for i, o := range s.Origins {
		of, name, _ := strings.Cut(o.Name, "://")
		switch {
		case name != host:
		case scheme == "" || scheme == of:
			return i, true
		case origin < 0:
			origin = i
		}
	}
	return origin, false
}

// hosts are the hosts of the site's origins.
func (s *Site) hosts() (list []string) {
	for _, o := range s.Origins {
		if host := audit.HostName(o.Name); !slices.Contains(list, host) {
			list = append(list, host)
		}
	}
	return list
}

// plainHost is a logged host as origins have it: in lower case, without a last dot and without the
// port of http and https.
func plainHost(host string) string {
	host = strings.ToLower(host)
	for _, port := range []string{":443", ":80"} {
		host = strings.TrimSuffix(host, port)
	}
	return strings.TrimSuffix(host, ".")
}

// portScheme is the scheme that the port of a logged host stands for; "" = it has no port, or its own.
func portScheme(host string) string {
	switch {
	case strings.HasSuffix(host, ":443"):
		return "https"
	case strings.HasSuffix(host, ":80"):
		return "http"
	}
	return ""
}
