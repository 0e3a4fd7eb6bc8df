package history

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/audit/compare"
)

// story is what was entered, and answers by going through all of it.
type story struct {
	runs    []Run
	entries [][]Entry // by run
}

var (
	storySites    = []string{"a.com", "b.com", "c.com"}
	storyCrawlers = []string{"Googlebot", "Bingbot", "GPTBot"}
)

// makeStory makes up runs of two schedules. Rules and blocked URLs come and go; some
// answers are not settled, some runs leave out a site or a crawler.
func makeStory(rnd *rand.Rand, runs int) (s story) {
	for n := range runs {
		s.runs = append(s.runs, testRun(n, []string{"daily", "weekly"}[rnd.IntN(2)]))
		var entries []Entry
		for _, name := range storySites {
			if rnd.IntN(6) > 0 {
				entries = append(entries, makeEntry(rnd, name, n))
			}
		}
		s.entries = append(s.entries, entries)
	}
	return s
}

func makeEntry(rnd *rand.Rand, name string, n int) Entry {
	e := Entry{Settled: rnd.IntN(4) > 0, Site: Site{Name: name, State: []string{"ok", "warn", "critical", "unknown"}[rnd.IntN(4)], Answer: AnswerOK, Status: 200, Known: int64(rnd.IntN(100)), Took: time.Duration(rnd.IntN(1000)) * time.Millisecond}}
	s := &e.Site
	if rnd.IntN(5) > 0 {
		s.SHA256 = fmt.Sprint("sha", rnd.IntN(4))
		s.Bytes = int64(len(s.SHA256))
		if rnd.IntN(2) > 0 {
			s.Body = []byte(s.SHA256)
		}
	} else {
		s.Answer, s.Status = AnswerMissing, 404
	}
	for i := range rnd.IntN(5) {
		id := fmt.Sprint("rule", rnd.IntN(5))
		s.Rules = append(s.Rules, Rule{id, "*", "disallow: /" + id, i + 1})
	}
	for _, label := range storyCrawlers {
		if rnd.IntN(8) == 0 {
			continue
		}
		s.Crawlers = append(s.Crawlers, Crawler{label, int64(rnd.IntN(10))})
		for u := range 4 {
			if rnd.IntN(3) > 0 {
				id := fmt.Sprint("url", u)
				s.URLs = append(s.URLs, Blocked{id, "https://" + name + "/" + id, label, "r", "disallow: /" + fmt.Sprint(n), n + 1, rnd.IntN(4) > 0})
			}
		}
		e.Flips = append(e.Flips, Flips{label, compare.Counts{NewlyBlocked: int64(n), NewlyAllowed: 1, NowUnclear: 2, ClearAgain: 3}})
	}
	for i := range rnd.IntN(3) {
		e.Changes = append(e.Changes, compare.Change{Kind: "rule", What: fmt.Sprint(n, i)})
		e.Confirmations = append(e.Confirmations, Confirmation{Number: i + 2, Asked: day0.AddDate(0, 0, n), Answer: s.Answer, Same: i > 0})
	}
	if n > 0 && rnd.IntN(3) == 0 {
		e.Notes = []Note{{"url", fmt.Sprint("url", rnd.IntN(3)), fmt.Sprint("note ", n), runID(n)}}
		if rnd.IntN(3) == 0 {
			e.Notes[0].Text = ""
		}
	}
	return e
}

// past is Past by going through all the runs before a number.
func (s story) past(site, schedule string, before int) *audit.Past {
	p := &audit.Past{Rules: map[string]audit.RulePast{}, Blocked: map[audit.BlockedKey]audit.Since{}, Notes: map[audit.NoteKey]string{}}
	first := map[string]time.Time{}
	for n := range before {
		for _, e := range s.entries[n] {
			if e.Site.Name != site {
				continue
			}
			started := s.runs[n].Started
			if s.runs[n].Schedule == schedule {
				if p.Begins.IsZero() {
					p.Begins = started
				}
				point := audit.Point{Started: started, Answer: string(e.Site.Answer), Status: e.Site.Status, SHA256: e.Site.SHA256, Known: e.Site.Known, Blocked: map[string]int64{}}
				for _, c := range e.Site.Crawlers {
					point.Blocked[c.Label] = c.Blocked
				}
				p.Points = append(p.Points, point)
			}
			if !e.Settled {
				continue
			}
			rules := map[string]audit.RulePast{}
			for _, r := range e.Site.Rules {
				if first[r.ID].IsZero() {
					first[r.ID] = started
				}
				was, stood := p.Rules[r.ID]
				if !stood {
					was = audit.RulePast{First: first[r.ID], Since: started}
				}
				rules[r.ID] = was
			}
			p.Rules = rules
			for _, c := range e.Site.Crawlers {
				for u := range 4 {
					key := audit.BlockedKey{URLID: fmt.Sprint("url", u), Crawler: c.Label}
					blocked := false
					for _, b := range e.Site.URLs {
						if b.ID != key.URLID || b.Crawler != key.Crawler {
							continue
						}
						blocked = true
						if _, was := p.Blocked[key]; !was {
							since := audit.Since{Run: started, Rule: b.Rule, Line: b.Line}
							if b.Own {
								since.SHA256 = e.Site.SHA256
							}
							p.Blocked[key] = since
						}
					}
					if !blocked {
						delete(p.Blocked, key)
					}
				}
			}
		}
	}
	for _, entries := range s.entries { // notes are those of today
		for _, e := range entries {
			for _, n := range e.Notes {
				key := audit.NoteKey{Kind: n.Kind, ID: n.ID}
				if e.Site.Name == site && n.Text != "" {
					p.Notes[key] = n.Text
				} else if e.Site.Name == site {
					delete(p.Notes, key)
				}
			}
		}
	}
	return p
}

