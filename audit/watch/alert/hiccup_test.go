package alert

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// TestHiccups: what robots.txt answers must be confirmed, and a hiccup changes nothing.
func TestHiccups(t *testing.T) {
	for _, bad := range []struct {
		condition string
		served
	}{
		{"AL03", with(func(s *served) { s.status = 503 })},
		{"AL04", with(func(s *served) { s.status = 404 })},
		{"AL05", with(func(s *served) { s.html = true })},
		{"AL06", with(func(s *served) { s.bots = "User-agent: *\nDisallow: /\n" })},
	} {
		for _, again := range []struct {
			answers   string // to the tries after the run: "-" = as in the run, "+" = well again
			confirmed bool
		}{{"-", true}, {"+-", true}, {"++", false}} {
			t.Run(bad.condition+again.answers, func(t *testing.T) {
				s := settledSite(t, plain())
				s.serves(bad.served)
				var after []served
				for _, answer := range again.answers {
					after = append(after, map[rune]served{'-': bad.served, '+': plain()}[answer])
				}
				j := s.run(time.Hour, false, after)
				if again.confirmed {
					if got := told(j); !slices.Contains(got, "raised "+bad.condition) {
						t.Errorf("told %q", got)
					}
					return
				}
				if len(j.Events)+len(j.Alerts) > 0 || j.Settled || s.settled != 0 {
					t.Errorf("a hiccup: %+v", j)
				}
				if j := s.next(plain()); len(j.Events) > 0 || !j.Settled {
					t.Errorf("after a hiccup: %+v", j)
				}
			})
		}
	}
}

func TestDecide(t *testing.T) {
	for _, test := range []struct {
		tries int
		again string // "=" the same, "x" not
		want  Confirmation
	}{
		{1, "", Confirmed}, {2, "", AskAgain}, {2, "=", Confirmed}, {2, "x", Hiccup},
		{3, "", AskAgain}, {3, "=", Confirmed}, {3, "x", AskAgain}, {3, "x=", Confirmed}, {3, "xx", Hiccup},
		{5, "=", AskAgain}, {5, "==", Confirmed}, {5, "xx", AskAgain}, {5, "xxx", Hiccup}, {5, "x=x=", Confirmed},
	} {
		var again []history.Confirmation
		for _, c := range test.again {
			again = append(again, history.Confirmation{Same: c == '='})
		}
		if got := Decide(again, test.tries); got != test.want {
			t.Errorf("%d tries, %q: %v, want %v", test.tries, test.again, got, test.want)
		}
	}
}

// TestSame pairs all answers: a server that is down may say so in several ways.
func TestSame(t *testing.T) {
	classes := [][]history.Answer{
		{history.AnswerOK}, {history.AnswerEmpty}, {history.AnswerHTML}, {history.AnswerBinary}, {history.AnswerRedirect, history.AnswerMissing},
		{history.AnswerBusy, history.AnswerServerError, history.AnswerNone}, {history.AnswerNotAsked},
	}
	for i, list := range classes {
		for k, others := range classes {
			for _, a := range list {
				for _, b := range others {
					if Same(a, b) != (i == k) {
						t.Errorf("Same(%q, %q) = %v", a, b, i != k)
					}
				}
			}
		}
	}
}

