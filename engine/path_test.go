package engine

import (
	"strings"
	"testing"
)

// TestPath: what is judged of a URL, as Google's matcher finds it.
func TestPath(t *testing.T) {
	for url, want := range map[string]string{
		"":                                         "/",
		"http://www.example.com":                   "/",
		"http://www.example.com/":                  "/",
		"http://www.example.com/a":                 "/a",
		"http://www.example.com/a/b?c=d&e=f":       "/a/b?c=d&e=f",
		"http://www.example.com/a#b":               "/a",
		"http://www.example.com?a":                 "/?a",
		"http://www.example.com;a":                 "/;a",
		"http://www.example.com#/a":                "/",
		"http://www.example.com/a/b?c=http://d.e/": "/a/b?c=http://d.e/",
		"//www.example.com/a":                      "/a",
		"//www.example.com":                        "/",
		"/a/b?c=http://d.e/":                       "/a/b?c=http://d.e/",
		"/a#b":                                     "/a",
		"example.com":                              "/",
		"example.com/a":                            "/a",
		"a?b":                                      "/?b",
		"http:/a":                                  "/a",
		"https://user:pw@example.com:8080/a":       "/a",
		"http://[::1]:80/a":                        "/a",
	} {
		path, slash := pathOf(url)
		if slash {
			path = "/" + path
		}
		if path != want {
			t.Errorf("%q: %q, want %q", url, path, want)
		}
		for e := EncodingRFC; e <= EncodingNone; e++ {
			if got, _ := e.path(url, nil); got != want {
				t.Errorf("%q by %d: %q, want %q", url, e, got, want)
			}
		}
	}
}

func TestNormalise(t *testing.T) {
	for _, tt := range []struct{ path, rfc, uri, rule string }{
		{"/a%62%7e%2d", "/ab~-", "/ab~-", "/a%62%7E%2D"},
		{"/\xC3\xA9\xFF", "/%C3%A9%FF", "/%C3%A9%FF", "/%C3%A9%FF"},
		{"/%c3%a9", "/%C3%A9", "/%C3%A9", "/%C3%A9"},
		{"/%2f%3f%23", "/%2F%3F%23", "/%2F%3F%23", "/%2F%3F%23"},
		{"/%3a%40%21?%3a%2f%3f", "/:@!?:/?", "/%3A%40%21?%3A%2F%3F", "/%3A%40%21?%3A%2F%3F"},
		{"/?a=%26%3d%2b%25", "/?a=%26%3D%2B%25", "/?a=%26%3D%2B%25", "/?a=%26%3D%2B%25"},
		{"/%24%2a", "/$%2A", "/%24%2A", "/%24%2A"},
		{"/%", "/%", "/%", "/%"},
		{"/%4", "/%4", "/%4", "/%4"},
		{"/%g1%%41", "/%g1%A", "/%g1%A", "/%g1%%41"},
		{"/a b\"<>", "/a b\"<>", "/a b\"<>", "/a b\"<>"},
	} {
		for e, want := range map[Encoding]string{EncodingRFC: tt.rfc, EncodingURI: tt.uri, EncodingRule: tt.rule, EncodingNone: tt.path} {
			if got := e.rule(tt.path); got != want {
				t.Errorf("rule %q by %d: %q, want %q", tt.path, e, got, want)
			}
			if e >= EncodingRule {
				want = tt.path // URLs are left alone
			}
			if got, _ := e.url(tt.path, nil); got != want {
				t.Errorf("URL %q by %d: %q, want %q", tt.path, e, got, want)
			}
			if again, _ := e.url(want, nil); again != want && !strings.Contains(tt.path, "%%") {
				t.Errorf("%q by %d is rewritten once more: %q", want, e, again)
			}
		}
	}
	// A star in a URL is one; in a rule it is a wildcard.
	if got, _ := EncodingRFC.url("/a*", nil); got != "/a%2A" {
		t.Error(got)
	}
	if got := EncodingRFC.rule("/a*"); got != "/a*" {
		t.Error(got)
	}
}

func TestVerdictDoesNotAllocate(t *testing.T) {
	var body strings.Builder
	body.WriteString("user-agent: *\n")
	for range 100 {
		body.WriteString("disallow: /a/*b\nallow: /%61/c\n")
	}
	urls := []string{"https://example.com/a/xxb?c=d", "/%61/c", "https://example.com?ü=%62", "/\xD0\x9A*"}
	if raced {
		urls = urls[:1] // those after it are rewritten in a pooled buffer
	}
	for _, p := range Profiles() {
		g := p.Parse([]byte(body.String())).Group(token("bot"))
		for range 100 { // past the point at which the group prepares itself
			g.Verdict(urls[0])
		}
		if n := testing.AllocsPerRun(100, func() {
			for _, url := range urls {
				g.Verdict(url)
			}
		}); n >= 1 {
			t.Errorf("%s: %v allocations", p.Name, n)
		}
	}
}

// TestPathStart checks the search for the first octet of a path, each octet at
// each offset, before and after another one.
func TestPathStart(t *testing.T) {
	for size := range 20 {
		text := []byte(strings.Repeat("a", size))
		for at := range text {
			for c := range 256 {
				text[at] = byte(c)
				for begin := range size {
					want := strings.IndexAny(string(text[begin:]), "/?;")
					if want < 0 {
						want = size - begin
					}
					if got := pathStart(string(text), begin); got != begin+want {
						t.Errorf("pathStart(%q, %d) = %d", text, begin, got)
					}
				}
			}
			text[at] = "a/0>"[at%4]
		}
	}
}
