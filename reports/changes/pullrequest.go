package changes

import (
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
)

// Bounds of the body of a pull request.
const (
	maxPullSite     = 40_000 // bytes
	maxPullFindings = 20
	maxPullNote     = 4000 // bytes
)

// PullRequest is the body of a pull request for the new robots.txt, in Markdown: what it changes, with examples,
// and the findings in it. Text of the site and the note contain no markup, links or mentions.
func (t *Told) PullRequest(note string, findings []engine.Finding) string {
	b := &bounded{limit: MaxMarkdown}
	b.add("## Change robots.txt of %s\n\n", markdownText(model.Text(model.DisplayName(t.Site.Name), maxMarkdownName)))
	for line := range strings.Lines(escape.Cut(note, maxPullNote)) {
		if line = strings.TrimSpace(line); line != "" {
			b.add("> %s\n\n", plainText(line))
		}
	}
	b.add("%s", siteMarkdown(t.of, maxPullSite))
	if len(findings) > 0 {
		b.table("Findings in the new file:\n\n", len(findings), maxPullFindings, func(i int) string {
			f := &findings[i]
			line := ""
			if f.Line > 0 {
				line = "line " + wording.Thousands(f.Line) + ": "
			}
			return "- **" + f.Severity.String() + "** " + line + plainText(model.Text(f.What, maxMarkdownFact)) + "\n"
		})
	}
	if t.Site.New != nil {
		b.add("Tested on %s. A blocked URL can still be indexed.\n", wording.URLs(t.Site.New.URLs))
	}
	return b.String()
}

// plainText escapes text that has no code of ours, also of a user.
func plainText(line string) string { return unlinked(line, "\\`*_~#<>[]&|()!-+") }