// What the store answers is what going through all the entries answers.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		s := makeStory(rnd, 25)
		severities := []compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info}
		for _, entries := range s.entries {
			for _, e := range entries {
				for i := range e.Changes {
					e.Changes[i].Severity = severities[rnd.IntN(4)]
				}
			}
		}
		db := mustOpen(t, t.TempDir())
		for n, r := range s.runs {
			enter(t, db, r, s.entries[n]...)
		}
		for _, schedule := range []string{"daily", "weekly", "never"} {
			for _, before := range []int{0, rnd.IntN(len(s.runs)), len(s.runs) - 1, len(s.runs)} {
				s.checkPast(t, db, schedule, before)
			}
		}
		s.checkReads(t, db)
	}
}

// blockedFrom are the URLs that are newly blocked in a run or a later one: the history has that
// stretch of them alone.
func (s story) blockedFrom(site string, run int) map[audit.BlockedKey]bool {
	keys := map[audit.BlockedKey]bool{}
	for n := run + 1; n <= len(s.runs); n++ {
		for key, since := range s.past(site, "", n).Blocked {
			keys[key] = keys[key] || !since.Run.Before(testRun(run, "").Started)
		}
	}
	maps.DeleteFunc(keys, func(_ audit.BlockedKey, later bool) bool { return !later })
	return keys
}

// checkPast compares the results of a PastReader for the runs before one with the entries.
func (s story) checkPast(t *testing.T, db *DB, schedule string, before int) {
	t.Helper()
	r, err := db.OpenPast(t.Context(), schedule, runID(before))
	noError(t, err)
	defer r.Close()
	for _, site := range append([]string{"unknown.com"}, storySites...) {
		got, err := r.Past(site)
		noError(t, err)
		want, later := s.past(site, schedule, before), s.blockedFrom(site, before)
		maps.DeleteFunc(want.Blocked, func(key audit.BlockedKey, _ audit.Since) bool { return later[key] })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s, %s, before run %d (-want +got):\n%s", site, schedule, before, diff)
		}
		notes, err := r.Notes(site)
		maps.DeleteFunc(notes, func(_ audit.NoteKey, text string) bool { return text == "" })
		if !maps.Equal(notes, want.Notes) || err != nil {
			t.Errorf("%s: notes %v (%v), want %v", site, notes, err, want.Notes)
		}
		id, found := s.settled(site, schedule, before)
		if got, ok, err := r.Settled(site); got != id || ok != found || err != nil {
			t.Errorf("%s, %s, before run %d: settled %q %v (%v), want %q", site, schedule, before, got, ok, err, id)
		}
	}
	noError(t, r.Close())
}

// settled is Settled by going through all the runs before a number.
func (s story) settled(site, schedule string, before int) (id string, found bool) {
	for n, r := range s.runs[:before] {
		for _, e := range s.entries[n] {
			if e.Site.Name == site && e.Settled && r.Schedule == schedule {
				id, found = r.ID, true
			}
		}
	}
	return id, found
}

// If the list of blocked URLs was cut, missing ones may still be blocked.
func TestCutList(t *testing.T) {
	db := mustOpen(t, t.TempDir())
	googlebot := []Crawler{{"Googlebot", 2}}
	u := func(id string) Blocked { return Blocked{ID: id, Crawler: "Googlebot"} }
	enter(t, db, testRun(0, ""), Entry{Settled: true, Site: Site{Name: "a", Crawlers: googlebot, URLs: []Blocked{u("1"), u("2")}}})
	enter(t, db, testRun(1, ""), Entry{Settled: true, Site: Site{Name: "a", Crawlers: googlebot, URLs: []Blocked{u("2"), u("3")}, URLsCut: 1}})
	past, err := db.Past(t.Context(), "a", "", "")
	noError(t, err)
	for id, n := range map[string]int{"1": 0, "2": 0, "3": 1} {
		if since := past.Blocked[audit.BlockedKey{URLID: id, Crawler: "Googlebot"}].Run; !since.Equal(day0.AddDate(0, 0, n)) {
			t.Errorf("URL %s is blocked since %v, want run %d", id, since, n)
		}
	}
}
