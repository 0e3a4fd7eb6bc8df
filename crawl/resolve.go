package crawl

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/crawl/internal/weburl"
)

// ResolveURL returns an absolute http or https URL in the form that a crawler
// requests, by the URL Standard (url.spec.whatwg.org). Dot segments, tabs and
// line ends are removed, and backslashes become slashes. Scheme and host get
// their normal form, and invalid characters are escaped. Name, password and
// fragment are removed. Escapes stay unchanged. The error says why it is not such
// a URL.
func ResolveURL(raw string) (string, error) { return weburl.Resolve(raw, "") }

// Resolver is ResolveURL for many URLs, one after the other. It costs almost nothing
// for URLs that are already in the requested form. The zero Resolver is ready for
// use.
type Resolver struct {
	quick weburl.Resolver
	buf   []byte
}

// Resolve returns a URL in the form that a crawler requests: raw itself, or bytes that
// are valid until the next call. base is the resolved URL that raw may be relative to,
// "" = none. written is raw if it differs from the result, else nil. A fragment, and a
// missing slash for an empty path, do not count as differences.
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

// asksOtherwise reports whether the path and query of an absolute URL differ
// between the written and the requested form. Differences that crawlers make in
// any URL do not count: escaped bytes outside ASCII, the dropped fragment, a
// slash for an empty path.
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

// afterOrigin returns path and query of an absolute URL as written.
func afterOrigin(url []byte) []byte {
	_, rest, _ := bytes.Cut(url, []byte(":"))
	rest = rest[min(2, len(rest)):]
	if i := bytes.IndexAny(rest, `/\?`); i >= 0 {
		return rest[i:]
	}
	return nil
}

// askedFor describes the written and the requested form of a URL.
func askedFor(written, loc []byte) string {
	return weburl.Truncate(string(written), maxShown) + " (asked for as " + weburl.Truncate(string(loc), maxShown) + ")"
}

// maxShown is the maximum length, in bytes, of a URL in a note with two URLs.
const maxShown = 200

// resolve returns a URL of the sitemap in the requested form, and as written if that
// differs. Text that is not an http or https URL stays unchanged.
func (s *location) resolve(u *sitemap.URL) (loc, written []byte) {
	if u.TooLong {
		return u.Loc, nil
	}
	loc, written, err := s.resolver.Resolve(u.Loc, "")
	if err == weburl.ErrRelative && (u.Kind == sitemap.Child || s.isRelative(u.Loc)) { // an index has only sitemaps
		loc, written, _ = s.resolver.Resolve(u.Loc, s.base)
	}
	return loc, written
}

// isRelative reports whether text that is not an absolute URL is probably a relative
// one. The protocol does not allow relative URLs, so the text may be anything: a
// placeholder, a remark, a host without a scheme. Text counts as a URL if it begins
// with a slash, a question mark or a dot segment. So does a path that is no
// placeholder and does not begin with the name of a host, or of a scheme ("https//").
// Text with white space or without a letter never counts, and neither does a single
// word that ends with a dot.
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

// placeholders are what programs and people write instead of a URL.
var placeholders = []string{"n/a", "na", "nan", "nil", "none", "null", "tbd", "todo", "undefined"}

func hasPrefixFold(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix)
}
