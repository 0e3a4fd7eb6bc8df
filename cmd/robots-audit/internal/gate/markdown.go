package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"robots-audit/audit/expect"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Markdown writes a comment for a code review. It begins with newly blocked and newly allowed URLs
// by crawler and line, followed by the expectations that are not met. GitHub accepts 65,536
// characters, GitLab more; the comment stays under MaxMarkdown.
type Markdown struct {
	Out     io.Writer
	Several bool // there are several sites, so rows name the site

	rows [expect.Unclear + 1]rows // by outcome
}

// rows are rows of a table, within maxRows.
type rows struct {
	list []string
	size int
	more int64 // rows that were left out
}

// MaxMarkdown limits the comment, in bytes; a character has one or more.
const MaxMarkdown = 60_000

// Marker is the first line of the comment. It is invisible, and scripts use it to find and replace
// the comment.
const Marker = "<!-- robots-audit verify -->"

// Bytes for the table of expectations, and the same for the changes; sites that were not read get
// the rest. The comment shows shownRows rows and folds the others. Expectations get at least
// expectedRows of them.
const (
	shownRows    = 25
	expectedRows = 10

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
		of := &m.rows[r.Outcome]
		if of.more > 0 { // a part was left out already, and this one comes after it
			of.more++
			continue
		}
		url, note := cell(escape.Cut(r.URL, longestURL)), ""
		if m.Several && r.Origin() == "" {
			url += " of " + cell(escape.Cut(r.Site, longestRule))
		}
		if r.Note != "" {
			note = "<br><em>" + plainCell(escape.Cut(r.Note, longestRule)) + "</em>"
		}
		row := fmt.Sprintf("| %s | %s | %s | %s | %s%s | %s |\n", sign(r.Outcome), url, cell(escape.Cut(r.Crawler, longestRule)), r.Want, instead(r), note, cell(escape.Cut(place(r), longestRule)))
		of.add(row)
	}
	return nil
}

// add adds a row, if there is space.
func (r *rows) add(row string) {
	if r.size+len(row) > maxRows {
		r.more++
		return
	}
	r.size += len(row)
	r.list = append(r.list, row)
}

// expectations returns the rows of all outcomes: those that fail by a verdict come first.
func (m *Markdown) expectations() (all rows) {
	for _, o := range []expect.Outcome{expect.Failed, expect.NoSite, expect.Vacuous, expect.Unclear} {
		for _, row := range m.rows[o].list {
			all.add(row)
		}
		all.more += m.rows[o].more
	}
	return all
}

// instead is What for a table cell, without the expectation, which has its own column.
func instead(r *expect.Result) string {
	switch {
	case len(r.Samples) == 0 && r.Why != "":
		return plainCell(escape.Cut(r.Why, longestURL))
	case len(r.Samples) == 0:
		return "of " + wording.URLs(r.Matched)
	case !r.Pattern():
		return sampled(r, &r.Samples[0])
	}
	n, what := r.Failing, ""
	if r.Outcome == expect.Unclear {
		n, what = r.Unclear, " could not be judged"
	}
	text := wording.Thousands(n) + " of " + wording.URLs(r.Matched) + what + ": "
	first := sampled(r, &r.Samples[0])
	if !slices.ContainsFunc(r.Samples, func(s expect.Sample) bool { return sampled(r, &s) != first }) {
		text += first + "<br>" + cell(escape.Cut(r.Samples[0].URL, longestRule))
		n--
	} else {
		for i := range r.Samples {
			text += "<br>" + cell(escape.Cut(r.Samples[i].URL, longestRule)) + " " + sampled(r, &r.Samples[i])
		}
		n -= int64(len(r.Samples))
	}
	if n > 0 {
		text += "<br>and " + wording.Thousands(n) + " more"
	}
	return text
}

// sampled is a URL with its verdict.
func sampled(r *expect.Result, s *expect.Sample) string {
	is := decided(s.Got.Verdict, s.Got.Rule)
	if s.Got.Rule.Line == 0 && s.Got.Why != "" {
		is += ": " + plainCell(escape.Cut(s.Got.Why, longestRule))
	}
	if r.Want == expect.Same {
		return "was " + decided(s.Was.Verdict, s.Was.Rule) + ", is " + is
	}
	return is
}

// decided is verdictBy for a table cell.
func decided(v engine.Verdict, r engine.Rule) string {
	if r.Line == 0 {
		return word(v)
	}
	return fmt.Sprintf("%s by line %d %s", word(v), r.Line, cell(Rule(r)))
}

