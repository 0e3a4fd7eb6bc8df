package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
)

// Bounds of the text on a site in changes.md.
const (
	maxMarkdownCrawlers = 20
	maxMarkdownLines    = 20
	maxMarkdownChanges  = 20
	maxMarkdownSamples  = 10
	maxMarkdownURL      = 200 // bytes
	maxMarkdownWhy      = 400 // bytes
	maxMarkdownFact     = 800 // bytes
)

// siteMarkdown describes a site in at most limit bytes, without a title.
func siteMarkdown(s *model.Site, limit int) string {
	b := &bounded{limit: limit}
	b.add("%s\n\n", markdownText(s.Entry.Lead))
	for i, note := range s.Notes {
		if i == maxMarkdownNotes || !b.add("> %s\n\n", markdownText(model.Text(note, maxMarkdownNotesLen))) {
			break
		}
	}
	markdownCrawlers(b, s)
	for i := range s.Origins {
		markdownLines(b, &s.Origins[i], len(s.Origins) > 1)
	}
	if len(s.Changes) > 0 {
		b.table("Changes:\n\n", len(s.Changes), maxMarkdownChanges, func(i int) string { return markdownChange(&s.Changes[i]) })
	}
	markdownSamples(b, s)
	return b.String()
}

// markdownCrawlers is the table of changed verdicts by crawler.
func markdownCrawlers(b *bounded, s *model.Site) {
	crawlers := s.CrawlerFlips()
	if len(crawlers) == 0 {
		return
	}
	head, rule := "| Crawler | Newly blocked | Newly allowed | Now unclear | Clear again | Appeared, blocked |", "|---|---:|---:|---:|---:|---:|"
	if s.Clicks != nil {
		head, rule = head+" Clicks lost | Clicks gained |", rule+"---:|---:|"
	}
	if s.Hits != nil {
		head, rule = head+" Hits lost | Hits gained |", rule+"---:|---:|"
	}
	b.table(head+"\n"+rule+"\n", len(crawlers), maxMarkdownCrawlers, func(i int) string {
		c := &crawlers[i]
		row, numbers := []string{markdownText(model.Text(c.Label, maxMarkdownName))}, []int64{c.NewlyBlocked, c.NewlyAllowed, c.NowUnclear, c.ClearAgain, c.AppearedBlocked}
		if s.Clicks != nil {
			numbers = append(numbers, c.Clicks.Lost, c.Clicks.Gained)
		}
		if s.Hits != nil {
			numbers = append(numbers, c.Hits.NewlyBlocked, c.Hits.NewlyAllowed)
		}
		for _, n := range numbers {
			row = append(row, markdownNumber(n))
		}
		return markdownRow(row...)
	})
}

// markdownLines is the table of the changed lines of one robots.txt: those that change most verdicts, in
// the order of the file. named = the file needs a name, since there are others.
func markdownLines(b *bounded, o *compare.Origin, named bool) {
	if len(o.Diff) == 0 || o.SameAs != "" {
		return
	}
	lines := slices.Clone(o.Diff)
	if len(lines) > maxMarkdownLines {
		slices.SortStableFunc(lines, func(a, b compare.Line) int { return cmp.Compare(b.Flips(), a.Flips()) })
		slices.SortFunc(lines[:maxMarkdownLines], func(a, b compare.Line) int {
			return cmp.Or(cmp.Compare(max(a.NewLine, a.OldLine), max(b.NewLine, b.OldLine)), cmp.Compare(a.OldLine, b.OldLine))
		})
	}
	of := ""
	if named {
		of = " of " + markdownText(model.DisplayName(o.Name))
	}
	head := "Changed lines of robots.txt" + of + ", with the URLs that each line alone blocks or allows:\n\n| Change | Line | Text | Newly blocked | Newly allowed |\n|---|---:|---|---:|---:|\n"
	b.table(head, len(lines), maxMarkdownLines, func(i int) string {
		l := &lines[i]
		line, text := l.NewLine, escape.Code(model.Text(l.New, maxMarkdownURL))
		switch l.Op {
		case compare.Removed:
			line, text = l.OldLine, escape.Code(model.Text(l.Old, maxMarkdownURL))
		case compare.Edited:
			text = escape.Code(model.Text(l.Old, maxMarkdownURL)) + " → " + text
		}
		blocked, allowed := markdownNumber(l.NewlyBlocked), markdownNumber(l.NewlyAllowed)
		if l.NotCounted {
			blocked, allowed = "not counted", "not counted"
		}
		return markdownRow(l.Op.Words(), strconv.Itoa(line), text, blocked, allowed)
	})
}

// markdownChange is a change as an item of a list.
func markdownChange(c *compare.Change) string {
	what, before, after := markdownText(model.Text(c.What, maxMarkdownURL)), model.Text(c.Before, maxMarkdownFact), model.Text(c.After, maxMarkdownFact)
	words := fmt.Sprintf("- **%s** %s", c.Severity.Word(), what)
	switch {
	case before == "" && after == "":
	case before == "":
		words += ": new: " + escape.Code(after)
	case after == "":
		words += ": removed: " + escape.Code(before)
	default:
		words += ": " + escape.Code(before) + " → " + escape.Code(after)
	}
	return words + "\n"
}

// markdownSamples is the table of the first changed URLs.
func markdownSamples(b *bounded, s *model.Site) {
	samples := s.Samples.First(maxMarkdownSamples)
	if len(samples) == 0 {
		return
	}
	title, head, rule := "First changed URLs:", "| URL | Change | For | Why |", "|---|---|---|---|"
	if s.Clicks != nil {
		title, head, rule = "Changed URLs, most clicks first:", head+" Clicks |", rule+"---:|"
	}
	b.table(title+"\n\n"+head+"\n"+rule+"\n", int(s.Samples.Seen), len(samples), func(i int) string {
		sample := samples[i]
		clicks := ""
		if sample.Weight.HasClicks() {
			clicks = wording.Thousands(sample.Weight.Clicks)
		}
		var rows strings.Builder
		for alike := range model.Outcomes(&sample.Flip) {
			var names []string
			for _, i := range alike {
				names = append(names, model.Text(s.Crawlers[i].Label, maxMarkdownName))
			}
			why := model.CauseWords(s.Site, &sample.Flip, alike[0])
			row := []string{escape.Code(model.Text(sample.Loc, maxMarkdownURL)), sample.Of(alike[0]), markdownText(model.Names(names)), markdownText(model.Text(why, maxMarkdownWhy))}
			if s.Clicks != nil {
				row = append(row, clicks)
			}
			rows.WriteString(markdownRow(row...))
		}
		return rows.String()
	})
}
