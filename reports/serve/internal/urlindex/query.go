package urlindex

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/net/idna"
)

// Query is a search.
//
// Text is what the user typed. Spaces around it are removed. A text is a prefix of URLs if it begins with
// http:// or https://, with // (either scheme), or like a host ("www.example.com/shop", "localhost:8080",
// "example.com", with or without www.). Its scheme and host are converted to lower case and by IDNA; the
// rest stays. A text that begins with / is a prefix of the path on every host, query included. Any other
// text may be anywhere in the URL, in any case of ASCII letters. The same search is done if no URL has the
// prefix. "" matches all URLs. URLs contain spaces and non-ASCII characters only escaped, so these are
// escaped in Text. Escapes in Text stay as they are.
type Query struct {
	Text   string
	Site   *int32 // index of the site, as in URL.Site; nil = any
	Filter Filter
	Sort   Sort
	Offset int64 // first matches to skip; with another order than ByURL at most MaxSorted
	Limit  int   // maximum of URLs to return; 0 = count only. At most MaxLimit.
}

// Limits of one search.
const (
	MaxLimit  = 10_000
	MaxSorted = 1_000_000 // URLs in another order than ByURL
)

// Sort is an order of matches.
type Sort uint8

// The orders. Equal numbers are in the order of ByURL; numbers that are not given come last.
const (
	ByURL         Sort = iota // by Loc, site and kind
	ByClicks                  // most first; likewise
	ByHits                    // of Filter.Crawler, or of all
	ByImpressions             //
)

// Result is the result of a search.
type Result struct {
	URLs   []URL // without the first Query.Offset
	Total  int64 // all matches, also those of Offset
	More   bool  // time ran out: there may be further matches
	Prefix bool  // URLs or their paths begin with Text; false = Text is anywhere in them
	Took   time.Duration
}

// conditions are the tests for a query. The next is used only if the one before matches nothing.
func (q *Query) conditions() []condition {
	text := strings.TrimSpace(q.Text)
	rest := condition{text: []byte(strings.ToLower(escaped(text)))}
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") {
		return []condition{{text: []byte(escaped(text)), place: path}, rest}
	}
	if list, host := beginningsOf(text); list != nil {
		return []condition{{text: []byte(host), begins: list, place: beginning}, rest}
	}
	return []condition{rest}
}

// beginningsOf returns the prefixes for a text, and their common part from the host on; nil = none.
func beginningsOf(text string) (list [][]byte, rest string) {
	schemes, hosts := []string{"http://", "https://"}, []string{""}
	scheme, rest, found := strings.Cut(text, "//")
	switch scheme = strings.ToLower(scheme); {
	case found && (scheme == "http:" || scheme == "https:"):
		schemes = []string{scheme + "//"}
	case found && scheme == "":
	default:
		if rest = text; !likeHost(rest[:hostEnd(rest)]) {
			return nil, ""
		}
		if len(rest) < 4 || !strings.EqualFold(rest[:4], "www.") {
			hosts = append(hosts, "www.")
		}
	}
	host := strings.ToLower(rest[:hostEnd(rest)])
	if escaped(host) != host { // it may be part of a host: ASCII text stays as it is
		if ascii, err := idna.ToASCII(host); err == nil {
			host = ascii
		}
	}
	rest = host + escaped(rest[hostEnd(rest):])
	for _, scheme := range schemes {
		for _, before := range hosts {
			list = append(list, []byte(scheme+before+rest))
		}
	}
	return list, rest
}

// hostEnd is the end of the host in a text that begins with a host.
func hostEnd(text string) int {
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		return end
	}
	return len(text)
}

// likeHost reports whether a text may be a host or the beginning of one: after a label of a host it has a
// dot or a port, and it has no character that hosts do not have.
func likeHost(text string) bool {
	name, port, _ := strings.Cut(text, ":")
	if strings.Trim(port, "0123456789") != "" || strings.Index(name, ".") < 1 && (name == "" || port == "") {
		return false
	}
	for _, c := range []byte(name) {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c >= 0x80) {
			return false
		}
	}
	return true
}

// escaped escapes the characters that URLs contain only escaped.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c == ' ' || c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
