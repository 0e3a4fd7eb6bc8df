package page

import (
	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/layout"
)

// sectionBars bounds the directories of a site's part.
const sectionBars = 15

// bars are the directories in which pages flip: to the left of the middle those newly
// blocked, to the right those newly allowed, by weight.
type bars struct {
	Title  string // the finding
	Clicks bool
	Rows   []bar
	More   int
}

type bar struct {
	Name, Host                   string
	Blocked, Allowed             int64
	WeightBlocked, WeightAllowed int64
	Left, BarBlocked, BarAllowed int64 // of 1000 units, the middle being 500
	Clicks                       bool
}

// newBars returns nil where nothing flips one way or the other.
func newBars(s *model.Site) *bars {
	most, all := int64(0), int64(0)
	for i := range s.Sections {
		of := &s.Sections[i]
		most = max(most, of.WeightBlocked, of.WeightAllowed)
		all += of.WeightBlocked + of.WeightAllowed
	}
	if most == 0 {
		return nil
	}
	v := &bars{Clicks: s.Clicks != nil}
	for i := range s.Sections[:min(len(s.Sections), sectionBars)] {
		of := &s.Sections[i]
		row := bar{
			Name: directoryName(of), Host: of.Host, Blocked: of.NewlyBlocked, Allowed: of.NewlyAllowed, WeightBlocked: of.WeightBlocked, WeightAllowed: of.WeightAllowed,
			BarBlocked: layout.BarLength(of.WeightBlocked, most) / 2, BarAllowed: layout.BarLength(of.WeightAllowed, most) / 2, Clicks: v.Clicks,
		}
		row.Left = 500 - row.BarBlocked
		v.Rows = append(v.Rows, row)
	}
	v.More = len(s.Sections) - len(v.Rows)
	first := &s.Sections[0]
	of := "URLs that flip"
	if v.Clicks {
		of = "the weight of URLs that flip"
	}
	v.Title = wording.Percent(first.WeightBlocked+first.WeightAllowed, all) + " of " + of + ": " + directoryName(first)
	return v
}

// directoryName is the name of a directory as people read it.
func directoryName(s *compare.Section) string {
	switch s.Path {
	case "":
		return "all other directories"
	case "/":
		return "/ (directly below the root)"
	}
	return cut(s.Path)
}
