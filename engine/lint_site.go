package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/internal/match"
	"robots-audit/engine/wording"
)

// anyPath is a path that only rules for the whole site match.
const anyPath = "/-a-path-that-nobody-names-"

// siteBlock is a rule that blocks the whole site for some crawlers.
type siteBlock struct {
	line     int
	names    []string // crawlers of search engines
	profiles []*Profile
	allows   int  // number of allow rules that except some paths
	choice   bool // Googlebot is let in, and no crawler is shut out that was asked about
}

// lintSite checks what becomes of the whole site.
func lintSite(l *linter) {
	lintWholeSite(l)
	lintExempt(l)
}

// lintWholeSite looks for rules that block the whole site for a search engine
// or for all crawlers without a group of their own.
func lintWholeSite(l *linter) {
	found := map[int]*siteBlock{}
	for _, c := range l.listed.search {
		for _, p := range l.profilesFor(c) {
			l.recordSiteBlock(found, l.readingFor(p, c), c, c.Name)
		}
	}
	for _, p := range l.Profiles {
		l.recordSiteBlock(found, l.robots[p], Crawler{}, "")
	}
	var lines []int
	for line := range found {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, line := range lines {
		l.reportSiteBlock(found[line])
	}
}

// profilesFor are the chosen profiles that a search engine's crawler may read
// by: those of its own family. Where none of Google's is chosen, Googlebot is
// taken to read by the standards.
func (l *linter) profilesFor(c Crawler) []*Profile {
	own := l.profilesWhere(func(p *Profile) bool { return p.family() == operatorOf(c.Profile) })
	if len(own) == 0 && operatorOf(c.Profile) == "google" {
		return l.profilesWhere(func(p *Profile) bool { return p.Name == "rfc9309" || p.Name == "rep-1994" })
	}
	return own
}

// siteBlockingRule is the rule that blocks every path for which no other rule
// decides; nil = there is none.
func (g *Group) siteBlockingRule() *Rule {
	d := g.Verdict(anyPath)
	if d.Verdict != Disallow || d.Rule == nil {
		return nil
	}
	for i := range g.ranked {
		if r := &g.ranked[i]; &g.Rules[r.rule] == d.Rule && within(match.Pattern{Text: "/"}, r.Pattern) {
			return d.Rule
		}
	}
	return nil
}

// recordSiteBlock adds to found, by its line, the rule that blocks the whole site
// for a crawler, if there is one. name is "" for all crawlers without a group.
func (l *linter) recordSiteBlock(found map[int]*siteBlock, r *Robots, c Crawler, name string) {
	if r.Access != Parsed {
		return
	}
	g := l.group(r, c)
	rule := g.siteBlockingRule()
	if rule == nil {
		return
	}
	s := found[rule.Line]
	if s == nil {
		s = &siteBlock{line: rule.Line, choice: l.leavesGooglebot()}
		found[rule.Line] = s
	}
	if l.asked && slices.ContainsFunc(l.Crawlers, func(c Crawler) bool { return c.Name == name }) {
		s.choice = false
	}
	if name != "" && !slices.Contains(s.names, name) {
		s.names = append(s.names, name)
	}
	if !slices.Contains(s.profiles, r.Profile) {
		s.profiles = append(s.profiles, r.Profile)
	}
	allows := 0
	for i := range g.ranked {
		if r := &g.ranked[i]; r.allow && r.Text != robotsTxt && g.Rules[r.rule].Value != "" {
			allows++
		}
	}
	s.allows = max(s.allows, allows)
}

// leavesGooglebot reports whether Googlebot, by whom most of a site's readers come, is
// let in: who else is not is then the choice of somebody who named it.
func (l *linter) leavesGooglebot() bool {
	i := slices.IndexFunc(l.listed.search, func(c Crawler) bool { return c.Name == googlebot })
	if i < 0 {
		return false
	}
	profiles := l.profilesFor(l.listed.search[i])
	return len(profiles) > 0 && !slices.ContainsFunc(profiles, func(p *Profile) bool {
		r := l.readingFor(p, l.listed.search[i])
		return r.Access != Parsed || l.group(r, l.listed.search[i]).siteBlockingRule() != nil
	})
}

func (l *linter) reportSiteBlock(s *siteBlock) {
	slices.SortFunc(s.profiles, func(a, b *Profile) int { return cmp.Compare(slices.Index(l.Profiles, a), slices.Index(l.Profiles, b)) })
	f := l.reportValue("RUL018", l.lineAt(s.line), s.profiles...)
	if f == nil {
		return
	}
	f.What = "the whole site is blocked for " + strings.Join(s.names, ", ")
	if s.names == nil {
		f.Severity = Warning
		f.What = "the whole site is blocked for crawlers without a group of their own"
	}
	if s.choice && s.names != nil {
		f.Severity = Warning
		f.What += ", but Googlebot is allowed"
		f.Fix = "If people should not find the site in these search engines, leave the line. Otherwise give these crawlers a group with an empty \"Disallow:\"."
	}
	if s.allows > 0 {
		f.Severity = Warning
		f.What += fmt.Sprintf(", except for the paths of %s", wording.Plural(s.allows, "Allow rule"))
		f.Why = "Everything that no Allow rule names is blocked."
		f.Fix = "Check that everything that people should find is allowed."
	}
}

// lintExempt reports the crawlers that do not obey "*", if the group of "*" blocks
// the whole site and so is clearly meant for everybody.
func lintExempt(l *linter) {
	for _, p := range l.Profiles {
		r := l.robots[p]
		if r.Access != Parsed || !p.Exemptions {
			continue
		}
		star := l.group(r, Crawler{})
		rule := star.siteBlockingRule()
		if rule == nil || len(rulesOf(star, true)) > 0 {
			continue
		}
		open := []string{}
		for _, c := range l.Crawlers {
			if c.IgnoresGlobal && operatorOf(c.Profile) == p.family() && c.Obeys == "yes" && !strings.Contains(c.Purpose, "retired") && l.group(l.readingFor(p, c), c).Reason == Exempt {
				open = append(open, c.Name)
			}
		}
		if len(open) == 0 {
			continue
		}
		slices.SortStableFunc(open, func(a, b string) int { return cmp.Compare(exemptRank(a), exemptRank(b)) })
		if f := l.reportValue("GRP006", l.lineAt(rule.Line), p); f != nil {
			f.What = fmt.Sprintf("this does not block %s, which ignore the * group", enumerate(open, 4))
		}
	}
}

// exemptRank sorts the crawlers first that Yandex's help names.
func exemptRank(name string) int {
	if name == "YandexDirect" || name == "YandexCalendar" {
		return 0
	}
	return 1
}

// enumerate writes a list of names, at most so many of them.
func enumerate(list []string, most int) string {
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + wording.Thousands(len(list)-most) + " more"
	}
	return strings.Join(list, ", ")
}
