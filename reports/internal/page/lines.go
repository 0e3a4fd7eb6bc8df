package page

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
)

// viewFile is a robots.txt as a heat map: every line with its kind and the URLs it decides.
type viewFile struct {
	Origin   string
	Evidence string
	Note     string // why there are no lines
	Lines    []viewLine
}

type viewLine struct {
	File, Number     int // of the robots.txt, as audit.Robots has it, and of the line
	Text, Kind       string
	Heat             int    // 1 to 5; 0 = decides no URL
	Decided, Matched int64  // for the crawler with the highest number; -1 = no tested crawler obeys it
	Key              string // for filtering the URLs; "" = it blocks nothing
	Details          []string
	Rule             bool
	Lint             bool // there are findings on it
	Idle             bool // a rule that counts but decides no URL
}

// viewFiles returns the robots.txt files of the site with pageLines lines in total; more is the
// number of the other lines.
func (p *Site) viewFiles(d *audit.Done) (files []viewFile, more int) {
	left := pageLines
	for robots := range p.site.Files {
		f := viewFile{Origin: p.site.OriginsOf(robots), Evidence: p.site.Evidence[robots.Index]}
		head, rest := firstLines(p.site.Body(robots.Index), left)
		rules := p.site.RuleLinesOf(robots, d.URLs)
		f.Lines = make([]viewLine, 0, min(left, bytes.Count(head, []byte("\n"))+1))
		most := int64(0)
		for _, r := range rules {
			for _, row := range r {
				most = max(most, row.Decided)
			}
		}
		for l := range p.site.Lines(robots, head) {
			v := p.viewLine(robots, &l, rules[l.Number], most, p.lint.Of(robots.Index, l.Number))
			v.Details = shared(p.details, f.Lines)
			f.Lines = append(f.Lines, v)
		}
		if len(f.Lines) > 0 || left == 0 {
			more += rest
		} else {
			f.Note = p.site.AccessSentences(robots, 0)
		}
		left -= len(f.Lines)
		files = append(files, f)
	}
	return files, more
}

// firstLines cuts a body after n lines, and counts the lines that follow: lines that do not fit on
// the page are not parsed for it.
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

// shared returns the details of a line, or the equal details of the line before, to save memory.
func shared(details []string, before []viewLine) []string {
	if n := len(before); n > 0 && slices.Equal(before[n-1].Details, details) {
		return before[n-1].Details
	}
	return slices.Clone(details)
}

// viewLine is a line; its details are in p.details until the next one.
func (p *Site) viewLine(robots *audit.Robots, l *site.Line, rules []site.RuleRow, most int64, lint []site.LineNote) viewLine {
	v := viewLine{File: robots.Index, Number: l.Number, Text: escape.Cut(l.Text, 1000), Kind: l.CountsAs(), Decided: -1, Matched: -1}
	v.Rule = len(rules) > 0 || l.Kind == site.LineAllow || l.Kind == site.LineDisallow
	details := p.details[:0]
	for i := range rules {
		r := &rules[i]
		if r.Tested {
			v.Decided, v.Matched = max(v.Decided, r.Decided), max(v.Matched, r.Matched)
		}
		details = append(details, p.effect(r))
	}
	if len(rules) > 0 {
		if since, note := p.ruleSince(&rules[0]); since != "" {
			details = append(details, "in the file "+since)
			if note != "" {
				details = append(details, "owner note: "+note)
			}
		}
	}
	if v.Decided > 0 {
		// Five shades: one for each fifth of the way to the rule that decides most, by magnitude.
		v.Heat = 1 + min(4, int(5*math.Log1p(float64(v.Decided))/math.Log1p(float64(most))))
		if l.Kind == site.LineDisallow && l.Value != "" {
			v.Key = strconv.Itoa(robots.Index) + ":" + strconv.Itoa(l.Number)
		}
	}
	for i := range lint {
		details = append(details, lint[i].Text)
	}
	v.Lint = len(lint) > 0
	v.Idle = v.Decided == 0
	if v.Rule && l.Counts && len(rules) == 0 {
		v.Kind += ", other crawlers"
		details = append(details, "is in a group that none of the crawlers tested obeys")
	}
	if l.For != "" && l.Why == "" {
		details = append(details, "counts for "+l.For)
	} else if l.For != "" {
		details = append(details, "counts for "+l.For+"; for the others: "+l.Why)
	} else if l.Why != "" {
		details = append(details, l.Why)
	}
	p.details = details
	return v
}

// effect says what a rule does for which crawlers. It reuses the last string if it is the same.
func (p *Site) effect(r *site.RuleRow) string {
	const between = ": "
	if of := p.lastEffect; len(of) != len(r.Names)+len(between)+len(r.Effect) || !strings.HasPrefix(of, r.Names) || !strings.HasSuffix(of, r.Effect) || of[len(r.Names):len(r.Names)+len(between)] != between {
		p.lastEffect = r.Names + between + r.Effect
	}
	return p.lastEffect
}
