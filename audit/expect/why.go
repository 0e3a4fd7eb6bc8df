package expect

import (
	"fmt"
	"strings"

	"robots-audit/engine/wording"
)

// maxCounted limits the origins whose URLs are counted, in addition to those with expectations.
const maxCounted = 1000

// count counts a URL of an origin.
func (s *site) count(origin string) {
	if _, counted := s.counts[origin]; counted || len(s.counts) < maxCounted {
		s.counts[origin]++
	}
}

// vacuous says why a pattern matches no URL: there are none, or they are of another origin.
func (s *site) vacuous(e *Expectation) string {
	origin, n := e.origin, s.counts[e.origin]
	if origin == "" {
		if n = s.known; n == 0 && len(s.origins) > 0 && s.origins[0] != nil {
			origin = s.origins[0].name
		}
	}
	if n > 0 {
		return lower(wording.NoURL(n)) + " matched"
	}
	other, all := "", int64(0)
	for of, n := range s.counts {
		if all += n; other == "" || nearer(origin, of, other, n, s.counts[other]) {
			other = of
		}
	}
	if all == 0 || origin == "" || origin == other {
		return "no URL of the site was found"
	}
	return fmt.Sprintf("no URL of %s was found. The URLs found have another %s, such as %s", origin, difference(origin, other), other)
}

// nearer reports whether an origin explains better than another one why there is no URL: it has the
// same host, or more URLs.
func nearer(origin, a, b string, urlsA, urlsB int64) bool {
	same := func(of string) int {
		switch {
		case hostOf(of) == hostOf(origin):
			return 2
		case bareHost(of) == bareHost(origin):
			return 1
		}
		return 0
	}
	switch {
	case same(a) != same(b):
		return same(a) > same(b)
	case urlsA != urlsB:
		return urlsA > urlsB
	}
	return a < b
}

// difference names the part in which two origins differ.
func difference(a, b string) string {
	switch {
	case hostOf(a) == hostOf(b):
		return "scheme"
	case withoutPort(hostOf(a)) == withoutPort(hostOf(b)):
		return "port"
	}
	return "host"
}

// bareHost returns the host of an origin without "www." and port. Origins with the same one are
// often mistaken for each other.
func bareHost(origin string) string {
	return strings.TrimPrefix(withoutPort(hostOf(origin)), "www.")
}

// withoutPort removes the port of a host.
func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		return host[:i]
	}
	return host
}

// noSite says why no judged site has an origin.
func (j *Judge) noSite(origin string) string {
	why := "none of the tested sites is " + origin
	near := ""
	for _, of := range j.origins[bareHost(origin)] {
		if near == "" || nearer(origin, of, near, 0, 0) {
			near = of
		}
	}
	switch {
	case near != "":
		return fmt.Sprintf("%s. %s has another %s", why, near, difference(origin, near))
	case j.ended == 1:
		return fmt.Sprintf("%s. The only one, %s, has another host", why, j.first)
	}
	return why + ". All have another host"
}

// lower makes the first letter lower case, for use within a sentence.
func lower(s string) string { return string(s[0]|0x20) + s[1:] }
