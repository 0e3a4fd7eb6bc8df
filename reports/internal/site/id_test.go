package site

import "testing"

func TestPattern(t *testing.T) {
	for loc, want := range map[string]string{
		"https://example.com":                                                  "/",
		"https://example.com?a=1":                                              "?a={v}",
		"https://example.com/blog/2026-01-02/post-17?page=3&q=":                "/blog/{date}/post-{n}?page={v}&q={v}",
		"https://example.com/2026/01/02/x":                                     "/{date}/x",
		"https://example.com/2026/13/02/x":                                     "/{n}/{n}/{n}/x",
		"https://example.com/p/550e8400-e29b-41d4-a716-446655440000.html":      "/p/{id}.html",
		"https://example.com/p/abcdefab-e29b-41d4-a716-446655440000":           "/p/{id}",
		"https://example.com/p/deadbeef":                                       "/p/deadbeef",
		"https://example.com/p/dead1beef/item42b7":                             "/p/{id}/item{n}b{n}",
		"https://example.com/v/dQw4w9WgXcQ1/a1":                                "/v/{id}/a{n}",
		"https://example.com/%D0%BA/12":                                        "/%D0%BA/{n}",
		"https://example.com/a?flag&b=1":                                       "/a?flag&b={v}",
		"/plain/7":                                                             "/plain/{n}",
		"https://example.com/p/550e8400-e29b-41d4-a716-4466554400001/ffffffff": "/p/{id}-e{n}b-{n}d{n}-a{n}-{n}/ffffffff",
	} {
		if got := string(AppendPattern(nil, loc)); got != want {
			t.Errorf("%s: %s, want %s", loc, got, want)
		}
	}
}

// Ids are a promise: two runs are joined by them. Other programs can make them:
// printf 'https://example.com/a?q' | sha256sum | cut -c1-16
func TestIdent(t *testing.T) {
	a, buf := URLID(nil, "https://example.com", "HTTPS://Example.com:443/%61?q#f")
	b, _ := URLID(buf, "https://example.com", "https://example.com/a?q")
	if want := "5eb28bb1538322aa"; a != b || a != want {
		t.Errorf("%s, %s, want %s", a, b, want)
	}
	if other, _ := URLID(nil, "http://example.com", "http://example.com/a?q"); other == a {
		t.Error("another scheme is another URL")
	}
	if a, b := RuleID("Bingbot, *", "disallow: /a"), RuleID("*,bingbot,bingbot", "disallow: /a"); a != b || len(a) != 16 {
		t.Errorf("%s, %s", a, b)
	}
	if RuleID("*", "disallow: /a") == RuleID("*", "allow: /a") {
		t.Error("another kind is another rule")
	}
}
