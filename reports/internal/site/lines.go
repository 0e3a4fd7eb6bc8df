package site

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Kinds of lines, as the engine has them.
const (
	LineAllow    engine.LineKind = "allow"
	LineDisallow engine.LineKind = "disallow"

	lineBlank      engine.LineKind = "blank"
	lineText       engine.LineKind = "text" // no field
	lineUserAgent  engine.LineKind = "user-agent"
	lineCrawlDelay engine.LineKind = "crawl-delay"
	lineOther      engine.LineKind = "other" // another field
)

// Line is a line of a robots.txt as those crawlers read it to which its lines matter.
type Line struct {
	engine.RawLine
	For string // crawlers for which it counts, where it does not for the first; "" = none, or the first is one of them
}

// Lines yields the lines of a file as the first crawler reads them to which they
// matter (its Access is Parsed), and asks the others about lines that do not count;
// it yields nothing where they matter to no crawler. The profiles, which agree on
// where lines end, read side by side from the first such line on, which few files have:
// a file may have half a million lines, and no list is made of them but of the first
// maxKnownLines. body must not be written afterwards.
func (s *Site) Lines(robots *audit.Robots, body []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if known := &s.knownLines; known.robots == robots && bytes.Equal(known.body, body) {
			for i := range known.list {
				if !yield(known.list[i]) {
					return
				}
			}
			return
		}
		list := make([]Line, 0, min(maxKnownLines, bytes.Count(body, []byte("\n"))+1))
		more := false
		for line := range s.readLines(robots, body) {
			if more = len(list) == maxKnownLines; !more {
				list = append(list, line)
			}
			if !yield(line) {
				return
			}
		}
		if !more {
			s.knownLines = knownLines{robots, body, list}
		}
	}
}

// knownLines are the lines of a file that were read last: workbook and page ask for those of each
// file, and most sites have one.
type knownLines struct {
	robots *audit.Robots
	body   []byte
	list   []Line
}

// maxKnownLines bounds them, to some 200 KB.
const maxKnownLines = 1000

// readLines is Lines.
func (s *Site) readLines(robots *audit.Robots, body []byte) iter.Seq[Line] {
	crawlers := s.Crawlers
	return func(yield func(Line) bool) {
		var names []string
		var first *engine.Profile
		label := ""                               // of the first crawler that reads by it
		var others []*engine.Profile              // but for the first
		var asked []func() (engine.RawLine, bool) // the readings of the others, once they are asked for
		reading := make([]int, len(crawlers))     // of each crawler; -1 = the lines do not matter to it
		for i, c := range crawlers {
			if reading[i] = -1; Read(robots, i).Access != engine.Parsed {
				continue
			}
			if reading[i] = slices.Index(names, c.Profile); reading[i] >= 0 {
				continue
			}
			profile, ok := engine.ProfileByName(c.Profile)
			if !ok { // of another version of this program: RFC 9309
				profile = &engine.Profile{}
			}
			reading[i] = len(names)
			names = append(names, c.Profile)
			if first == nil {
				first, label = profile, c.Label
				continue
			}
			others = append(others, profile)
		}
		if first == nil {
			return
		}
		var delays delayGroup
		counts := make([]bool, len(names))
		read := 0 // lines before the one at hand
		for raw := range first.Lines(body) {
			if asked == nil && !raw.Counts && raw.Why != "" {
				for _, profile := range others {
					next, stop := iter.Pull(profile.Lines(body))
					defer stop()
					for range read {
						next()
					}
					asked = append(asked, next)
				}
			}
			read++
			for k, next := range asked {
				l, _ := next()
				counts[k+1] = l.Counts
			}
			line := Line{RawLine: raw}
			if field, ok := strings.CutPrefix(line.Why, first.Name+notObeyed); ok { // people know crawlers, not profiles
				line.Why = label + notObeyed + field
			}
			for i, c := range crawlers {
				if reading[i] > 0 && counts[reading[i]] && !line.Counts && line.Why != "" {
					line.For = wording.Join(line.For, c.Label)
				}
			}
			delays.addLine(&line, robots, crawlers)
			if !yield(line) {
				return
			}
		}
	}
}

// notObeyed is between the name of a profile and that of a field, in words of package engine.
const notObeyed = " does not obey "

// delayGroup is the group of the line read last. By it Crawl-delay lines count for
// the crawlers that obey the group, whatever their profile.
type delayGroup struct {
	line   int  // its first user-agent line
	agents bool // more of them may follow
}

