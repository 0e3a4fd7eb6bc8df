package urlindex

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/net/idna"
)

// Query is what is looked for.
//
// Text is as people type it; spaces around it go. What begins with http:// or https://, or with
// // (either of them), or like a host ("www.example.com/shop", "localhost:8080", "example.com", with
// www. before it or without), is a prefix; scheme and host are small letters and IDNA's, the rest
// is taken as it is. What begins with / is a prefix of the path on every host, query included. Any
// other text is looked for anywhere in the URL, ASCII letters small or capital; so is each of the
// above where nothing begins so. "" is in all URLs. As no URL holds spaces and what is not
// ASCII but escaped, they are escaped in Text; escapes that it has stay as they are.
type Query struct {
	Text   string
	Site   *int32 // URL.Site is this one; nil = any
	Offset int64  // URLs that are found and not returned, the first ones
	Limit  int    // URLs that are returned at most; 0 = they are only counted. MaxLimit where it is more.
}

// MaxLimit is the most URLs that one search returns.
const MaxLimit = 10_000

// Result is what was found.
type Result struct {
	URLs   []URL // in the order of Loc, site and kind; without those of Query.Offset
	Total  int64 // all that were found, those of Offset too
	More   bool  // time ran out: there may be more, after those that were found
	Prefix bool  // Text was looked for where URLs or their paths begin; false = anywhere in them
	Took   time.Duration
}

// conditions are what is looked for, one after the other until something is found.
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

// beginningsOf returns the beginnings of URLs that a text stands for, and what all of them have from the
// host on; nil = none.
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
	if escaped(host) != host { // it may be the beginning of a host: what is ASCII stays as it is
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

// hostEnd is where a text that begins with a host has the end of it.
func hostEnd(text string) int {
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		return end
	}
	return len(text)
}

// likeHost reports whether a text may be a host, or the beginning of one: it has a dot or a
// port after what is a label of a host, and nothing that no host has.
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

// escaped escapes what no URL holds as it is.
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
