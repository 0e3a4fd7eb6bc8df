package engine

import (
	"slices"
	"testing"
)

// checkScan compares the verdict of a scan with that of a search in order of precedence, on
// a path as the profile writes it.
func checkScan(t *testing.T, g *Group, path string) {
	t.Helper()
	if g.access != Parsed || g.profile.WildcardConflict {
		return
	}
	g.rank()
	best := slices.IndexFunc(g.ranked, func(r ranked) bool { return r.Match(path) })
	if got, want := g.scan(path), g.decide(path, int32(best)); got != want {
		t.Errorf("%s %q by\n%s\nscanned: %v by %v, in order: %v by %v", g.profile.Name, path, reprint(g), got.Verdict, got.Rule, want.Verdict, want.Rule)
	}
}

// TestScan runs all cases of other parsers.
func TestScan(t *testing.T) {
	t.Parallel()
	for _, f := range append(readCases(t, "google_matcher.jsonl.gz")[:300], readCases(t, "google_divergences.jsonl.gz")...) {
		for _, p := range Profiles() {
			r := p.Parse(f.body())
			for _, ask := range f.Asks {
				path, _ := p.Encoding.path(ask.URL, nil)
				checkScan(t, r.Group(token(ask.Agents...)), path)
			}
		}
	}
}

// FuzzScan judges paths by rules of a few lines.
func FuzzScan(f *testing.F) {
	for _, body := range trickyFiles {
		f.Add([]byte(body), "/a")
	}
	f.Add([]byte("User-agent: *\nAllow: /a/index.html\nDisallow: /a/\nDisallow: /%61\nAllow: /a$\nDisallow:\n"), "/a/")
	f.Fuzz(func(t *testing.T, body []byte, url string) {
		for _, p := range Profiles() {
			path, _ := p.Encoding.path(url, nil)
			for _, g := range p.Parse(body).Groups() {
				checkScan(t, g, path)
			}
		}
	})
}
