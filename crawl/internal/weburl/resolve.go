package weburl

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrRelative means that a URL is relative, and there is no base to resolve it
// against.
var ErrRelative = errors.New("not an absolute URL")

var errNoHost = errors.New("no host")

// AppendResolved appends an http or https URL in the form that a crawler requests.
// It is the URL Standard's parser and serializer (url.spec.whatwg.org, sections
// 4.4 and 4.5) for the two schemes. Surrounding blanks, tabs, line ends, dot
// segments and the default port are removed, and backslashes become slashes.
// Scheme and host get their normal form, the path is never empty, and invalid
// characters are escaped. Existing escapes stay unchanged. Name, password and
// fragment are dropped: no crawler sends them. A relative URL is resolved against
// base, which is a resolved URL itself; "" = there is none.
//
// It differs from the standard in two points. A URL with one slash, or three,
// after the scheme has no host here; the standard takes the next name as host, but
// in sitemaps that name is the beginning of a path. And bytes that are not UTF-8
// are escaped one by one, not replaced.
//
// If it fails, dst is returned unchanged.
func AppendResolved(dst, raw []byte, base string) ([]byte, error) {
	raw = bytes.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	if bytes.ContainsAny(raw, "\t\n\r") {
		raw = withoutLineEnds(raw)
	}
	if i := bytes.IndexByte(raw, '#'); i >= 0 {
		raw = raw[:i]
	}
	baseScheme, _, _ := strings.Cut(base, ":")
	scheme, rest := baseScheme, raw
	if name, after, ok := cutScheme(raw); ok {
		scheme, rest = name, after
		if scheme != "http" && scheme != "https" {
			return dst, fmt.Errorf("scheme %q is not fetched", Truncate(scheme, 32))
		}
		if scheme != baseScheme && slashes(rest) < 2 {
			return dst, errNoHost
		}
	} else if base == "" {
		return dst, ErrRelative
	}
	if slashes(rest) >= 2 {
		return appendAbsolute(dst, scheme, rest[2:])
	}
	return appendRelative(dst, base, rest), nil
}

// Resolve is AppendResolved for strings.
func Resolve(raw, base string) (string, error) {
	b, err := AppendResolved(nil, []byte(raw), base)
	return string(b), err
}

func withoutLineEnds(b []byte) []byte {
	kept := make([]byte, 0, len(b))
	for _, c := range b {
		if c != '\t' && c != '\n' && c != '\r' {
			kept = append(kept, c)
		}
	}
	return kept
}

// cutScheme cuts off the scheme and returns it in lower case.
func cutScheme(raw []byte) (scheme string, rest []byte, ok bool) {
	for i, c := range raw {
		switch letter := 'a' <= c|0x20 && c|0x20 <= 'z'; {
		case letter, i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(string(raw[:i])), raw[i+1:], true
		default:
			return "", nil, false
		}
	}
	return "", nil, false
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// slashes returns how many slashes of either kind s begins with.
func slashes(s []byte) int {
	n := 0
	for n < len(s) && isSlash(s[n]) {
		n++
	}
	return n
}

// appendAbsolute appends a URL; rest is the part after the two slashes.
func appendAbsolute(dst []byte, scheme string, rest []byte) ([]byte, error) {
	end := len(rest)
	if i := bytes.IndexAny(rest, `/\?`); i >= 0 {
		end = i
	}
	authority := rest[:end]
	authority = authority[bytes.LastIndexByte(authority, '@')+1:]
	host, port, err := splitPort(authority)
	if err != nil {
		return dst, err
	}
	if host, err = standardHost(host); err != nil {
		return dst, err
	}
	dst = append(append(append(dst, scheme...), "://"...), host...)
	if port != "" && port != defaultPort(scheme) {
		dst = append(append(dst, ':'), port...)
	}
	root := len(dst)
	return appendPathQuery(append(dst, '/'), root, rest[end:]), nil
}

// appendRelative appends the absolute form of a URL without an authority.
func appendRelative(dst []byte, base string, rest []byte) []byte {
	authority := strings.Index(base, "://") + len("://")
	root := len(base)
	if i := strings.IndexByte(base[authority:], '/'); i >= 0 {
		root = authority + i
	}
	origin := len(dst) + root
	path, query, found := strings.Cut(base[root:], "?")
	switch {
	case len(rest) == 0 && found:
		return append(append(append(append(dst, base[:root]...), path...), '?'), query...)
	case len(rest) == 0 || rest[0] == '?':
		dst = append(append(dst, base[:root]...), path...)
		return appendQuery(dst, rest)
	case isSlash(rest[0]):
		dst = append(append(dst, base[:root]...), '/')
	default:
		dst = append(append(dst, base[:root]...), path[:strings.LastIndexByte(path, '/')+1]...)
	}
	return appendPathQuery(dst, origin, rest)
}
