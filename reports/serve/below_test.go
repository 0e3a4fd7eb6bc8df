package serve

import (
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/reports"
)

// TestBelow requests changes for directories: for all known URLs with a prefix, given as a path and
// as a URL.
func TestBelow(t *testing.T) {
	run := filepath.Join(t.TempDir(), "monday")
	auditRun(t, run, map[string]testSite{"shop.example": shop(40)}, reports.Options{})
	_, a := newDesk(t, Options{Runs: []string{run}})
	for _, c := range []struct {
		want, url, robots, words string
		below                    bool
	}{
		{"disallow", "/blog/", "User-agent: *\nDisallow: /blog/\nDisallow: /x\n", "gives all 30 verdicts", true}, // ten pages, three crawlers
		{"disallow", "http://shop.example/blog/", "User-agent: *\nDisallow: /blog/\nDisallow: /x\n", "gives all 30 verdicts", true},
		{"disallow", "/none/", "User-agent: *\nDisallow: /none/\nDisallow: /x\n", "gives all 3 verdicts", true},
		{"disallow", "/blog/post-2", "User-agent: *\nDisallow: /blog/post-2$\nDisallow: /x\n", "gives all 3 verdicts", false},
	} {
		var got wishView
		if status := a.post("/runs/monday/sites/shop.example/wish", edited{Robots: "User-agent: *\nDisallow: /x\n", Want: c.want, URLs: []string{c.url}, Below: c.below}, &got); status != 200 {
			t.Fatalf("%+v: status %d", c, status)
		}
		if got.Robots != c.robots || !strings.Contains(got.Words, c.words) {
			t.Errorf("%s %s: %q, %q", c.want, c.url, got.Robots, got.Words)
		}
	}
	var refused struct{ Error string }
	if status := a.post("/runs/monday/sites/shop.example/wish", edited{Want: "disallow", URLs: []string{"http://other.example/blog/"}, Below: true}, &refused); status != 422 || !strings.Contains(refused.Error, "other.example") {
		t.Errorf("a directory of another host: status %d: %q", status, refused.Error)
	}
}
