package alert

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// imagined is one run of an invented site, with its conditions. The site has another origin, far,
// with its own robots.txt.
type imagined struct {
	has         map[string][]string // subjects, by condition
	unreachable bool
	hiccup      bool
	quiet       bool

	farDown     bool // its robots.txt cannot be had
	farHiccup   bool // and that was not confirmed
	farPages    int  // of the site, the same in all runs
	farSitemaps int
}

const (
	far        = "http://far.example"
	farError   = "f" // of AL12, in its file
	farPage    = far + "/page"
	farSitemap = "sitemap " + far + "/map.xml"
)

var imaginedConditions = []string{"AL01", "AL02", Unreachable, "AL04", "AL07", "AL10", "AL11", "AL12"}

// imaginedSubjects are those of a condition that come and go.
func imaginedSubjects(code string) []string {
	list := []string{"a", "b", "C"}
	switch code {
	case "AL02":
		list = append(list, farPage)
	case "AL07":
		list = append(list, farSitemap)
	case "AL12":
		list = append(list, farError, farError)
	}
	return list
}

// differ returns the result of a comparison of two runs for a condition. AL10 is a change in either
// direction, the others are new subjects.
func differ(old, new *imagined, condition string) (subjects []string) {
	if condition == Unreachable {
		if new.unreachable {
			subjects = append(subjects, "http://a.example")
		}
		if old != nil && new.farDown && !old.farDown {
			subjects = append(subjects, far)
		}
		return subjects
	}
	was, is := old.has[condition], new.has[condition]
	for _, s := range is {
		unread := s == farError && (old.farDown || new.farDown)
		if !slices.Contains(was, s) && !unread {
			subjects = append(subjects, s)
		}
	}
	for _, s := range was {
		if condition == "AL10" && !slices.Contains(is, s) {
			subjects = append(subjects, s)
		}
	}
	slices.Sort(subjects)
	return subjects
}

// gravity is that of subjects: one in capitals is critical.
func gravity(subjects []string) compare.Severity {
	if slices.ContainsFunc(subjects, func(s string) bool { return strings.ToLower(s) != s || isURL(s) }) {
		return compare.Critical
	}
	return compare.Medium
}

// farAnswer is what the other origin answers in a run.
func farAnswer(run *imagined) *compare.Answer {
	if run == nil {
		return nil
	}
	if run.farDown {
		return &compare.Answer{Status: 503, Kind: compare.BodyNone}
	}
	return &compare.Answer{Status: 200, Kind: compare.BodyText, SHA256: fmt.Sprint(slices.Contains(run.has["AL12"], farError))}
}

// comparison is a comparison of two runs; nil = there is no older one.
func comparison(old, new *imagined) *compare.Site {
	c := &compare.Site{Name: "a.example", New: &compare.Side{Started: time.Now(), Finished: time.Now()}}
	c.Origins = []compare.Origin{
		{Name: "http://a.example", New: &compare.Answer{Status: 200, Kind: compare.BodyText}},
		{Name: far, Old: farAnswer(old), New: farAnswer(new), Pages: int64(new.farPages), Sitemaps: new.farSitemaps},
	}
	if new.unreachable {
		c.Origins[0].New = &compare.Answer{Status: 503, Kind: compare.BodyNone}
	}
	if old == nil {
		return c
	}
	c.Old = &compare.Side{Started: time.Now(), Finished: time.Now()}
	for _, code := range imaginedConditions {
		list := differ(old, new, code)
		changes := [][]string{list} // by their subjects
		if code == "AL07" || code == "AL12" {
			changes = slices.Collect(slices.Chunk(list, 1))
		}
		for _, subjects := range changes {
			switch {
			case len(subjects) == 0:
			case code != Unreachable:
				c.Changes = append(c.Changes, compare.Change{Kind: compare.KindLint, What: code, After: fmt.Sprint(subjects), Severity: gravity(subjects), Condition: code, Subjects: subjects, URLs: 3})
			case slices.Contains(subjects, far):
				c.Changes = append(c.Changes, compare.Change{Kind: compare.KindStatus, What: far + "/robots.txt", After: "HTTP 503", Severity: compare.Critical, Condition: code, Subjects: []string{far}})
			}
		}
	}
	slices.SortStableFunc(c.Changes, func(a, b compare.Change) int { return compareSeverities(a.Severity, b.Severity) })
	return c
}

