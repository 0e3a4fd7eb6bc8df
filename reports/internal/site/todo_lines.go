package site

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// lineCauses are the lines that block known URLs, or the home page. Of very many,
// those are left out that block least.
func (s *Site) lineCauses(d *audit.Done) (list []Cause) {
	home := s.homeLines()
	at := slices.SortedFunc(maps.Keys(s.blocking), originLine.compare)
	if len(at) > 2*maxCauses { // each costs a search through the rules
		slices.SortStableFunc(at, func(a, b originLine) int { return s.blocking[a].compare(s.blocking[b]) })
		at = at[:2*maxCauses]
	}
	templates := s.templatesByLine()
	for _, line := range at {
		if slices.Contains(d.WrongBases, s.Robots(line.origin).Origin) {
			continue // SM022
		}
		list = append(list, s.lineCause(line, s.blocking[line], home[line], templates[line], d))
		delete(home, line)
	}
	for _, line := range slices.SortedFunc(maps.Keys(home), originLine.compare) {
		list = append(list, s.lineCause(line, &lineBlocks{}, home[line], nil, d))
	}
	return list
}

// homeLines are the lines that block the site's home page, with the crawlers for
// which they do.
func (s *Site) homeLines() map[originLine][]int {
	lines := map[originLine][]int{}
	own := s.Robots(0)
	for i := range own.Reads {
		if !own.Reads[i].BlocksRoot || own.Reads[i].Access != engine.Parsed {
			continue
		}
		if crawler, profile, ok := s.Crawlers[i].Robot(); ok {
			if line := s.answers.Read(0, profile, crawler).Group(crawler).Verdict("/").Line(); line > 0 {
				at := s.firstLine(originLine{0, line})
				lines[at] = append(lines[at], i)
			}
		}
	}
	return lines
}

// otherTemplates stands for the templates of pages that are not told apart.
const otherTemplates = "(others)"

// templatesByLine are the templates whose pages each line blocks, those with most pages first.
func (s *Site) templatesByLine() map[originLine][]TemplateCount {
	byLine := map[originLine][]TemplateCount{}
	for _, t := range s.Templates.Ranked() {
		name := t.Name
		if name == "" {
			name = otherTemplates
		}
		for _, l := range t.Lines {
			at := originLine{l.Origin, l.Line}
			byLine[at] = append(byLine[at], TemplateCount{name, l.URLs})
		}
	}
	for _, list := range byLine {
		slices.SortStableFunc(list, func(a, b TemplateCount) int { return int(min(1, max(-1, b.URLs-a.URLs))) })
	}
	return byLine
}

// lineCause is what a line blocks; home are the crawlers for which the home page is
// among it.
func (s *Site) lineCause(at originLine, blocks *lineBlocks, home []int, templates []TemplateCount, d *audit.Done) Cause {
	lines, rows := s.deciding(at, d.URLs)
	crawlers := slices.Clone(home)
	for i, n := range blocks.crawlers {
		if n > 0 && i < len(s.Crawlers) && !slices.Contains(crawlers, i) {
			crawlers = append(crawlers, i)
		}
	}
	slices.Sort(crawlers)
	c := s.newCause(CauseLine, s.Robots(at.origin).Origin, "Blocked", crawlers)
	for i, k := range crawlers {
		if k < len(blocks.crawlers) {
			c.Crawlers[i].URLs = blocks.crawlers[k]
		}
	}
	c.Index, c.Line, c.Rule = at.origin, lines[0], s.ruleText(at)
	if len(lines) > 1 {
		c.Lines = lines
	}
	c.count(blocks.pages, d)
	if c.leadClicks = blocks.clicks; c.Leads {
		c.leadURLs, c.leadClicks = blocks.leadPages, blocks.leadClicks
	}
	if d.Clicks > 0 {
		c.Clicks, c.ClickShare = Number(blocks.clicks), Share(blocks.clicks, d.Clicks)
	}
	if all, of := s.LeadHits(d); of != "" && slices.Contains(crawlers, s.hitter) {
		c.HitsOf, c.Hits, c.HitShare = of, Number(blocks.hits), Share(blocks.hits, all.All)
	}
	rest := blocks.pages // of templates with so many lines that this one is not counted there
	for _, t := range templates {
		rest -= t.URLs
	}
	if rest > 0 {
		templates = append(templates, TemplateCount{otherTemplates, rest})
	}
	c.Templates = templates[:min(len(templates), maxCauseTemplates)]
	c.MoreTemplates = len(templates) - len(c.Templates)
	c.Segments = s.segmentsOf(blocks)
	for _, e := range blocks.examples {
		c.Examples = append(c.Examples, e.loc)
	}
	what := []string{}
	if len(home) > 0 {
		what = append(what, "the home page")
		if slices.ContainsFunc(home, func(i int) bool { return s.leads[i] }) {
			c.rank = rankAll
		}
	}
	if blocks.pages > 0 {
		what = append(what, wording.URLs(blocks.pages))
	} else {
		c.Sheet = "Rules"
	}
	c.What = fmt.Sprintf("%s %s %s %s", upperFirst(LineNames(lines)), quoteRule(c.Rule), wording.Verb(len(lines), "blocks", "block"), wording.And(what))
	c.Meant = s.meantWords(at.origin, lines, blocks, crawlers)
	joins := slices.ContainsFunc(rows, func(r RuleRow) bool { return r.Join.Line > 0 })
	alone := slices.ContainsFunc(rows, func(r RuleRow) bool { return r.Frees > 0 || r.Unknown != "" })
	c.Listed = blocks.listed
	c.Do = s.lineFix(&c, blocks, crawlers, joins, alone)
	if at.origin != 0 {
		c.Fix = nil // see FixOf
	}
	s.prove(&c, crawlers, rows)
	return c
}

