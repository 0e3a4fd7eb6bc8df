package gate

import (
	"cmp"
	"fmt"
	"html"
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

// flipsHeadline says in a clause what changes at all sites.
func flipsHeadline(list []*Flips) string {
	var sum compare.Totals
	for _, f := range list {
		sum.Add(&f.Site.Totals)
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

// flips writes the changes within a number of bytes, the site with the greatest effect first. Once
// tables have shown enough rows, further sites are folded.
func (b *comment) flips(list []*Flips, room int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Flips) int {
		return cmp.Or(cmp.Compare(b.Site.Totals.NewlyBlocked, a.Site.Totals.NewlyBlocked), cmp.Compare(b.Site.Totals.Flips(), a.Site.Totals.Flips()))
	})
	for i, f := range list {
		name, counts, begin := escape.Cut(f.Site.Name, longestRule), ": "+flipCounts(&f.Site.Totals), ""
		if len(list) == 1 { // then it has no heading
			begin = escape.Code(name) + ": "
		}
		part := f.markdown(begin, b.visible, maxTable)
		for rows := maxTable / 2; part.Len() > room && rows > 0; rows /= 2 { // URLs may be long, and escaping makes text longer
			part = f.markdown(begin, b.visible, rows)
		}
		title := "<code>" + html.EscapeString(escape.Show(name)) + "</code>" + counts
		size := part.Len() + len(title) + len("\n<details><summary></summary>\n\n</details>\n")
		if size > room {
			b.WriteString("\n" + wording.Plural(len(list)-i, "more site") + wording.Verb(len(list)-i, " is", " are") + " not shown here. Run `robots-audit simulate` to see more.\n")
			return
		}
		room -= size
		switch {
		case len(list) == 1:
			b.WriteString(part.String())
		case b.visible <= 0:
			b.fold(title, part.String())
			continue
		default:
			b.WriteString("\n#### " + escape.Code(name) + counts + "\n" + part.String())
		}
		b.visible = part.visible
	}
}

// markdown writes the changes of the site by crawler and by line, with at most rows rows in a table.
// begin is the begin of its first sentence.
func (f *Flips) markdown(begin string, visible, rows int) *comment {
	b := &comment{visible: visible}
	b.WriteString("\n" + begin + wording.Plural(f.Site.Totals.Known, "page") + " tested for " + f.names() + ".\n")
	if f.Site.Totals.Flips() > 0 {
		f.byCrawler(b, rows)
		f.byLine(b, rows)
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Site.Kinds)) {
		if of := f.Site.Kinds[kind]; of.Flips() > 0 {
			b.WriteString("\nOther URLs (" + escape.Code(kind) + "): " + flipCounts(&of) + ".\n")
		}
	}
	f.changes(b)
	for i, note := range f.Site.Notes {
		if i == maxNotes {
			break
		}
		b.WriteString("\n" + plain(escape.Cut(note, longestURL)) + "\n")
	}
	return b
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

// byCrawler writes a row for each crawler with a change, and a column for each class that occurs. It
// writes nothing if the table of the lines shows the same.
func (f *Flips) byCrawler(b *comment, rows int) {
	if once := map[compare.Class]int{}; !slices.ContainsFunc(f.lines, func(of *deciding) bool { once[of.class]++; return once[of.class] > 1 }) {
		return
	}
	t := &f.Site.Totals
	columns := []struct {
		name  string
		shown bool
		of    func(n *compare.CrawlerTotals, i int) int64
	}{
		{"Newly blocked", t.NewlyBlocked > 0, func(n *compare.CrawlerTotals, _ int) int64 { return n.NewlyBlocked }},
		{"Clicks newly blocked", t.NewlyBlocked > 0 && f.Site.Clicks.Pages > 0, func(n *compare.CrawlerTotals, _ int) int64 { return n.Clicks.NewlyBlocked }},
		{"Hits newly blocked", t.NewlyBlocked > 0 && f.Site.Hits != nil, func(_ *compare.CrawlerTotals, i int) int64 { return f.Site.Hits[i].NewlyBlocked }},
		{"Newly allowed", t.NewlyAllowed > 0, func(n *compare.CrawlerTotals, _ int) int64 { return n.NewlyAllowed }},
		{"Now unclear", t.NowUnclear > 0, func(n *compare.CrawlerTotals, _ int) int64 { return n.NowUnclear }},
		{"Clear again", t.ClearAgain > 0, func(n *compare.CrawlerTotals, _ int) int64 { return n.ClearAgain }},
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
				row += " " + wording.Thousands(c.of(n, i)) + " |"
			}
		}
		list = append(list, row+"\n")
	}
	b.table(title+"\n"+align+"\n", list)
}

// byLine writes a row for each pair of old and new deciding lines.
func (f *Flips) byLine(b *comment, rows int) {
	title, align := "", ""
	if f.Site.Clicks.Pages > 0 {
		title, align = " Clicks |", "--:|"
	}
	if f.Site.Hits != nil {
		title, align = title+" Hits |", align+"--:|"
	}
	var list []string
	more := f.more
	for i, of := range f.lines {
		if i >= rows {
			more += of.pages
			continue
		}
		row := fmt.Sprintf("| %s | %s | %s |", classWords[of.class], cell(escape.Cut(strings.Join(of.crawlers, ", "), longestRule)), wording.Thousands(of.pages))
		if f.Site.Clicks.Pages > 0 {
			row += " " + wording.Thousands(of.clicks) + " |"
		}
		if f.Site.Hits != nil {
			row += " " + wording.Thousands(of.hits) + " |"
		}
		list = append(list, row+fmt.Sprintf(" %s | %s | %s |\n", decided(of.was, of.old), decided(of.is, of.new), cell(escape.Cut(of.example, longestRule))))
	}
	b.table("| Change | Crawlers | URLs |"+title+" Before | Now | Example |\n|---|---|--:|"+align+"---|---|---|\n", list)
	if more > 0 {
		b.WriteString("\n" + wording.Plural(more, "more change") + " by other lines" + wording.Verb(more, " is", " are") + " not shown here. Run `robots-audit simulate` to see more.\n")
	}
}

// changes writes the severe changes in the new file besides its rules. A change that is the same
// for several crawlers is written once.
func (f *Flips) changes(b *comment) {
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