// TestOutage: the longer robots.txt is unreachable, the fewer stages remain. Meanwhile only AL03 is
// reported; other changes are reported afterwards.
func TestOutage(t *testing.T) {
	s := newSite(t, with(func(s *served) { s.status = 503 }))
	j := s.run(0, true, nil) // a site that was never reached, within a window: no report
	if len(j.Events) > 0 || len(j.Alerts) != 1 || j.Alerts[0].Base != "" || j.Settled {
		t.Fatalf("%+v", j)
	}
	const away = "shop.example: robots.txt has been unavailable since 07:00 CET: HTTP 503 Service Unavailable. Everything is blocked for Googlebot until "
	j = s.run(150*time.Minute, false, nil)
	if len(j.Events) != 1 || j.Events[0].Text != away+"19:00 CET at the latest." || j.Events[0].Kind != Raised {
		t.Fatalf("%+v", j.Events)
	}
	if j = s.run(time.Hour, false, nil); len(j.Events)+len(j.Alerts) > 0 {
		t.Errorf("told again: %+v", j)
	}
	s.serves(plain())
	j = s.run(30*time.Minute, false, nil)
	if len(j.Events) != 1 || j.Events[0].Text != "shop.example: robots.txt can be fetched again, after 4 h (first seen at 07:00 CET)." {
		t.Errorf("%+v", j.Events)
	}

	// Told later and later, of each stage.
	for _, stage := range []struct {
		after time.Duration
		now   string
		later []string
	}{
		{11*time.Hour + 59*time.Minute, "Everything is blocked for Googlebot until 20:00 CET at the latest.", []string{
			"From 20:00 CET (in 1 min), for Googlebot: if a good copy was kept, its rules apply. If no copy was kept, everything is allowed.",
			"From 22 Dec 2026 08:00 CET (in 29 days), for Googlebot: if the rest of the site answers, everything is allowed. If the rest of the site does not answer, everything is blocked.",
		}},
		{12 * time.Hour, "Googlebot: if a good copy was kept, its rules apply. If no copy was kept, everything is allowed. This holds until 22 Dec 2026 08:00 CET at the latest.", []string{
			"From 22 Dec 2026 08:00 CET (in 29 days), for Googlebot: if the rest of the site answers, everything is allowed. If the rest of the site does not answer, everything is blocked.",
		}},
		{29 * 24 * time.Hour, "Googlebot: if a good copy was kept, its rules apply. If no copy was kept, everything is allowed. This holds until 22 Dec 2026 08:00 CET at the latest.", []string{
			"From 22 Dec 2026 08:00 CET (in 1 day), for Googlebot: if the rest of the site answers, everything is allowed. If the rest of the site does not answer, everything is blocked.",
		}},
		{30 * 24 * time.Hour, "Googlebot: if the rest of the site answers, everything is allowed. If the rest of the site does not answer, everything is blocked.", nil},
	} {
		t.Run(fmt.Sprint(stage.after), func(t *testing.T) {
			s := settledSite(t, plain())
			s.serves(with(func(s *served) { s.status = 503 }))
			s.run(time.Hour, true, nil)
			j := s.run(stage.after, false, nil)
			if len(j.Events) != 1 || !strings.HasSuffix(j.Events[0].Text, stage.now) {
				t.Fatalf("%+v", j.Events)
			}
			var later []string
			for _, d := range j.Events[0].Details {
				if strings.HasPrefix(d, "From ") && strings.Contains(d, ", for Googlebot: ") {
					later = append(later, d)
				}
			}
			if !slices.Equal(later, stage.later) {
				t.Errorf("later: %q, want %q", later, stage.later)
			}
		})
	}
}

// TestChangedWhileAway: changes during an outage of robots.txt are reported after it.
func TestChangedWhileAway(t *testing.T) {
	s := newSite(t, plain())
	got := s.story(plain(), with(func(s *served) { s.status = 500 }), body("User-agent: *\nDisallow: /\n"), with(func(s *served) { s.hangUp = true }), plain())
	const all = "AL01, %[1]s AL07, %[1]s AL09, %[1]s AL10, %[1]s AL11"
	want := []string{
		"", "raised AL03", "ended AL03, raised " + fmt.Sprintf(all, "raised"), "raised AL03", "ended AL01, ended AL03, ended AL07, ended AL09, ended AL10, ended AL11",
	}
	if !slices.Equal(got, want) {
		t.Errorf("told %q, due %q", got, want)
	}
}

// TestAnotherOrigin: a site listed without a scheme is unreachable if no scheme answers, whichever
// scheme is audited.
func TestAnotherOrigin(t *testing.T) {
	s := newSite(t, plain())
	s.list = host
	got := s.story(plain(), with(func(s *served) { s.hangUp = true }), with(func(s *served) { s.status = 503 }), plain())
	if want := []string{"", "raised AL03", "", "ended AL03"}; !slices.Equal(got, want) {
		t.Errorf("told %q, due %q", got, want)
	}
}

// TestAuditedNoLonger: a site that was taken off the list has no alerts any more.
func TestAuditedNoLonger(t *testing.T) {
	s := settledSite(t, plain())
	s.next(body("User-agent: *\nDisallow: /private\n"))
	in := Input{Site: host, Run: "later", Started: s.runs[1].started.Add(26 * time.Hour), Settled: s.runs[1].id, Open: []Open{{Alert: s.open[0]}}}
	for item, err := range compare.Sides(sequence(s.runs[1].records), nil, compare.Options{}) {
		noError(t, err)
		in.Compared = item.Site
	}
	if got := Questions(in); got != nil {
		t.Errorf("asked again: %+v", got)
	}
	j := Judge(in)
	const want = "shop.example: the site is no longer audited, after 1 day 2 h (first seen on 22 Nov 2026 08:00 CET)."
	if len(j.Events) != 1 || j.Events[0].Text != want || j.Alerts[0].EndedRun != "later" || j.Settled {
		t.Errorf("%+v", j)
	}
}