// deciding are the lines with the rule of a line, its first, that block something for a crawler
// asked about, and the rows of what they do. It is that line alone if none of them does.
func (s *Site) deciding(first originLine, urls int64) (lines []int, rows []RuleRow) {
	all := s.withRepeats(first)
	for _, line := range all {
		of := s.rowsOfLine(originLine{first.origin, line}, urls)
		if len(all) == 1 || slices.ContainsFunc(of, func(r RuleRow) bool { return r.Decided > 0 }) {
			lines, rows = append(lines, line), append(rows, of...)
		}
	}
	if lines == nil { // it blocks the home page alone, which nobody tested
		return all[:1], s.rowsOfLine(first, urls)
	}
	return lines, rows
}

// LineNames names lines: "line 17", "lines 3, 17 and 40".
func LineNames(lines []int) string {
	var names []string
	for _, line := range lines {
		names = append(names, strconv.Itoa(line))
	}
	return wording.Verb(len(lines), "line ", "lines ") + wording.And(names)
}

// quoteRule writes a rule as people do: `Disallow: /post*`.
func quoteRule(rule string) string {
	if rule == "" {
		return "(unknown rule)"
	}
	return "`" + escape.Cut(strings.ToUpper(rule[:1])+rule[1:], 120) + "`"
}

// meantWords say what the site itself says on whether a line is meant to block what it
// does. Nothing is guessed: where nothing speaks for either, that is said.
func (s *Site) meantWords(origin int, lines []int, b *lineBlocks, crawlers []int) string {
	var parts []string
	some := func(n int64) string {
		switch {
		case n == 1 && b.pages == 1:
			return "this URL"
		case n == b.pages:
			return "all of these URLs"
		}
		return wording.Thousands(n) + " of these URLs"
	}
	named, all, policy := s.namedIn(origin, crawlers)
	in := wording.Verb(len(lines), "he line is in the group for ", "he lines are in the groups for ") + named
	if policy {
		return "Looks intended: t" + in + "."
	}
	if b.listed > 0 {
		parts = append(parts, "Contradiction: the sitemaps list "+some(b.listed))
	}
	if b.linked > 0 {
		parts = append(parts, "The site's pages link to "+some(b.linked))
	}
	if b.canonical > 0 {
		parts = append(parts, "Pages name "+some(b.canonical)+" as canonical")
	}
	if b.own > 0 {
		parts = append(parts, "Your list has "+some(b.own)+", but no sitemap does")
	}
	if b.clicks > 0 {
		parts = append(parts, wording.Verb(b.pages, "It has ", "They have ")+wording.Plural(b.clicks, "click"))
	}
	if b.hits > 0 {
		parts = append(parts, s.HitsLabel()+" requested "+wording.Verb(b.pages, "it ", "them ")+wording.Plural(b.hits, "time"))
	}
	switch {
	case named == "":
	case len(lines) > 1 && !all:
		parts = append(parts, "Some of the lines are in groups for "+named)
	default:
		parts = append(parts, "T"+in)
	}
	if number, comment := s.commentAbove(origin, lines[0]); comment != "" {
		parts = append(parts, fmt.Sprintf("The comment in line %d says %q", number, comment))
	}
	if parts == nil {
		return "Unknown. Nothing on the site says so."
	}
	return strings.Join(parts, ". ") + "."
}

