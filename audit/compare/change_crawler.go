package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// addCrawlers reports differences between the crawlers of the two runs, which are no change of the
// site.
func (c *comparison) addCrawlers() {
	var before, after []string
	compared := func(label string, of func(*Crawler) *audit.Crawler) bool {
		for i := range c.site.Crawlers {
			if of(&c.site.Crawlers[i]).Label == label {
				return true
			}
		}
		return false
	}
	for _, crawler := range c.old.site.Crawlers {
		if !compared(crawler.Label, func(c *Crawler) *audit.Crawler { return &c.Old }) {
			before = append(before, crawler.Label)
		}
	}
	for _, crawler := range c.new.site.Crawlers {
		if !compared(crawler.Label, func(c *Crawler) *audit.Crawler { return &c.New }) {
			after = append(after, crawler.Label)
		}
	}
	if before != nil {
		c.readers(Change{Kind: KindCrawlers, What: "crawlers tested", Before: wording.And(before), After: "", Severity: Info, Condition: ""})
	}
	if after != nil {
		c.readers(Change{Kind: KindCrawlers, What: "crawlers tested", Before: "", After: wording.And(after), Severity: Info, Condition: ""})
	}
	c.addUncovered(after)
	for i := range c.site.Crawlers {
		crawler := &c.site.Crawlers[i]
		if !crawler.SameReader() {
			was, is := readerWords(&crawler.Old, &crawler.New), readerWords(&crawler.New, &crawler.Old)
			c.readers(Change{Kind: KindReader, What: crawler.Label, Before: was, After: is, Severity: Info, Condition: ""})
		}
	}
}

// addUncovered reports the newly tested crawlers that no user-agent line of the site's own
// robots.txt names.
func (c *comparison) addUncovered(labels []string) {
	own := c.new.own()
	if !own.isText() {
		return
	}
	var list []string
	for _, crawler := range c.new.site.Crawlers {
		if !slices.Contains(labels, crawler.Label) {
			continue
		}
		robot, profile, known := crawler.Robot()
		if !known {
			continue
		}
		group := c.new.answers.Reader(0, profile, robot).Group
		if group.Reason != engine.Exact && group.Reason != engine.Fallback {
			list = append(list, crawler.Label)
		}
	}
	if list != nil {
		c.add(Change{Kind: KindCrawlers, What: names(list), Before: "", After: "not named in " + own.record.Origin + "/robots.txt", Severity: Info, Condition: "AL13", Subjects: list})
	}
}

// readers adds a difference between the settings of the runs, separate from changes of the site.
func (c *comparison) readers(ch Change) { c.site.Readers = append(c.site.Readers, ch) }

// readerWords describe how a crawler is read differently from the other one.
func readerWords(c, other *audit.Crawler) (words string) {
	if c.Name != other.Name {
		words = wording.Join(words, "as "+c.Name)
	}
	if c.Profile != other.Profile {
		words = wording.Join(words, "with the profile "+c.Profile)
	}
	if !slices.Equal(c.Tokens, other.Tokens) {
		words = wording.Join(words, "with the tokens "+wording.And(c.Tokens))
	}
	return words
}

// addRoot reports the crawlers for which the rules of the site's own robots.txt newly block or
// allow "/". The effect of an answer without rules is reported with the answer.
func (c *comparison) addRoot() {
	old, new := c.old.own(), c.new.own()
	if old == nil || new == nil {
		return
	}
	crawlers := map[[2]string][]int{} // by before, after, severity and condition
	var order []Change
	var keys [][2]string
	for i := range c.site.Crawlers {
		crawler := &c.site.Crawlers[i]
		if !crawler.SameReader() || !c.new.reads(i, new) {
			continue
		}
		was, before, _ := c.old.root(old, i)
		is, after, rule := c.new.root(new, i)
		ch := Change{Kind: KindRoot, Before: before, After: after, Rule: rule}
		switch {
		case becomesBlocked(was, is) && c.options.Watch != nil && !c.options.watches(&crawler.New):
			ch.Severity = Medium
		case becomesBlocked(was, is) && (c.options.Watch != nil || crawler.New.Leads()):
			ch.Severity, ch.Condition = Critical, "AL01"
		case becomesBlocked(was, is):
			ch.Severity, ch.Condition = Medium, "AL01"
		case ClassOf(was, is) == NewlyAllowed && c.old.reads(i, old):
			ch.Severity, ch.Condition = Info, ended
		default:
			continue
		}
		key := [2]string{before + "\n" + after, string(ch.Severity) + ch.Condition}
		if crawlers[key] == nil {
			order, keys = append(order, ch), append(keys, key)
		}
		crawlers[key] = append(crawlers[key], i)
	}
	for k, ch := range order {
		list := crawlers[keys[k]]
		ch.What, ch.Crawlers = c.labels(list), list
		if ch.Condition == "AL01" {
			ch.URLs = c.site.Own().NewlyBlocked
			for _, i := range list {
				ch.Subjects = append(ch.Subjects, c.site.Crawlers[i].Label)
			}
		}
		c.add(ch)
	}
}

