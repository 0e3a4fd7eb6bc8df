package reports

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// viewFile is a robots.txt as a map of heat: every line with what it counts
// as and the URLs it decides.
type viewFile struct {
	Origin   string
	Evidence string
	Note     string // why there are no lines
	Lines    []viewLine
}

type viewLine struct {
	Number           int
	ID               string // unique in the page
	Text, Kind       string
	Heat             int    // 0 = decides nothing, 1 to 5
	Decided, Matched int64  // for the crawler for which it is most; -1 = nobody asked about obeys it
	Key              string // for the filter of the URLs; "" = it blocks nothing
	Details          []string
	Rule             bool
	Lint             bool // there are findings about it
	Idle             bool // a rule that counts and decides nothing
}

// viewFiles are the robots.txt files of the site, as far as their lines find room.
func (b *siteBook) viewFiles(d *audit.Done, evidence map[int]string, body func(index int) []byte, lint map[originLine][]string) (files []viewFile, more int) {
	room := pageLines
	for _, robots := range b.robots {
		if robots == nil {
			continue
		}
		f := viewFile{Origin: robots.Origin, Evidence: evidence[robots.Index]}
		head, rest := firstLines(body(robots.Index), room)
		rules := b.ruleLines(robots, d.URLs)
		most := int64(0)
		for _, r := range rules {
			for _, row := range r {
				most = max(most, row.Decided)
			}
		}
		for l := range linesOf(robots, b.site.Crawlers, head) {
			f.Lines = append(f.Lines, b.viewLine(robots, l, rules[l.Number], most, lint[originLine{robots.Index, l.Number}]))
		}
		if len(f.Lines) > 0 || room == 0 {
			more += rest
		} else {
			f.Note = accessWords(read(robots, 0))
		}
		room -= len(f.Lines)
		files = append(files, f)
	}
	return files, more
}

// firstLines cuts a body after n lines, and counts those that follow: what
// the page has no room for is not read for it.
func firstLines(body []byte, n int) (head []byte, more int) {
	end := 0
	for count := 0; end < len(body); count++ {
		if count == n {
			head = body[:end]
		}
		if count >= n {
			more++
		}
		i := bytes.IndexAny(body[end:], "\r\n")
		if i < 0 {
			end = len(body)
		} else if end += i + 1; body[end-1] == '\r' && end < len(body) && body[end] == '\n' {
			end++
		}
	}
	if more == 0 {
		head = body
	}
	return head, more
}

// readLine is a line as the crawlers read it whose profiles look at the lines at all.
type readLine struct {
	engine.RawLine
	counts string // crawlers for which it counts, where it does not for the first; "" = none, or the first is one of them
}

// linesOf yields the lines of a file as the first crawler reads them whose
// profile looks at its lines, and asks the others about lines that do not
// count; there are none where nobody looks. The profiles, which agree on where
// lines end, read side by side: a file of half a million lines is never held.
func linesOf(robots *audit.Robots, crawlers []audit.Crawler, body []byte) iter.Seq[readLine] {
	return func(yield func(readLine) bool) {
		var names []string
		var readings []func() (engine.RawLine, bool)
		reading := make([]int, len(crawlers)) // of each crawler; -1 = it does not look at the lines
		for i, c := range crawlers {
			if reading[i] = -1; read(robots, i).Access != "parsed" {
				continue
			}
			if reading[i] = slices.Index(names, c.Profile); reading[i] >= 0 {
				continue
			}
			profile, ok := engine.ProfileByName(c.Profile)
			if !ok { // of another version of this program: RFC 9309
				profile = &engine.Profile{}
			}
			next, stop := iter.Pull(profile.Parse(body).Lines())
			defer stop()
			reading[i] = len(readings)
			names, readings = append(names, c.Profile), append(readings, next)
		}
		if len(readings) == 0 {
			return
		}
		var delays delayGroup
		counts := make([]bool, len(readings))
		for {
			first, ok := readings[0]()
			if !ok {
				return
			}
			for k, next := range readings[1:] {
				l, _ := next()
				counts[k+1] = l.Counts
			}
			line := readLine{RawLine: first}
			for i, c := range crawlers {
				if reading[i] > 0 && counts[reading[i]] && !line.Counts && line.Why != "" {
					line.counts = joinName(line.counts, c.Label)
				}
			}
			delays.add(&line, robots, crawlers)
			if !yield(line) {
				return
			}
		}
	}
}

