package page

import (
	"slices"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/layout"
)

// Bounds of directories: in the section of a site, and for all sites together.
const (
	sectionBars = 15
	topBars     = 12
)

// bars are the directories with changed verdicts: newly blocked pages to the left, newly allowed
// ones to the right, by weight.
type bars struct {
	Title  string // the finding
	Clicks bool
	Rows   []bar
	More   int
}

type bar struct {
	compare.Section                           // its Host is shortened
	site                         *model.Entry // nil = in the site's own section
	Name                         string
	ID                           string // of the site's section; "" = none
	Left, BarBlocked, BarAllowed int64  // of 1000 units, with the middle at 500
}

func newBar(s *compare.Section) bar {
	b := bar{Section: *s, Name: directoryName(s)}
	b.Host = cut(s.Host)
	return b
}

// Site is the name of the site; "" = in its own section.
func (b bar) Site() string {
	if b.site == nil {
		return ""
	}
	return model.DisplayName(b.site.Name)
}

func (b *bar) weight() int64 { return b.WeightBlocked + b.WeightAllowed }

// newBars returns nil if nothing changed. all is the weight of all directories, including those not shown.
func newBars(rows []bar, all int64, clicks bool) *bars {
	most := int64(0)
	for i := range rows {
		most = max(most, rows[i].WeightBlocked, rows[i].WeightAllowed)
	}
	if most == 0 {
		return nil
	}
	for i := range rows {
		b := &rows[i]
		b.BarBlocked, b.BarAllowed = sideLength(b.WeightBlocked, most), sideLength(b.WeightAllowed, most)
		b.Left = 500 - b.BarBlocked
	}
	of := "changed URLs"
	if clicks {
		of = "the clicks of changed URLs"
	}
	first := &rows[0]
	name := first.Name
	if first.site != nil {
		name = model.DisplayName(first.site.Name) + " " + name
	}
	return &bars{Title: wording.Percent(first.weight(), all) + " of " + of + " are in " + name, Clicks: clicks, Rows: rows}
}

// sideLength is the length of a bar to one side, of 500 units. A bar above zero is always long
// enough to be visible next to the middle line.
func sideLength(n, most int64) int64 {
	const least = 8
	if n == 0 {
		return 0
	}
	return max(layout.BarLength(n, most)/2, least)
}

// siteBars returns the bars of one site.
func siteBars(s *model.Site) *bars {
	var rows []bar
	all := int64(0)
	for i := range s.Sections {
		of := newBar(&s.Sections[i])
		all += of.weight()
		if i < sectionBars {
			rows = append(rows, of)
		}
	}
	v := newBars(rows, all, s.Clicks != nil)
	if v != nil {
		v.More = len(s.Sections) - len(rows)
	}
	return v
}

// addBars keeps the directories of a site that are among those with the most weight.
func (p *Page) addBars(s *model.Site) {
	for i := range s.Sections {
		of := &s.Sections[i]
		weight := of.WeightBlocked + of.WeightAllowed
		p.weight += weight
		p.directories++
		if of.Path == "" || weight == 0 {
			continue
		}
		at := len(p.top)
		for at > 0 && p.top[at-1].weight() < weight {
			at--
		}
		if at == topBars {
			continue
		}
		b := newBar(of)
		b.site = s.Entry
		p.top = slices.Insert(p.top, at, b)
		p.top = p.top[:min(len(p.top), topBars)]
	}
}

// directoryName is the name of a directory for people.
func directoryName(s *compare.Section) string {
	switch s.Path {
	case "":
		return "all other directories"
	case "/":
		return "/ (directly below the root)"
	}
	return cut(s.Path)
}
