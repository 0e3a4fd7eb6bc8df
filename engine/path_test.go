package engine

import (
	"strings"
	"testing"
)

// TestPath: the part of a URL that is judged, as Google's matcher finds it.
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
		"//www.example.com/a":                      "//www.example.com/a", // a path, though it looks like a host
		"//admin":                                  "//admin",
		"//admin/long-enough?a#b":                  "//admin/long-enough?a",
		"///a":                                     "///a",
		"http://www.example.com//admin":            "//admin",
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

// checkPlainPath compares plainPath with pathOf and every encoding.
func checkPlainPath(t *testing.T, url string) {
	path := plainPath(url)
	if path == "" {
		return
	}
	if want, slash := pathOf(url); slash || path != want {
		t.Errorf("plainPath(%q) = %q, want %q (%v)", url, path, want, slash)
	}
	for e := EncodingRFC; e <= EncodingNone; e++ {
		if got := string(e.appendURL(nil, path)); got != path {
			t.Errorf("plainPath(%q) = %q, but %d makes %q of it", url, path, e, got)
		}
	}
}

// TestPlainPath puts each byte into each place of URLs, and checks that the usual
// URLs are recognised.
func TestPlainPath(t *testing.T) {
	for _, url := range []string{"https://www.example.com/abc/d-e_f.g~h?i=j&k=l+m,n;o:p@q", "http://example.com/a", "http://h/", "/a/b/c/d/e/f"} {
		if plainPath(url) == "" {
			t.Errorf("plainPath(%q) does not recognise it", url)
		}
		for i := range len(url) + 1 {
			for c := range 256 {
				checkPlainPath(t, url[:i]+string([]byte{byte(c)})+url[i:])
				checkPlainPath(t, url[:i]+string([]byte{byte(c)}))
				if i < len(url) {
					checkPlainPath(t, url[:i]+string([]byte{byte(c)})+url[i+1:])
				}
			}
		}
	}
}

func FuzzPlainPath(f *testing.F) {
	f.Add("https://www.example.com/a/b?c=d#e")
	f.Add("http://a#b/c/d/e/f")
	f.Fuzz(checkPlainPath)
}

func TestNormalise(t *testing.T) {
	for _, tt := range []struct {
		path, rfc, uri string
		rule           string // a rule in EncodingUTF8 and EncodingRule
		url            string // a URL in EncodingUTF8
	}{
		{"/a%62%7e%2d", "/ab~-", "/ab~-", "/a%62%7E%2D", "/a%62%7e%2d"},
		{"/\xC3\xA9\xFF", "/%C3%A9%FF", "/%C3%A9%FF", "/%C3%A9%FF", "/%C3%A9%FF"},
		{"/%c3%a9", "/%C3%A9", "/%C3%A9", "/%C3%A9", "/%C3%A9"},
		{"/\xC3%a9%7f", "/%C3%A9%7F", "/%C3%A9%7F", "/%C3%A9%7F", "/%C3%A9%7f"},
		{"/%2f%3f%23", "/%2F%3F%23", "/%2F%3F%23", "/%2F%3F%23", "/%2f%3f%23"},
		{"/%3a%40%21?%3a%2f%3f", "/:@!?:/?", "/%3A%40%21?%3A%2F%3F", "/%3A%40%21?%3A%2F%3F", "/%3a%40%21?%3a%2f%3f"},
		{"/?a=%26%3d%2b%25", "/?a=%26%3D%2B%25", "/?a=%26%3D%2B%25", "/?a=%26%3D%2B%25", "/?a=%26%3d%2b%25"},
		{"/%24%2a", "/$%2A", "/%24%2A", "/%24%2A", "/%24%2a"},
		{"/%", "/%", "/%", "/%", "/%"},
		{"/%4", "/%4", "/%4", "/%4", "/%4"},
		{"/%g1%%41", "/%g1%A", "/%g1%A", "/%g1%%41", "/%g1%%41"},
		{"/a b\"<>", "/a b\"<>", "/a b\"<>", "/a b\"<>", "/a b\"<>"},
	} {
		for e, want := range map[Encoding]struct{ rule, url string }{
			EncodingRFC: {tt.rfc, tt.rfc}, EncodingURI: {tt.uri, tt.uri},
			EncodingUTF8: {tt.rule, tt.url}, EncodingRule: {tt.rule, tt.path}, EncodingNone: {tt.path, tt.path},
		} {
			if got := e.rule(tt.path); got != want.rule {
				t.Errorf("rule %q by %d: %q, want %q", tt.path, e, got, want.rule)
			}
			if got, _ := e.url(tt.path, nil); got != want.url {
				t.Errorf("URL %q by %d: %q, want %q", tt.path, e, got, want.url)
			}
			if again, _ := e.url(want.url, nil); again != want.url && !strings.Contains(tt.path, "%%") {
				t.Errorf("%q by %d is rewritten once more: %q", want.url, e, again)
			}
		}
	}
	// A star in a URL is literal; in a rule it is a wildcard.
	if got, _ := EncodingRFC.url("/a*", nil); got != "/a%2A" {
		t.Error(got)
	}
	if got := EncodingRFC.rule("/a*"); got != "/a*" {
		t.Error(got)
	}
}

