package alert

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/history"
)

// imagined is one run of a site that is made up: what there is to be told, by condition.
type imagined struct {
	has         map[string][]string // subjects, by condition
	unreachable bool
	hiccup      bool
	quiet       bool
}

var imaginedConditions = []string{"AL01", Unreachable, "AL07", "AL10", "AL12"}

// differ is what a comparison of two runs yields for a condition. AL10 is a change in either
// direction, the others are of what came.
func differ(old, new *imagined, condition string) (subjects []string) {
	if condition == Unreachable {
		if new.unreachable {
			return []string{"http://a.example"}
		}
		return nil
	}
	was, is := old.has[condition], new.has[condition]
	for _, s := range is {
		if !slices.Contains(was, s) {
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

// comparison is a comparison of two runs; nil = there is no older one.
func comparison(old, new *imagined) *compare.Site {
	c := &compare.Site{Name: "a.example", New: &compare.Side{Started: time.Now(), Finished: time.Now()}}
	c.Origins = []compare.Origin{{Name: "http://a.example", New: &compare.Answer{Status: 200, Kind: compare.BodyText}}}
	if new.unreachable {
		c.Origins[0].New = &compare.Answer{Status: 503, Kind: compare.BodyNone}
	}
	if old == nil {
		return c
	}
	c.Old = &compare.Side{Started: time.Now(), Finished: time.Now()}
	for _, code := range imaginedConditions {
		if list := differ(old, new, code); list != nil && code != Unreachable {
			c.Changes = append(c.Changes, compare.Change{Kind: compare.KindLint, What: code, After: fmt.Sprint(list), Severity: gravity(list), Condition: code, Subjects: list, URLs: 3})
		}
	}
	return c
}

// imagine makes up the runs of a site.
func imagine(r *rand.Rand) (runs []imagined) {
	now := imagined{has: map[string][]string{}}
	for range 4 + r.IntN(30) {
		next := imagined{has: map[string][]string{}, unreachable: r.IntN(5) == 0, hiccup: r.IntN(6) == 0, quiet: r.IntN(4) == 0}
		for code, list := range now.has {
			next.has[code] = slices.Clone(list)
		}
		for range r.IntN(3) {
			code, subject := imaginedConditions[r.IntN(len(imaginedConditions))], []string{"a", "b", "C"}[r.IntN(3)]
			if i := slices.Index(next.has[code], subject); i >= 0 {
				next.has[code] = slices.Delete(next.has[code], i, i+1)
			} else {
				next.has[code] = append(next.has[code], subject)
			}
		}
		runs = append(runs, next)
		now = next
	}
	return runs
}

// acknowledgement is one that somebody makes after a run, of the alert of a condition.
type acknowledgement struct {
	after, until int // runs; it holds for those before until
	condition    string
}

// standing is what the model has of one condition.
type standing struct {
	base, raised int      // runs; -1 = none
	known        []string // subjects that were told; nil = nothing was told
	grave        compare.Severity
	until        int
}

// model says what is to be told, straight from the rules: run by run, and without alerts.
func model(runs []imagined, acks []acknowledgement) (due []string) {
	settled := -1 // run
	states := map[string]*standing{}
	for _, code := range imaginedConditions {
		states[code] = &standing{base: -1, raised: -1}
	}
	for n := range runs {
		run := &runs[n]
		var back []int // bases of what has gone with this run
		for _, code := range imaginedConditions {
			if s := states[code]; s.raised >= 0 && s.base >= 0 && code != Unreachable && len(differ(&runs[s.base], run, code)) == 0 {
				back = append(back, s.base)
			}
		}
		for _, code := range imaginedConditions {
			s := states[code]
			counts := !run.hiccup && (!run.unreachable || code == Unreachable)
			var is []string
			switch {
			case !counts:
			case s.raised >= 0 && s.base >= 0:
				is = differ(&runs[s.base], run, code)
			case s.raised < 0 && settled >= 0:
				is = differ(&runs[settled], run, code)
				if code != Unreachable && slices.ContainsFunc(back, func(base int) bool { return len(differ(&runs[base], run, code)) == 0 }) {
					is = nil
				}
			case code == Unreachable:
				is = differ(nil, run, code)
			}
			before := s.raised >= 0
			if counts && len(is) > 0 {
				if !before {
					s.base, s.raised, s.known, s.until = settled, n, nil, 0
				}
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
					s.known, s.grave = is, gravity(is)
				}
			}
			if counts && before && len(is) == 0 && (s.known == nil || !run.quiet) {
				if s.known != nil {
					due = append(due, fmt.Sprintf("%d ended %s of %d", n, code, s.raised))
				}
				s.raised = -1
			}
		}
		if !run.hiccup && !run.unreachable {
			settled = n
		}
		for _, a := range acks {
			if s := states[a.condition]; a.after == n && s.raised >= 0 {
				s.until = a.until
			}
		}
	}
	slices.Sort(due)
	return due
}

// TestJudgeAsTheModel has made-up histories judged, and holds what is told to a model of the
// rules, and to what must hold whatever the rules are.
func TestJudgeAsTheModel(t *testing.T) {
	start := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	counts := map[Kind]int{}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 13))
		runs := imagine(r)
		var acks []acknowledgement
		for range r.IntN(4) {
			after := r.IntN(len(runs))
			acks = append(acks, acknowledgement{after, after + 1 + r.IntN(8), imaginedConditions[r.IntN(len(imaginedConditions))]})
		}
		var got []string
		open := map[string]history.Alert{} // by condition
		state := map[string][]Kind{}       // of each alert: what was told of it
		settled := -1
		at := func(run int) time.Time { return start.Add(time.Duration(run) * time.Hour) }
		id := func(run int) string { return fmt.Sprint(run) }
		for n := range runs {
			in := Input{Site: "a.example", Run: id(n), Started: at(n), Quiet: runs[n].quiet, Compared: comparison(nil, &runs[n])}
			if settled >= 0 {
				in.Settled, in.Compared = id(settled), comparison(&runs[settled], &runs[n])
			}
			if runs[n].hiccup {
				in.Hiccups = []string{"http://a.example"}
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
			j := Judge(in)
			if j.Settled != (!runs[n].hiccup && !runs[n].unreachable) {
				t.Fatalf("seed %d, run %d: settled %v", seed, n, j.Settled)
			}
			if j.Settled {
				settled = n
			}
			for _, a := range j.Alerts {
				if a.EndedRun != "" {
					delete(open, a.Condition)
				} else {
					open[a.Condition] = a
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
			}
			for _, a := range acks {
				if alert, ok := open[a.condition]; ok && a.after == n {
					alert.Acknowledged = at(a.until)
					open[a.condition] = alert
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
}
