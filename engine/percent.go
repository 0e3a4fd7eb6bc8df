package engine

import (
	"strings"

	"robots-audit/engine/internal/match"
)

// Encoding says how the paths of URLs and rules are made comparable. Percent
// signs that begin no escape, and ASCII that no scheme allows in a URL, stay
// unchanged. In EncodingUTF8 and EncodingRule the path of a URL ends before a
// NUL, like a C string.
type Encoding uint8

const (
	// EncodingRFC: bytes outside ASCII are escaped, and unreserved bytes are not. A
	// reserved byte equals its escape unless it is a separator: "/" and "?" in a
	// path, "&", "=" and "+" in a query (RFC 9309 2.2.2). So the position in the URL
	// decides. In a rule it is known only before the first "*" and after a "?". So
	// "/*%3D" equals "%3D" everywhere, and "=" only in a path. The escapes of "*"
	// and "$" in a rule mean the characters themselves (RFC 9309 2.2.3).
	EncodingRFC Encoding = iota
	// EncodingURI: the same without the reserved bytes (RFC 3986 6.2.2).
	EncodingURI
	// EncodingUTF8: bytes outside ASCII equal their escapes, in rules and in URLs.
	// Google's page says only: "Non-7-bit ASCII characters in a path may be
	// included as UTF-8 characters or as percent-escaped UTF-8 encoded characters
	// per RFC 3986." Escapes of ASCII are compared as in EncodingRule: "%62" is not
	// "b" (robots_test.cc: ID_Encoding), and only in rules are hex digits changed
	// to upper case.
	EncodingUTF8
	// EncodingRule: rules get their bytes outside ASCII escaped and their escapes
	// in upper case; URLs stay unchanged (Google's matcher, robots.cc:
	// MaybeEscapePattern, AllowedByRobots).
	EncodingRule
	// EncodingNone: bytes are compared unchanged.
	EncodingNone
)

// Classes of bytes for the comparison of paths.
const (
	octetUnreserved = 1 << iota // letters, digits, "-", ".", "_", "~"
	octetPath                   // reserved, but not a separator in a path
	octetQuery                  // reserved, but not a separator in a query
	octetRewrite                // may need rewriting: "%", "*", NUL, outside ASCII
	octetHex                    // hexadecimal digit that is not in lower case
	octetHigh                   // such a digit from 8 on: the first digit of the escape of a byte outside ASCII
)

var octets = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 0x80:
			t[c] |= octetRewrite
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			t[c] |= octetUnreserved
		}
	}
	for _, c := range []byte("-._~") {
		t[c] |= octetUnreserved
	}
	for _, c := range []byte(":@[]!$&'()+,;=") {
		t[c] |= octetPath
	}
	for _, c := range []byte(":@[]!$'(),;/?") {
		t[c] |= octetQuery
	}
	for c, digit := range []byte(hexDigits) {
		t[digit] |= octetHex
		if c >= 8 {
			t[digit] |= octetHigh
		}
	}
	t['%'] |= octetRewrite
	t['*'] |= octetRewrite
	t[0] |= octetRewrite
	return t
}()

// plain reports whether the path of a URL contains nothing that e might rewrite.
// Except for EncodingRule and EncodingNone, no other encoding would rewrite it
// either.
func (e Encoding) plain(text string) bool {
	if e == EncodingRule {
		return strings.IndexByte(text, 0) < 0
	}
	rest := text
	for ; len(rest) >= 8; rest = rest[8:] {
		if rewritable(match.Load8(rest)) {
			return escapesNormal(rest)
		}
	}
	// The last bytes are tested together with some of those before them.
	return len(text) >= 8 && !rewritable(match.Load8(text[len(text)-8:])) || escapesNormal(rest)
}

// escapesNormal is plain for a text with escapes. Upper-case escapes of bytes
// outside ASCII are the form that every encoding produces, so they stay. Most sites
// in languages other than English have such paths.
func escapesNormal(text string) bool {
	for i := 0; i < len(text); i++ {
		if octets[text[i]]&octetRewrite == 0 {
			continue
		}
		if text[i] != '%' || i+2 >= len(text) || octets[text[i+1]]&octetHigh == 0 || octets[text[i+2]]&octetHex == 0 {
			return false
		}
		i += 2
	}
	return true
}

