package engine

import (
	"math"
	"slices"
	"testing"
)

func TestForecast(t *testing.T) {
	schedules := map[string][]string{ // a profile without an entry has the schedule of RFC 9309
		"google": {
			"now: disallow_all",
			"after 12 hours, if a good copy was kept: parsed",
			"after 12 hours, if no copy was kept: allow_all",
			"after 30 days, if the rest of the site answers: allow_all",
			"after 30 days, if the rest of the site does not answer: disallow_all",
		},
		"google-2023": {"now: disallow_all", "after 30 days, if a good copy was kept: parsed", "after 30 days, if no copy was kept: allow_all"},
		"google-2019": {"now: disallow_all", "after 30 days, if a good copy was kept: parsed", "after 30 days, if no copy was kept: allow_all"},
		"rfc9309":     {"now: disallow_all", "after 30 days, if a good copy was kept: parsed", "after 30 days, if no copy was kept: allow_all"},
		"yandex":      {"now: allow_all"},
		"yandex-2016": {"now: allow_all"},
		"rep-1994":    {"now: unknown"},
	}
	schedules["google-oss"] = schedules["google"] // the matcher sees no responses
	for _, p := range Profiles() {
		want, named := schedules[p.Name]
		if !named {
			want = schedules["rfc9309"]
		}
		for _, f := range []File{{Status: 503}, {Error: "timeout"}, {Status: 200, Error: "body_incomplete", Body: []byte("x")}} {
			var got []string
			for _, prediction := range p.Forecast(f) {
				got = append(got, prediction.String())
				if prediction.Why == "" {
					t.Errorf("%s: %v has no reason", p.Name, prediction)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %+v: %q", p.Name, f, got)
			}
		}
		for status, want := range map[int]string{200: "now: parsed", 404: "now: allow_all"} {
			got := p.Forecast(File{Status: status})
			if len(got) != 1 || got[0].String() != want {
				t.Errorf("%s: %d: %v", p.Name, status, got)
			}
		}
	}
	if now := mustProfile(t, "google").Forecast(File{Status: 503})[0]; now.Why != "HTTP 503: for the first 12 hours Google stops crawling and keeps trying" {
		t.Error(now.Why)
	}
	got := mustProfile(t, "google").Forecast(File{Error: "blocked_address"})
	if len(got) != 1 || got[0].Access != AccessUnknown {
		t.Errorf("an error of ours has a forecast: %v", got)
	}
}

// TestNoSuchTime: invalid times count as the beginning, and invalid statuses as
// no answer.
func TestNoSuchTime(t *testing.T) {
	for _, p := range Profiles() {
		now := p.Read(File{Status: 503})
		for _, hours := range []float64{-1, math.Inf(-1), math.NaN()} {
			if got := p.Read(File{Status: 503, UnreachableHours: hours}); got.Access != now.Access || got.Why != now.Why {
				t.Errorf("%s: %v hours: %v, %s", p.Name, hours, got.Access, got.Why)
			}
		}
		if got, want := p.Read(File{Status: -1}), p.Read(File{}); got.Access != want.Access || got.Why != want.Why {
			t.Errorf("%s: status -1: %v, %s", p.Name, got.Access, got.Why)
		}
	}
}