func (g *delayGroup) addLine(l *Line, robots *audit.Robots, crawlers []audit.Crawler) {
	switch l.Kind {
	case lineUserAgent:
		if !g.agents {
			g.line, g.agents = l.Number, true
		}
	case LineAllow, LineDisallow, lineCrawlDelay:
		g.agents = false
	}
	if l.Kind != lineCrawlDelay || l.Counts || l.For != "" {
		return
	}
	for i, c := range crawlers {
		if how := Read(robots, i); how.CrawlDelay > 0 && how.GroupLine == g.line {
			l.For = wording.Join(l.For, c.Label)
		}
	}
	if l.For != "" && !slices.ContainsFunc(robots.Reads, func(how audit.Read) bool { return how.CrawlDelay == 0 && how.GroupLine == g.line }) {
		l.Why = "" // it is about crawlers that do not obey the group
	}
}

// CountsAs says what a line counts as; "" for a blank one.
func (l *Line) CountsAs() string {
	kind := string(l.Kind)
	switch l.Kind {
	case lineBlank, "":
		return ""
	case lineText:
		kind = "no field"
	case lineOther:
		kind = "other field"
	}
	switch {
	case l.For != "":
		return kind + ", for " + l.For
	case !l.Counts && l.Why != "":
		return kind + ", does not count"
	}
	return kind
}

// FileLine is a line of a robots.txt with what its rule does.
type FileLine struct {
	Origin string
	Number int // 0 = the file as a whole
	Offset int // of its first byte
	Index  int // of the origin
	Text   string
	Kind   string    // what it counts as, and who obeys the group that begins there
	Why    string    // why it does not count
	Rules  []RuleRow // one for each effect of the rule; none = the line is no rule
}

// FileLines yields the lines of every robots.txt, one file after the other; urls is the number
// of URLs found. A line is good until the next one is asked for.
func (s *Site) FileLines(urls int64, yield func(*FileLine)) {
	for robots := range s.Files {
		s.fileLines(robots, s.Body(robots.Index), urls, yield)
	}
}

func (s *Site) fileLines(robots *audit.Robots, body []byte, urls int64, yield func(*FileLine)) {
	obeyed := map[int]string{} // by line, who obeys the group that begins there
	for i, c := range s.Crawlers {
		if line := Read(robots, i).GroupLine; line > 0 {
			obeyed[line] = wording.Join(obeyed[line], c.Label)
		}
	}
	origins := s.OriginsOf(robots)
	groups, group, rules, all := s.ruleGroups(robots), "", s.RuleLinesOf(robots, urls), robots.Rules
	var list []RuleRow // of the line
	matters := false   // the lines matter to some crawler
	text := strings.TrimPrefix(string(body), "\xef\xbb\xbf")
	before := len(body) - len(text)
	number, start := 0, 0 // start: in text, of the next line
	var row FileLine
	next := func(l *Line) {
		number++
		for len(groups) > 0 && groups[0].Line <= number {
			group, groups = groups[0].Tokens, groups[1:]
		}
		for len(all) > 0 && all[0].Line < number {
			all = all[1:]
		}
		list = append(list[:0], rules[number]...)
		other := len(list) == 0
		if other && len(all) > 0 && all[0].Line == number {
			list = append(list, RuleRow{RuleCount: audit.RuleCount{Line: number, Rule: all[0].Rule}, Names: "none of those tested"})
		}
		for i := range list {
			list[i].Group = cmp.Or(group, list[i].Group)
			list[i].ID = audit.RuleID(list[i].Group, list[i].Rule)
		}
		end, after := lineEnd(text, start)
		row = FileLine{Origin: origins, Index: robots.Index, Number: number, Offset: before + start, Text: text[start:end], Rules: list}
		start = after
		if l != nil {
			row.Kind, row.Why = l.CountsAs(), l.Why
			if l.Counts && (l.Kind == LineAllow || l.Kind == LineDisallow) && other {
				row.Kind += ", other crawlers"
			}
		} else if matters {
			row.Kind, row.Why = "not read", "it lies beyond what is read of the file"
		}
		if who := obeyed[number]; who != "" {
			row.Kind += ", the group of " + who
		}
		yield(&row)
	}
	for l := range s.Lines(robots, body) {
		if start == len(text) {
			break
		}
		matters = true
		next(&l)
	}
	for start < len(text) {
		next(nil)
	}
}

// lineEnd returns where the line of a text ends that begins at start, and where the next one
// begins: at the first CR LF, LF or CR, as RFC 9309 ends lines.
func lineEnd(text string, start int) (end, next int) {
	i := strings.IndexAny(text[start:], "\r\n")
	if i < 0 {
		return len(text), len(text)
	}
	end = start + i
	if strings.HasPrefix(text[end:], "\r\n") {
		return end, end + 2
	}
	return end, end + 1
}
