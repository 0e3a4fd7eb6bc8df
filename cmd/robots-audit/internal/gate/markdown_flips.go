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

// What is shown of one site at most.
const (
	maxShown   = 20 // rows of a table, and names of crawlers
	maxChanges = 10 // grave changes
	maxNotes   = 5
)

// classWords are the classes of flips as people read them.
var classWords = map[compare.Class]string{compare.NewlyBlocked: "🔴 newly blocked", compare.NewlyAllowed: "🟢 newly allowed", compare.NowUnclear: "❔ now unclear", compare.ClearAgain: "⚪ clear again"}

// flipsHeadline says what flips at all sites, in a clause; "" = they are none.
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

// flipCounts says how many known URLs flip: "3 known URLs newly blocked, 1 newly allowed".
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
		return "no URL is known that could flip"
	case parts == nil:
		return "nothing flips"
	}
	return strings.Join(parts, ", ")
}

// writeFlips writes what flips, the site with the greatest effect first, within a number
// of bytes.
func writeFlips(b *strings.Builder, list []*Flips, room int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Flips) int {
		return cmp.Or(cmp.Compare(b.Site.Totals.NewlyBlocked, a.Site.Totals.NewlyBlocked), cmp.Compare(b.Site.Totals.Flips(), a.Site.Totals.Flips()))
	})
	for i, f := range list {
		part := f.markdown(maxShown)
		for rows := maxShown / 2; len(part) > room && rows > 0; rows /= 2 { // long URLs, and much that is escaped
			part = f.markdown(rows)
		}
		if len(part) > room {
			b.WriteString("\nThere is no room here for what flips at " + wording.Plural(len(list)-i, "more site") + ": `robots-audit simulate` tells all of it.\n")
			return
		}
		room -= len(part)
		b.WriteString(part)
	}
}

// markdown writes what flips at the site: for whom, and by which lines, in tables of some
// rows at most.
func (f *Flips) markdown(rows int) string {
	var b strings.Builder
	t := &f.Site.Totals
	b.WriteString("\n#### " + escape.Code(escape.Cut(f.Site.Name, longestRule)) + ": " + flipCounts(t) + "\n\n")
	if t.Flips() == 0 && t.Known > 0 {
		b.WriteString("All of " + wording.URLs(t.Known) + " that are pages keep their verdicts for " + f.names() + ".\n")
	} else if t.Known > 0 {
		b.WriteString("Of " + wording.URLs(t.Known) + " that are pages, for " + f.names() + ":\n")
		f.byCrawler(&b, rows)
		f.byLine(&b, rows)
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Site.Kinds)) {
		if of := f.Site.Kinds[kind]; of.Flips() > 0 {
			b.WriteString("\nBeside pages, of the kind " + escape.Code(kind) + ": " + flipCounts(&of) + ".\n")
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

// names are the crawlers that were asked about.
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

// byCrawler writes a row for each crawler that something flips for, with the classes that
// there are.
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
		{"newly blocked", t.NewlyBlocked > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.NewlyBlocked }},
		{"clicks newly blocked", t.NewlyBlocked > 0 && f.Clicks, func(label string, _ *compare.CrawlerTotals) int64 { return clicks[label] }},
		{"newly allowed", t.NewlyAllowed > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.NewlyAllowed }},
		{"now unclear", t.NowUnclear > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.NowUnclear }},
		{"clear again", t.ClearAgain > 0, func(_ string, n *compare.CrawlerTotals) int64 { return n.ClearAgain }},
	}
	title, align := "| crawler |", "|---|"
	for _, c := range columns {
		if c.shown {
			title, align = title+" "+c.name+" |", align+"--:|"
		}
	}
	b.WriteString("\n" + title + "\n" + align + "\n")
	for i := range f.Site.Flips {
		n := &f.Site.Flips[i]
		if n.Flips() == 0 || rows == 0 {
			continue
		}
		rows--
		label := f.Site.Crawlers[i].Label
		b.WriteString("| " + cell(escape.Cut(label, longestRule)) + " |")
		for _, c := range columns {
			if c.shown {
				b.WriteString(" " + wording.Thousands(c.of(label, n)) + " |")
			}
		}
		b.WriteString("\n")
	}
}

// byLine writes a row for each pair of lines by which pages flip.
func (f *Flips) byLine(b *strings.Builder, rows int) {
	title, align := "", ""
	if f.Clicks {
		title, align = " clicks |", "--:|"
	}
	b.WriteString("\n| | for | URLs |" + title + " was | is | for example |\n|---|---|--:|" + align + "---|---|---|\n")
	more := f.more
	for i, of := range f.lines {
		if i >= rows {
			more += of.pages
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s |", classWords[of.class], cell(escape.Cut(strings.Join(of.crawlers, ", "), longestRule)), wording.Thousands(of.pages))
		if f.Clicks {
			b.WriteString(" " + wording.Thousands(of.clicks) + " |")
		}
		fmt.Fprintf(b, " %s | %s | %s |\n", of.was, of.is, cell(escape.Cut(of.example, longestRule)))
	}
	if more > 0 {
		b.WriteString("\nAnd " + wording.Plural(more, "more flip") + " by other lines.\n")
	}
}

// changes writes what is grave about the new file beside its rules: what changes in the
// same way for several crawlers once.
func (f *Flips) changes(b *strings.Builder) {
	type grave struct {
		severity            compare.Severity
		kind, before, after string
	}
	var order []grave
	names := map[grave][]string{}
	for i := range f.Site.Changes {
		c := &f.Site.Changes[i]
		if c.Severity != compare.Critical && c.Severity != compare.High {
			continue
		}
		g := grave{c.Severity, c.Kind, c.Before, c.After}
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
			b.WriteString("- and " + wording.Plural(len(order)-i, "more grave change") + "\n")
			break
		}
		list := names[g]
		if more := len(list) - maxNotes; more > 0 {
			list = append(list[:maxNotes:maxNotes], wording.Thousands(more)+" more")
		}
		b.WriteString("- **" + string(g.severity) + "**: " + plain(wording.And(list)) + ": " + plain(escape.Cut(cmp.Or(g.after, "no more"), longestRule)))
		if g.before != "" {
			b.WriteString(" (before: " + plain(escape.Cut(g.before, longestRule)) + ")")
		}
		b.WriteString("\n")
	}
}