// maxComment is the number of characters of a comment that are quoted.
const maxComment = 100

// commentAbove returns the last line of the comment above a rule, with only rules between them, and its
// number; "" = none. In files of very many lines it does not look.
func (s *Site) commentAbove(origin, rule int) (number int, comment string) {
	robots := s.Robots(origin)
	for l := range s.Lines(robots, s.Body(origin)) {
		switch {
		case l.Number > maxKnownLines:
			return 0, ""
		case l.Number == rule:
			return number, escape.Cut(comment, maxComment)
		case l.Kind == lineComment:
			number, comment = l.Number, strings.Trim(l.Text, "# \t=*-_")
		case l.Kind != LineAllow && l.Kind != LineDisallow:
			number, comment = 0, ""
		}
	}
	return 0, ""
}

// namedIn names those of crawlers that the group they obey names itself; all says that these are
// all. policy says that none of them leads: to name those that gather for AI is a policy.
func (s *Site) namedIn(origin int, crawlers []int) (named string, all, policy bool) {
	var names []string
	policy = true
	for _, i := range crawlers {
		switch Read(s.Robots(origin), i).GroupReason {
		case engine.Exact, engine.Fallback:
			names = append(names, s.Crawlers[i].Label)
			policy = policy && !s.leads[i]
		}
	}
	return wording.And(names), len(names) == len(crawlers), policy && names != nil
}

// lineFix says what to do about lines; joins says that a deletion would join groups, alone that
// it allows something, since no other line blocks it as well. Both choices are always in one order.
func (s *Site) lineFix(c *Cause, b *lineBlocks, crawlers []int, joins, alone bool) string {
	lines := c.LineNumbers()
	place := LineNames(lines)
	if c.Index != 0 {
		place += " of " + c.Origin + "/robots.txt"
	}
	change := "delete " + place
	c.Fix = &Fix{DeleteLines, lines, ""}
	if joins {
		change = "replace " + place + " with `Disallow:`"
		c.Fix = &Fix{ReplaceLines, lines, "Disallow:"}
	}
	if b.pages == 0 {
		return "To allow the home page, " + change + "."
	}
	them, allow := wording.Verb(b.pages, "it", "them"), s.exception(c, crawlers)
	switch {
	case allow != "" && b.pages == 1:
		add := "add `Allow: " + allow + "` below " + place
		c.Fix = &Fix{InsertBelow, lines, "Allow: " + allow}
		if change = add; alone {
			change += ", or " + wording.Verb(len(lines), "delete the line", "delete the lines")
			if joins {
				change = add + ", or replace the " + wording.Verb(len(lines), "line", "lines") + " with `Disallow:`"
			}
		}
	case allow != "" && !alone:
		change = "add Allow rules below " + place + " for some of them, such as `Allow: " + allow + "`"
		c.Fix = nil // for some of the URLs only
	case !alone:
		change += ", and each other line that blocks " + them
		c.Fix = nil // the other lines have items of their own
	case allow == "" && !joins:
		change += ", or write " + wording.Verb(len(lines), "a longer path in it that matches", "longer paths in them that match") + " only what should stay blocked"
	case allow != "":
		change += ", or add Allow rules below for some of them, such as `Allow: " + allow + "`"
	}
	c.keep = "change nothing"
	switch {
	case b.listed > 0 && c.Leads:
		c.keep = "remove " + wording.Verb(b.pages, "this URL", "these URLs") + " from " + s.sitemapsOf(b)
	case b.linked > 0 && c.Leads:
		c.keep += "; crawlers then cannot follow the links to " + them
	}
	return "To allow " + them + ", " + change + ". To keep " + them + " blocked, " + c.keep + "."
}

// maxException is the length in bytes up to which the path of an allow rule is proposed.
const maxException = 120

// exception is the path of an allow rule for an example of a cause that would allow it for
// each of the crawlers; "" = there is none.
func (s *Site) exception(c *Cause, crawlers []int) (path string) {
	url := ""
	if i := slices.IndexFunc(c.Examples, func(url string) bool { return !strings.HasSuffix(url, "/") || strings.Count(url, "/") > 3 }); i >= 0 { // no home page
		url = c.Examples[i]
	} else {
		return ""
	}
	for _, i := range crawlers {
		crawler, profile, ok := s.Crawlers[i].Robot()
		if !ok || Read(s.Robots(c.Index), i).Access != engine.Parsed {
			return ""
		}
		own := s.answers.Read(c.Index, profile, crawler).Group(crawler).Exception(url)
		if own == "" || path != "" && own != path || len(own) > maxException {
			return ""
		}
		path = own
	}
	return path
}

