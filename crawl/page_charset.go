package crawl

import (
	"strings"
	"unicode/utf8"

	"github.com/gocolly/colly/v2"
	"golang.org/x/net/html/charset"
)

// onResponse brings a page into UTF-8 that names another encoding in itself, by a
// byte order mark or a meta element; where it names none it is read as
// windows-1252, as browsers do. What its Content-Type names, colly has seen to.
// Bytes that are UTF-8 are taken for that whatever the page says of itself.
func (v *visitor) onResponse(r *colly.Response) {
	if utf8.Valid(r.Body) || strings.Contains(strings.ToLower(r.Headers.Get("Content-Type")), "charset") {
		return
	}
	encoding, name, _ := charset.DetermineEncoding(r.Body[:min(len(r.Body), 1024)], "")
	if name == "utf-8" {
		return
	}
	if body, err := encoding.NewDecoder().Bytes(r.Body); err == nil {
		r.Body = body
	}
}
