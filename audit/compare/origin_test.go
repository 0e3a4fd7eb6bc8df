package compare

import "testing"

// TestRestsOnOrigin: pages and sitemaps are counted for each origin, and a change of its answer
// reports only its own pages.
func TestRestsOnOrigin(t *testing.T) {
	old := world{
		answer: answer{body: base}, second: &answer{body: base}, urls: []string{"/", "/a", "/b", "http://example.com/x", "http://example.com/b/y", "http://example.com/z"},
		sitemaps: []sitemap{{url: "https://example.com/1.xml", urls: 3}, {url: "http://example.com/2.xml", urls: 2}, {url: "http://example.com/3.xml", urls: 1}},
	}
	new := old
	new.second = &answer{status: 503}
	new.answer = answer{body: "User-agent: *\nDisallow:\n"}
	new.sitemaps = new.sitemaps[:2]
	_, s := compared(t, old.records(t), new.records(t))
	type counts struct{ pages, blocked, allowed, flips, sitemaps int64 }
	// For YandexBot an unreachable file allows everything, for Googlebot it blocks everything.
	for i, want := range []counts{{3, 0, 1, 1, 1}, {3, 2, 1, 3, 2}} {
		o := &s.Origins[i]
		if got := (counts{o.Pages, o.NewlyBlocked, o.NewlyAllowed, o.Flips(), int64(o.Sitemaps)}); got != want {
			t.Errorf("%s: %+v, want %+v", o.Name, got, want)
		}
	}
	for _, c := range s.Changes {
		if c.Condition == "AL03" && c.URLs != 2 || c.Condition == "AL04" {
			t.Errorf("%+v", c)
		}
	}
}
