package reports

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
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
		lines := linesOf(robots, b.site.Crawlers, head)
		if len(lines) > 0 || room == 0 {
			more += rest
		} else {
			f.Note = accessWords(read(robots, 0))
		}
		room -= len(lines)
		rules := b.ruleLines(robots, d.URLs)
		most := int64(0)
		for _, r := range rules {
			for _, row := range r {
				most = max(most, row.Decided)
			}
		}
		f.Lines = make([]viewLine, 0, len(lines))
		for _, l := range lines {
			f.Lines = append(f.Lines, b.viewLine(robots, l, rules[l.Number], most, lint[originLine{robots.Index, l.Number}]))
		}
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

// linesOf reads a file as the first crawler does whose profile looks at its
// lines, and asks the others about lines that do not count; nil = none looks.
func linesOf(robots *audit.Robots, crawlers []audit.Crawler, body []byte) []readLine {
	var lines []readLine
	counting := map[string][]bool{} // by profile, for each line whether it counts
	for i, c := range crawlers {
		if read(robots, i).Access != "parsed" {
			continue
		}
		profile, ok := engine.ProfileByName(c.Profile)
		if !ok { // of another version of this program: RFC 9309
			profile = &engine.Profile{}
		}
		counts, ok := counting[c.Profile]
		if !ok {
			first := lines == nil
			most := bytes.Count(body, []byte("\n")) + 1
			if counts = make([]bool, 0, most); first {
				lines = make([]readLine, 0, most)
			}
			for l := range profile.Parse(body).Lines() {
				if counts = append(counts, l.Counts); first {
					lines = append(lines, readLine{RawLine: l})
				}
			}
			counting[c.Profile] = counts
		}
		for k := range min(len(counts), len(lines)) { // profiles agree on where lines end
			if !lines[k].Counts && lines[k].Why != "" && counts[k] {
				lines[k].counts = joinName(lines[k].counts, c.Label)
			}
		}
	}
	addDelays(lines, robots, crawlers)
	return lines
}

// addDelays says for whom Crawl-delay lines count: that is a matter of the
// crawler, whatever its profile.
func addDelays(lines []readLine, robots *audit.Robots, crawlers []audit.Crawler) {
	group, agents := 0, false // the first user-agent line of the group, and whether more of them may follow
	for k := range lines {
		l := &lines[k]
		switch l.Kind {
		case "user-agent":
			if !agents {
				group, agents = l.Number, true
			}
		case "allow", "disallow", "crawl-delay":
			agents = false
		}
		if l.Kind != "crawl-delay" || l.Counts || l.counts != "" {
			continue
		}
		for i, c := range crawlers {
			if how := read(robots, i); how.CrawlDelay > 0 && how.GroupLine == group {
				l.counts = joinName(l.counts, c.Label)
			}
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
	v := viewLine{Number: l.Number, ID: itoa(robots.Index) + "-" + itoa(l.Number), Text: short(l.Text, 1000), Kind: lineWords(l), Decided: -1, Matched: -1}
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