// delayGroup is the group of the last line. It says for whom Crawl-delay lines
// count: that is a matter of the crawler, whatever its profile.
type delayGroup struct {
	line   int  // its first user-agent line
	agents bool // more of them may follow
}

func (g *delayGroup) add(l *readLine, robots *audit.Robots, crawlers []audit.Crawler) {
	switch l.Kind {
	case "user-agent":
		if !g.agents {
			g.line, g.agents = l.Number, true
		}
	case "allow", "disallow", "crawl-delay":
		g.agents = false
	}
	if l.Kind != "crawl-delay" || l.Counts || l.counts != "" {
		return
	}
	for i, c := range crawlers {
		if how := read(robots, i); how.CrawlDelay > 0 && how.GroupLine == g.line {
			l.counts = joinName(l.counts, c.Label)
		}
	}
}

func joinName(list, name string) string {
	if list == "" {
		return name
	}
	return list + ", " + name
}

// ruleLines are the rules of a file by line, crawlers together for which they
// did the same.
func (b *siteBook) ruleLines(robots *audit.Robots, urls int64) map[int][]ruleRow {
	rows := map[int][]ruleRow{}
	for _, group := range b.counts {
		if group.Origin == robots.Index {
			for _, c := range group.Counts {
				rows[c.Line] = b.joinRule(rows[c.Line], robots, group, c, urls)
			}
		}
	}
	return rows
}

func (b *siteBook) viewLine(robots *audit.Robots, l readLine, rules []ruleRow, most int64, lint []string) viewLine {
	v := viewLine{Number: l.Number, ID: itoa(robots.Index) + "-" + itoa(l.Number), Text: escape.Cut(l.Text, 1000), Kind: lineWords(l), Decided: -1, Matched: -1}
	v.Rule = len(rules) > 0 || l.Kind == "allow" || l.Kind == "disallow"
	for _, r := range rules {
		slices.Sort(r.crawlers)
		var names []string
		for _, c := range r.crawlers {
			names = append(names, b.site.Crawlers[c].Label)
		}
		v.Decided, v.Matched = max(v.Decided, r.Decided), max(v.Matched, r.Matched)
		v.Details = append(v.Details, strings.Join(names, ", ")+": "+r.words)
	}
	if v.Decided > 0 {
		// Of five shades one for each fifth of the way to the rule that decides most, by magnitude.
		v.Heat = 1 + min(4, int(5*math.Log1p(float64(v.Decided))/math.Log1p(float64(most))))
		if l.Kind == "disallow" && l.Value != "" {
			v.Key = itoa(robots.Index) + ":" + itoa(l.Number)
		}
	}
	v.Details = append(v.Details, lint...)
	v.Lint = len(lint) > 0
	v.Idle = len(rules) > 0 && v.Decided == 0
	if v.Rule && l.Counts && len(rules) == 0 {
		v.Kind += ", other crawlers"
		v.Details = append(v.Details, "stands in a group that none of the crawlers asked about obeys")
	}
	if l.counts != "" {
		v.Details = append(v.Details, "counts for "+l.counts+"; for the others: "+l.Why)
	} else if l.Why != "" {
		v.Details = append(v.Details, l.Why)
	}
	return v
}

// lineWords says what a line is.
func lineWords(l readLine) string {
	kind := string(l.Kind)
	switch kind {
	case "blank", "":
		return ""
	case "text":
		kind = "no field"
	case "other":
		kind = "other field"
	}
	switch {
	case l.counts != "":
		return kind + ", for " + l.counts
	case !l.Counts && l.Why != "":
		return kind + ", does not count"
	}
	return kind
}