// watches reports whether a crawler is on the watch list.
func (o *Options) watches(c *audit.Crawler) bool {
	return slices.ContainsFunc(o.Watch, func(name string) bool { return strings.EqualFold(name, c.Label) || strings.EqualFold(name, c.Name) })
}

// root returns the verdict on "/" for a reader, its words, and the rule that blocks it.
func (s *judged) root(g *governed, reader int) (engine.Verdict, string, engine.Rule) {
	if g.recorded {
		if column := s.readers[reader].column; column < len(g.record.Reads) && g.record.Reads[column].BlocksRoot {
			return engine.Disallow, "/ is blocked", engine.Rule{}
		}
		return engine.Allow, "/ is allowed", engine.Rule{}
	}
	switch d := g.groups[reader].Verdict("/"); {
	case d.Verdict == engine.Allow:
		return d.Verdict, "/ is allowed", engine.Rule{}
	case d.Verdict != engine.Disallow:
		return d.Verdict, "/ has no clear verdict", engine.Rule{}
	case d.Rule != nil:
		return d.Verdict, fmt.Sprintf("/ is blocked by line %s: %s", wording.Thousands(d.Rule.Line), d.Rule), *d.Rule
	default:
		return d.Verdict, "/ is blocked: " + g.readings[reader].Why, engine.Rule{}
	}
}

// facts are the counts for the changes, updated with each URL.
type facts struct {
	oldBlocked, newBlocked []int64             // blocked pages, for each crawler
	important              []int64             // important pages that are newly blocked, or appeared and are blocked, for each crawler
	importantAny           int64               // likewise, for at least one crawler
	importantURLs          []string            // the first important URLs, at most MaxSubjects + 1
	urls                   int64               // URLs counted by comparison.showBlocked
	oldPolicy, newPolicy   *audit.PolicySample // nil = nothing to compare
	policiesAsked          bool
}

// countFacts counts a page with the results of comparison.verdicts.
func (c *comparison) countFacts(p pair, was, is []engine.Decision, same bool) {
	f := &c.facts
	if f.oldBlocked == nil {
		n := len(c.site.Crawlers)
		f.oldBlocked, f.newBlocked, f.important = make([]int64, n), make([]int64, n), make([]int64, n)
	}
	if same {
		was = is
	}
	if p.old != nil {
		if c.show(p.old, was); audit.IsPage(p.old.kind) {
			countBlocked(f.oldBlocked, was)
		}
	}
	if p.new != nil {
		if c.show(p.new, is); audit.IsPage(p.new.kind) {
			countBlocked(f.newBlocked, is)
		}
	}
	if p.old != nil && p.new != nil && audit.IsPage(p.new.kind) && p.old.origin.record.Index == 0 && p.new.origin.record.Index == 0 {
		c.samplePolicy(p.new.loc)
	}
}

func countBlocked(counts []int64, list []engine.Decision) {
	for i := range list {
		if list[i].Verdict == engine.Disallow {
			counts[i]++
		}
	}
}

