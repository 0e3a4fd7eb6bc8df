package pattern

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
		if got := string(Append(nil, loc)); got != want {
			t.Errorf("%s: %s, want %s", loc, got, want)
		}
	}
}

// TestFind: a URL has the group of its pattern, also if it was not added. Nothing is added by the question.
func TestFind(t *testing.T) {
	type group struct {
		name string
		urls int64
	}
	g := Groups[*group]{New: func() *group { return &group{} }, Merge: func(into, from *group) { into.urls += from.urls }, Size: func(of *group) int64 { return of.urls }}
	for i := range 40 {
		g.Of("https://example.com/shop/"+string(rune('a'+i%26))+string(rune('a'+i/26))+"/view").urls++
		g.Of("https://example.com/blog/1").urls++
	}
	for name, of := range g.All() {
		of.name = name
	}
	for loc, want := range map[string]string{"/shop/aa/view": "/shop/{…}/view", "/shop/new/view": "/shop/{…}/view", "/blog/77": "/blog/{n}", "/blog/x": "", "/": "", "/shop/aa/viewed": ""} {
		of, ok := g.Find("https://example.com" + loc)
		if ok != (want != "") || ok && of.name != want {
			t.Errorf("%s: %v, want %q", loc, of, want)
		}
	}
	if g.Added() != 80 {
		t.Errorf("%d URLs", g.Added())
	}
}
