package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
)

// Unchanged is the lead of a site, or of a comparison, without changes.
const Unchanged = "Nothing changed."

// mostNames bounds the crawlers in a sentence.
const mostNames = 5

// lead describes the changes of a site in one or a few sentences, with which all outputs begin:
// first the newly blocked URLs, with crawlers and lines, then the rest.
func lead(s *Site) []string {
	switch {
	case s.Old == nil:
		return []string{"This site is not in the older run."}
	case s.New == nil:
		return []string{"This site is not in the newer run."}
	case !s.Changed():
		return []string{Unchanged}
	}
	var parts []string
	told := "" // reason for the changes of the previous way
	for _, way := range ways {
		words, why := s.wayWords(way)
		if words == "" {
			continue
		}
		if why != "" && why != told {
			words += why
		}
		parts, told = append(parts, words), why
	}
	t := &s.Totals
	switch {
	case t.NowUnclear > 0 && t.ClearAgain > 0:
		parts = append(parts, fmt.Sprintf("The verdict for %s is now unclear, and for %s it is clear again", wording.URLs(t.NowUnclear), wording.Thousands(t.ClearAgain)))
	case t.NowUnclear > 0:
		parts = append(parts, fmt.Sprintf("The verdict for %s is now unclear", wording.URLs(t.NowUnclear)))
	case t.ClearAgain > 0:
		parts = append(parts, fmt.Sprintf("The verdict for %s is clear again", wording.URLs(t.ClearAgain)))
	}
	parts = append(parts, s.newsWords(len(parts) == 0)...)
	if t.Appeared+t.Vanished > 0 {
		parts = append(parts, s.comingWords())
	}
	if len(parts) == 0 {
		parts = append(parts, s.detailWords())
	}
	for i := range parts {
		parts[i] += "."
	}
	return parts
}

