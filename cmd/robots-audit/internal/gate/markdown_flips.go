package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Limits for one site.
const (
	maxShown   = 20  // names of crawlers
	maxTable   = 200 // rows of a table, with the folded ones
	maxChanges = 10  // severe changes
	maxNotes   = 5
)

// classWords are the classes of changes as shown to people.
var classWords = map[compare.Class]string{compare.NewlyBlocked: "🔴 newly blocked", compare.NewlyAllowed: "🟢 newly allowed", compare.NowUnclear: "❔ now unclear", compare.ClearAgain: "⚪ clear again"}

// flipsHeadline says in a clause what changes at all sites; "" = nothing.
func flipsHeadline(list []*Flips) string {
	var sum compare.Totals
	for _, f := range list {
		sum.Add(&f.Site.Totals)
	}
	if list == nil {
		return ""
	}
	return flipCounts(&sum)
}

// flipCounts says how many URLs change: "3 URLs newly blocked, 1 newly allowed".
func flipCounts(t *compare.Totals) string {
	var parts []string
	for class, n := range t.ByClass() {
		switch {
		case n == 0:
		case parts == nil:
			parts = append(parts, wording.URLs(n)+" "+class.Words())
		default:
			parts = append(parts, wording.Thousands(n)+" "+class.Words())
		}
	}
	switch {
	case parts == nil && t.Known == 0:
		return "no URL was found to compare"
	case parts == nil:
		return "no verdict changes"
	}
	return strings.Join(parts, ", ")
}

// writeFlips writes the changes within a number of bytes, the site with the greatest effect first.
// Once tables have shown enough rows, further sites are folded.
func writeFlips(b *strings.Builder, list []*Flips, room int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Flips) int {
		return cmp.Or(cmp.Compare(b.Site.Totals.NewlyBlocked, a.Site.Totals.NewlyBlocked), cmp.Compare(b.Site.Totals.Flips(), a.Site.Totals.Flips()))
	})
	shown := 0
	for i, f := range list {
		part := f.markdown(maxTable)
		for rows := maxTable / 2; len(part) > room && rows > 0; rows /= 2 { // URLs may be long, and escaping makes text longer
			part = f.markdown(rows)
		}
		name, counts := escape.Cut(f.Site.Name, longestRule), ": "+flipCounts(&f.Site.Totals)
		title := "<code>" + literal(name) + "</code>" + counts
		size := len(part) + len(title) + len("\n<details><summary></summary>\n\n</details>\n")
		if size > room {
			b.WriteString("\n" + wording.Plural(len(list)-i, "more site") + wording.Verb(len(list)-i, " is", " are") + " not shown here. Run `robots-audit simulate` to see more.\n")
			return
		}
		room -= size
		if shown >= shownRows {
			fold(b, title, part)
			continue
		}
		shown += len(f.lines)
		b.WriteString("\n#### " + escape.Code(name) + counts + "\n" + part)
	}
}

// markdown writes the changes of the site by crawler and by line, with at most rows rows in a
// table.
func (f *Flips) markdown(rows int) string {
	var b strings.Builder
	t := &f.Site.Totals
	if t.Flips() == 0 && t.Known > 0 {
		b.WriteString("\n" + wording.Plural(t.Known, "page") + " tested for " + f.names() + ": no verdict changes.\n")
	} else if t.Known > 0 {
		b.WriteString("\n" + wording.Plural(t.Known, "page") + " tested for " + f.names() + ":\n")
		f.byCrawler(&b, rows)
		f.byLine(&b, rows)
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Site.Kinds)) {
		if of := f.Site.Kinds[kind]; of.Flips() > 0 {
			b.WriteString("\nOther URLs (" + escape.Code(kind) + "): " + flipCounts(&of) + ".\n")
		}
	}
	f.changes(&b)
	for i, note := range f.Site.Notes {
		if i == maxNotes {
			break
		}
		b.WriteString("\n" + plain(escape.Cut(note, longestURL)) + "\n")
	}
	return b.String()
}

// names are the crawlers that were tested.
func (f *Flips) names() string {
	var list []string
	for i := range f.Site.Crawlers {
		if i == maxShown {
			list = append(list, wording.Plural(len(f.Site.Crawlers)-i, "more crawler"))
			break
		}
		list = append(list, escape.Cut(f.Site.Crawlers[i].Label, longestRule))
	}
	for i := range list {
		list[i] = escape.Code(list[i])
	}
	return wording.And(list)
}

