package engine

import (
	"strings"
	"unicode/utf8"
)

// spelling is a way to write a field.
type spelling struct {
	name string
	kind kind
}

// fields are the fields known to at least one profile, in lower case.
var fields = []spelling{
	{"disallow", lineDisallow},
	{"allow", lineAllow},
	{"user-agent", lineAgent},
	{"sitemap", lineSitemap},
	{"crawl-delay", lineDelay},
	{"host", lineHost},
	{"clean-param", lineClean},
}

// fieldPrefixes are the prefixes that Google's matcher accepts for a field: the
// four fields it knows, and common misspellings. It looks for them in this order.
var fieldPrefixes = []spelling{
	{"user-agent", lineAgent},
	{"useragent", lineAgent},
	{"user agent", lineAgent},
	{"allow", lineAllow},
	{"disallow", lineDisallow},
	{"dissallow", lineDisallow},
	{"dissalow", lineDisallow},
	{"disalow", lineDisallow},
	{"diasllow", lineDisallow},
	{"disallaw", lineDisallow},
	{"sitemap", lineSitemap},
	{"site-map", lineSitemap},
}

// fieldKind says what a field means to the profile. Case never matters in a
// field, but it may in a value.
func (p *Profile) fieldKind(field string) kind {
	k := lineOther
	for i := range fields {
		if len(field) == len(fields[i].name) && hasPrefixFold(field, fields[i].name) {
			k = fields[i].kind
			break
		}
	}
	if k == lineOther && p.Misspellings {
		for i := range fieldPrefixes {
			if hasPrefixFold(field, fieldPrefixes[i].name) {
				k = fieldPrefixes[i].kind
				break
			}
		}
	}
	if k == lineAllow && p.NoAllow {
		return lineOther
	}
	return k
}

// hasPrefixFold reports whether s begins with prefix, which is in lower case.
// Only the case of ASCII letters is ignored.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := 0; i < len(prefix); i++ {
		if lower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}

// equalFold reports whether a and b are equal if the case of ASCII letters is
// ignored.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// appendLower appends strings.ToLower(s).
func appendLower(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return append(dst[:len(dst)-i], strings.ToLower(s)...)
		}
		dst = append(dst, lower(s[i]))
	}
	return dst
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 0x20
	}
	return c
}
