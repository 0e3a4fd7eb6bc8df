package model

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
)

// Unchanged is the lead of a site, or of a comparison, where there is nothing to tell.
const Unchanged = "Nothing changed."

// mostNames bounds the crawlers that a sentence names.
const mostNames = 5

// lead is what changed on a site in a sentence or a few, with which all outputs begin:
// first what is newly blocked, for whom and by which line, then the rest.
func lead(s *Site) []string {
	switch {
	case s.Old == nil:
		return []string{"The older run does not know this site."}
	case s.New == nil:
		return []string{"The newer run does not know this site."}
	case !s.Changed():
		return []string{Unchanged}
	}
	var parts []string
	for _, way := range ways {
		if words := s.wayWords(way); words != "" {
			parts = append(parts, words)
		}
	}
	t := &s.Totals
	if n := t.NowUnclear; n > 0 {
		parts = append(parts, fmt.Sprintf("For %s the verdict is now unclear", wording.Known(n)))
	}
	if n := t.ClearAgain; n > 0 {
		parts = append(parts, fmt.Sprintf("For %s the verdict is clear again", wording.Known(n)))
	}
	if words := s.changesWords(len(parts) == 0); words != "" {
		parts = append(parts, words)
	}
	if t.Appeared+t.Vanished > 0 {
		parts = append(parts, s.comingWords(len(parts) == 0))
	}
	for i := range parts {
		parts[i] += "."
	}
	return parts
}