// imagine makes up the runs of a site: what there is, and what the runs find.
func imagine(r *rand.Rand) (truth, runs []imagined) {
	now := imagined{has: map[string][]string{}}
	farPages, farSitemaps := r.IntN(2), r.IntN(2)
	for range 4 + r.IntN(30) {
		next := imagined{has: map[string][]string{}, unreachable: r.IntN(5) == 0, hiccup: r.IntN(6) == 0, quiet: r.IntN(4) == 0, farDown: r.IntN(8) == 0, farPages: farPages, farSitemaps: farSitemaps}
		for code, list := range now.has {
			next.has[code] = slices.Clone(list)
		}
		for range r.IntN(3) {
			code := imaginedConditions[r.IntN(len(imaginedConditions))]
			subjects := imaginedSubjects(code)
			if s := subjects[r.IntN(len(subjects))]; s != farPage && s != farSitemap || s == farPage && farPages > 0 || s == farSitemap && farSitemaps > 0 {
				next.toggle(code, s)
			}
		}
		truth = append(truth, next)
		runs = append(runs, next)
		if r.IntN(4) == 0 {
			runs[len(runs)-1] = next.seen(r)
		}
		now = next
	}
	return truth, runs
}

// toggle has a subject come, or go.
func (m *imagined) toggle(code, subject string) {
	if i := slices.Index(m.has[code], subject); i >= 0 {
		m.has[code] = slices.Delete(m.has[code], i, i+1)
	} else {
		m.has[code] = append(m.has[code], subject)
	}
}

// seen is the result of a run for a site whose other origin has a hiccup: the data of that origin
// differs, and so do all counts that include it.
func (m imagined) seen(r *rand.Rand) imagined {
	has := m.has
	m.farDown, m.farHiccup, m.has = true, true, map[string][]string{}
	for code, list := range has {
		m.has[code] = slices.Clone(list)
	}
	gone := func(code, subject string) {
		m.has[code] = slices.DeleteFunc(m.has[code], func(s string) bool { return s == subject })
	}
	if gone("AL07", farSitemap); m.farSitemaps > 0 && r.IntN(2) == 0 {
		m.has["AL07"] = append(m.has["AL07"], farSitemap)
	}
	if m.farPages+m.farSitemaps > 0 {
		m.toggle("AL11", "a")
	}
	if gone("AL02", farPage); m.farPages > 0 && r.IntN(2) == 0 {
		m.has["AL02"] = append(m.has["AL02"], farPage)
	}
	if m.farSitemaps > 0 {
		m.toggle("AL10", "b")
		gone("AL02", "a")
	}
	return m
}

// acknowledgement is a user's acknowledgement, after a run, of the alert of a condition.
type acknowledgement struct {
	after, until int // runs; it is valid for those before until
	condition    string
}

// standing is what the model has of one alert.
type standing struct {
	base, raised int // runs; -1 = there is none
	code         string
	known        []string // reported subjects; nil = none
	about        []string // those, or else those with which it came
	grave        compare.Severity
	until        int
}

// certain are those of the subjects of a condition that do not rest on a hiccup of the other origin.
func (m *imagined) certain(code string, is []string) []string {
	if !m.farHiccup {
		return is
	}
	lost := false
	switch code {
	case "AL02":
		lost = slices.Contains(is, farPage)
	case "AL10":
		lost = m.farSitemaps > 0
	case "AL11":
		lost = m.farPages+m.farSitemaps > 0
	}
	if lost {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(is), func(s string) bool { return s == far || s == farSitemap })
}

// doubtful reports whether a condition may still hold at the other origin, whose answer is a hiccup.
func (m *imagined) doubtful(code string, base, settled *imagined) bool {
	moved := base.farDown != settled.farDown || slices.Contains(base.has["AL12"], farError) != slices.Contains(settled.has["AL12"], farError) && !base.farDown
	switch code {
	case "AL01":
		return false
	case "AL02":
		return moved || m.farPages+m.farSitemaps > 0
	case "AL07":
		return moved || m.farSitemaps > 0
	case "AL10":
		return m.farSitemaps > 0
	case "AL11":
		return m.farPages+m.farSitemaps > 0
	}
	return moved
}