// LineNumbers are the lines of a cause that has one, in the order of the file.
func (c *Cause) LineNumbers() []int {
	if c.Lines != nil {
		return c.Lines
	}
	return []int{c.Line}
}

// sitemapsOf names the sitemaps that name the pages which a line blocks.
func (s *Site) sitemapsOf(b *lineBlocks) string {
	if s.sitemapsRead == 1 {
		return "the sitemap"
	}
	var names []string
	for _, index := range b.sitemaps {
		names = append(names, s.SitemapName(index))
	}
	if b.moreSitemaps {
		names = append(names, "further sitemaps")
	}
	return wording.And(names)
}

// prove says what the deletion of a line does, which was tried on every known URL: for
// each crawler of the cause, and for others for which a verdict changes.
func (s *Site) prove(c *Cause, crawlers []int, rows []RuleRow) {
	if c.URLs.Num == 0 {
		c.Proof = "Not measured, because the home page is not among the URLs found."
		return
	}
	var parts []string
	left := slices.Clone(crawlers)
	proved, frees, blocks := true, int64(0), int64(0)
	for i := range rows {
		r := &rows[i]
		others := len(left)
		left = slices.DeleteFunc(left, func(k int) bool { return slices.Contains(r.Crawlers, k) })
		if len(left) == others && r.Frees == 0 && r.Blocks == 0 {
			continue
		}
		frees, blocks, proved = max(frees, r.Frees), max(blocks, r.Blocks), proved && r.Unknown == ""
		effect := Effect{Frees: r.Frees, Blocks: r.Blocks}
		for _, k := range r.Crawlers {
			effect.Crawlers = append(effect.Crawlers, s.Crawlers[k].Label)
		}
		c.Effects = append(c.Effects, effect)
		whom := ""
		if len(rows) > 1 && r.Names != "" {
			whom = " for " + r.Names
		}
		parts = append(parts, r.deletionWords(LineNames([]int{r.Line}), whom))
	}
	if len(left) > 0 {
		proved = false
		whom := ""
		if parts != nil {
			whom = " for " + s.names(left)
		}
		parts = append(parts, "Unknown"+whom+".")
	}
	if proved && (c.Lines == nil || apart(rows)) {
		c.Frees, c.Blocks = Number(frees), Number(blocks)
		c.Deletable = frees > 0 && blocks == 0 && !slices.ContainsFunc(rows, func(r RuleRow) bool { return r.Join.Line > 0 })
	}
	if frees > 0 {
		parts = append(parts, "This can also unblock URLs that were not found.")
	}
	if strings.Contains(c.Do, "add `Allow: ") {
		parts = slices.Insert(parts, 0, "The Allow rule unblocks this URL alone.")
	}
	c.Proof = strings.Join(parts, " ")
}

// apart reports whether the deletion of several lines does for each crawler what the deletion of
// its own line does: no crawler obeys two of them, and no groups join.
func apart(rows []RuleRow) bool {
	seen := map[int]bool{}
	for i := range rows {
		if rows[i].Join.Line > 0 {
			return false
		}
		for _, k := range rows[i].Crawlers {
			if seen[k] {
				return false
			}
			seen[k] = true
		}
	}
	return true
}

// deletionWords say what the deletion of a rule's line does for the crawlers of a row, which
// whom names.
func (r *RuleRow) deletionWords(line, whom string) string {
	if r.Unknown != "" {
		return "Unknown" + whom + ": " + r.Unknown + "."
	}
	words := "Deleting " + line + " unblocks " + countOrNone(r.Frees) + " and blocks " + noneOr(r.Blocks) + whom + "."
	if r.Join.Line > 0 && r.Blocks > 0 {
		words = "Do not delete " + line + ": this unblocks " + countOrNone(r.Frees) + " and blocks " + noneOr(r.Blocks) + whom + "."
	}
	if r.Frees+r.Blocks == 0 {
		words = "Deleting " + line + " changes nothing" + whom + "."
	}
	if r.Frees == 0 && r.Decided > 0 && r.Join.Line == 0 {
		words += " Another line blocks the same URLs."
	}
	if join := joinWords(r.RuleCount); join != "" {
		words += " But " + join + "."
	}
	return words
}

func countOrNone(n int64) string {
	if n == 0 {
		return "no URL"
	}
	return wording.Plural(n, "URL")
}

func noneOr(n int64) string {
	if n == 0 {
		return "none"
	}
	return wording.Thousands(n)
}
