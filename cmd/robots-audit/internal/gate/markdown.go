package gate

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit/expect"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Markdown writes a comment for a code review: which expectations are not met, and what
// else there is to say of the change. GitHub takes 65,536 characters, GitLab more; this
// stays under MaxMarkdown.
type Markdown struct {
	Out     io.Writer
	Several bool                   // there are several sites, so that a row says which
	Flips   func() (string, error) // Markdown of what flips, asked for at the end; nil = nothing is compared

	rows []string
	size int
	more int64
}

// MaxMarkdown bounds the comment, in bytes, of which characters have one or more.
const MaxMarkdown = 60_000

// Marker is the first line of the comment, which nobody sees: by it a script finds the
// comment again, to write it anew.
const Marker = "<!-- robots-audit verify -->"

// The table may take as much, and what flips the rest.
const (
	maxRows  = 30_000
	maxFlips = 25_000
)

// Suite takes the results of a site.
func (m *Markdown) Suite(s *expect.Suite) error {
	for i := range s.Results {
		r := &s.Results[i]
		if r.Outcome == expect.Met {
			continue
		}
		what := strings.TrimPrefix(What(r), "expected "+r.Want.String()+", ")
		row := fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", sign(r.Outcome), code(place(r)), code(named(r, m.Several)), code(r.Crawler), r.Want, code(escape.Cut(what, 1000)))
		if r.Note != "" {
			row = strings.TrimSuffix(row, " |\n") + "<br>" + code(escape.Cut(r.Note, longestRule)) + " |\n"
		}
		if m.size+len(row) > maxRows {
			m.more++
			continue
		}
		m.size += len(row)
		m.rows = append(m.rows, row)
	}
	return nil
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
	var b strings.Builder
	b.WriteString(Marker + "\n")
	switch n := s.Failing(); {
	case n > 0:
		b.WriteString("### ❌ robots.txt: " + wording.Plural(n, "expectation") + wording.Verb(n, " fails", " fail") + "\n\n")
	case s.Unclear > 0 || len(s.Unread) > 0:
		b.WriteString("### ❔ robots.txt: not all could be judged\n\n")
	default:
		b.WriteString("### ✅ robots.txt: all expectations are met\n\n")
	}
	b.WriteString(sentence(s.Headline()) + "\n")
	if m.rows != nil {
		b.WriteString("\n| | expectation | URL | crawler | expected | instead |\n|---|---|---|---|---|---|\n")
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
		if i == 20 {
			b.WriteString("- and " + wording.Plural(len(s.Unread)-i, "more site") + "\n")
			break
		}
		b.WriteString("- " + code(escape.Cut(text, longestRule)) + "\n")
	}
	if m.Flips != nil {
		flips, err := m.Flips()
		if err != nil {
			return err
		}
		if len(flips) <= maxFlips {
			b.WriteString("\n" + flips)
		} else {
			cut := escape.Prefix(flips, maxFlips)
			b.WriteString("\n" + cut[:strings.LastIndexByte(cut, '\n')+1] + "\nThe rest has no room here.\n")
		}
	}
	b.WriteString("\n<sub>\"Disallow\" is blocked from crawling, not from the index. Known URLs alone are judged by patterns.</sub>\n")
	_, err := io.WriteString(m.Out, b.String())
	return err
}

// sentence ends a headline.
func sentence(s string) string { return s + "." }

// code writes a text so that nothing in it is Markdown, inside of a table too.
func code(s string) string {
	s = strings.ReplaceAll(escape.Show(s), "|", `\|`)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
