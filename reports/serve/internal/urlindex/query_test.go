package urlindex

import (
	"bytes"
	"testing"
)

// The interpretation of typed text: prefixes of URLs, of paths, or a text anywhere.
func TestConditions(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "*",
		"shop":                           "*shop",
		" Red Shoes ":                    "*red%20shoes",
		"https":                          "*https",
		"https:":                         "*https:",
		"https://":                       "https://",
		"HTTP://WWW.Example.COM/":        "http://www.example.com/",
		"https://example.com/Shop?Q=A#B": "https://example.com/Shop?Q=A#B",
		"//Example.com/A":                "http://example.com/A https://example.com/A",
		"www.example.com/Shop":           "http://www.example.com/Shop https://www.example.com/Shop",
		"WWW.ex":                         "http://www.ex https://www.ex",
		"example.com":                    "http://example.com http://www.example.com https://example.com https://www.example.com",
		"localhost:8080/x":               "http://localhost:8080/x http://www.localhost:8080/x https://localhost:8080/x https://www.localhost:8080/x",
		"müller.de/küche":                "http://xn--mller-kva.de/k%C3%BCche http://www.xn--mller-kva.de/k%C3%BCche https://xn--mller-kva.de/k%C3%BCche https://www.xn--mller-kva.de/k%C3%BCche",
		"//xn--":                         "http://xn-- https://xn--",
		"/":                              "^/",
		"/Shop/ü a%20b":                  "^/Shop/%C3%BC%20a%20b",
		"/?q=%c3":                        "^/?q=%c3",
		"shop/x.html":                    "*shop/x.html",
		".html":                          "*.html",
		"?q=a.b":                         "*?q=a.b",
		"Küche":                          "*k%c3%bcche",
		"a b.c":                          "*a%20b.c",
		"ftp://x.de":                     "*ftp://x.de",
		"mailto:me":                      "*mailto:me",
		"://x":                           "*://x",
	} {
		q := Query{Text: text}
		conditions := q.conditions()
		got := ""
		switch c := conditions[0]; c.place {
		case beginning:
			got = string(bytes.Join(c.begins, []byte(" ")))
		case path:
			got = "^" + string(c.text)
		default:
			got = "*" + string(c.text)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
		if last := conditions[len(conditions)-1].place; last != anywhere {
			t.Errorf("%q: the last is %d", text, last)
		}
	}
}
