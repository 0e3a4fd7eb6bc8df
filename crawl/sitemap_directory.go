package crawl

import (
	"bytes"
	"net/url"
	"strings"
)

// directoriesOf returns the directories of a sitemap before and after
// redirects, up to the last slash of the path. It returns nothing if one of
// them is the whole host. "The location of a Sitemap file determines the set of
// URLs that can be included in that Sitemap" (sitemaps.org, "Sitemap file
// location").
func directoriesOf(urls ...string) (found [2]string) {
	for i, one := range urls[:2] {
		one, _, _ = strings.Cut(one, "#")
		one, _, _ = strings.Cut(one, "?")
		origin := originOf(one)
		path := one[len(origin):]
		if found[i] = one[:len(origin)+strings.LastIndexByte(path, '/')+1]; found[i] == origin+"/" || found[i] == origin {
			return [2]string{}
		}
	}
	return found
}

// inDirectory reports whether a URL is in a directory of the sitemap, or below.
func (s *location) inDirectory(loc []byte) bool {
	for _, d := range s.directories {
		if bytes.HasPrefix(loc, []byte(d)) {
			return true
		}
	}
	for _, d := range s.directories { // perhaps in another spelling
		if a, err := url.Parse(d); err == nil {
			if b, err := url.Parse(string(loc)); err == nil && (b.Host != a.Host || strings.HasPrefix(b.Path, a.Path)) {
				return true
			}
		}
	}
	return false
}

// noHost reports whether an http or https URL has no host.
func noHost(loc []byte) bool {
	scheme, rest, found := bytes.Cut(loc, []byte("://"))
	return found && (bytes.EqualFold(scheme, []byte("http")) || bytes.EqualFold(scheme, []byte("https"))) &&
		(len(rest) == 0 || bytes.IndexByte([]byte("/?#:"), rest[0]) >= 0)
}