// byCrawler writes a row for each crawler with a change, and a column for each class that occurs.
func (f *Flips) byCrawler(b *strings.Builder, rows int) {
	clicks := map[string]int64{}
	for _, of := range f.lines {
		if of.class == compare.NewlyBlocked {
			for _, name := range of.crawlers {
				clicks[name] += of.clicks
			}
		}
	}
	t := &f.Site.Totals
	columns := []struct {
		name  string
		shown bool
		of    func(label string, n *compare.CrawlerTotals) int64
	}{
		{"Newly blocked", t.NewlyBlocked > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.NewlyBlocked }},
		{"Clicks newly blocked", t.NewlyBlocked > 0 && f.Clicks, func(label string, _ *compare.CrawlerTotals) int64 { return clicks[label] }},
		{"Newly allowed", t.NewlyAllowed > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.NewlyAllowed }},
		{"Now unclear", t.NowUnclear > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.NowUnclear }},
		{"Clear again", t.ClearAgain > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.ClearAgain }},
	}
	title, align := "| Crawler |", "|---|"
	for _, c := range columns {
		if c.shown {
			title, align = title+" "+c.name+" |", align+"--:|"
		}
	}
	var list []string
	for i := range f.Site.Flips {
		n := &f.Site.Flips[i]
		if n.Flips() == 0 || len(list) == rows {
			continue
		}
		label := f.Site.Crawlers[i].Label
		row := "| " + cell(escape.Cut(label, longestRule)) + " |"
		for _, c := range columns {
			if c.shown {
				row += " " + wording.Thousands(c.of(label, n)) + " |"
			}
		}
		list = append(list, row+"\n")
	}
	table(b, title+"\n"+align+"\n", list)
}

// byLine writes a row for each pair of old and new deciding lines.
func (f *Flips) byLine(b *strings.Builder, rows int) {
	title, align := "", ""
	if f.Clicks {
		title, align = " Clicks |", "--:|"
	}
	var list []string
	more := f.more
	for i, of := range f.lines {
		if i >= rows {
			more += of.pages
			continue
		}
		row := fmt.Sprintf("| %s | %s | %s |", classWords[of.class], cell(escape.Cut(strings.Join(of.crawlers, ", "), longestRule)), wording.Thousands(of.pages))
		if f.Clicks {
			row += " " + wording.Thousands(of.clicks) + " |"
		}
		list = append(list, row+fmt.Sprintf(" %s | %s | %s |\n", of.was, of.is, cell(escape.Cut(of.example, longestRule))))
	}
	table(b, "| Change | Crawlers | URLs |"+title+" Before | Now | Example |\n|---|---|--:|"+align+"---|---|---|\n", list)
	if more > 0 {
		b.WriteString("\n" + wording.Plural(more, "more change") + " by other lines.\n")
	}
}

// changes writes the severe changes in the new file besides its rules. A change that is the same
// for several crawlers is written once.
func (f *Flips) changes(b *strings.Builder) {
	type severe struct {
		severity            compare.Severity
		kind, before, after string
	}
	var order []severe
	names := map[severe][]string{}
	for i := range f.Site.Changes {
		c := &f.Site.Changes[i]
		if c.Severity != compare.Critical && c.Severity != compare.High {
			continue
		}
		g := severe{c.Severity, c.Kind, c.Before, c.After}
		if names[g] == nil {
			order = append(order, g)
		}
		names[g] = append(names[g], escape.Cut(c.What, longestRule))
	}
	for i, g := range order {
		if i == 0 {
			b.WriteString("\n")
		}
		if i == maxChanges {
			b.WriteString("- " + wording.Plural(len(order)-i, "more severe change") + "\n")
			break
		}
		list := names[g]
		if more := len(list) - maxNotes; more > 0 {
			list = append(list[:maxNotes:maxNotes], wording.Thousands(more)+" more")
		}
		b.WriteString("- **" + g.severity.Word() + "**: " + plain(wording.And(list)) + ": " + plain(escape.Cut(cmp.Or(g.after, "removed"), longestRule)))
		if g.before != "" {
			b.WriteString(" (before: " + plain(escape.Cut(g.before, longestRule)) + ")")
		}
		b.WriteString("\n")
	}
}
