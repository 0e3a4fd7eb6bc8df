package alert

import (
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// accept accepts the site's only open alert between its last run and the next.
func (s *site) accept(note string) {
	s.t.Helper()
	if len(s.open) != 1 {
		s.t.Fatalf("%d alerts are open", len(s.open))
	}
	s.open[0].Accepted, s.open[0].Note = s.runs[len(s.runs)-1].started.Add(time.Minute), note
}

// TestAccepted: an accepted alert ends with the next run, and later runs are compared with the
// change. Other findings are a separate alert.
func TestAccepted(t *testing.T) {
	meant := robots + "Disalow: /x\n"
	s := newSite(t, body(robots))
	for i, step := range []struct {
		robots string
		status int // of robots.txt
		accept string
		quiet  bool
		want   string
	}{
		{robots: robots},
		{robots: meant, want: "raised AL12"},
		{robots: meant},
		{robots: meant, accept: "the shop's own field", want: "ended AL12"},
		{robots: meant},
		{robots: meant + "Sitemapp: /y\n", want: "raised AL12"}, // against the accepted state
		{robots: meant + "Sitemapp: /y\nUser-agnt: z\n", accept: "meant", want: "ended AL12, raised AL12"},
		{robots: meant + "Sitemapp: /y\n", want: "ended AL12"},
		{robots: meant + "Sitemapp: /y\nUser-agnt: q\n", want: "raised AL12"},
		{robots: meant + "Sitemapp: /y\nUser-agnt: q\n", accept: "in the window", quiet: true}, // it ends, and who did so knows
		{robots: meant + "Sitemapp: /y\nUser-agnt: q\n"},
	} {
		s.serves(with(func(now *served) { now.robots, now.status = step.robots, step.status }))
		if step.accept != "" {
			s.accept(step.accept)
		}
		j := s.run(time.Hour, step.quiet, nil)
		if got := tell(j); got != step.want {
			t.Errorf("run %d: told %q, want %q", i, got, step.want)
		}
		for _, e := range j.Events {
			if e.Kind == Ended && step.accept != "" && !strings.Contains(e.Text, `accepted as intended, "`+step.accept+`", after `) {
				t.Errorf("run %d: %s", i, e.Text)
			}
		}
	}
	if len(s.open) > 0 {
		t.Errorf("there is left %+v", s.open)
	}
}

// TestNotAccepted: an unreachable robots.txt is never intended. An acceptance after the start of a
// run counts from the next run on, so that a run entered again gives the same result. A run that
// cannot be judged ends nothing.
func TestNotAccepted(t *testing.T) {
	now := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	bad := &imagined{has: map[string][]string{"AL12": {"a"}, "AL07": {"a"}}}
	for _, test := range []struct {
		name, condition string
		accepted        time.Time
		run             imagined
		want            Kind // of the events; "" = none
	}{
		{"before the run", "AL12", now.Add(-time.Second), *bad, Ended},
		{"as the run begins", "AL12", now, *bad, ""},
		{"after it began", "AL12", now.Add(time.Second), *bad, ""},
		{"what cannot be had", Unreachable, now.Add(-time.Hour), imagined{unreachable: true}, ""},
		{"while robots.txt cannot be had", "AL12", now.Add(-time.Hour), imagined{has: bad.has, unreachable: true}, Raised}, // of AL03
	} {
		in := Input{Site: "a.example", Run: "3", Started: now, Settled: "2", Compared: comparison(bad, &test.run)}
		subjects := []string{"a"}
		if test.condition == Unreachable {
			subjects = []string{"http://a.example"}
		}
		a := history.Alert{ID: "x", Condition: test.condition, Severity: "medium", Base: "1", Text: "told", Subjects: subjects, Accepted: test.accepted}
		if test.condition == Unreachable {
			a.Severity = "critical"
		}
		in.Open = []Open{{Alert: a, Compared: comparison(&imagined{}, &test.run)}}
		j := Judge(in)
		var kinds []Kind
		for _, e := range j.Events {
			kinds = append(kinds, e.Kind)
		}
		if want := slices.DeleteFunc([]Kind{test.want}, func(k Kind) bool { return k == "" }); !slices.Equal(kinds, want) {
			t.Errorf("%s: %v, want %v", test.name, kinds, want)
		}
	}
	in := Input{Site: "a.example", Run: "3", Started: now, Settled: "2", Hiccups: []string{"http://a.example"}, Compared: comparison(bad, bad)}
	in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: "AL12", Base: "1", Text: "told", Accepted: now.Add(-time.Hour)}, Compared: comparison(&imagined{}, bad)}}
	if j := Judge(in); len(j.Alerts)+len(j.Events) > 0 {
		t.Errorf("by a hiccup: %+v", j)
	}
	// an additional change of the answer, after an acceptance, is requested again
	in.Hiccups, in.Compared = nil, comparison(bad, bad)
	in.Compared.Changes = []compare.Change{{Kind: compare.KindBody, Condition: "AL05", Severity: compare.Critical, Subjects: []string{"http://a.example"}}}
	in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: "AL05", Base: "1", Text: "told", Accepted: now.Add(-time.Hour)}, Compared: in.Compared}}
	if got := Questions(in); len(got) != 1 {
		t.Errorf("asks %q", got)
	}
}
