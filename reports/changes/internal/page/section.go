package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/site"
)

// Bounds of a site's section of the page.
const (
	sectionChanges = 50
	sectionNotes   = 10
	longText       = 500 // bytes of a text from a site
)

// section is a site's section of the page, in the order of the page.
type section struct {
	entry       *model.Entry
	ID          string
	Open        bool
	Name        string
	Severity    compare.Severity // of its most severe change; "" = none
	Counts      []count
	Lead        string // "" = the page begins with the lead
	Notes       []string
	Facts       []fact
	Clicks      bool // some changed pages have clicks
	Crawlers    []crawlers
	Unclear     bool // some URL is now unclear for a crawler, and so on: decides which columns are shown
	Clear       bool
	Appeared    bool
	Causes      string
	Severities  string // the changes, counted
	Changes     []compare.Change
	ChangesMore int
	Bars        *bars
	Files       []*file
	Samples     *samples
}

// count is a number of URLs of one class.
type count struct {
	Class, Name string
	Count       int64
}

// fact is one fact about the site.
type fact struct{ Name, Text string }

// crawlers are crawlers with the same changes.
type crawlers struct {
	Names string
	model.CrawlerFlips
}

// newSection makes the section of a site, and keeps no pointers into the site.
func newSection(s *model.Site) *section {
	v := &section{entry: s.Entry, Name: model.DisplayName(s.Name), Severity: s.Entry.Severity(), Lead: s.Entry.Lead, Clicks: s.Clicks != nil, Facts: facts(s)}
	for i, c := range classes {
		if i == alwaysShown && len(v.Counts) > 0 {
			break // it is a line, which the changed verdicts show
		}
		if n := *c.of(&s.Totals); n > 0 {
			v.Counts = append(v.Counts, count{c.key, c.name, n})
		}
	}
	for _, note := range s.Notes[:min(len(s.Notes), sectionNotes)] {
		v.Notes = append(v.Notes, strings.Clone(escape.Cut(note, longText)))
	}
	v.Crawlers = alike(s.CrawlerFlips())
	for _, c := range v.Crawlers {
		v.Unclear, v.Clear, v.Appeared = v.Unclear || c.NowUnclear > 0, v.Clear || c.ClearAgain > 0, v.Appeared || c.AppearedBlocked > 0
	}
	v.Causes = causes(s.Causes)
	v.Severities = s.Entry.Words()
	for _, c := range s.Changes[:min(len(s.Changes), sectionChanges)] {
		c.Kind = strings.ReplaceAll(c.Kind, "_", " ")
		c.What, c.Before, c.After = cut(c.What), cut(c.Before), cut(c.After)
		v.Changes = append(v.Changes, c)
	}
	v.ChangesMore = len(s.Changes) - len(v.Changes)
	v.Bars = siteBars(s)
	for i := range s.Origins {
		if f := newFile(s, i); f != nil {
			v.Files = append(v.Files, f)
		}
	}
	slices.SortStableFunc(v.Files, func(a, b *file) int { return cmp.Compare(b.flips, a.flips) })
	v.Samples = newSamples(s)
	return v
}

// cut shortens a text from a site, and copies it so that the original can be freed.
func cut(s string) string { return strings.Clone(escape.Cut(s, longText)) }

// facts are the facts on the site as a whole, from both runs.
func facts(s *model.Site) (list []fact) {
	if s.Old == nil || s.New == nil {
		return nil
	}
	add := func(name, old, new string) {
		if old != new {
			new = old + " → " + new
		}
		list = append(list, fact{name, new})
	}
	if !s.New.Started.Equal(s.Old.Started) { // otherwise the new side is the same run with another robots.txt, without a state of its own
		add("State", stateWords(s.Old), stateWords(s.New))
	}
	if s.Old.URLs+s.New.URLs > 0 {
		add("URLs", wording.Thousands(s.Old.URLs), wording.Thousands(s.New.URLs))
		add("Blocked for a crawler", wording.Thousands(s.Old.Blocked), wording.Thousands(s.New.Blocked))
	}
	list = append(list, fact{"URLs in both", wording.Thousands(s.Totals.Known)})
	for _, of := range []struct {
		name string
		n    int64
	}{{"Appeared", s.Totals.Appeared}, {"Appeared, blocked", s.Totals.AppearedBlocked}, {"Vanished", s.Totals.Vanished}} {
		if of.n > 0 {
			list = append(list, fact{of.name, wording.Thousands(of.n)})
		}
	}
	return list
}

func stateWords(s *compare.Side) string {
	if s.Finished.IsZero() {
		return "stopped early"
	}
	return site.StateName(s.State)
}

// alike joins the crawlers with the same numbers of changed URLs.
func alike(list []model.CrawlerFlips) (joined []crawlers) {
	names := map[int][]string{}
	for _, c := range list {
		at := slices.IndexFunc(joined, func(j crawlers) bool {
			return j.Clicks == c.Clicks && j.Hits.Counts == c.Hits.Counts && j.CrawlerTotals == c.CrawlerTotals
		})
		if at < 0 {
			at = len(joined)
			joined = append(joined, crawlers{CrawlerFlips: c})
		}
		names[at] = append(names[at], c.Label)
	}
	for i := range joined {
		joined[i].Names = strings.Join(names[i], ", ")
	}
	return joined
}

// causes counts the changed URLs by cause: "the rules differ (120 URLs)".
func causes(counts map[compare.Cause]int64) string {
	var parts []string
	for _, c := range compare.Causes() {
		if n := counts[c]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", model.CauseAbout(c), wording.Plural(n, "URL")))
		}
	}
	return strings.Join(parts, "; ")
}

// sectionID is the id of the i-th section.
func sectionID(i int) string { return "site-" + strconv.Itoa(i+1) }
