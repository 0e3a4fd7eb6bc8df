package gate

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// maxShown is the number of URLs that are shown of each class of flips.
const maxShown = 10

// Flips tells in Markdown what a comparison of the two sides of a site has found: how many
// URLs flip for whom, and the first of them with both deciding lines.
func Flips(items iter.Seq2[compare.Item, error]) (string, error) {
	var site *compare.Site
	var rows []string
	shown := map[compare.Class]int{}
	for item, err := range items {
		switch {
		case err != nil:
			return "", err
		case item.Site != nil:
			site = item.Site
		case item.Begin != nil:
			site = item.Begin
		case item.Flip != nil && !item.Flip.Appeared:
			if row, class := flipRow(site, item.Flip); shown[class] < maxShown {
				shown[class]++
				rows = append(rows, row)
			}
		}
	}
	if site == nil {
		return "", nil
	}
	t := &site.Totals
	head := "#### " + code(site.Name) + ": "
	if t.Flips() == 0 && rows == nil {
		return head + "nothing flips of " + wording.Known(t.Known) + "\n", nil
	}
	var b strings.Builder
	b.WriteString(head + wording.Plural(t.NewlyBlocked, "page") + " newly blocked from crawling, " + wording.Thousands(t.NewlyAllowed) + " newly allowed")
	if n := t.NowUnclear; n > 0 {
		b.WriteString(", " + wording.Thousands(n) + " now unclear")
	}
	if n := t.ClearAgain; n > 0 {
		b.WriteString(", " + wording.Thousands(n) + " clear again")
	}
	b.WriteString(", of " + wording.Known(t.Known) + "\n\n| crawler | newly blocked | newly allowed | now unclear | clear again |\n|---|--:|--:|--:|--:|\n")
	for i, n := range site.Flips {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", code(site.Crawlers[i].Label), wording.Thousands(n.NewlyBlocked), wording.Thousands(n.NewlyAllowed), wording.Thousands(n.NowUnclear), wording.Thousands(n.ClearAgain))
	}
	slices.Sort(rows) // by class
	b.WriteString("\n| | URL | for | was | is |\n|---|---|---|---|---|\n" + strings.Join(rows, ""))
	return b.String(), nil
}

// flipRow is a row of the table of URLs, and the gravest class that it is of.
func flipRow(site *compare.Site, f *compare.Flip) (row string, class compare.Class) {
	var names []string
	at := 0
	for i, v := range f.Verdicts {
		switch {
		case v.Class == compare.Same:
			continue
		case class == compare.Same || v.Class < class:
			names, class, at = nil, v.Class, i
		case v.Class > class:
			continue
		}
		names = append(names, site.Crawlers[i].Label)
	}
	v := &f.Verdicts[at]
	was, is := verdictBy(v.Was, v.Old), verdictBy(v.Is, v.New)
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", classWords[class], code(escape.Cut(f.Loc, longestURL)), code(strings.Join(names, ", ")), code(was), code(is)), class
}

// classWords are the classes of flips as people read them.
var classWords = map[compare.Class]string{compare.NewlyBlocked: "🔴 newly blocked", compare.NewlyAllowed: "🟢 newly allowed", compare.NowUnclear: "❔ now unclear", compare.ClearAgain: "clear again"}
