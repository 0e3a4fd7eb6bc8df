package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// faults are findings of severity warning or above, by origin and id.
type faults struct {
	list []fault
	at   map[faultKey]int // index in list
}

type faultKey struct {
	origin int
	id     string
}

// fault are the findings of one id about one robots.txt.
type fault struct {
	faultKey
	findings []audit.Finding // the first of them
	more     int             // the number of the others
}

// Bounds of faults, and of the text about one.
const (
	maxFaults      = 500
	maxOfFault     = 100
	maxFaultWords  = 3 // different sentences
	maxFaultLines  = 5 // lines named for one sentence
	maxAlsoOfLines = 3 // findings added to the item of a line
)

func (t *faults) add(origin int, f *audit.Finding) {
	key := faultKey{origin, f.ID}
	i, ok := t.at[key]
	if !ok {
		if len(t.list) == maxFaults {
			return
		}
		if t.at == nil {
			t.at = map[faultKey]int{}
		}
		i = len(t.list)
		t.at[key], t.list = i, append(t.list, fault{faultKey: key})
	}
	of := &t.list[i]
	of.more += f.More
	if len(of.findings) == maxOfFault {
		of.more++
		return
	}
	of.findings = append(of.findings, *f)
}

// saidByLine are findings whose words the item of their line already says.
var saidByLine = []string{"SM005", "RUL018", unseenNoIndex, siteBlockedSitemap}

// Findings that items of their own say.
const (
	unseenNoIndex      = "RUL021" // crawlers do not see the noindex of a blocked page
	siteBlockedSitemap = "SM002"  // robots.txt blocks it
	unreadSitemap      = "SM003"  // it cannot be read
	homeUnindexed      = "FET016" // the home page gives no page, or has noindex
	noIndexInSitemap   = "SM029"  // pages of sitemaps have noindex
)

// addFaults adds the findings that no item is about yet: one item for each origin and id.
func (s *Site) addFaults(list []Cause, d *audit.Done) []Cause {
	for i := range s.faults.list {
		of := &s.faults.list[i]
		origin, file := s.Robots(of.origin).Origin, s.FileOf(of.origin).Origin
		var rest []audit.Finding
		for k := range of.findings {
			f := &of.findings[k]
			if d.Effect(f) < engine.Warning {
				continue // it changes nothing for any URL
			}
			if !coverFinding(list, origin, f) && (origin == file || f.Line == 0 || !coverFinding(list, file, f)) {
				rest = append(rest, *f)
			}
		}
		if at := slices.IndexFunc(list, func(c Cause) bool { return c.Kind == CauseFinding && c.Origin == origin && c.Findings[0] == of.id }); at >= 0 && rest != nil {
			list[at].addOthers(rest)
		} else if rest != nil {
			list = append(list, s.faultCause(of, rest, d))
		}
	}
	if slices.ContainsFunc(list, func(c Cause) bool { return c.Kind == CauseFinding && c.Sheet == "Sitemaps" }) {
		list = slices.DeleteFunc(list, func(c Cause) bool { return c.noURL }) // the faults say why
	}
	return list
}