// model computes the expected reports directly from the rules, run by run.
func model(runs []imagined, acks []acknowledgement) (due []string) {
	settled := -1 // run
	var open []*standing
	toldEnded := map[string]int{} // the last run that reported the end of a condition; never run 0
	for n := range runs {
		run := &runs[n]
		is := func(code string, base int) []string {
			if base < 0 {
				return differ(nil, run, code)
			}
			return run.certain(code, differ(&runs[base], run, code))
		}
		wayBack := func(code string) bool {
			return code != Unreachable && slices.ContainsFunc(open, func(s *standing) bool {
				hidden := (s.code == "AL04" || s.code == "AL07" && code == "AL12") && s.base >= 0
				hidden = hidden || s.code == Unreachable && s.base < 0 && (code == "AL10" || code == "AL11") // all was blocked, from the first run on
				return hidden && (toldEnded[code] == 0 || toldEnded[code] < s.raised) && len(is(s.code, s.base)) == 0 && (s.base < 0 || len(is(code, s.base)) == 0)
			})
		}
		settles := !run.hiccup && !run.unreachable && !run.farHiccup
		var now []*standing
		for _, code := range imaginedConditions {
			mine := slices.DeleteFunc(slices.Clone(open), func(s *standing) bool { return s.code != code })
			if run.hiccup || run.unreachable && code != Unreachable {
				now = append(now, mine...)
				continue
			}
			var came, covered []string
			for _, s := range mine {
				covered = append(covered, is(code, s.base)...)
				if far := func(s string) bool { return strings.Contains(s, far) }; len(is(code, s.base)) == 0 && run.farHiccup && s.base >= 0 &&
					(run.doubtful(code, &runs[s.base], &runs[settled]) || slices.ContainsFunc(s.about, far)) {
					covered = append(covered, s.about...)
					now = append(now, s)
				}
			}
			if settled >= 0 || code == Unreachable {
				came = is(code, settled)
			}
			if slices.ContainsFunc(came, func(s string) bool { return !slices.Contains(covered, s) }) && !wayBack(code) && (len(mine) == 0 || code != "AL10" && code != "AL11") {
				mine = append(mine, &standing{base: settled, raised: n, code: code, about: came})
			}
			for _, s := range mine {
				is := is(code, s.base)
				if slices.Contains(now, s) {
					continue
				}
				if len(is) == 0 && s.known != nil && run.quiet {
					now = append(now, s)
					continue
				}
				if len(is) == 0 {
					if s.known != nil {
						due = append(due, fmt.Sprintf("%d ended %s of %d", n, code, s.raised))
						toldEnded[code] = n
					}
					continue
				}
				now = append(now, s)
				news := slices.ContainsFunc(is, func(subject string) bool { return !slices.Contains(s.known, subject) })
				graver := s.grave == compare.Medium && gravity(is) == compare.Critical
				silent := n < s.until
				switch {
				case run.quiet:
				case s.known == nil && !silent:
					due = append(due, fmt.Sprintf("%d raised %s of %d", n, code, s.raised))
					s.known, s.grave = is, gravity(is)
				case s.known != nil && (graver || news && !silent):
					due = append(due, fmt.Sprintf("%d worse %s of %d", n, code, s.raised))
					if s.grave = gravity(is); run.farHiccup {
						is = append(slices.Clone(is), s.known...)
					}
					s.known = is
				case s.known != nil && settles:
					s.known = slices.DeleteFunc(slices.Clone(s.known), func(s string) bool { return !slices.Contains(is, s) })
				}
				if s.known != nil {
					s.about = s.known
				}
			}
		}
		if open = now; settles {
			settled = n
		}
		for _, a := range acks {
			for _, s := range open {
				if s.code == a.condition && a.after == n {
					s.until = a.until
				}
			}
		}
	}
	slices.Sort(due)
	return due
}

