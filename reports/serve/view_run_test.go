package serve

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"robots-audit/reports"
)

// TestBar checks that the bar above the pages of a run matches the page, and that all its links
// have a target.
func TestBar(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	auditRun(t, dir, map[string]testSite{"shop.example": shop(8)}, reports.Options{})
	_, a := newDesk(t, Options{Runs: []string{dir}})
	link := regexp.MustCompile(`<li><a href="([^"]*)"( aria-current="page")?>([^<]*)</a></li>`)
	ofRun := []string{"Runs", "Report", "Search"}
	ofSite := append(slices.Clone(ofRun), "Site", "Edit robots.txt", "Versions")
	for path, want := range map[string]struct {
		here string
		all  []string
	}{
		"/runs/monday/report/index.html":                {"Report", ofRun},
		"/runs/monday/report/pages/shop.example.html":   {"Site", ofSite},
		"/runs/monday/search":                           {"Search", ofRun},
		"/runs/monday/sites/shop.example/edit":          {"Edit robots.txt", ofSite},
		"/runs/monday/sites/shop.example/versions":      {"Versions", ofSite},
		"/runs/monday/sites/shop.example/url?u=/shop/1": {"", ofSite},
	} {
		answer, text := a.do("GET", path, "")
		if answer.StatusCode != 200 {
			t.Errorf("%s: %s", path, answer.Status)
		}
		var all []string
		here := ""
		for _, found := range link.FindAllStringSubmatch(text, 20) {
			all = append(all, found[3])
			if found[2] != "" {
				here += found[3]
			}
			if answer, _ := a.do("GET", found[1], ""); answer.StatusCode >= 400 {
				t.Errorf("%s: %s leads to %s: %s", path, found[3], found[1], answer.Status)
			}
		}
		if here != want.here || !slices.Equal(all, want.all) {
			t.Errorf("%s: at %q of %q, want %q of %q", path, here, all, want.here, want.all)
		}
	}
}
