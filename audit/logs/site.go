package logs

import (
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
)

// Site is a site whose requests are judged.
type Site struct {
	Name    string // of the run; or the origin
	Source  audit.LogSource
	Bare    bool                         // requests in lines without a host are to the first origin
	Origins []Origin                     // the first is its own: lines without a scheme are requests to the origin of their host that comes first
	URLs    func() iter.Seq2[URL, error] // of a run; nil = none, or Known has them. It is called twice
	Known   *Known                       // of a running audit; nil = none
	Segment func(loc string) string      // the user's name for a part of the site; nil = no names
}

// Origin is a scheme, host and port with its robots.txt.
type Origin struct {
	Name string // "https://example.com", "http://example.com:8080"
	Seen []Observation
}

// URL is a URL of a run.
type URL struct {
	Loc    string
	Listed bool // a sitemap has it
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
