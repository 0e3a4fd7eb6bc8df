package page

import (
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// TestGroundLinks: whatever gives a site its state, there is a part of its page that
// tells it.
func TestGroundLinks(t *testing.T) {
	template, err := templateFiles.ReadFile("templates/site.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, ground := range []string{
		audit.GroundBroken, audit.GroundUnread, audit.GroundAccess, audit.GroundHome, audit.GroundShare, audit.GroundBody, audit.GroundBlocked,
		audit.GroundUnclear, audit.GroundFinding, audit.GroundSitemaps, audit.GroundNoURLs, audit.GroundProblem,
	} {
		id, ok := strings.CutPrefix(site.GroundLink(ground), "#")
		if !ok || !strings.Contains(string(template), `<section id="`+id+`"`) {
			t.Errorf("%s leads to %q", ground, id)
		}
	}
	if got := site.GroundLink(audit.GroundNone) + site.GroundLink(""); got != "" {
		t.Errorf("nothing to tell leads to %q", got)
	}
}