// capitalised returns words with a capital first letter, unless they begin with a file's name or a
// URL.
func capitalised(words string) string {
	if words == "" || words[0] < 'a' || words[0] > 'z' || strings.HasPrefix(words, "robots.txt") || strings.HasPrefix(words, "http") {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// way is one of the two main directions in which verdicts change.
type way struct {
	class  compare.Class
	did    string // what happened to the URLs
	verb   string // what a line does to them
	pages  func(*compare.CrawlerTotals) int64
	weight func(*compare.CrawlerTotals) int64
	clicks func(*Clicks) int64
	all    func(*compare.Totals) int64
	line   func(*compare.Line) int64
}

var ways = []way{
	{compare.NewlyBlocked, "newly blocked", "block",
		func(t *compare.CrawlerTotals) int64 { return t.NewlyBlocked }, func(t *compare.CrawlerTotals) int64 { return t.WeightBlocked },
		func(c *Clicks) int64 { return c.Lost }, func(t *compare.Totals) int64 { return t.NewlyBlocked }, func(l *compare.Line) int64 { return l.NewlyBlocked }},
	{compare.NewlyAllowed, "newly allowed", "unblock",
		func(t *compare.CrawlerTotals) int64 { return t.NewlyAllowed }, func(t *compare.CrawlerTotals) int64 { return t.WeightAllowed },
		func(c *Clicks) int64 { return c.Gained }, func(t *compare.Totals) int64 { return t.NewlyAllowed }, func(l *compare.Line) int64 { return l.NewlyAllowed }},
}

// wayWords say for which crawlers most pages change in a way and how many, and separately why;
// "" = none. Leading crawlers come before all others; see audit.Leading.
func (s *Site) wayWords(w way) (words, why string) {
	worst := -1
	for _, i := range slices.Concat(leading(s.Crawlers), s.indices()) {
		if t := &s.Flips[i]; w.pages(t) > 0 && (worst < 0 || s.leads(i) == s.leads(worst) && w.weight(t) > w.weight(&s.Flips[worst])) {
			worst = i
		}
	}
	if worst < 0 {
		return "", ""
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
	hits := s.hitWords(w, worst)
	if hits != "" && s.Clicks != nil && clicks == 0 {
		hits += ", 0 clicks"
	}
	words = Count(w.pages(of), clicks, hits)
	if w.pages(of) == s.Totals.Known && s.Totals.Known > 1 {
		words = "All " + words
	}
	words += wording.Verb(w.pages(of), " is ", " are ") + w.did + " for " + Names(alike)
	if others := s.others(w, worst); others != "" {
		words += ", " + others
	}
	if by := cmp.Or(s.doneBy(w, worst), s.sampleCause(w, worst)); by != "" {
		return words, ". " + capitalised(by)
	}
	return words, ""
}

// hitWords say how many of a crawler's requests are for the pages that change that way: "41 % of
// Googlebot's requests"; "" = there are no access logs.
func (s *Site) hitWords(w way, i int) string {
	if s.Hits == nil || s.Hits[i].Known == 0 {
		return ""
	}
	return wording.Percent(*s.Hits[i].Of(w.class), s.Hits[i].Known) + " of " + Text(s.Crawlers[i].Label, maxLine) + "'s requests"
}

// others lists the other crawlers of the same kind, leading or not, with other numbers of pages
// that change that way: "3 for Bingbot"; "" = none.
func (s *Site) others(w way, worst int) string {
	of := &s.Flips[worst]
	var rest []int
	for _, i := range s.indices() {
		if t := &s.Flips[i]; s.leads(i) == s.leads(worst) && w.pages(t) > 0 && (w.pages(t) != w.pages(of) || w.weight(t) != w.weight(of)) {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(w.pages(&s.Flips[b]), w.pages(&s.Flips[a])) })
	var list []string
	for _, i := range rest {
		list = append(list, wording.Thousands(w.pages(&s.Flips[i]))+" for "+s.Crawlers[i].Label)
	}
	if len(list) == 0 {
		return ""
	}
	return Names(list)
}

func (s *Site) indices() []int {
	list := make([]int, len(s.Crawlers))
	for i := range list {
		list[i] = i
	}
	return list
}

func (s *Site) leads(i int) bool { return s.Samples.leads[i] }

// Names joins names for a sentence, only the first few of many: "Googlebot, Bingbot and 12 more".
func Names(names []string) string {
	if more := len(names) - mostNames + 1; more > 1 {
		names = append(slices.Clone(names[:mostNames-1]), wording.Thousands(more)+" more")
	}
	return wording.And(names)
}

// doneBy names the changed lines that are the cause: those that change most pages that way for a
// crawler; "" = not known.
func (s *Site) doneBy(w way, crawler int) string {
	counts, total := s.lineCounts(w, crawler)
	most := int64(0)
	var lines []*compare.Line
	for o := range s.Origins {
		for l := range s.Origins[o].Diff {
			line := &s.Origins[o].Diff[l]
			n := counts[line]
			if n == 0 || n < most {
				continue
			}
			if n > most {
				most, lines = n, nil
			}
			lines = append(lines, line)
		}
	}
	switch {
	case most == 0:
		return ""
	case len(lines) == 1 && total == 1:
		return edit(lines[0]) + " " + w.verb + "s it"
	case len(lines) == 1 && most >= total:
		return edit(lines[0]) + " " + w.verb + "s all of them"
	case len(lines) == 1:
		return edit(lines[0]) + " " + w.verb + "s " + wording.Thousands(most) + " of them"
	case most >= total:
		return namedLines(lines) + " each " + w.verb + wording.Verb(total, " it", " all of them")
	}
	return namedLines(lines) + " each " + w.verb + " " + wording.URLs(most)
}

// edit describes the change of a line, as the subject of a sentence.
func edit(l *compare.Line) string {
	switch l.Op {
	case compare.Removed:
		return "removing " + LineName(l)
	case compare.Added:
		return "new " + LineName(l)
	}
	return l.Op.Words() + " " + LineName(l)
}

// lineCounts returns how many pages each changed line changes in this direction for a crawler, and the
// number of all such pages. Lines have counts for all crawlers together. If more pages change for others,
// the samples are counted, provided that all pages are samples.
func (s *Site) lineCounts(w way, crawler int) (counts map[*compare.Line]int64, total int64) {
	counts, total = map[*compare.Line]int64{}, w.pages(&s.Flips[crawler])
	if total == w.all(&s.Totals) {
		for o := range s.Origins {
			for l := range s.Origins[o].Diff {
				if line := &s.Origins[o].Diff[l]; !line.NotCounted && s.Origins[o].SameAs == "" {
					counts[line] = w.line(line)
				}
			}
		}
		return counts, total
	}
	kept := int64(0)
	for _, rank := range s.Samples.ranked {
		for _, sample := range rank {
			v := &sample.Verdicts[crawler]
			if v.Class != w.class || !audit.IsPage(sample.Kind) || sample.Origin >= len(s.Origins) {
				continue
			}
			kept++
			if v.Together {
				continue // sampleCause reports it
			}
			for _, l := range v.Lines {
				if diff := s.Origins[sample.Origin].Diff; l < len(diff) {
					counts[&diff[l]]++
				}
			}
		}
	}
	if kept < total {
		return nil, total
	}
	return counts, total
}

// namedLines describes the first of some changed lines.
func namedLines(lines []*compare.Line) string {
	var by []string
	for _, line := range lines[:min(len(lines), maxNamedLines)] {
		by = append(by, LineName(line)+" ("+line.Op.Words()+")")
	}
	if more := len(lines) - len(by); more > 0 {
		by = append(by, wording.Plural(more, "more line"))
	}
	return wording.And(by)
}

// sampleCause is the cause of the change for the page with the most weight that changes that way
// for a crawler.
func (s *Site) sampleCause(w way, crawler int) string {
	for _, rank := range s.Samples.ranked {
		var first *Sample
		for _, sample := range rank {
			if sample.Verdicts[crawler].Class == w.class && (first == nil || before(&sample.Flip, &first.Flip) < 0) {
				first = sample
			}
		}
		switch {
		case first == nil:
		case first.Verdicts[crawler].Cause == compare.Access && first.Origin < len(s.Origins):
			return s.answerWords(&s.Origins[first.Origin])
		case first.Verdicts[crawler].Cause == compare.Scope && first.Origin < len(s.Origins):
			return s.fromWords(&s.Origins[first.Origin])
		default:
			return CauseWords(s.Site, &first.Flip, crawler)
		}
	}
	return ""
}

// fromWords say where a robots.txt comes from now.
func (s *Site) fromWords(o *compare.Origin) string {
	if o.Old == nil || o.New == nil || o.Old.FinalURL == o.New.FinalURL {
		return CauseAbout(compare.Scope)
	}
	return "robots.txt now comes from " + quoted(o.New.FinalURL)
}

// comingWords describe URLs that only one run found.
func (s *Site) comingWords() string {
	t := &s.Totals
	var parts []string
	if t.Appeared > 0 {
		words := wording.URLs(t.Appeared) + " appeared"
		if t.AppearedBlocked > 0 {
			words += fmt.Sprintf(", %s of them blocked", wording.Thousands(t.AppearedBlocked))
		}
		parts = append(parts, words)
	}
	if t.Vanished > 0 {
		words := wording.URLs(t.Vanished) + " vanished"
		if slices.ContainsFunc(s.Changes, lessSitemaps) {
			words += " with their sitemaps"
		}
		parts = append(parts, words)
	}
	words := strings.Join(parts, "; ")
	if t.Flips() == 0 && len(s.news()) == 0 {
		return "No verdict changed; " + words
	}
	return words
}

// Headline is the totals in a line: "43 sites: 3 changed. 120 URLs newly blocked,
// 3 newly allowed".
func (t *Totals) Headline() string {
	words := wording.Plural(t.Sites, "site") + ": "
	switch {
	case t.SitesChanged == 0:
		return words + "nothing changed"
	case t.Sites > 1:
		words += wording.Thousands(t.SitesChanged) + " changed. "
	}
	var parts []string
	if t.Flips() == 0 && t.OnlyOld+t.OnlyNew < t.Sites {
		parts = append(parts, "no verdict changed")
		if t.Sites > 1 { // it begins a sentence
			parts[0] = "No verdict changed"
		}
	}
	for _, of := range []struct {
		n    int64
		name string
	}{
		{t.NewlyBlocked, "newly blocked"}, {t.NewlyAllowed, "newly allowed"}, {t.NowUnclear, "now unclear"}, {t.ClearAgain, "clear again"},
		{t.Appeared, "appeared"}, {t.Vanished, "vanished"},
	} {
		if of.n == 0 {
			continue
		}
		count := wording.Thousands(of.n)
		if !strings.Contains(strings.Join(parts, ""), "URL") {
			count = wording.URLs(of.n)
		}
		parts = append(parts, count+" "+of.name)
		if of.name == "appeared" && t.AppearedBlocked > 0 {
			parts[len(parts)-1] += fmt.Sprintf(" (%s of them blocked)", wording.Thousands(t.AppearedBlocked))
		}
	}
	for _, of := range []struct {
		n    int
		name string
	}{{t.OnlyOld, "only in the older run"}, {t.OnlyNew, "only in the newer run"}} {
		if of.n > 0 {
			parts = append(parts, wording.Plural(of.n, "site")+" "+of.name)
		}
	}
	return words + strings.Join(parts, ", ")
}

// Lead describes all changes in one or a few sentences, once the sites are sorted.
func (c *Comparison) Lead() string {
	t := &c.Totals
	switch {
	case t.Sites == 0:
		return "Neither run has a site."
	case t.Sites == 1:
		return c.Sites[0].Lead
	case t.SitesChanged == 0:
		return fmt.Sprintf("Nothing changed on any of the %s.", wording.Plural(t.Sites, "site"))
	}
	first := c.Sites[0]
	return fmt.Sprintf("%s of %s changed. Most severe is %s: %s", wording.Thousands(t.SitesChanged), wording.Plural(t.Sites, "site"), DisplayName(first.Name), first.Brief)
}
