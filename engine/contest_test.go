package engine

import (
	"strings"
	"testing"
)

// Contest says what Explain says, on every URL of Google's own matcher's cases.
func TestContest(t *testing.T) {
	t.Parallel()
	contested, cases := 0, readCases(t, "google_matcher.jsonl.gz")[:200]
	for _, p := range Profiles() {
		for _, f := range cases {
			r := p.Parse(f.body())
			for _, ask := range f.Asks {
				g := r.Group(token(ask.Agents...))
				e, c := g.Explain(ask.URL), g.Contest(ask.URL)
				if c.Decision != e.Decision || c.Decision != g.Verdict(ask.URL) || c.RunnerUp != e.RunnerUp || c.Margin != e.Margin || c.Octets != e.Octets || c.Without != e.Without {
					t.Errorf("%s %s %s: %+v, want %+v", p.Name, ask.Agents, ask.URL, c, e)
				}
				if c.RunnerUp != nil {
					contested++
				}
			}
		}
		for _, status := range []int{404, 503} {
			g := p.Read(File{Status: status}).Group(token("bot"))
			if c := g.Contest("/a"); c.Without != g.Verdict("/a").Verdict || c.RunnerUp != nil {
				t.Errorf("%s, HTTP %d: %+v", p.Name, status, c)
			}
		}
	}
	if contested < 1000 {
		t.Errorf("only %d verdicts with a runner-up", contested)
	}
}

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
