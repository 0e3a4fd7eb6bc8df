package gate

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit/expect"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Markdown writes a comment for a code review. It has the result in a sentence, newly blocked and
// newly allowed URLs by crawler and line, and the expectations that are not met. GitHub accepts
// 65,536 characters, GitLab more; the comment stays under MaxMarkdown.
type Markdown struct {
	Out     io.Writer
	Several bool                     // there are several sites, so rows name the site
	Flips   func() ([]*Flips, error) // the changes, requested at the end; nil = no comparison

	rows []string
	size int
	more int64
}

// MaxMarkdown limits the comment, in bytes; a character has one or more.
const MaxMarkdown = 60_000

// Marker is the first line of the comment. It is invisible, and scripts use it to find and replace
// the comment.
const Marker = "<!-- robots-audit verify -->"

// Bytes for the table of expectations, and the same for the changes; sites that were not read get
// the rest. A table shows shownRows rows and folds the others.
const (
	shownRows = 25

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
		if m.more > 0 { // a part was left out already, and this one comes after it
			m.more++
			continue
		}
		note := ""
		if r.Note != "" {
			note = "<br><em>" + plain(escape.Cut(r.Note, longestRule)) + "</em>"
		}
		row := fmt.Sprintf("| %s | %s | %s | %s | %s%s | %s |\n", sign(r.Outcome), cell(named(r, m.Several)), cell(escape.Cut(r.Crawler, longestRule)), r.Want, instead(r), note, cell(escape.Cut(place(r), longestRule)))
		if m.size+len(row) > maxRows {
			m.more++
			continue
		}
		m.size += len(row)
		m.rows = append(m.rows, row)
	}
	return nil
}

// instead is What for a table cell, without the expectation, which has its own column.
func instead(r *expect.Result) string {
	switch {
	case len(r.Samples) == 0 && r.Why != "":
		return plain(escape.Cut(r.Why, longestURL))
	case len(r.Samples) == 0:
		return plain("of " + wording.URLs(r.Matched))
	case !r.Pattern():
		return sampled(r, &r.Samples[0])
	}
	n, what := r.Failing, wording.Verb(r.Failing, "has", "have")+" a different verdict:"
	if r.Outcome == expect.Unclear {
		n, what = r.Unclear, "could not be judged:"
	}
	text := wording.Thousands(n) + " of " + wording.URLs(r.Matched) + " " + what
	for i := range r.Samples {
		text += "<br>" + cell(escape.Cut(r.Samples[i].URL, longestRule)) + " " + sampled(r, &r.Samples[i])
	}
	if more := n - int64(len(r.Samples)); more > 0 {
		text += "<br>and " + wording.Thousands(more) + " more"
	}
	return text
}

// sampled is a URL with its verdict.
func sampled(r *expect.Result, s *expect.Sample) string {
	is := decided(s.Got.Verdict, s.Got.Rule)
	if s.Got.Rule.Line == 0 && s.Got.Why != "" {
		is += ": " + plain(escape.Cut(s.Got.Why, longestRule))
	}
	if r.Want == expect.Same {
		return "was " + decided(s.Was.Verdict, s.Was.Rule) + ", is " + is
	}
	return is
}

// decided is verdictBy for a table cell.
func decided(v engine.Verdict, r engine.Rule) string {
	if r.Line == 0 {
		return v.String()
	}
	return fmt.Sprintf("%s by line %d %s", v, r.Line, cell(Rule(r)))
}

// sign is the icon at the start of a row.
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
	b.WriteString("\n")
	writeFlips(&b, flips, maxFlips)
	if s.Expectations > 0 || len(s.Unread) > 0 {
		b.WriteString("\n#### Expectations\n\n" + s.Headline() + ".\n")
	}
	if m.rows != nil {
		table(&b, "| | URL | Crawler | Expected | Found | Line |\n|---|---|---|---|---|---|\n", m.rows)
	}
	if m.more > 0 {
		b.WriteString("\n" + wording.Thousands(m.more) + " more are not shown here. See the output of the command.\n")
	}
	for i, text := range s.Unread {
		if i == 0 {
			b.WriteString("\n")
		}
		if i == maxUnread {
			b.WriteString("- " + wording.Plural(len(s.Unread)-i, "more site") + "\n")
			break
		}
		b.WriteString("- not read: " + escape.Code(escape.Cut(text, longestRule)) + "\n")
	}
	b.WriteString("\n<sub>Disallow blocks crawling, not indexing. Patterns and changes count the URLs found in sitemaps, links and lists.</sub>\n")
	_, err := io.WriteString(m.Out, b.String())
	return err
}

// table writes a table, and folds all but its first rows.
func table(b *strings.Builder, head string, rows []string) {
	shown := min(len(rows), shownRows)
	b.WriteString("\n" + head + strings.Join(rows[:shown], ""))
	if more := len(rows) - shown; more > 0 {
		fold(b, wording.Plural(more, "more row"), "\n"+head+strings.Join(rows[shown:], ""))
	}
}

// fold writes a text that the reader can unfold.
func fold(b *strings.Builder, title, text string) {
	b.WriteString("\n<details><summary>" + title + "</summary>\n" + text + "\n</details>\n")
}

// maxUnread limits the sites that are listed as not judged.
const maxUnread = 10

// verdict says in a clause whether the check passed.
func verdict(s *Summary) string {
	switch n := s.Failing(); {
	case n > 0 && n == s.Results:
		return "❌ robots.txt: " + wording.Plural(n, "expectation") + wording.Verb(n, " fails", " fail")
	case n > 0:
		return "❌ robots.txt: " + wording.Thousands(n) + " of " + wording.Plural(s.Results, "expectation") + wording.Verb(n, " fails", " fail")
	case s.Unclear > 0 || len(s.Unread) > 0:
		return "❔ robots.txt: some expectations could not be judged"
	case s.Expectations == 0:
		return "➖ robots.txt: no expectations"
	case s.Results == 1:
		return "✅ robots.txt: the expectation is met"
	}
	return "✅ robots.txt: all " + wording.Plural(s.Results, "expectation") + " are met"
}

// cell is code in a table cell. A bar would end the cell, and parsers differ on a backslash before
// it. A text with bars is therefore escaped as HTML.
func cell(s string) string {
	if !strings.Contains(s, "|") {
		return escape.Code(s)
	}
	return "<code>" + literal(s) + "</code>"
}

// plain is a text without Markdown in it, in a table or not. Text with characters that GitHub and
// GitLab turn into mentions and references becomes code, where they do not.
func plain(s string) string {
	if strings.ContainsAny(s, "@#!$%&~") {
		return cell(s)
	}
	return literal(s)
}

// literal escapes as HTML the punctuation that Markdown interprets, and what makes an address a
// link.
func literal(s string) string {
	var b strings.Builder
	for _, r := range escape.Show(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#+-.!|~&@:^$=\"'", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
