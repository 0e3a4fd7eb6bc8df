package site

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// changing is a finding that changes what crawlers may fetch, and more than its line says.
type changing struct {
	origin  int
	finding audit.Finding
}

// noSitemapLine is the finding that no line names a sitemap.
const noSitemapLine = "SM006"

// noteFinding keeps a finding of severity warning or above. Those that change the verdict on known URLs, or say
// that the file as a whole is none that crawlers can read, are kept one by one; of very many the first.
func (s *Site) noteFinding(origin int, f *audit.Finding) {
	whole := f.Line == 0 && f.Severity >= engine.Error && (f.ID == "FET005" || f.ID == "FET006")
	s.noSitemapLine = s.noSitemapLine || f.ID == noSitemapLine && origin == 0
	switch {
	case f.Severity < engine.Warning:
	case (f.Flips > 0 || whole) && len(s.changing) < maxCauses:
		s.changing = append(s.changing, changing{origin, *f})
	default:
		s.faults.add(origin, f)
	}
}

// addFindings adds what findings show to the causes: to that of their line, of which
// they say whether it is meant, or as a cause of their own.
func (s *Site) addFindings(list []Cause, d *audit.Done) []Cause {
	alike := map[string]int{} // index of the cause of findings that differ in their crawler alone
	for i := range s.changing {
		f, origin := &s.changing[i].finding, s.Robots(s.changing[i].origin).Origin
		at := slices.IndexFunc(list, func(c Cause) bool {
			return c.Kind == CauseLine && slices.Contains(c.LineNumbers(), f.Line) && c.Origin == origin
		})
		if f.Line > 0 && at >= 0 {
			list[at].addFinding(f)
			list[at].cover(f.ID)
			continue
		}
		c := s.newCause(CauseFinding, origin, "Rules", s.concerned(s.changing[i].origin, f))
		c.Line, c.Examples, c.Findings, c.Fix = f.Line, f.Samples, []string{f.ID}, FixOf(s.changing[i].origin, f)
		if f.Flips > 0 {
			c.rank = rankOpen // nothing that is blocked: such a line has its cause
			c.count(f.Flips, d)
			for k := range c.Crawlers {
				c.Crawlers[k].URLs = f.Flips
			}
		} else if c.Leads {
			c.rank = rankAll
		}
		if len(c.Crawlers) == 1 {
			label := c.Crawlers[0].Label
			what := fmt.Sprint(f.ID, origin, f.Flips, f.Samples, strings.ReplaceAll(strings.ToLower(f.What), strings.ToLower(label), "*"))
			if at, ok := alike[what]; ok {
				list[at].alsoFor(&c, fmt.Sprintf("%s (line %d)", label, f.Line))
				continue
			}
			alike[what] = len(list)
		}
		if f.What != "" {
			c.What = upperFirst(f.What)
		}
		c.Meant = accidentWords(f, f.Why, "Unknown. ")
		if c.Do = f.Fix; f.Replacement != "" {
			c.Do += fmt.Sprintf(" Replace line %d with %s.", f.Line, quoteLines(f.Replacement))
		}
		c.Proof = "Unknown. The fixed file was not tested."
		if f.Flips > 0 {
			c.Proof = "This changes the verdict for " + wording.Plural(f.Flips, "URL") + "."
			if strings.HasPrefix(f.Touched, openTo) {
				c.Proof = "With all of these rules copied, " + wording.URLs(f.Flips) + wording.Verb(f.Flips, " is", " are") + " blocked."
			}
		}
		list = append(list, c)
	}
	return list
}

// addFinding adds what a finding says of the line of a cause. There is one fix for a line: that of the
// finding if the line is hardly intended.
func (c *Cause) addFinding(f *audit.Finding) {
	if !c.addWords(f) {
		return // it is about another line with the same rule
	}
	if f.Fix != "" && c.keep != "" && slices.Contains(accidents, f.ID) {
		c.Deletable = false
		c.Do, c.keep = f.Fix+" If the line is intended as it is, "+c.keep+".", ""
		c.Fix = FixOf(c.Index, f)
	}
}