// capitalised begins with a capital letter, unless it begins with a file's name or a URL.
func capitalised(words string) string {
	if words == "" || words[0] < 'a' || words[0] > 'z' || strings.HasPrefix(words, "robots.txt") || strings.HasPrefix(words, "http") {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// way is one of the two ways in which most pages flip.
type way struct {
	class  compare.Class
	verb   string
	pages  func(*compare.CrawlerTotals) int64
	weight func(*compare.CrawlerTotals) int64
	clicks func(*Clicks) int64
	all    func(*compare.Totals) int64
	line   func(*compare.Line) int64
}

var ways = []way{
	{compare.NewlyBlocked, " may no longer crawl ",
		func(t *compare.CrawlerTotals) int64 { return t.NewlyBlocked }, func(t *compare.CrawlerTotals) int64 { return t.WeightBlocked },
		func(c *Clicks) int64 { return c.Lost }, func(t *compare.Totals) int64 { return t.NewlyBlocked }, func(l *compare.Line) int64 { return l.NewlyBlocked }},
	{compare.NewlyAllowed, " may now crawl ",
		func(t *compare.CrawlerTotals) int64 { return t.NewlyAllowed }, func(t *compare.CrawlerTotals) int64 { return t.WeightAllowed },
		func(c *Clicks) int64 { return c.Gained }, func(t *compare.Totals) int64 { return t.NewlyAllowed }, func(l *compare.Line) int64 { return l.NewlyAllowed }},
}

// wayWords say for whom most pages flip in a way, how many, and what does it; "" = none
// do. Crawlers that lead come before all others; see audit.Leading.
func (s *Site) wayWords(w way) string {
	worst := -1
	for _, i := range slices.Concat(leading(s.Crawlers), s.indices()) {
		if t := &s.Flips[i]; w.pages(t) > 0 && (worst < 0 || s.leads(i) == s.leads(worst) && w.weight(t) > w.weight(&s.Flips[worst])) {
			worst = i
		}
	}
	if worst < 0 {
		return ""
	}
	of, alike := &s.Flips[worst], []string(nil)
	for _, i := range s.indices() {
		if t := &s.Flips[i]; s.leads(i) == s.leads(worst) && w.pages(t) == w.pages(of) && w.weight(t) == w.weight(of) {
			alike = append(alike, s.Crawlers[i].Label)
		}
	}
	clicks := int64(0)
	if s.Clicks != nil {
		clicks = w.clicks(&s.Clicks[worst])
	}
	extent := Count(w.pages(of), clicks)
	if w.pages(of) == s.Totals.Known && s.Totals.Known > 1 {
		extent = "any of the " + extent
		if w.class == compare.NewlyAllowed {
			extent = "all " + strings.TrimPrefix(extent, "any of the ")
		}
	}
	words := Names(alike) + w.verb + extent
	if by := s.doneBy(w, worst); by != "" {
		words += "; " + by
	}
	return words
}

func (s *Site) indices() []int {
	list := make([]int, len(s.Crawlers))
	for i := range list {
		list[i] = i
	}
	return list
}

func (s *Site) leads(i int) bool { return s.Samples.leads[i] }

// Names joins names as a sentence does, of many the first few: "Googlebot, Bingbot and
// 12 more".
func Names(names []string) string {
	if more := len(names) - mostNames + 1; more > 1 {
		names = append(slices.Clone(names[:mostNames-1]), wording.Thousands(more)+" more")
	}
	return wording.And(names)
}

// doneBy says what does it: the changed lines by which most pages flip that way, or why
// the page that weighs most of them does.
func (s *Site) doneBy(w way, crawler int) string {
	most, total := int64(0), w.all(&s.Totals)
	var lines []*compare.Line
	for o := range s.Origins {
		for l := range s.Origins[o].Diff {
			line := &s.Origins[o].Diff[l]
			n := w.line(line)
			if line.NotCounted || n == 0 || n < most || s.Origins[o].SameAs != "" {
				continue
			}
			if n > most {
				most, lines = n, nil
			}
			lines = append(lines, line)
		}
	}
	if most == 0 {
		return s.sampleCause(w, crawler)
	}
	if len(lines) == 1 {
		words := LineName(lines[0]) + ", " + OpWords(lines[0].Op) + ", does "
		if most >= total {
			return words + "all of it"
		}
		return words + fmt.Sprintf("%s of %s", wording.Thousands(most), wording.Known(total))
	}
	var by []string
	for _, line := range lines[:min(len(lines), maxNamedLines)] {
		by = append(by, LineName(line)+" ("+OpWords(line.Op)+")")
	}
	if more := len(lines) - len(by); more > 0 {
		by = append(by, wording.Plural(more, "more line"))
	}
	if most >= total {
		return wording.And(by) + " do all of it"
	}
	return fmt.Sprintf("%s flip %s each", wording.And(by), wording.Known(most))
}

// sampleCause says why the page that weighs most of those that flip that way for a
// crawler does.
func (s *Site) sampleCause(w way, crawler int) string {
	for _, rank := range s.Samples.ranked {
		var first *Sample
		for _, sample := range rank {
			if sample.Verdicts[crawler].Class == w.class && (first == nil || before(&sample.Flip, &first.Flip) < 0) {
				first = sample
			}
		}
		if first != nil {
			return CauseWords(s.Site, &first.Flip, crawler)
		}
	}
	return ""
}

// changesWords tell of the gravest change, and how many there are beside it. alone =
// nothing is told before.
func (s *Site) changesWords(alone bool) string {
	n := len(s.Changes)
	if n == 0 {
		return ""
	}
	first := &s.Changes[0]
	if !alone && first.Severity != compare.Critical && first.Severity != compare.High {
		return wording.Plural(n, "other change")
	}
	words := capitalised(ChangeWords(first))
	if n > 1 {
		words += " (and " + wording.Plural(n-1, "more change") + ")"
	}
	return words
}

// comingWords tell of URLs that one side alone knows.
func (s *Site) comingWords(alone bool) string {
	t := &s.Totals
	var parts []string
	if t.Appeared > 0 {
		words := wording.Known(t.Appeared) + " appeared"
		if t.AppearedBlocked > 0 {
			words += fmt.Sprintf(", %s of them blocked from crawling", wording.Thousands(t.AppearedBlocked))
		}
		parts = append(parts, words)
	}
	if t.Vanished > 0 {
		parts = append(parts, wording.Known(t.Vanished)+" vanished")
	}
	words := strings.Join(parts, "; ")
	if alone {
		return "No verdict differs; " + words
	}
	return words
}

// Headline is the totals in a line: "43 sites: 3 changed; 120 known URLs newly blocked,
// 3 newly allowed".
func (t *Totals) Headline() string {
	words := wording.Plural(t.Sites, "site") + ": "
	if t.SitesChanged == 0 {
		return words + "nothing changed"
	}
	words += wording.Thousands(t.SitesChanged) + " changed"
	parts := []string{wording.Known(t.NewlyBlocked) + " newly blocked", wording.Thousands(t.NewlyAllowed) + " newly allowed"}
	for _, of := range []struct {
		n    int64
		name string
	}{{t.NowUnclear, "now unclear"}, {t.ClearAgain, "clear again"}, {t.Appeared, "appeared"}, {t.AppearedBlocked, "of them blocked"}, {t.Vanished, "vanished"}} {
		if of.n > 0 {
			parts = append(parts, wording.Thousands(of.n)+" "+of.name)
		}
	}
	return words + "; " + strings.Join(parts, ", ")
}

// Lead is what changed in all, in a sentence or a few, once the sites are sorted.
func (c *Comparison) Lead() string {
	t := &c.Totals
	switch {
	case t.Sites == 0:
		return "Neither run knows a site."
	case t.Sites == 1:
		return c.Sites[0].Lead
	case t.SitesChanged == 0:
		return fmt.Sprintf("Nothing changed on any of the %s.", wording.Plural(t.Sites, "site"))
	}
	first := c.Sites[0]
	return fmt.Sprintf("%s of %s changed. First to look at is %s: %s", wording.Thousands(t.SitesChanged), wording.Plural(t.Sites, "site"), DisplayName(first.Name), first.Brief)
}
