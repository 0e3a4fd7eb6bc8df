package audit

import "testing"

// TestEffect counts a finding as info if it was measured to change nothing. Then it does not affect
// the site's state.
func TestEffect(t *testing.T) {
	for _, c := range []struct {
		robots  string
		found   Severities
		effects Severities
		state   State
	}{
		{"Disallow: /a/\nAllow: /a/\n", Severities{Warning: 1}, Severities{Info: 1}, OK}, // RUL006: allow wins either way
		{"Disallow: b/\n", Severities{Error: 1}, Severities{Info: 1}, OK},                // RUL001: written right, it would block no known URL
		{"Disallow: search/\n", Severities{Error: 1}, Severities{Error: 1}, Warn},        // RUL001: written right, it would block one
		{"Disallow: /Search/\n", Severities{Warning: 1}, Severities{Warning: 1}, Warn},   // RUL012: it misses a page by its case
		{"Disallow: /search/\n", Severities{Error: 1}, Severities{Error: 1}, Warn},       // SM005: it blocks a page of the sitemap
	} {
		a := world(t, map[string]string{"a.example/robots.txt": "User-agent: *\n" + c.robots + "Sitemap: http://a.example/s.xml\n", "a.example/s.xml": urlset(at("/a/1", "/search/1", "/2")...)})
		d := finished(t, a, "http://a.example")
		found, effects := *d.Findings, *d.Effects
		found.Info, effects.Info = 0, effects.Info-found.Info // info findings stay info
		if found != c.found || effects != c.effects || d.State != c.state {
			t.Errorf("%q: %+v, by effect %+v, %s by %s: %s", c.robots, found, effects, d.State, d.Ground, d.Why)
		}
	}
}