// addWords adds what a finding says, and reports whether that is new: others of its id are alike.
func (c *Cause) addWords(f *audit.Finding) bool {
	if slices.Contains(c.Findings, f.ID) || f.ID == "RUL018" && strings.Contains(c.What, "the home page") {
		return false
	}
	words := " " + accidentWords(f, f.What, "Also: ")
	if strings.Contains(c.Meant, words) {
		return false
	}
	c.Meant += words
	return true
}

// alsoFor adds the cause that another crawler has in another line.
func (c *Cause) alsoFor(of *Cause, who string) {
	between := ", "
	if c.Lines == nil {
		c.Lines, between = []int{c.Line}, ". The same is true for "
	}
	c.What, c.Fix = c.What+between+who, nil // it is about one of the lines alone
	c.Crawlers, c.Lines = append(c.Crawlers, of.Crawlers...), append(c.Lines, of.Line)
	c.Leads, c.rank, c.first = c.Leads || of.Leads, min(c.rank, of.rank), min(c.first, of.first)
}

// quoteLines quotes a line, or the first three of several, as text in a sentence.
func quoteLines(text string) string {
	lines := strings.FieldsFunc(text, func(c rune) bool { return c == '\n' })
	for i := range lines {
		lines[i] = quoteRule(lines[i])
	}
	if len(lines) > 3 {
		lines = append(lines[:3], wording.Plural(len(lines)-3, "more line"))
	}
	return wording.And(lines)
}

// openTo begins what a finding says of URLs that a crawler may fetch only because it has its own group.
const openTo = "open to "

// concerned returns the crawlers that a finding about a file affects: the one that it names, or those that
// read by one of its profiles. A rule affects only crawlers that obey its group.
func (s *Site) concerned(origin int, f *audit.Finding) (crawlers []int) {
	_, rule := slices.BinarySearchFunc(s.Robots(origin).Rules, f.Line, func(r audit.RuleLine, line int) int { return r.Line - line })
	for k, c := range s.Crawlers {
		if strings.HasPrefix(f.Touched, openTo+c.Label+" ") {
			return []int{k}
		}
		if askedFindings[f.ID] && !(s.Asked != nil && slices.ContainsFunc(f.Samples, func(url string) bool { return s.Asked.Denies(c.Name, url) })) {
			continue
		}
		if slices.Contains(f.Profiles, c.Profile) && (!rule || s.obeys(origin, k, f.Line)) && (f.ID != ownGroupFinding || Read(s.Robots(origin), k).GroupLine == f.Line) {
			crawlers = append(crawlers, k)
		}
	}
	return crawlers
}

// askedFindings are about crawlers whose name was refused a URL.
var askedFindings = map[string]bool{"FET017": true, "FET018": true, "FET019": true}

// ownGroupFinding is the finding about a group that keeps its crawler from obeying "*".
const ownGroupFinding = "GRP005"

// obeys reports whether a rule's line is in the group that a crawler obeys.
func (s *Site) obeys(origin, crawler, line int) bool {
	group := s.parse(origin).groups[crawler]
	if group == nil {
		return true // this program does not know the profile
	}
	_, obeys := slices.BinarySearchFunc(group.Rules, line, func(r engine.Rule, line int) int { return r.Line - line })
	return obeys
}

// Concerned names the crawlers of the run that a finding about a file affects; "" = none.
func (s *Site) Concerned(origin int, f *audit.Finding) string {
	return s.someNames(s.concerned(origin, f))
}

// accidents are findings about lines that hardly do what whoever wrote them had in mind.
var accidents = []string{"DIR003", "DIR010", "GRP001", "GRP008", "GRP010", "RUL001", "RUL010", "RUL011", "RUL012", "RUL013", "RUL015", "RUL016", "RUL017", "YA001", "FET005", "FET006"}

// accidentWords say why a finding speaks against what a line does; otherwise begins
// the words on one that does not say so.
func accidentWords(f *audit.Finding, why, otherwise string) string {
	why = strings.TrimSuffix(why, ".") + "."
	if slices.Contains(accidents, f.ID) {
		return "Looks accidental: " + why
	}
	return otherwise + why
}
