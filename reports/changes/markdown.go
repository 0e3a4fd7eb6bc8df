package changes

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

// Bounds of changes.md, in bytes and so in characters: a review comment may have about 65,000.
const (
	MaxMarkdown         = 59_000
	maxMarkdownSite     = 20_000
	maxMarkdownSites    = 50 // in the table, and described in detail
	maxMarkdownNames    = 50 // of sites that did not change
	maxMarkdownName     = 100
	maxMarkdownNotes    = 10
	maxMarkdownNotesLen = 500
)

// markdownOutput is changes.md. It keeps the text on a site only as long as the site is among the
// first.
type markdownOutput struct {
	folder    *disk.Folder
	first     []markdownSite // sorted, at most maxMarkdownSites
	committed bool
}

// markdownSite is the text on one site.
type markdownSite struct {
	entry *model.Entry
	text  string
}

func newMarkdown(folder *disk.Folder) (model.Output, error) {
	return &markdownOutput{folder: folder}, nil
}

// Begin does nothing: a site is added at its end.
func (m *markdownOutput) Begin(*compare.Site) error { return nil }

// Flip does nothing: samples represent the flips.
func (m *markdownOutput) Flip(*compare.Flip) error { return nil }

// End keeps the text on a site that is among the first.
func (m *markdownOutput) End(site *model.Site) error {
	if !site.Entry.Changed {
		return nil
	}
	at, _ := slices.BinarySearchFunc(m.first, site.Entry, func(of markdownSite, e *model.Entry) int { return of.entry.Compare(e) })
	if at == maxMarkdownSites {
		return nil
	}
	if len(m.first) == maxMarkdownSites {
		m.first = m.first[:maxMarkdownSites-1]
	}
	m.first = slices.Insert(m.first, at, markdownSite{site.Entry, siteMarkdown(site, maxMarkdownSite)})
	return nil
}

// Finish writes the file.
func (m *markdownOutput) Finish(of *Comparison) error {
	return write(m.folder, "changes.md", func(w io.Writer) error {
		_, err := io.WriteString(w, comparisonMarkdown(of, m.first))
		return err
	})
}

// Commit gives the file its name.
func (m *markdownOutput) Commit() error {
	err := m.folder.FS.Rename(m.folder.TempPath("changes.md"), m.folder.Path("changes.md"))
	m.committed = err == nil
	return err
}

// Discard removes the temporary file.
func (m *markdownOutput) Discard() {
	if !m.committed {
		m.folder.FS.Remove(m.folder.TempPath("changes.md")) // best effort: the folder is emptied at the end
	}
}

// comparisonMarkdown is changes.md. first are the sites described in detail.
func comparisonMarkdown(c *Comparison, first []markdownSite) string {
	t := &c.Totals
	tail := markdownTail(c)
	b := &bounded{limit: MaxMarkdown - len(tail)}
	b.add("# %s\n\n%s\n\n", markdownText(c.Title()), markdownText(c.Lead()))
	if t.Sites > 1 && t.SitesChanged > 0 {
		b.add("%s.\n\n", markdownText(t.Headline()))
	}
	notes := c.AllNotes()
	for i, note := range notes {
		if i == maxMarkdownNotes || !b.add("> %s\n\n", markdownText(model.Text(note, maxMarkdownNotesLen))) {
			b.force("> %s.\n\n", wording.Plural(len(notes)-i, "more note"))
			break
		}
	}
	if t.Sites > 1 && t.SitesChanged > 0 {
		markdownTable(b, c.Sites[:t.SitesChanged])
	}
	for i, of := range first {
		if b.add("## %s\n\n%s", markdownText(model.DisplayName(of.entry.Name)), of.text) {
			continue
		}
		b.force("## %s\n\nThis file is full. See changes.json for these sites.\n\n", wording.Plural(t.SitesChanged-i, "more site"))
		return b.String() + tail
	}
	if more := t.SitesChanged - len(first); more > 0 {
		b.force("## %s\n\nSee changes.json for these sites.\n\n", wording.Plural(more, "more site"))
	}
	return b.String() + tail
}

// markdownTable lists the first of the sites that changed.
func markdownTable(b *bounded, changed []*model.Entry) {
	b.table("| Site | Newly blocked | Newly allowed | Unclear or clear again | Appeared, blocked | Vanished | Changes |\n|---|---:|---:|---:|---:|---:|---|\n", len(changed), maxMarkdownSites, func(i int) string {
		e := changed[i]
		t := &e.Totals
		return markdownRow(markdownText(model.Text(model.DisplayName(e.Name), maxMarkdownName)), markdownNumber(t.NewlyBlocked), markdownNumber(t.NewlyAllowed),
			markdownNumber(t.NowUnclear+t.ClearAgain), markdownNumber(t.AppearedBlocked), markdownNumber(t.Vanished), e.Facts())
	})
}

// markdownTail names the sites that did not change, in one line, and explains the content.
func markdownTail(c *Comparison) string {
	var b strings.Builder
	if unchanged := c.Sites[c.Totals.SitesChanged:]; len(unchanged) > 0 && c.Totals.Sites > 1 {
		var names []string
		for _, e := range unchanged[:min(len(unchanged), maxMarkdownNames)] {
			names = append(names, markdownText(model.Text(model.DisplayName(e.Name), maxMarkdownName)))
		}
		if more := len(unchanged) - len(names); more > 0 {
			names = append(names, wording.Thousands(more)+" more")
		}
		fmt.Fprintf(&b, "Nothing changed on %s: %s.\n\n", wording.Plural(len(unchanged), "site"), wording.And(names))
	}
	fmt.Fprintf(&b, "Older: %s. Newer: %s. Compared by robots-audit %s.\n\n", markdownText(model.RunWords(&c.Old)), markdownText(model.RunWords(&c.New)), markdownText(c.Version))
	b.WriteString("Both sides are judged again by the same engine, from stored answers. Newly blocked and newly allowed count URLs that are in both runs. Blocked from crawling does not mean not indexed.\n")
	return b.String()
}