// TestQuestions: known conditions are not requested again, and unknown ones are not judged.
func TestQuestions(t *testing.T) {
	old, new := &imagined{}, &imagined{unreachable: true}
	in := Input{Site: "a.example", Run: "2", Started: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), Settled: "1", Compared: comparison(old, new)}
	if got := Questions(in); !slices.Equal(got, []Question{{Origin: "http://a.example"}}) {
		t.Errorf("%+v", got)
	}
	raised := Judge(in)
	in.Open = []Open{{Alert: raised.Alerts[0], Compared: in.Compared}}
	if got := Questions(in); got != nil {
		t.Errorf("asked again of what holds: %+v", got)
	}
	in.Open, in.Compared.New.Finished = nil, time.Time{}
	if got, j := Questions(in), Judge(in); got != nil || len(j.Alerts) > 0 || j.Settled {
		t.Errorf("of a run that was cut short: %+v, %+v", got, j)
	}
	in.Compared = comparison(old, &imagined{})
	in.Compared.Changes = []compare.Change{{Kind: compare.KindAsker, After: "x", Severity: compare.High, Condition: differing, Subjects: []string{"https://www.a.example/robots.txt"}}}
	if got := Questions(in); !slices.Equal(got, []Question{{Origin: "http://a.example", Asker: "https://www.a.example/robots.txt", Given: "x"}}) {
		t.Errorf("of other askers: %+v", got)
	}
	// an open alert is requested again if it gets new subjects
	far := compare.Change{Kind: compare.KindStatus, After: "x", Severity: compare.Critical, Condition: Unreachable, Subjects: []string{"http://far.example"}}
	for told, want := range map[string][]Question{"http://far.example": nil, compare.MoreSubjects: nil, "http://b.example": {{Origin: "http://far.example"}}} {
		in.Compared.Changes = []compare.Change{far}
		in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: Unreachable, Base: "1", Subjects: []string{told}}, Compared: in.Compared}}
		if got := Questions(in); !slices.Equal(got, want) {
			t.Errorf("beside %s: %+v, want %+v", told, got, want)
		}
	}
}

// TestLostBase: an alert whose base cannot be read does not end by that.
func TestLostBase(t *testing.T) {
	in := Input{Site: "a.example", Run: "3", Started: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), Settled: "2", Compared: comparison(&imagined{}, &imagined{})}
	for condition, want := range map[string]int{"AL12": 0, Unreachable: 1} {
		in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: condition, Severity: "medium", Base: "1", Text: "told"}, Compared: comparison(nil, &imagined{})}}
		if got := len(Judge(in).Events); got != want {
			t.Errorf("%s: %d events, want %d", condition, got, want)
		}
	}
}

// TestMoreSubjectsThanTold: if not all subjects were reported, it is unknown which are new.
func TestMoreSubjectsThanTold(t *testing.T) {
	in := Input{Site: "a.example", Run: "2", Started: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), Settled: "1"}
	for more, want := range map[string]int{compare.MoreSubjects: 0, "z": 1} {
		in.Compared = comparison(&imagined{}, &imagined{has: map[string][]string{"AL12": {"a", "b"}}})
		in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: "AL12", Severity: "medium", Base: "1", Text: "told", Subjects: []string{"a", more}}, Compared: in.Compared}}
		if got := len(Judge(in).Events); got != want {
			t.Errorf("%q was told: %d events, want %d", more, got, want)
		}
	}
}

// TestWorse: a repeated report says whether the alert is more severe, or has more subjects.
func TestWorse(t *testing.T) {
	in := Input{Site: "a.example", Run: "2", Started: time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), Settled: "1"}
	for subject, want := range map[string]string{"b": "again: robots.txt has a new issue", "C": "worse: robots.txt has a new issue"} {
		in.Compared = comparison(&imagined{}, &imagined{has: map[string][]string{"AL12": {"a", subject}}})
		in.Open = []Open{{Alert: history.Alert{ID: "x", Condition: "AL12", Severity: "medium", Base: "1", Text: "told", Subjects: []string{"a"}}, Compared: in.Compared}}
		j := Judge(in)
		if len(j.Events) != 1 || j.Events[0].Kind != Worse || !strings.HasPrefix(j.Events[0].Text, "a.example: "+want) || j.Alerts[0].Text != j.Events[0].Text {
			t.Errorf("%q: %+v", subject, j.Events)
		}
	}
}
