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

// Bounds of a site's part of the page.
const (
	sectionChanges = 50
	sectionNotes   = 10
	longText       = 500 // bytes of a text from a site
)

// section is a site's part of the page, in the order of the page.
type section struct {
	entry       *model.Entry
	ID          string
	Open        bool
	Name        string
	Severity    compare.Severity // of its gravest change; "" = there is none
	Counts      []count
	Lead        string // "" = the page begins with it
	Notes       []string
	Facts       []fact
	Clicks      bool // of pages that flip they are known
	Crawlers    []crawlers
	Unclear     bool // for a crawler something is now unclear, and so on: the columns that are shown
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

// fact is what is known in one respect.
type fact struct{ Name, Text string }

// crawlers are those for which the very same flips.
type crawlers struct {
	Names string
	model.CrawlerFlips
}

// newSection puts together what the page shows of a site; nothing of the site is kept.
func newSection(s *model.Site) *section {
	v := &section{entry: s.Entry, Name: model.DisplayName(s.Name), Severity: s.Entry.Severity(), Lead: s.Entry.Lead, Clicks: s.Clicks != nil, Facts: facts(s)}
	for i, c := range classes {
		if i == alwaysShown && len(v.Counts) > 0 {
			break // it is a line, which the flips take
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

// cut shortens a text from a site, and lets go of what it is a part of.
func cut(s string) string { return strings.Clone(escape.Cut(s, longText)) }

// facts are what both sides say of the site as a whole.
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
	if !s.New.Started.Equal(s.Old.Started) { // else the new side is the same run with another robots.txt, which has no state of its own
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

// alike joins the crawlers for which the same number of URLs flips in every way.
func alike(list []model.CrawlerFlips) (joined []crawlers) {
	names := map[int][]string{}
	for _, c := range list {
		at := slices.IndexFunc(joined, func(j crawlers) bool { return j.Clicks == c.Clicks && j.CrawlerTotals == c.CrawlerTotals })
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

// causes counts the URLs by why they flip: "the rules differ (120 URLs)".
func causes(counts map[compare.Cause]int64) string {
	var parts []string
	for _, c := range compare.Causes() {
		if n := counts[c]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", model.CauseAbout(c), wording.Plural(n, "URL")))
		}
	}
	return strings.Join(parts, "; ")
}

// sectionID names the i-th section.
func sectionID(i int) string { return "site-" + strconv.Itoa(i+1) }