// TestNUL: for Google's matcher the path of a URL is a C string, which ends before a
// NUL. The scheme and the fragment are searched after it too (robots.cc:
// GetPathParamsQuery, path_). Other profiles judge the whole string.
func TestNUL(t *testing.T) {
	const long = "/abcdefghijklmnop"
	for _, tt := range []struct {
		rule, url string
		cut       string // the path for Google's profiles
		whole     string // the path for a profile that reads URLs unchanged
	}{
		{"/a$", "/a\x00b", "/a", "/a\x00b"},
		{"/a$", "https://e.example/a\x00/b?c", "/a", "/a\x00/b?c"},
		{"/a$", "https://e\x00x.example/a", "/a", "/a"},
		{"/?a$", "https://e.example?a\x00", "/?a", "/?a\x00"},
		{"/$", "https://e.example\x00#/a", "/", "/"},
		{"/%C3%A9$", "/%C3%A9\x00é%41", "/%C3%A9", "/%C3%A9\x00é%41"},
		{long + "$", long + "\x00" + long, long, long + "\x00" + long},
		{"/b$", "/b#\x00", "/b", "/b"},
	} {
		var groups []*Group
		for _, p := range Profiles() {
			g := p.Parse([]byte("user-agent: *\ndisallow: " + tt.rule + "\nallow: /*q\n")).Group(token("bot"))
			groups = append(groups, g)
			e := g.Explain(tt.url)
			switch p.Encoding {
			case EncodingUTF8, EncodingRule:
				if e.Path != tt.cut || e.Verdict != Disallow {
					t.Errorf("%s: %q is compared as %q: %v", p.Name, tt.url, e.Path, e.Verdict)
				}
			case EncodingNone:
				if e.Path != tt.whole || (e.Verdict == Disallow) != (tt.cut == tt.whole) {
					t.Errorf("%s: %q is compared as %q: %v", p.Name, tt.url, e.Path, e.Verdict)
				}
			}
			if d, c := g.Verdict(tt.url), g.Contest(tt.url); d.Line() != e.Line() || c.Line() != e.Line() || d.Verdict != e.Verdict || c.Verdict != e.Verdict {
				t.Errorf("%s: %q: %v, Contest %v, Explain %v", p.Name, tt.url, d, c, e)
			}
		}
		out := make([]Decision, len(groups))
		NewMatrix(groups...).Verdicts(tt.url, out)
		for i, g := range groups {
			if want := g.Verdict(tt.url); out[i].Verdict != want.Verdict || out[i].Line() != want.Line() {
				t.Errorf("%s: %q: %v, alone %v", g.profile.Name, tt.url, out[i], want)
			}
		}
	}
}

// TestPathStart checks the search for the first byte of a path, each byte at
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

func TestAppendPath(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com":             "/",
		"https://example.com/a%62c?d=%2f": "/abc?d=/",
		"https://example.com?q#f":         "/?q",
		"/\xc3\xbc*":                      "/%C3%BC%2A",
		"http://example.com/x%2fy":        "/x%2Fy",
	} {
		if got := string(AppendPath([]byte("x"), url)); got != "x"+want {
			t.Errorf("%s: %s, want x%s", url, got, want)
		}
	}
}
