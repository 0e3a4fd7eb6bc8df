package reports

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// summaryMarkdown is summary.md.
type summaryMarkdown struct{ run *Run }

// AddSite does nothing: the file names sites that the overview has noted.
func (m *summaryMarkdown) AddSite(*summary.Site) error { return nil }

// Finish writes summary.md.
func (m *summaryMarkdown) Finish(run *summary.Run) error {
	full := "summary.xlsx"
	if !m.run.writesOfRun(kindWorkbook) {
		full = "summary.json"
	}
	return disk.WriteFile(m.run.folder.FS, m.run.path("summary.md"), m.run.temp("summary.md"), markdown(run, full, m.run.onDemand()))
}

// markdown is summary.md, short enough for a mail. full is the file that has all sites; onDemand
// says that some sites do not have their own files.
func markdown(run *summary.Run, full string, onDemand bool) []byte {
	var b strings.Builder
	t := run.Totals
	s := run.Overview.Sentences(t)
	fmt.Fprintf(&b, "%s\n\n%s\n", t.Headline(), s[1])
	if run.Unfinished > 0 {
		fmt.Fprintf(&b, "The run was stopped before %s %s finished. Resume it to finish them.\n", wording.Plural(run.Unfinished, "site"), wording.Verb(run.Unfinished, "was", "were"))
	}
	markdownSites(&b, "Issues, most severe first", run.Overview.Worst, t.Critical+t.Warn, full)
	markdownSites(&b, "Unknown, not counted as OK", run.Overview.NotJudged, t.Unknown, full)
	markdownAsked(&b, run)
	if n := run.BadLineCount(); n > 0 {
		fmt.Fprintf(&b, "\n## Lines of the list without a site: %d\n\n", n)
		for _, p := range run.BadLines[:min(len(run.BadLines), summary.MaxNamed)] {
			fmt.Fprintf(&b, "- %s\n", markdownText(p.Detail))
		}
	}
	if len(run.Untested) > 0 {
		b.WriteString("\n## URLs of your list that were not tested\n\n")
		for _, p := range run.Untested {
			fmt.Fprintf(&b, "- %s\n", markdownText(p.Detail))
		}
	}
	if onDemand {
		b.WriteString("\nTo make the workbook and page of a further site, run `robots-audit report RUN -site HOST` with this folder as RUN.\n")
	}
	for _, remark := range run.Remarks {
		fmt.Fprintf(&b, "\n%s\n", markdownText(remark))
	}
	fmt.Fprintf(&b, "\nStarted %s UTC with robots-audit %s for %s.\n", run.Started.Format("2006-01-02 15:04"), run.Version, markdownText(strings.Join(audit.Labels(run.Crawlers), ", ")))
	b.WriteString("URLs found are those in sitemaps, links or your list.\n")
	return []byte(b.String())
}

// markdownSites lists the first of a number of sites; full is the file that has all.
func markdownSites(b *strings.Builder, title string, first []summary.NamedSite, sites int, full string) {
	if sites == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s: %s\n\n", title, wording.Plural(sites, "site"))
	for i, of := range first {
		if of.State == audit.Undetermined { // as the title says
			fmt.Fprintf(b, "- %s: %s\n", markdownText(of.Name), markdownProse(of.Why))
		} else {
			fmt.Fprintf(b, "%d. %s (%s): %s\n", i+1, markdownText(of.Name), of.StateName(), markdownProse(of.Why))
		}
	}
	if more := sites - len(first); more > 0 {
		fmt.Fprintf(b, "\nAnd %s more in %s.\n", wording.Thousands(more), full)
	}
}

// markdownAsked says how the servers of the sites treat the names of crawlers, if they were asked.
func markdownAsked(b *strings.Builder, run *summary.Run) {
	if len(run.Totals.Asked) == 0 {
		return
	}
	b.WriteString("\n## Crawlers: written and enforced\n\nAsked in their names from here. This does not prove what the crawlers themselves get.\n\n")
	for rest := run.Totals.Asked; len(rest) > 0; {
		words := rest[0].Words()
		var same []string
		rest = slices.DeleteFunc(slices.Clone(rest), func(of summary.AskedTotal) bool {
			is := of.Words() == words
			if is {
				same = append(same, of.Crawler)
			}
			return is
		})
		fmt.Fprintf(b, "- %s: %s\n", markdownText(wording.And(same)), words)
	}
	if n := run.Overview.Asked.Contradicting; n > 0 {
		fmt.Fprintf(b, "\nContradictions on %s, most severe on %s: %s\n", wording.Plural(n, "site"), markdownText(run.Overview.Asked.Rows[0].Name), markdownProse(run.Overview.Asked.Rows[0].First))
	}
}

// markdownText is text on one line, without markup, mentions and references.
func markdownText(s string) string { return escape.Markdown(blankControls.Replace(s), "\\`*<>[]|") }

// markdownProse is markdownText for a sentence in which `back quotes` surround code. A quote
// without a partner is text: a rule may have one.
func markdownProse(s string) string {
	parts := strings.Split(s, "`")
	for i, part := range parts {
		switch {
		case i%2 == 0:
			parts[i] = markdownText(part)
		case part == "" || i == len(parts)-1:
			return markdownText(s)
		default:
			parts[i] = blankControls.Replace(part)
		}
	}
	return strings.Join(parts, "`")
}

// blankControls replaces the control characters that separate lines and columns of text.
var blankControls = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")
