package engine

import (
	"strings"
	"testing"
)

func TestContestDoesNotAllocate(t *testing.T) {
	g := mustProfile(t, "google").Parse([]byte("user-agent: *\ndisallow: /a\nallow: /a/b\n" + strings.Repeat("disallow: /*c$\n", 50))).Group(token("bot"))
	urls := []string{"https://example.com/a/b", "https://example.com?q=%62"}
	if raced {
		urls = urls[:1] // the other is rewritten in a pooled buffer
	}
	for range 100 { // past the point at which the group prepares itself
		g.Contest(urls[0])
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, url := range urls {
			g.Contest(url)
		}
	}); n >= 1 {
		t.Errorf("%v allocations", n)
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
