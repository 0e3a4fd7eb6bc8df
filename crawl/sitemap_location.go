package crawl

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/crawl/internal/sitemap"
)

// protocolLoc is the length in characters that a loc must not reach.
const protocolLoc = 2048

// location is the location of a sitemap. It distinguishes URLs of the sitemap's own site from
// others: the protocol requires the sitemap's host and scheme for all. Whether another host allows
// it (by naming the sitemap in its robots.txt) is not known here.
type location struct {
	asked, final string    // "https://example.com", before and after redirects
	other        string    // the last origin seen that is neither, as written
	code         string    // its note, "" = none
	directories  [2]string // the sitemap's, before and after redirects; "" = the whole host
	base         string    // its URL, the base of relative URLs
	resolver     Resolver
	unknown      bool // the sitemap's URL is not known

	own    int64       // entries on the sitemap's own host
	others []OtherHost // see SitemapFile
	at     int         // index in others of other
}

// Bounds of what is kept of the other hosts of a sitemap.
const (
	maxOthers = 64
	maxFirst  = 5
)

func locationOf(asked, final string) *location {
	return &location{asked: originOf(asked), final: originOf(final), directories: directoriesOf(asked, final), base: final}
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

// noteURL records what the protocol does not allow about a URL. loc and written
// are from resolve. Images, videos and alternates may be on other hosts.
func (s *location) noteURL(u *sitemap.URL, loc, written []byte, n *sitemap.Notes) {
	page := u.Kind == sitemap.Page || u.Kind == sitemap.Child
	if len(u.Loc) >= protocolLoc && (u.TooLong || utf8.RuneCount(u.Loc) >= protocolLoc) {
		n.CountURL(NoteLongLoc, u.Loc)
	}
	if page {
		if hasBadEscape(u.Loc) {
			n.CountURL(NoteBadEscape, u.Loc)
		}
		asIs := len(loc) == len(u.Loc) && written == nil && !u.TooLong // then it has no fragment, unless it is no URL
		if !asIs && bytes.IndexByte(u.Loc, '#') >= 0 && sitemap.IsWeb(u.Loc) {
			n.CountURL(NoteFragment, u.Loc)
		}
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
		if page {
			s.own++
		}
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
	case page && !s.unknown:
		if s.other == "" || !hasOrigin(loc, s.other) {
			s.other = originOf(string(loc[:min(len(loc), protocolLoc)]))
			if s.code = s.compareOrigin(); s.code == NoteOtherHost {
				s.at = s.indexOther()
			}
		}
		if s.code != "" {
			n.CountURL(s.code, u.Loc)
		}
		if s.code == NoteOtherHost {
			s.others[s.at].add(u.Loc)
		} else {
			s.own++
		}
	}
}

// indexOther returns the index in others of the origin in other.
func (s *location) indexOther() int {
	scheme, host := schemeHost(s.other)
	name := scheme + "://" + host
	if i := slices.IndexFunc(s.others, func(o OtherHost) bool { return o.Origin == name || o.Origin == "" }); i >= 0 {
		return i
	}
	if len(s.others) == maxOthers {
		name = ""
	}
	s.others = append(s.others, OtherHost{Origin: name})
	return len(s.others) - 1
}

// add counts an entry.
func (o *OtherHost) add(loc []byte) {
	if o.URLs++; len(o.First) < maxFirst {
		o.First = append(o.First, sitemap.ShortURL(loc))
	}
}

// hasBadEscape reports whether a '%' is not followed by two hexadecimal digits.
func hasBadEscape(url []byte) bool {
	for {
		i := bytes.IndexByte(url, '%')
		if i < 0 {
			return false
		}
		if url = url[i+1:]; len(url) < 2 || !isHex(url[0]) || !isHex(url[1]) {
			return true
		}
	}
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// hasScheme reports whether a URL has a scheme.
func hasScheme(url []byte) bool {
	i := bytes.IndexAny(url, ":/?#")
	return i > 0 && url[i] == ':'
}

// compareOrigin returns the note about the other origin, "" if the protocol
// allows it.
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

// hasOrigin reports whether a URL begins with an origin in the same spelling.
func hasOrigin(loc []byte, origin string) bool {
	if len(loc) < len(origin) || string(loc[:len(origin)]) != origin {
		return false
	}
	return len(loc) == len(origin) || bytes.IndexByte([]byte("/?#"), loc[len(origin)]) >= 0
}

// schemeHost splits an origin: scheme and host in lower case, without user
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