// word is a verdict as a person says it of a URL.
func word(v engine.Verdict) string {
	switch v {
	case engine.Allow:
		return "allowed"
	case engine.Disallow:
		return "blocked"
	}
	return v.String()
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
	all := m.expectations()
	b := &comment{visible: shownRows - min(len(all.list), expectedRows)}
	b.WriteString(Marker + "\n### " + verdict(s) + "\n")
	for i, text := range s.FlipsFail {
		if i == 0 {
			b.WriteString("\n")
		}
		condition, why, _ := strings.Cut(text, ": ")
		b.WriteString("- ❌ " + escape.Code(escape.Cut(condition, longestRule)) + ": " + plain(escape.Cut(why, longestURL)) + "\n")
	}
	b.flips(s.Flips, maxFlips)
	b.visible = max(b.visible, 0) + min(len(all.list), expectedRows)
	if s.Expectations > 0 {
		b.WriteString("\n#### Expectations\n\n" + s.counted() + ".\n")
	}
	if all.list != nil {
		b.table("| | URL | Crawler | Expected | Found | Line |\n|---|---|---|---|---|---|\n", all.list)
	}
	if all.more > 0 {
		b.WriteString("\n" + wording.Plural(all.more, "more result") + wording.Verb(all.more, " is", " are") + " not shown here. See the output of the command.\n")
	}
	if text := s.NotJudged(); text != "" {
		b.WriteString("\nN" + plain(text[1:]) + ".\n")
	}
	b.list("not read", s.Unread)
	b.list("not compared", s.Uncompared)
	b.WriteString("\n<sub>Disallow blocks crawling, not indexing. Patterns and changes count the URLs found in sitemaps, links and lists.</sub>\n")
	_, err := io.WriteString(m.Out, b.String())
	return err
}

// comment is the text of the comment.
type comment struct {
	strings.Builder
	visible int // rows of tables that may still be shown; further ones are folded
}

// table writes a table, and folds the rows beyond those that may be visible. At least one is.
func (b *comment) table(head string, rows []string) {
	shown := min(len(rows), max(b.visible, 1))
	b.visible -= shown
	b.WriteString("\n" + head + strings.Join(rows[:shown], ""))
	if more := len(rows) - shown; more > 0 {
		b.fold(wording.Plural(more, "more row"), "\n"+head+strings.Join(rows[shown:], ""))
	}
}

// list writes the reasons why sites could not be judged.
func (b *comment) list(word string, texts []string) {
	for i, text := range texts {
		if i == 0 {
			b.WriteString("\n")
		}
		if i == maxUnread {
			b.WriteString("- " + wording.Plural(len(texts)-i, "more site") + "\n")
			break
		}
		b.WriteString("- " + word + ": " + plain(escape.Cut(text, longestRule)) + "\n")
	}
}

// fold writes a text that the reader can unfold.
func (b *comment) fold(title, text string) {
	b.WriteString("\n<details><summary>" + title + "</summary>\n" + text + "\n</details>\n")
}

// maxUnread limits the sites that are listed as not judged.
const maxUnread = 5

// verdict says in a sentence what changes, and whether the check passed.
func verdict(s *Summary) string {
	var parts []string
	if s.Flips != nil {
		parts = append(parts, flipsHeadline(s.Flips))
	}
	switch n := s.Failing(); {
	case n > 0 && n == s.Results:
		parts = append(parts, wording.Plural(n, "expectation")+wording.Verb(n, " fails", " fail"))
	case n > 0:
		parts = append(parts, wording.Thousands(n)+" of "+wording.Plural(s.Results, "expectation")+wording.Verb(n, " fails", " fail"))
	case s.Unclear > 0:
		parts = append(parts, "some expectations could not be judged")
	case s.Unread != nil:
		parts = append(parts, wording.Plural(len(s.Unread), "site")+" could not be read")
	case s.Results == 1:
		parts = append(parts, "the expectation is met")
	case s.Results > 0:
		parts = append(parts, "all "+wording.Plural(s.Results, "expectation")+" are met")
	case s.Expectations > 0:
		parts = append(parts, "no expectation could be checked")
	case parts == nil:
		parts = append(parts, "no expectations")
	}
	icon := "✅"
	switch {
	case s.Fails():
		icon = "❌"
	case s.Unjudged():
		icon = "❔"
	case s.Expectations == 0 && s.FailOn == "":
		icon = "➖"
	}
	return icon + " robots.txt: " + strings.Join(parts, "; ")
}
