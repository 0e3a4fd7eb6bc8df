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
	lineComment    engine.LineKind = "comment"
	lineText       engine.LineKind = "text" // no field
	lineUserAgent  engine.LineKind = "user-agent"
	lineCrawlDelay engine.LineKind = "crawl-delay"
	lineOther      engine.LineKind = "other" // another field
)

// Line is a line of a robots.txt as parsed by the crawlers that use its lines.
type Line struct {
	engine.RawLine
	For string // crawlers for which it counts, if it does not for the first; "" = none, or it counts for the first
}

// Lines yields the lines of a file as parsed by the first crawler that uses them (its Access is
// Parsed). For lines that do not count it also consults the parsers of the other crawlers. It
// yields nothing if no crawler uses the file. The profiles agree on line ends. Their parsers run in
// parallel from the first line that does not count, which few files have. A file may have half a
// million lines, so only the first maxKnownLines are kept as a list. body must not be changed
// afterwards.
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

// knownLines are the lines of the last file: workbook and page read the lines of each file, and
// most sites have only one.
type knownLines struct {
	robots *audit.Robots
	body   []byte
	list   []Line
}

// maxKnownLines bounds them, to some 200 KB.
const maxKnownLines = 1000

// readLines does the work of Lines.
func (s *Site) readLines(robots *audit.Robots, body []byte) iter.Seq[Line] {
	crawlers := s.Crawlers
	return func(yield func(Line) bool) {
		var names []string
		var first *engine.Profile
		var others []*engine.Profile              // all except the first
		var asked []func() (engine.RawLine, bool) // the parsers of the others, once they are needed
		reading := make([]int, len(crawlers))     // for each crawler; -1 = it does not use the lines
		for i, c := range crawlers {
			if reading[i] = -1; Read(robots, i).Access != engine.Parsed {
				continue
			}
			if reading[i] = slices.Index(names, c.Profile); reading[i] >= 0 {
				continue
			}
			profile, ok := engine.ProfileByName(c.Profile)
			if !ok { // profile of another version of this program: use RFC 9309
				profile = &engine.Profile{}
			}
			reading[i] = len(names)
			names = append(names, c.Profile)
			if first == nil {
				first = profile
				continue
			}
			others = append(others, profile)
		}
		if first == nil {
			return
		}
		var delays delayGroup
		counts := make([]bool, len(names))
		read := 0 // lines before the current one
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
			for i, c := range crawlers {
				if reading[i] > 0 && counts[reading[i]] && !line.Counts && line.Why != "" {
					line.For = wording.Join(line.For, c.Label)
				}
			}
			delays.addLine(&line, robots, crawlers)
			if field, ok := strings.CutPrefix(line.Why, first.Name+notObeyed); ok { // people know crawlers, not profiles
				line.Why = ""
				for i, c := range crawlers {
					if c.Profile == names[0] && (line.Kind != lineCrawlDelay || Read(robots, i).GroupLine == delays.line) {
						line.Why = c.Label + notObeyed + field
						break
					}
				}
			}
			if !yield(line) {
				return
			}
		}
	}
}

// notObeyed is between the name of a profile and that of a field, in words of package engine.
const notObeyed = " does not obey "

// delayGroup is the group of the last line. Crawl-delay lines count for the crawlers that obey this
// group, whatever their profile.
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
		l.Why = "" // the reason concerns crawlers that do not obey the group
	}
}

// CountsAs is the kind of a line in words; "" for a blank one.
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

// FileLine is a line of a robots.txt with the effects of its rule.
type FileLine struct {
	Origin string
	Number int // 0 = the file as a whole
	Offset int // byte offset of the line
	Index  int // of the origin
	Text   string
	Kind   string    // kind in words, or the crawlers that obey the group that begins here
	Why    string    // why it does not count
	Rules  []RuleRow // one for each effect of the rule; none = the line is not a rule
}

// FileLines yields the lines of every robots.txt, one file after the other; urls is the number of
// URLs found. A line is valid until the next one is read.
func (s *Site) FileLines(urls int64, yield func(*FileLine)) {
	for robots := range s.Files {
		s.fileLines(robots, s.Body(robots.Index), urls, yield)
	}
}

func (s *Site) fileLines(robots *audit.Robots, body []byte, urls int64, yield func(*FileLine)) {
	obeyed := map[int]string{} // by line, the crawlers that obey the group that begins there
	for i, c := range s.Crawlers {
		if line := Read(robots, i).GroupLine; line > 0 {
			obeyed[line] = wording.Join(obeyed[line], c.Label)
		}
	}
	origins := s.OriginsOf(robots)
	groups, group, rules, all := s.ruleGroups(robots), "", s.RuleLinesOf(robots, urls), robots.Rules
	var list []RuleRow // of the line
	matters := false   // some crawler uses the lines
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

// lineEnd returns the end of the line of a text that begins at start, and the start of the next
// one: lines end with CR LF, LF or CR, as in RFC 9309.
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
