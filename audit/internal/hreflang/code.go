package hreflang

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"
)

// XDefault is the code of the version for all other languages and regions.
const XDefault = "x-default"

// Fault says what is wrong with an hreflang code, "" if nothing is. Google reads a language of ISO 639-1,
// then perhaps a script of ISO 15924, then perhaps a country of ISO 3166-1 alpha-2
// (developers.google.com/search/docs/specialty/international/localized-versions).
func Fault(code string) string {
	if strings.EqualFold(code, XDefault) {
		return ""
	}
	if code == "" {
		return "empty"
	}
	if dashed := strings.ReplaceAll(code, "_", "-"); dashed != code {
		return cmp.Or(Fault(dashed), "write "+dashed)
	}
	parts := strings.Split(code, "-")
	if !isLanguage(parts[0]) {
		return quote(parts[0]) + " is not a language of ISO 639-1"
	}
	rest := parts[1:]
	if len(rest) > 0 && len(rest[0]) == 4 {
		if _, err := language.ParseScript(rest[0]); err != nil {
			return quote(rest[0]) + " is not a script of ISO 15924"
		}
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0:
		return ""
	case len(rest) > 1:
		return "only a language, a script and a country are allowed"
	case strings.EqualFold(rest[0], "UK"):
		return "write " + code[:len(code)-2] + "GB"
	case !isCountry(rest[0]):
		return quote(rest[0]) + " is not a country of ISO 3166-1"
	}
	return ""
}

func quote(part string) string { return `"` + part + `"` }

// isLanguage also accepts codes that ISO has withdrawn, such as iw, because many systems still write them.
func isLanguage(s string) bool {
	_, err := language.ParseBase(s)
	return len(s) == 2 && err == nil
}

func isCountry(s string) bool {
	r, err := language.ParseRegion(s)
	return len(s) == 2 && err == nil && r.IsCountry() && !strings.EqualFold(s, "UN")
}
