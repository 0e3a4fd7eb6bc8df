package summary

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
)

// TestPlace orders sites whose names say their place, in any order of arrival.
func TestPlace(t *testing.T) {
	lost := &Error{Code: "records_missing"}
	want := []Line{
		{Name: "critical, most clicks.example", State: audit.Critical, URLs: 1000, BlockedURLs: 900, Worst: Worst{URLs: 900, Clicks: 80}},
		{Name: "critical, all of few URLs.example", State: audit.Critical, URLs: 3, BlockedURLs: 3, Worst: Worst{URLs: 3}},
		{Name: "critical, half, more URLs.example", State: audit.Critical, URLs: 600, BlockedURLs: 9999, Worst: Worst{URLs: 300}},
		{Name: "critical, half, fewer URLs.example", State: audit.Critical, URLs: 400, BlockedURLs: 200, Worst: Worst{URLs: 200}},
		{Name: "critical, no URL is known.example", State: audit.Critical},
		{Name: "warning, most clicks.example", State: audit.Warn, URLs: 9000, BlockedURLs: 3, Worst: Worst{URLs: 1, Clicks: 90}},
		{Name: "warning, a third.example", State: audit.Warn, URLs: 3, BlockedURLs: 1, Worst: Worst{URLs: 1}},
		{Name: "warning, few of many.example", State: audit.Warn, URLs: 9000, BlockedURLs: 500, Worst: Worst{URLs: 400}},
		{Name: "warning, blocked for one that does not lead.example", State: audit.Warn, URLs: 9, BlockedURLs: 7},
		{Name: "warning, nothing blocked, a.example", State: audit.Warn, URLs: 5},
		{Name: "warning, nothing blocked, b.example", State: audit.Warn, URLs: 9},
		{Name: "unknown, and some blocked.example", State: audit.Undetermined, URLs: 9, BlockedURLs: 9, Worst: Worst{URLs: 9}},
		{Name: "lost.example", State: audit.Critical, URLs: 5000, BlockedURLs: 5000, Worst: Worst{URLs: 5000}, Lost: lost},
		{Name: "unknown.example", State: audit.Undetermined},
		{Name: "fine, and some blocked.example", State: audit.OK, URLs: 9, BlockedURLs: 9, Worst: Worst{URLs: 9}},
		{Name: "fine, a.example", State: audit.OK},
		{Name: "fine, b.example", State: audit.OK},
	}
	shuffled := slices.Clone(want)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
		var places []Place
		for _, l := range shuffled {
			text, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			p, err := PlaceOf(text)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, p)
		}
		slices.SortFunc(places, func(a, b Place) int { return a.Compare(&b) })
		var got, names []string
		for i := range places {
			got, names = append(got, places[i].name), append(names, want[i].Name)
		}
		if diff := cmp.Diff(names, got); diff != "" {
			t.Fatal(diff)
		}
	}
	if _, err := PlaceOf([]byte("{")); err == nil {
		t.Error("a line that breaks off has a place")
	}
}

// TestWorst selects the crawler by whose figures a site is ordered: a leading one.
func TestWorst(t *testing.T) {
	google, bing := audit.Crawler{Label: "Googlebot", Profile: "google", Purpose: "search"}, audit.Crawler{Label: "Bingbot", Profile: "rfc9309", Purpose: "search"}
	past := audit.Crawler{Label: "Googlebot@google-2019", Profile: "google-2019", Purpose: "search"}
	ai := audit.Crawler{Label: "GPTBot", Profile: "rfc9309", Purpose: "AI training"}
	for _, c := range []struct {
		crawlers []audit.Crawler
		blocked  []int64
		clicks   []int64
		want     Worst
	}{
		{[]audit.Crawler{google, bing}, []int64{5, 6}, nil, Worst{Crawler: "Bingbot", URLs: 6}},
		{[]audit.Crawler{google, bing}, []int64{6, 6}, nil, Worst{Crawler: "Googlebot", URLs: 6}},
		{[]audit.Crawler{google, bing}, []int64{5, 6}, []int64{9, 8}, Worst{Crawler: "Googlebot", URLs: 5, Clicks: 9}},
		{[]audit.Crawler{google, past, ai}, []int64{5, 70, 80}, nil, Worst{Crawler: "Googlebot", URLs: 5}},
		{[]audit.Crawler{google, past, ai}, []int64{0, 70, 80}, nil, Worst{}},
		{[]audit.Crawler{past, ai}, []int64{70, 80}, nil, Worst{Crawler: "Googlebot@google-2019", URLs: 70}}, // none is of today: it leads
		{[]audit.Crawler{ai}, []int64{80}, nil, Worst{Crawler: "GPTBot", URLs: 80}},                          // the run has no other crawler
	} {
		if got := WorstOf(c.crawlers, &audit.Done{Counts: audit.Counts{Blocked: c.blocked}, ClicksBlocked: c.clicks}, nil); got != c.want {
			t.Errorf("%d %d: %+v, want %+v", c.blocked, c.clicks, got, c.want)
		}
	}
}

// TestBrief describes a site in a line for narrow places.
func TestBrief(t *testing.T) {
	for _, c := range []struct {
		line Line
		want string
	}{
		{Line{URLs: 28359, Worst: Worst{Crawler: "Googlebot", URLs: 24626, Line: 17, Rule: "disallow: /post*"}}, "87 % blocked for Googlebot, line 17 `Disallow: /post*` (24,626 of 28,359 URLs)"},
		{Line{URLs: 28359, Clicks: 1000, Worst: Worst{Crawler: "Googlebot", URLs: 24626, Clicks: 210, Line: 17, Rule: "disallow: /post*"}}, "87 %, 21 % of clicks, blocked for Googlebot, line 17 `Disallow: /post*` (24,626 of 28,359 URLs)"},
		{Line{URLs: 200, Worst: Worst{Crawler: "Googlebot", URLs: 200}}, "100 % blocked for Googlebot (200 of 200 URLs)"},
		{Line{URLs: 1, Worst: Worst{Crawler: "Bingbot", URLs: 1, Line: 2, Rule: "disallow: /"}}, "100 % blocked for Bingbot, line 2 `Disallow: /` (1 of 1 URL)"},
		{Line{URLs: 9, Why: "The lead."}, "The lead."},
	} {
		if got := c.line.Brief(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