// TestJudgeAsTheModel judges random histories, and compares the reports with a model of the rules
// and with general properties.
func TestJudgeAsTheModel(t *testing.T) {
	start := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	counts, beside := map[Kind]int{}, map[Kind]int{} // with a hiccup of the other origin
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 13))
		truth, runs := imagine(r)
		var acks []acknowledgement
		for range r.IntN(4) {
			after := r.IntN(len(runs))
			acks = append(acks, acknowledgement{after, after + 1 + r.IntN(8), imaginedConditions[r.IntN(len(imaginedConditions))]})
		}
		var got []string
		open := map[string]history.Alert{} // by id
		var ended []history.Alert
		state := map[string][]Kind{} // reports of each alert
		settled := -1
		at := func(run int) time.Time { return start.Add(time.Duration(run) * time.Hour) }
		id := func(run int) string { return fmt.Sprint(run) }
		for n := range runs {
			in := Input{Site: "a.example", Run: id(n), Started: at(n), Quiet: runs[n].quiet, Compared: comparison(nil, &runs[n]), Ended: ended}
			if settled >= 0 {
				in.Settled, in.Compared = id(settled), comparison(&runs[settled], &runs[n])
			}
			if runs[n].hiccup {
				in.Hiccups = append(in.Hiccups, "http://a.example")
			}
			if runs[n].farHiccup {
				in.Hiccups = append(in.Hiccups, far)
			}
			for _, a := range open {
				o := Open{Alert: a}
				if a.Base != "" {
					var base int
					fmt.Sscan(a.Base, &base)
					o.Compared = comparison(&runs[base], &runs[n])
				}
				in.Open = append(in.Open, o)
			}
			last := settled
			j := Judge(in)
			if j.Settled != (!runs[n].hiccup && !runs[n].unreachable && !runs[n].farHiccup) {
				t.Fatalf("seed %d, run %d: settled %v", seed, n, j.Settled)
			}
			if j.Settled {
				settled = n
			}
			for _, a := range j.Alerts {
				var is []string // in truth
				if base := 0; a.Base != "" {
					fmt.Sscan(a.Base, &base)
					is = differ(&runs[base], &truth[n], a.Condition)
				} else {
					is = differ(nil, &truth[n], a.Condition)
				}
				if runs[n].farHiccup { // conditions that began there with this run are reported by the next one
					is = slices.DeleteFunc(is, func(s string) bool {
						return s == far && !slices.Contains(a.Subjects, far) || s == farError && !slices.Contains(runs[last].has["AL12"], farError)
					})
				}
				news := slices.DeleteFunc(slices.Clone(a.Subjects), func(s string) bool { return slices.Contains(open[a.ID].Subjects, s) })
				if raised := a.Raised == id(n); raised {
					news = a.Subjects
				}
				if a.EndedRun != "" && len(is) > 0 || a.EndedRun == "" && slices.ContainsFunc(news, func(s string) bool { return !slices.Contains(is, s) }) {
					t.Fatalf("seed %d, run %d: not so: %+v; it is %q", seed, n, a, is)
				}
				if a.EndedRun != "" {
					delete(open, a.ID)
					ended = append(ended, a)
				} else {
					open[a.ID] = a
				}
			}
			for _, e := range j.Events {
				var raised int
				fmt.Sscan(id(int(e.Since.Sub(start)/time.Hour)), &raised)
				got = append(got, fmt.Sprintf("%d %s %s of %d", n, e.Kind, e.Condition, raised))
				before := state[e.Alert]
				ended, first := slices.Contains(before, Ended), len(before) == 0
				if runs[n].quiet || runs[n].hiccup || ended || first != (e.Kind == Raised) {
					t.Fatalf("seed %d, run %d: %s told after %v, quiet %v, hiccup %v", seed, n, e.Kind, before, runs[n].quiet, runs[n].hiccup)
				}
				state[e.Alert] = append(before, e.Kind)
				counts[e.Kind]++
				if runs[n].farHiccup {
					beside[e.Kind]++
				}
			}
			for _, a := range acks {
				for id, alert := range open {
					if alert.Condition == a.condition && a.after == n {
						alert.Acknowledged = at(a.until)
						open[id] = alert
					}
				}
			}
		}
		slices.Sort(got)
		if due := model(runs, acks); !slices.Equal(got, due) {
			t.Fatalf("seed %d: told\n%s\ndue\n%s", seed, strings.Join(got, "\n"), strings.Join(due, "\n"))
		}
	}
	if counts[Raised] < 3000 || counts[Worse] < 300 || counts[Ended] < 1500 {
		t.Errorf("too few of a kind: %v", counts)
	}
	if beside[Raised] < 400 || beside[Worse] < 200 || beside[Ended] < 100 {
		t.Errorf("too few of a kind beside hiccups: %v", beside)
	}
}