// addOthers adds further findings of the id that the cause is about.
func (c *Cause) addOthers(findings []audit.Finding) {
	var lines []int
	for i := range findings {
		if line := findings[i].Line; line > 0 && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if slices.Sort(lines); len(lines) > 0 {
		c.Meant += " " + upperFirst(firstLines(lines)) + wording.Verb(len(lines), " has", " have") + " the same finding, with an unknown effect."
	}
}

// firstLines names the first of several lines: "lines 3, 5 and 9", "lines 3, 5, 9, 10, 12 and 4 others".
func firstLines(lines []int) string {
	if lines = slices.Compact(lines); len(lines) <= maxFaultLines {
		return LineNames(lines)
	}
	names, last, _ := strings.Cut(LineNames(lines[:maxFaultLines]), " and ")
	return names + ", " + last + " and " + wording.Plural(len(lines)-maxFaultLines, "other")
}

// coverFinding adds a finding to the items that are about the same, and reports whether there are any.
func coverFinding(list []Cause, origin string, f *audit.Finding) (covered bool) {
	for i := range list {
		c := &list[i]
		if c.Origin != origin {
			continue
		}
		switch line := f.Line > 0 && slices.Contains(c.LineNumbers(), f.Line); {
		case c.about == f.ID, c.Kind == CauseAccess && f.Line == 0 && strings.HasPrefix(f.ID, "FET"), c.silent && f.ID == unreadSitemap:
		case c.Kind == CauseLine && line:
			if !slices.Contains(saidByLine, f.ID) && c.also < maxAlsoOfLines && c.addWords(f) {
				c.also++
			}
			if entryBlocked(f) && c.Leads {
				c.rank = min(c.rank, rankAll)
			}
		case c.Kind == CauseFinding && line && slices.Contains(c.Findings, f.ID):
		default:
			continue
		}
		c.cover(f.ID)
		covered = true
	}
	return covered
}

// cover adds the id of a finding that the cause is about.
func (c *Cause) cover(id string) {
	if i, found := slices.BinarySearch(c.Findings, id); !found {
		c.Findings = slices.Insert(c.Findings, i, id)
	}
}

// faultSheets are the sheets with the rows of findings, by the first letters of their ids; others are on Rules.
var faultSheets = []struct{ kind, sheet string }{{"FET014", "Sitemaps"}, {"FET015", "Errors"}, {"FET016", "Pages"}, {"FET017", "Crawlers"}, {"FET018", "Crawlers"}, {"FET019", "Crawlers"}, {"FET", "Requests for robots.txt"}, {"SM026", "Pages"}, {"SM028", "Pages"}, {"SM029", "Pages"}, {"SM030", "Pages"}, {"SM", "Sitemaps"}, {"HRL", "Sitemaps"}}

// perhapsOnlyUs are findings about answers that crawlers may not get.
var perhapsOnlyUs = map[string]bool{"FET002": true, "FET017": true, "FET018": true, "FET019": true, unreadSitemap: true}

// rulesSheet is the sheet with the findings about the lines of robots.txt.
const rulesSheet = "Rules"

func sheetOfFault(id string) string {
	for _, of := range faultSheets {
		if strings.HasPrefix(id, of.kind) {
			return of.sheet
		}
	}
	return rulesSheet
}

// entryBlocked reports whether a finding says that the home page, or the target of a redirect, is blocked.
func entryBlocked(f *audit.Finding) bool {
	return f.ID == "RUL020" && (strings.Contains(f.What, "home page") || strings.Contains(f.What, "redirect"))
}

// faultCause is the item for findings of one id about one robots.txt.
func (s *Site) faultCause(of *fault, findings []audit.Finding, d *audit.Done) Cause {
	slices.SortStableFunc(findings, func(a, b audit.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.URLs, a.URLs))
	})
	f := &findings[0]
	sheet := sheetOfFault(of.id)
	c := s.newCause(CauseFinding, s.Robots(of.origin).Origin, sheet, s.concerned(of.origin, f))
	c.Index, c.Examples, c.Findings = of.origin, f.Samples, []string{of.id}
	if len(findings) == 1 {
		c.Line, c.Fix = f.Line, FixOf(of.origin, f)
	}
	c.rank = rankWarnings
	if f.Severity >= engine.Error {
		c.rank = rankErrors
	}
	if len(findings)+of.more == 1 && f.Counted && sheet == rulesSheet {
		c.count(f.URLs, d)
	}
	if entryBlocked(f) && c.Leads {
		c.rank = rankAll
	}
	c.leadURLs = f.URLs
	c.What = s.faultWords(of, findings)
	if len(c.Examples) == 1 && strings.Contains(c.What, c.Examples[0]) {
		c.Examples = nil // the words have it
	}
	meant := "Unknown. "
	if (sheet != rulesSheet || f.Severity >= engine.Error) && !perhapsOnlyUs[of.id] { // hardly on purpose
		meant = "Probably not. "
	}
	c.Meant = accidentWords(f, f.Why, meant)
	if c.Do = f.Fix; f.Replacement != "" && len(findings) == 1 {
		c.Do += " Replace line " + wording.Thousands(f.Line) + " with " + quoteLines(f.Replacement) + "."
	}
	return c
}

// faultWords say what the findings are. Those of lines of robots.txt are alike: the first sentence is enough,
// with its lines and those of the others. Other findings are said one after the other.
func (s *Site) faultWords(of *fault, findings []audit.Finding) string {
	kind, _ := engine.FindingKindByID(of.id)
	byLine := findings[0].Line > 0 && kind.Needs != "urls"
	var sentences []string
	var lines, others []int
	left := of.more
	for i := range findings {
		f := &findings[i]
		what := cmp.Or(f.What, kind.What)
		if words, ok := strings.CutPrefix(what, "this line "); ok {
			what = fmt.Sprintf("line %d %s", f.Line, words)
		}
		if !byLine {
			what = upperFirst(what)
		}
		switch {
		case slices.Contains(sentences, what):
		case len(sentences) == maxFaultWords || byLine && sentences != nil:
			if others = append(others, f.Line); !byLine {
				left++
			}
			continue
		default:
			sentences = append(sentences, what)
		}
		lines = append(lines, f.Line)
	}
	words := strings.Join(sentences, ". ")
	if byLine {
		slices.Sort(lines)
		words = upperFirst(firstLines(lines)) + ": " + words
		if slices.Sort(others); others != nil {
			words += ". Likewise " + firstLines(others)
		}
	}
	if left > 0 {
		words += ". And " + wording.Thousands(left) + " more"
	}
	if of.origin > 0 {
		words += " (robots.txt of " + s.Robots(of.origin).Origin + ")"
	}
	return words
}
