package crawl

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/crawl/internal/truncate"
	"robots-audit/crawl/internal/weburl"
)

// protocolLoc is the length that a loc must stay below, in characters.
const protocolLoc = 2048

// location is where a sitemap lies. It tells the URLs of a sitemap's own site from others: the protocol wants
// all of them on the sitemap's host and scheme. Whether another host consents
// (by naming the sitemap in its robots.txt) is not known here.
type location struct {
	asked, final string    // "https://example.com", before and after redirects
	other        string    // the last origin seen that is neither, as written
	code         string    // its note, "" = none
	directories  [2]string // the sitemap's, asked and final; "" = the whole host
	base         string    // its URL, which relative ones are relative to
	resolver     Resolver
}

func locationOf(asked, final string) *location {
	return &location{asked: originOf(asked), final: originOf(final), directories: directoriesOf(asked, final), base: final}
}

// resolve returns a URL of the sitemap as a crawler asks for it, and as it is written
// where that is another text. What is no http or https URL stays as it is.
func (s *location) resolve(u *sitemap.URL) (loc, written []byte) {
	if u.TooLong {
		return u.Loc, nil
	}
	loc, written, err := s.resolver.Resolve(u.Loc, "")
	if err == weburl.ErrRelative && (u.Kind == sitemap.Child || s.isRelative(u.Loc)) { // an index has nothing but sitemaps
		loc, written, _ = s.resolver.Resolve(u.Loc, s.base)
	}
	return loc, written
}

// isRelative says whether text that is no absolute URL is meant for a relative one.
// The protocol knows none, so that the text may be anything: a placeholder, a
// remark, a host without a scheme. Taken for a URL is what begins with a slash, a
// question mark or a dot segment; and a path with a slash or a file's dot in it that
// is not "n/a" and does not begin with the name of a host, or of a scheme
// ("https//"). Nothing with white space or without a letter is.
func (s *location) isRelative(text []byte) bool {
	if bytes.ContainsFunc(text, unicode.IsSpace) || bytes.HasPrefix(text, []byte("#")) {
		return false
	}
	for _, begin := range [...]string{"/", `\`, "?", "./", "../"} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	path, _, _ := bytes.Cut(text, []byte("?"))
	dot := bytes.LastIndexByte(path, '.')
	_, host := schemeHost(s.final)
	for _, begin := range [...]string{"www.", strings.TrimPrefix(host, "www."), "http/", "https/"} {
		if hasPrefixFold(path, begin) {
			return false
		}
	}
	return (bytes.IndexByte(path, '/') > 0 || dot > 0 && dot < len(path)-1) && bytes.ContainsFunc(path, unicode.IsLetter) &&
		!bytes.EqualFold(path, []byte("n/a"))
}

func hasPrefixFold(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix)
}

// originOf returns the scheme and authority of an absolute URL, as written.
func originOf(raw string) string {
	scheme := strings.Index(raw, "://")
	if scheme < 0 {
		return raw
	}
	if i := strings.IndexAny(raw[scheme+3:], "/?#"); i >= 0 {
		return raw[:scheme+3+i]
	}
	return raw
}

// noteURL notes what the protocol does not allow about a URL, of which resolve has
// returned loc and written. Images, videos and alternates may lie elsewhere.
func (s *location) noteURL(u *sitemap.URL, loc, written []byte, n *sitemap.Notes) {
	page := u.Kind == sitemap.Page || u.Kind == sitemap.Child
	if len(u.Loc) >= protocolLoc && (u.TooLong || utf8.RuneCount(u.Loc) >= protocolLoc) {
		n.CountURL(NoteLongLoc, u.Loc)
	}
	if written != nil {
		if !hasScheme(written) {
			n.CountURL(NoteRelativeLoc, written)
		} else if asksOtherwise(written, loc) {
			n.Count(NoteUnresolved, askedFor(written, loc))
		}
	}
	switch {
	case hasOrigin(loc, s.final) || hasOrigin(loc, s.asked):
		if s.directories[0] != "" && page && !s.inDirectory(loc) {
			n.CountURL(NoteOutside, u.Loc)
		}
	case noHost(loc):
		n.CountURL(NoteNoHost, u.Loc)
	case !sitemap.IsWeb(loc):
		if hasScheme(loc) {
			n.CountURL(NoteNotHTTP, u.Loc)
		} else {
			n.CountURL(NoteNoURL, u.Loc)
		}
	case page:
		if s.other == "" || !hasOrigin(loc, s.other) {
			s.other = originOf(string(loc[:min(len(loc), protocolLoc)]))
			s.code = s.compareOrigin()
		}
		if s.code != "" {
			n.CountURL(s.code, u.Loc)
		}
	}
}

// hasScheme says whether a URL names its scheme, whatever it is.
func hasScheme(url []byte) bool {
	i := bytes.IndexAny(url, ":/?#")
	return i > 0 && url[i] == ':'
}

// askedFor says in words how a URL is written and asked for.
func askedFor(written, loc []byte) string {
	return truncate.String(string(written), maxShown) + " (asked for as " + truncate.String(string(loc), maxShown) + ")"
}

// maxShown is how much of a URL is shown where two stand in one note, in bytes.
const maxShown = 200

// compareOrigin says what the protocol does not allow about the other origin.
func (s *location) compareOrigin() string {
	code := NoteOtherHost
	scheme, host := schemeHost(s.other)
	for _, own := range [...]string{s.final, s.asked} {
		ownScheme, ownHost := schemeHost(own)
		if host != ownHost {
			continue
		}
		if scheme == ownScheme {
			return ""
		}
		code = NoteOtherScheme
	}
	return code
}

// hasOrigin says whether a URL is plainly one of an origin.
func hasOrigin(loc []byte, origin string) bool {
	if len(loc) < len(origin) || string(loc[:len(origin)]) != origin {
		return false
	}
	return len(loc) == len(origin) || bytes.IndexByte([]byte("/?#"), loc[len(origin)]) >= 0
}

// schemeHost takes an origin apart: scheme and host in lower case, without user
// name, password, default port and final dot.
func schemeHost(origin string) (scheme, host string) {
	scheme, host, _ = strings.Cut(strings.ToLower(origin), "://")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else {
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme, strings.TrimSuffix(host, ".")
}
