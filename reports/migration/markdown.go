package migration

import (
	"fmt"
	"strings"

	"robots-audit/audit/migrate"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// shown is the number of pairs of each class in changes.md.
const shown = 10

// markdown is changes.md.
func (s *Summary) markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", s.Totals.Headline(), s.further())
	b.WriteString("\n| Severity | What is wrong | Pairs | Clicks |\n|---|---|--:|--:|\n")
	for _, c := range s.Classes {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Severity, c.Words, wording.Thousands(c.Pairs), wording.Thousands(c.Clicks))
	}
	if len(s.Leaks) > 0 {
		b.WriteString("\n## The new site's robots.txt\n\n")
		for _, l := range s.Leaks {
			at := ""
			if l.Line > 0 {
				at = fmt.Sprintf(", line %d", l.Line)
			}
			fmt.Fprintf(&b, "- %s: %s (%s%s). %s\n", l.Severity, inline(l.Words), inline(l.File), at, inline(l.Todo))
		}
	}
	if len(s.Unmapped) > 0 {
		b.WriteString("\n## Important URLs that are missing from the map\n\n")
		for _, url := range s.Unmapped[:min(len(s.Unmapped), shown)] {
			fmt.Fprintf(&b, "- %s\n", inline(url))
		}
	}
	if e := s.Expectations; e != nil {
		fmt.Fprintf(&b, "\n## Expectations\n\n%s.\n\n", inline(e.Headline))
		for _, of := range e.List[:min(len(e.List), shown)] {
			fmt.Fprintf(&b, "- %s:%d: %s, %s: %s\n", inline(e.File), of.Line, inline(of.URL), inline(of.Crawler), inline(of.What))
		}
	}
	for _, f := range s.Flips {
		if f.Flips() > 0 {
			fmt.Fprintf(&b, "\nProposed robots.txt, %s: %s newly blocked, %s newly allowed, %s now unclear, %s clear again.\n", inline(f.Crawler),
				wording.Thousands(f.NewlyBlocked), wording.Thousands(f.NewlyAllowed), wording.Thousands(f.NowUnclear), wording.Thousands(f.ClearAgain))
		}
	}
	for _, c := range s.Classes {
		s.markdownClass(&b, &c)
	}
	fmt.Fprintf(&b, "\nStarted %s UTC, robots-audit %s, map %s. All pairs are in %s.\n", s.Run.Started.Format("2006-01-02 15:04"), s.Run.Version, inline(s.Run.Map), bookName)
	return []byte(b.String())
}

// markdownClass names the first pairs of a class.
func (s *Summary) markdownClass(b *strings.Builder, c *ClassCount) {
	n := int64(0)
	for _, of := range s.Samples {
		if of.Class != c.Class {
			continue
		}
		if n == 0 {
			fmt.Fprintf(b, "\n## %s: %s\n\n%s\n\n", c.Words, wording.Plural(c.Pairs, "pair"), c.Todo)
		}
		if n++; n > shown {
			fmt.Fprintf(b, "\n%s more.\n", wording.Thousands(c.Pairs-shown))
			return
		}
		fmt.Fprintf(b, "- line %d: %s → %s: %s\n", of.Line, inline(of.Old), inline(of.New), inline(said(of.Main())))
	}
}

// said is a remark with its rule.
func said(m *migrate.Remark) string {
	if m == nil {
		return ""
	}
	if m.Rule == "" {
		return m.Text
	}
	return fmt.Sprintf("%s %q (%s)", m.Text, m.Rule, m.File)
}

// inline is text on one line, without markup, mentions and references.
func inline(s string) string {
	return escape.Markdown(strings.Join(strings.Fields(escape.Cut(s, 300)), " "), "\\`*_<>[]|")
}
