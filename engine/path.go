package engine

import (
	"math/bits"
	"strings"
	"unsafe"

	"robots-audit/engine/internal/match"
)

// pathOf returns the part of a URL that rules match: path, parameters and query,
// without scheme, authority and fragment. A URL without a path has the path "/". slash
// means that a "/" must be added in front: "http://a.example?q". A URL that begins
// with "/" is already a path, even "//admin". For all others it finds the path as
// Google's matcher does, which accepts nearly everything.
func pathOf(url string) (path string, slash bool) {
	if len(url) > 0 && url[0] == '/' {
		return withoutFragment(url), false
	}
	at := pathStart(url, 0)
	if at > 0 && url[at-1] == ':' && strings.HasPrefix(url[at:], "//") {
		at = pathStart(url, at+2)
	}
	if at == len(url) || strings.IndexByte(url[:at], '#') >= 0 {
		return "/", false
	}
	return withoutFragment(url[at:]), url[at] != '/'
}

// plainPath returns the path of a URL that is easy to split: "https://", "http://"
// or nothing before the host or the path, and a "/" after the host. The path must
// not contain bytes that end it or that an encoding may rewrite. Most URLs are like
// this, and each byte is read once. If not sure, it returns "": pathOf and
// Encoding.plain decide.
func plainPath(url string) string {
	if len(url) < 8 {
		return ""
	}
	at := 0
	switch first := match.Load8(url); {
	case first == schemeHTTPS:
		at = 8
	case first<<8 == schemeHTTP<<8:
		at = 7
	case byte(first) != '/':
		return ""
	}
	if at > 0 {
		if at = hostEnd(url, at); at < 0 {
			return ""
		}
	}
	path := url[at:]
	for rest := path; len(rest) >= 8; rest = rest[8:] {
		if special(match.Load8(rest)) {
			return ""
		}
	}
	// The last bytes are tested together with some of those before them.
	if special(match.Load8(url[len(url)-8:])) {
		return ""
	}
	return path
}

// schemeHTTPS and schemeHTTP are the beginnings of URLs as match.Load8 loads them.
var schemeHTTPS, schemeHTTP = match.Load8("https://"), match.Load8("http:// ")

// hostEnd returns the offset of the "/" after the host that begins at an offset of a
// URL. -1 = there is none, or another character may end the host first.
func hostEnd(url string, at int) int {
	for ; at+8 <= len(url); at += 8 {
		// "/", "?", ";" and "+" differ only in two bits.
		word := match.Load8(url[at:])
		if m := match.Equal(word|match.LowBits*('?'-'+'), '?') | match.Equal(word, '#'); m != 0 {
			if at += bits.TrailingZeros64(m) / 8; url[at] == '/' {
				return at
			}
			return -1
		}
	}
	for ; at < len(url); at++ {
		switch url[at] {
		case '/':
			return at
		case '?', ';', '#':
			return -1
		}
	}
	return -1
}

// special reports whether one of eight bytes may end a path or need rewriting: NUL,
// "#", "%", "*" and bytes outside ASCII. It may also be true for others, such as "$"
// and white space. The first term sets the highest bit in bytes below "&", the last
// in "*". Borrows only reach bytes above a special one.
func special(word uint64) bool {
	const low = match.LowBits
	return (word|(word-low*'&')|((word^low*'*')-low))&match.HighBits != 0
}

// pathStart returns the offset of the first byte at or after begin that may
// begin a path. If there is none, it returns the length of the URL.
func pathStart(url string, begin int) int {
	for ; begin+8 <= len(url); begin += 8 {
		word := match.Load8(url[begin:])
		if m := match.Equal(word, '/') | match.Equal(word, '?') | match.Equal(word, ';'); m != 0 {
			return begin + bits.TrailingZeros64(m)/8
		}
	}
	for ; begin < len(url); begin++ {
		if c := url[begin]; c == '/' || c == '?' || c == ';' {
			break
		}
	}
	return begin
}

func withoutFragment(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return s[:i]
	}
	return s
}

// path returns the path of a URL as e writes it, which is compared with the
// rules. Usually it is part of url. If something must be rewritten, it is in
// buf, which is returned grown and must live as long as the path.
func (e Encoding) path(url string, buf []byte) (string, []byte) {
	path, slash := pathOf(url)
	if slash {
		buf = e.appendURL(append(buf[:0], '/'), path)
		return stringView(buf), buf
	}
	return e.url(path, buf)
}

// stringView returns the bytes of buf as a string, without a copy. It is valid as
// long as they do not change.
func stringView(buf []byte) string { return unsafe.String(unsafe.SliceData(buf), len(buf)) }

// AppendPath appends the path and query of a URL in the form that RFC 9309
// compares: escapes of unreserved bytes undone, bytes outside ASCII escaped, "/"
// for an empty path, no fragment. Two spellings of one address become equal, so
// it can be used to find duplicate URLs.
func AppendPath(dst []byte, url string) []byte {
	path, slash := pathOf(url)
	if slash {
		dst = append(dst, '/')
	}
	if EncodingRFC.keeps(path) {
		return append(dst, path...)
	}
	return EncodingRFC.normalise(dst, path, false)
}
