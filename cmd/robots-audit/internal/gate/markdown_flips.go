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
		t := &f.Site.Totals
		sum.Known += t.Known
		sum.NewlyBlocked += t.NewlyBlocked
		sum.NewlyAllowed += t.NewlyAllowed
		sum.NowUnclear += t.NowUnclear
		sum.ClearAgain += t.ClearAgain
	}
	if list == nil {
		return ""
	}
	return flipCounts(&sum)
}

// flipCounts says how many known URLs flip: "3 known URLs newly blocked, 1 newly allowed".
func flipCounts(t *compare.Totals) string {
	var parts []string
	for _, of := range []struct {
		n    int64
		what string
	}{{t.NewlyBlocked, "newly blocked"}, {t.NewlyAllowed, "newly allowed"}, {t.NowUnclear, "now unclear"}, {t.ClearAgain, "clear again"}} {
		switch {
		case of.n == 0:
		case parts == nil:
			parts = append(parts, wording.Known(of.n)+" "+of.what)
		default:
			parts = append(parts, wording.Thousands(of.n)+" "+of.what)
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
	b.WriteString("\n#### " + code(escape.Cut(f.Site.Name, longestRule)) + ": " + flipCounts(t) + "\n\n")
	if t.Flips() == 0 && t.Known > 0 {
		b.WriteString("Every one of the " + wording.Known(t.Known) + " keeps its verdict for " + f.names() + ".\n")
	} else if t.Known > 0 {
		b.WriteString("Of " + wording.Known(t.Known) + ", for " + f.names() + ":\n")
		f.byCrawler(&b, rows)
		f.byLine(&b, rows)
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Site.Kinds)) {
		if of := f.Site.Kinds[kind]; of.Flips() > 0 {
			b.WriteString("\nBeside pages, of the kind " + code(kind) + ": " + flipCounts(&of) + ".\n")
		}
	}
	f.changes(&b)
	for i, note := range f.Site.Notes {
		if i == maxNotes {
			break
		}
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- " + code(escape.Cut(note, longestURL)) + "\n")
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
		list[i] = code(list[i])
	}
	return wording.And(list)
}

// byCrawler writes a row for each crawler that something flips for.
func (f *Flips) byCrawler(b *strings.Builder, rows int) {
	title, align := "", ""
	if f.Clicks {
		title, align = " clicks newly blocked |", "--:|"
	}
	b.WriteString("\n| crawler | newly blocked | newly allowed | now unclear | clear again |" + title + "\n|---|--:|--:|--:|--:|" + align + "\n")
	clicks := map[string]int64{}
	for _, of := range f.lines {
		if of.class == compare.NewlyBlocked {
			for _, name := range of.crawlers {
				clicks[name] += of.clicks
			}
		}
	}
	shown := 0
	for i, n := range f.Site.Flips {
		if n.NewlyBlocked+n.NewlyAllowed+n.NowUnclear+n.ClearAgain == 0 || shown == rows {
			continue
		}
		shown++
		label := f.Site.Crawlers[i].Label
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |", cell(escape.Cut(label, longestRule)), wording.Thousands(n.NewlyBlocked), wording.Thousands(n.NewlyAllowed), wording.Thousands(n.NowUnclear), wording.Thousands(n.ClearAgain))
		if f.Clicks {
			b.WriteString(" " + wording.Thousands(clicks[label]) + " |")
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
		fmt.Fprintf(b, " %s | %s | %s |\n", cell(of.was), cell(of.is), cell(escape.Cut(of.example, longestRule)))
	}
	if more > 0 {
		b.WriteString("\nAnd " + wording.Plural(more, "more flip") + " by other lines.\n")
	}
}

// changes writes what is grave about the new file beside its rules.
func (f *Flips) changes(b *strings.Builder) {
	n := 0
	for i := range f.Site.Changes {
		c := &f.Site.Changes[i]
		if n == maxChanges || c.Severity != compare.Critical && c.Severity != compare.High {
			continue
		}
		if n++; n == 1 {
			b.WriteString("\n")
		}
		b.WriteString("- **" + string(c.Severity) + "**: " + code(escape.Cut(c.What, longestRule)))
		if c.Before != "" || c.After != "" {
			b.WriteString(", was " + code(escape.Cut(cmp.Or(c.Before, "none"), longestRule)) + ", is " + code(escape.Cut(cmp.Or(c.After, "none"), longestRule)))
		}
		b.WriteString("\n")
	}
}
