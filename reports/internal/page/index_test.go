package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// TestGroundLinks: for every reason of a site's state, there is a part of its page that shows it.
func TestGroundLinks(t *testing.T) {
	text, err := appendSite(nil, &siteView{
		Head: pages().site.Head("", nil, nil, false), Shown: 1,
		Hops: bounded[hop]{List: []hop{{}}}, Problems: bounded[audit.Problem]{List: []audit.Problem{{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ground := range []string{
		audit.GroundBroken, audit.GroundUnread, audit.GroundAccess, audit.GroundHome, audit.GroundShare, audit.GroundBody, audit.GroundBlocked,
		audit.GroundUnclear, audit.GroundFinding, audit.GroundSitemaps, audit.GroundNoURLs, audit.GroundProblem,
	} {
		id, ok := strings.CutPrefix(site.GroundLink(ground), "#")
		if !ok || !strings.Contains(string(text), ` id="`+id+`"`) {
			t.Errorf("%s leads to %q", ground, id)
		}
	}
	if got := site.GroundLink(audit.GroundNone) + site.GroundLink(""); got != "" {
		t.Errorf("nothing to tell leads to %q", got)
	}
}

// TestStatesOf has the states in the order in which Totals.Headline names them.
func TestStatesOf(t *testing.T) {
	totals := summary.Totals{Sites: 10, Critical: 1, Warn: 2, Unknown: 3, OK: 4}
	var got []string
	for _, s := range statesOf(totals) {
		got = append(got, fmt.Sprint(s.State, " ", s.Sites, " ", s.At, " ", s.Length))
	}
	var want []string
	at := 0
	for _, c := range totals.States() {
		want = append(want, fmt.Sprint(map[string]string{"Critical": "critical", "Warning": "warn", "Unknown": "unknown", "OK": "ok"}[c.Name], " ", c.Count, " ", at, " ", 100*c.Count))
		at += 100 * c.Count
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
