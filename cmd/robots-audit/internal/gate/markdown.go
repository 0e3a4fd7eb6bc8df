package gate

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit/expect"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Markdown writes a comment for a code review: the verdict in a sentence, which
// expectations are not met, and what flips for whom by which lines. GitHub takes 65,536
// characters, GitLab more; this stays under MaxMarkdown.
type Markdown struct {
	Out     io.Writer
	Several bool                     // there are several sites, so that a row says which
	Flips   func() ([]*Flips, error) // what flips, asked for at the end; nil = nothing is compared

	rows []string
	size int
	more int64
}

// MaxMarkdown bounds the comment, in bytes, of which characters have one or more.
const MaxMarkdown = 60_000

// Marker is the first line of the comment, which nobody sees: by it a script finds the
// comment again, to write it anew.
const Marker = "<!-- robots-audit verify -->"

// The table may take as much, and what flips as much; sites that were not read have the rest.
const (
	maxRows  = 25_000
	maxFlips = 25_000
)

// Suite takes the results of a site.
func (m *Markdown) Suite(s *expect.Suite) error {
	for i := range s.Results {
		r := &s.Results[i]
		if r.Outcome == expect.Met {
			continue
		}
		if m.more > 0 { // what follows would stand there without what is before it
			m.more++
			continue
		}
		what := instead(r)
		note := ""
		if r.Note != "" {
			note = "<br>" + cell(escape.Cut(r.Note, longestRule))
		}
		row := fmt.Sprintf("| %s | %s%s | %s | %s | %s | %s |\n", sign(r.Outcome), cell(named(r, m.Several)), note, cell(escape.Cut(r.Crawler, longestRule)), r.Want, cell(escape.Cut(what, 1000)), cell(escape.Cut(place(r), longestRule)))
		if m.size+len(row) > maxRows {
			m.more++
			continue
		}
		m.size += len(row)
		m.rows = append(m.rows, row)
	}
	return nil
}

// instead is What without what was expected, which has a column of its own.
func instead(r *expect.Result) string {
	what := strings.TrimPrefix(What(r), "expected "+r.Want.String())
	if was, got, ok := strings.Cut(strings.TrimPrefix(what, " ("), "), "); ok && strings.HasPrefix(what, " (") {
		return "was " + was + ", " + got
	}
	return strings.TrimPrefix(strings.TrimPrefix(what, ", "), "but ")
}

// sign is what of a row is seen first.
func sign(o expect.Outcome) string {
	if o.Fails() {
		return "❌"
	}
	return "❔"
}

// End writes the comment.
func (m *Markdown) End(s *Summary) error {
	var flips []*Flips
	if m.Flips != nil {
		var err error
		if flips, err = m.Flips(); err != nil {
			return err
		}
	}
	var b strings.Builder
	b.WriteString(Marker + "\n### " + verdict(s))
	if what := flipsHeadline(flips); what != "" {
		b.WriteString("; " + what)
	}
	b.WriteString("\n\n" + s.Headline() + ".\n")
	if m.rows != nil {
		b.WriteString("\n| | URL | crawler | expected | instead | line |\n|---|---|---|---|---|---|\n")
		for _, row := range m.rows {
			b.WriteString(row)
		}
	}
	if m.more > 0 {
		b.WriteString("\nAnd " + wording.Thousands(m.more) + " more, for which there is no room here: the output of the command has them all.\n")
	}
	for i, text := range s.Unread {
		if i == 0 {
			b.WriteString("\n")
		}
		if i == maxUnread {
			b.WriteString("- and " + wording.Plural(len(s.Unread)-i, "more site") + "\n")
			break
		}
		b.WriteString("- not read: " + code(escape.Cut(text, longestRule)) + "\n")
	}
	writeFlips(&b, flips, maxFlips)
	b.WriteString("\n<sub>\"Disallow\" is blocked from crawling, not from the index. Patterns and flips are about known URLs: those of sitemaps, links and lists.</sub>\n")
	_, err := io.WriteString(m.Out, b.String())
	return err
}

// maxUnread bounds the sites that could not be judged and are named.
const maxUnread = 10

// verdict says in a clause whether the gate is open.
func verdict(s *Summary) string {
	switch n := s.Failing(); {
	case n > 0 && n == s.Results:
		return "❌ robots.txt: " + wording.Plural(n, "expectation") + wording.Verb(n, " fails", " fail")
	case n > 0:
		return "❌ robots.txt: " + wording.Thousands(n) + " of " + wording.Plural(s.Results, "expectation") + wording.Verb(n, " fails", " fail")
	case s.Unclear > 0 || len(s.Unread) > 0:
		return "❔ robots.txt: not all could be judged"
	case s.Results == 1:
		return "✅ robots.txt: the expectation is met"
	}
	return "✅ robots.txt: all " + wording.Plural(s.Results, "expectation") + " are met"
}

// code writes a text so that nothing in it is Markdown; "" stays "".
func code(s string) string {
	if s == "" {
		return ""
	}
	s = escape.Show(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// cell is code in a table. A bar would end the cell, and readers differ on what a
// backslash before it means: a text with bars has its punctuation as HTML writes it.
func cell(s string) string {
	if !strings.Contains(s, "|") {
		return code(s)
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range escape.Show(s) {
		if r > ' ' && r < 0x7f && !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || strings.ContainsRune(",;/?=%+-", r)) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}