// countImportant counts a flipped page if it is important: it has clicks, or is on the list of
// Options.
func (c *comparison) countImportant(f *Flip) {
	if !f.Weight.HasClicks() && (c.options.Important == nil || !c.options.Important(f.Loc)) {
		return
	}
	c.addImportantURL(f, func(v Verdicts) bool { return v.Class == NewlyBlocked })
}

// countAppeared counts a page that appeared and is blocked, if it is on the list of Options: it must
// never be blocked. Clicks alone do not count, because pages that are blocked on purpose may have some.
func (c *comparison) countAppeared(f *Flip) {
	if c.options.Important != nil && c.options.Important(f.Loc) {
		c.addImportantURL(f, func(v Verdicts) bool { return v.Is == engine.Disallow })
	}
}

// addImportantURL counts an important page for the crawlers for which it is blocked.
func (c *comparison) addImportantURL(f *Flip, blocked func(Verdicts) bool) {
	any := false
	for i, v := range f.Verdicts {
		if blocked(v) && live(&c.site.Crawlers[i].New) {
			c.facts.important[i]++
			any = true
		}
	}
	if any {
		c.facts.importantAny++
		if len(c.facts.importantURLs) <= MaxSubjects {
			c.facts.importantURLs = append(c.facts.importantURLs, strings.Clone(f.Loc))
		}
	}
}

// addImportant reports newly blocked URLs of the user's own list.
func (c *comparison) addImportant() {
	if c.facts.importantAny == 0 {
		return
	}
	var crawlers []int
	var subjects []string
	for i, n := range c.facts.important {
		if n > 0 {
			crawlers = append(crawlers, i)
			subjects = append(subjects, c.site.Crawlers[i].Label)
		}
	}
	if len(c.facts.importantURLs) <= MaxSubjects {
		subjects = append(subjects, c.facts.importantURLs...)
	} else { // their order is random
		subjects = append(subjects, MoreSubjects)
	}
	c.add(Change{Kind: KindImportant, What: wording.Plural(c.facts.importantAny, "URL") + " of your list", Before: "allowed", After: "blocked for " + c.labels(crawlers), Severity: Critical, Condition: "AL02", Subjects: subjects, URLs: c.facts.importantAny})
}

// shareMoves is the default for Options.Share: the change in percentage points of blocked pages
// that is reported.
const shareMoves = 5

// addShare reports for which crawlers the share of blocked pages changed. Incomplete runs, and
// crawlers that differ between the runs, are not compared.
func (c *comparison) addShare() {
	if c.old.done == nil || c.new.done == nil || c.old.URLs == 0 || c.new.URLs == 0 {
		return
	}
	moves := cmp.Or(c.options.Share, shareMoves)
	crawlers := map[[2]int64][]int{}
	var order [][2]int64
	for i := range c.site.Crawlers {
		counts := [2]int64{c.facts.oldBlocked[i], c.facts.newBlocked[i]}
		moved := 100*float64(counts[1])/float64(c.new.URLs) - 100*float64(counts[0])/float64(c.old.URLs)
		if flips := &c.site.Flips[i]; flips.NowUnclear+flips.ClearAgain > 0 {
			continue // unclear verdicts make the shares incomparable
		}
		if !c.site.Crawlers[i].SameReader() || moved <= moves && moved >= -moves {
			continue
		}
		if crawlers[counts] == nil {
			order = append(order, counts)
		}
		crawlers[counts] = append(crawlers[counts], i)
	}
	for _, counts := range order {
		was, is := Share{counts[0], c.old.URLs}, Share{counts[1], c.new.URLs}
		c.add(Change{Kind: KindShare, What: c.labels(crawlers[counts]), Before: was.String(), After: is.String(), Shares: [2]Share{was, is},
			Severity: Medium, Condition: "AL11", Subjects: c.shareSubjects(crawlers[counts], is.Less(was)), URLs: max(counts[0]-counts[1], counts[1]-counts[0])})
	}
}

// shareSubjects are crawlers with the direction of their change.
func (c *comparison) shareSubjects(crawlers []int, less bool) (subjects []string) {
	way := "more"
	if less {
		way = "less"
	}
	for _, i := range crawlers {
		subjects = append(subjects, c.site.Crawlers[i].Label+": "+way)
	}
	return subjects
}