// isOrdinary reports whether a path of a rule contains no wildcard, no escape
// and nothing else that an encoding might rewrite.
func isOrdinary(path string) bool {
	at := 0
	for ; at+8 <= len(path); at += 8 {
		if rewritable(match.Load8(path[at:])) {
			return false
		}
	}
	for ; at < len(path); at++ {
		if octets[path[at]]&octetRewrite != 0 {
			return false
		}
	}
	return true
}

// rewritable reports whether one of eight bytes may need rewriting, as
// octetRewrite says. Subtracting 1 from each byte sets the highest bit of a zero
// byte. In other bytes the bit was set before, or the byte is above a zero byte.
func rewritable(word uint64) bool {
	const low = match.LowBits
	nul, percent, star := word-low, (word^low*'%')-low, (word^low*'*')-low
	return (word|nul|percent|star)&match.HighBits != 0
}

// keeps reports whether the path of a URL is compared unchanged. false = perhaps not:
// the test is a quick one.
func (e Encoding) keeps(path string) bool { return e == EncodingNone || e.plain(path) }

// url normalises the path of a URL. The result is path itself, or a prefix of
// it, if nothing needs rewriting; otherwise the grown buf.
func (e Encoding) url(path string, buf []byte) (string, []byte) {
	if e.keeps(path) {
		return path, buf
	}
	if e == EncodingRule {
		return e.beforeNUL(path), buf
	}
	buf = e.appendURL(buf[:0], path)
	return stringView(buf), buf
}

// appendURL appends the path of a URL in the form that is compared.
func (e Encoding) appendURL(dst []byte, path string) []byte {
	path = e.beforeNUL(path)
	if e >= EncodingRule {
		return append(dst, path...)
	}
	return e.normalise(dst, path, false)
}

// beforeNUL returns the part of a URL's path that the profile reads.
func (e Encoding) beforeNUL(path string) string {
	if e == EncodingUTF8 || e == EncodingRule {
		path, _, _ = strings.Cut(path, "\x00")
	}
	return path
}

// rule normalises the path of a rule, in which "*" is a wildcard.
func (e Encoding) rule(path string) string {
	if e == EncodingNone {
		return path
	}
	for i := 0; i < len(path); i++ {
		if c := path[i]; c == '%' || c >= 0x80 {
			return string(e.normalise(nil, path, true))
		}
	}
	return path
}

// normalise appends path in the form that is compared.
func (e Encoding) normalise(dst []byte, path string, rule bool) []byte {
	reserved := uint8(octetPath)
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]):
			octet := unhex(path[i+1])<<4 | unhex(path[i+2])
			switch {
			case e.decodes(octet, reserved):
				dst = append(dst, octet)
			case e == EncodingUTF8 && octet < 0x80 && !rule:
				dst = append(dst, path[i:i+3]...)
			default:
				dst = append(dst, '%', upper(path[i+1]), upper(path[i+2]))
			}
			i += 2
		case c >= 0x80, c == '*' && !rule && e == EncodingRFC:
			dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
		default:
			switch {
			case c == '?':
				reserved = octetQuery
			case c == '*' && rule && reserved == octetPath:
				reserved = octetPath | octetQuery // the rest may be in either: see match.Pattern.Ambiguous
			}
			dst = append(dst, c)
		}
	}
	return dst
}

// decodes reports whether the escape of octet is written as the octet itself.
func (e Encoding) decodes(octet, reserved uint8) bool {
	switch e {
	case EncodingRFC:
		return octets[octet]&octetUnreserved != 0 || octets[octet]&reserved == reserved
	case EncodingURI:
		return octets[octet]&octetUnreserved != 0
	}
	return false
}

const hexDigits = "0123456789ABCDEF"

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 0x20
	}
	return c
}
