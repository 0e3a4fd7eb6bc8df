package summary

import (
	"fmt"
	"testing"

	"robots-audit/audit"
)

// failing counts lines and returns the sites that fail by each flag.
func failing(on FailOn, lines []*Line) (totals Totals) {
	on.Labels = []string{"Googlebot", "GPTBot"}
	totals.FailOn = on
	for i, line := range lines {
		line.Ordinal, line.Records = i, 1
		totals.Count(line)
	}
	return totals
}

// TestFailing counts the sites that each word of -fail-on fails: by their state, and by the effect
// of their findings. Unknown sites never count.
func TestFailing(t *testing.T) {
	lines := []*Line{
		{Name: "clean", State: "ok", Findings: &audit.Severities{}, Effects: &audit.Severities{}},
		{Name: "info", State: "ok", Findings: &audit.Severities{Info: 2}, Effects: &audit.Severities{Info: 2}},
		{Name: "harmless", State: "ok", Findings: &audit.Severities{Critical: 1, Error: 3}, Effects: &audit.Severities{Info: 4}},
		{Name: "effective", State: "ok", Findings: &audit.Severities{Error: 3, Warning: 1}, Effects: &audit.Severities{Error: 1, Warning: 1, Info: 2}},
		{Name: "warned", State: "warn", Findings: &audit.Severities{}, Effects: &audit.Severities{}},
		{Name: "old", State: "warn", Findings: &audit.Severities{Error: 1}}, // of a run before effects were counted
		{Name: "older", State: "warn"}, // of a run before findings were counted
		{Name: "blocked", State: "critical", Findings: &audit.Severities{Info: 1}, Effects: &audit.Severities{Info: 1}, BlockedURLs: 999},
		{Name: "silent", State: "unknown", Findings: &audit.Severities{Critical: 1}},
	}
	for word, want := range map[string]string{
		"critical": "1 site fails: blocked (state critical)",
		"error":    "3 sites fail: blocked (state critical), old (1 error) and effective (1 error)",
		"warning":  "5 sites fail: blocked (state critical), warned (state warn), old (state warn) and 2 more",
		"warn":     "5 sites fail: blocked (state critical), warned (state warn), old (state warn) and 2 more",
		"info":     "7 sites fail: blocked (state critical), warned (state warn), old (state warn) and 4 more",
		"":         "0 sites fail: ", "nonsense": "0 sites fail: ",
	} {
		got := failing(FailOn{Severity: word}, lines)
		if got.BySeverity.String() != want || got.ByBlocked.Sites != 0 {
			t.Errorf("%q: %s, want %s", word, got.BySeverity, want)
		}
		if want := (audit.Severities{Critical: 2, Error: 7, Warning: 1, Info: 3}); got.Findings != want {
			t.Errorf("%+v, want %+v", got.Findings, want)
		}
		if got.UnknownCritical != 1 {
			t.Errorf("%d critical findings about sites that are unknown", got.UnknownCritical)
		}
	}
}

// TestFailingBlocked counts the sites with a share of URLs blocked for a crawler.
func TestFailingBlocked(t *testing.T) {
	lines := []*Line{
		{Name: "open", State: "ok", URLs: 1000, Blocked: []int64{0, 0}},
		{Name: "none", State: "unknown", URLs: 0, Blocked: []int64{0, 0}},
		{Name: "five", State: "warn", URLs: 1000, Blocked: []int64{50, 900}},
		{Name: "nearly", State: "warn", URLs: 1000, Blocked: []int64{49, 0}},
		{Name: "most", State: "critical", URLs: 1000, Blocked: []int64{999, 999}},
		{Name: "silent", State: "unknown", URLs: 10, Blocked: []int64{10, 10}},
	}
	for _, c := range []struct {
		share    float64
		crawlers []int
		want     string
	}{
		{0.05, []int{0}, "2 sites fail: most (99.9 % of 1,000 URLs blocked for Googlebot) and five (5.0 % of 1,000 URLs blocked for Googlebot)"},
		{0.05, []int{1}, "2 sites fail: most (99.9 % of 1,000 URLs blocked for GPTBot) and five (90 % of 1,000 URLs blocked for GPTBot)"},
		{0.5, []int{0, 1}, "2 sites fail: most (99.9 % of 1,000 URLs blocked for Googlebot) and five (90 % of 1,000 URLs blocked for GPTBot)"},
		{1, []int{0}, "0 sites fail: "},
		{0, []int{0}, "0 sites fail: "},
	} {
		got := failing(FailOn{Share: c.share, Crawlers: c.crawlers}, lines)
		if got.ByBlocked.String() != c.want || got.BySeverity.Sites != 0 {
			t.Errorf("%v for %v: %s, want %s", c.share, c.crawlers, got.ByBlocked, c.want)
		}
	}
}

// TestFirstToLookAt: the overview names the first sites of a run in the same words as their own
// reports; unknown and OK sites are not among them.
func TestFirstToLookAt(t *testing.T) {
	for _, c := range []struct {
		states []audit.State
		want   string
	}{
		{[]audit.State{audit.Warn, audit.Critical, audit.OK}, "Most severe: site-0.example. The lead."},
		{[]audit.State{audit.Undetermined, audit.OK}, "1 site could not be checked and is not counted as OK."},
		{[]audit.State{audit.Critical, audit.Undetermined, audit.Undetermined}, "Most severe: site-0.example. The lead. 2 sites could not be checked and are not counted as OK."},
		{[]audit.State{audit.OK}, ""},
	} {
		var o Overview
		totals := Totals{}
		for i, state := range c.states {
			line := &Line{Name: fmt.Sprintf("site-%d.example", i), State: state, Why: "The lead.", Records: 1, URLs: 20}
			o.AddSite(&Site{Line: line})
			totals.Count(line)
		}
		if got := o.Sentences(totals)[2]; got != c.want {
			t.Errorf("%s: %q, want %q", c.states, got, c.want)
		}
	}
}

// Numbers of sites are written as numbers of URLs are.
func TestHeadlineOfMany(t *testing.T) {
	totals := Totals{Sites: 100_001, OK: 88_571, Warn: 5_716, Critical: 2_857, Unknown: 2_857}
	if got, want := totals.Headline(), "100,001 sites: 2,857 critical, 5,716 warnings, 2,857 unknown, 88,571 OK"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestUntestedSites: if some sites have no tested URLs, the text says why, and why they may be other
// sites than the unknown ones.
func TestUntestedSites(t *testing.T) {
	const ok = " Such a site is OK only if its robots.txt blocks nothing."
	for _, c := range []struct {
		totals Totals
		want   string
	}{
		{Totals{Sites: 43, OK: 38, Unknown: 5, Tested: 37, URLs: 9}, "None of the 9 URLs is blocked. URLs were tested on 37 of 43 sites. The other 6 have no URLs to test." + ok},
		{Totals{Sites: 2, OK: 2, Tested: 1, URLs: 9}, "None of the 9 URLs is blocked. URLs were tested on 1 of 2 sites. The other one has no URLs to test." + ok},
		{Totals{Sites: 5, OK: 3, Unknown: 2, Tested: 3, URLs: 9}, "None of the 9 URLs is blocked. URLs were tested on 3 of 5 sites. The other 2 have no URLs to test."},
		{Totals{Sites: 5, OK: 5, Tested: 5, URLs: 9}, "None of the 9 URLs is blocked."},
	} {
		if got := (&Overview{}).Sentences(c.totals)[1]; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
