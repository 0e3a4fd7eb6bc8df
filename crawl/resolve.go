package crawl

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/crawl/internal/weburl"
)

// ResolveURL returns an absolute http or https URL as a crawler asks for it, by
// the URL Standard (url.spec.whatwg.org): dot segments removed, back slashes read
// as slashes, tabs and line ends within left away, scheme and host in their one
// form, what may not stand in a request escaped, no name, password and fragment.
// Escapes stay as they are. The error says why it is none.
func ResolveURL(raw string) (string, error) { return weburl.Resolve(raw, "") }

// Resolver is ResolveURL for many URLs, one after the other: it costs nothing worth
// counting where they are written as they are asked for. The zero Resolver is ready.
type Resolver struct {
	quick weburl.Resolver
	buf   []byte
}

// Resolve returns a URL as a crawler asks for it: raw itself, or bytes that hold until
// the next call. base is the resolved URL that raw may be relative to, "" = none.
// written is raw where it is another text, nil where it is not: a fragment, and a
// missing slash where the path is empty, do not count.
func (r *Resolver) Resolve(raw []byte, base string) (loc, written []byte, err error) {
	if r.quick.IsResolved(raw) {
		return raw, nil, nil
	}
	if r.buf, err = weburl.AppendResolved(r.buf[:0], raw, base); err != nil {
		return raw, nil, err
	}
	text, _, _ := bytes.Cut(raw, []byte("#"))
	if bytes.Equal(text, bytes.TrimSuffix(r.buf, []byte("/"))) || bytes.Equal(text, r.buf) {
		return r.buf, nil, nil
	}
	return r.buf, raw, nil
}

// asksOtherwise says whether the path and query of an absolute URL are asked for
// in another way than they are written, beyond what a crawler of the web as
// it is does with any URL: octets outside ASCII escaped, the fragment dropped, a
// slash where there is no path.
func asksOtherwise(raw, loc []byte) bool {
	raw, _, _ = bytes.Cut(raw, []byte("#"))
	raw, loc = afterOrigin(raw), afterOrigin(loc)
	if len(raw) == 0 || raw[0] == '?' {
		loc = bytes.TrimPrefix(loc, []byte("/"))
	}
	for _, c := range raw {
		n := 1
		if c >= 0x80 {
			n = len("%C3")
		}
		if len(loc) < n || c < 0x80 && loc[0] != c {
			return true
		}
		loc = loc[n:]
	}
	return len(loc) > 0
}

// afterOrigin returns path and query of an absolute URL as they are written.
func afterOrigin(url []byte) []byte {
	_, rest, _ := bytes.Cut(url, []byte(":"))
	rest = rest[min(2, len(rest)):]
	if i := bytes.IndexAny(rest, `/\?`); i >= 0 {
		return rest[i:]
	}
	return nil
}

// askedFor says in words how a URL is written and asked for.
func askedFor(written, loc []byte) string {
	return weburl.Truncate(string(written), maxShown) + " (asked for as " + weburl.Truncate(string(loc), maxShown) + ")"
}

// maxShown is how much of a URL is shown where two stand in one note, in bytes.
const maxShown = 200

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
// question mark or a dot segment; and a path that is no placeholder and does not begin
// with the name of a host, or of a scheme ("https//"). Nothing with white space or
// without a letter is, and no single word that ends with a dot.
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
	_, host := schemeHost(s.final)
	for _, begin := range [...]string{"www.", strings.TrimPrefix(host, "www."), "http/", "https/"} {
		if hasPrefixFold(path, begin) {
			return false
		}
	}
	return (bytes.IndexByte(path, '/') > 0 || !bytes.HasSuffix(path, []byte("."))) && bytes.ContainsFunc(path, unicode.IsLetter) &&
		!slices.Contains(placeholders, strings.ToLower(string(path)))
}

// placeholders are what programs and people write where they have no URL.
var placeholders = []string{"n/a", "na", "nan", "nil", "none", "null", "tbd", "todo", "undefined"}

func hasPrefixFold(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix)
}
