package book

import (
	"slices"

	"robots-audit/audit/compare"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// directoryRow is a directory of a site with changed verdicts of pages.
type directoryRow struct {
	*compare.Section
	site xlsx.Cell
}

// directoryName is the name of a directory in words.
func directoryName(s *compare.Section) string {
	if s.Path == "" {
		return "all other directories"
	}
	return site.DirectoryName(s.Path)
}

// directoryTable has a row for each directory with changed verdicts of pages, in each site those
// with the most weight first.
func directoryTable() *xlsx.Table[directoryRow] {
	count := func(title string, of func(*compare.Section) int64) xlsx.Column[directoryRow] {
		return xlsx.Column[directoryRow]{Title: title, Width: 13, Value: func(r *directoryRow) xlsx.Cell { return xlsx.Number(of(r.Section)) }}
	}
	t := xlsx.NewTable("Directories", []xlsx.Column[directoryRow]{
		{Title: "Site", Width: 30, Value: func(r *directoryRow) xlsx.Cell { return r.site }},
		{Title: "Directory", Width: 50, Value: func(r *directoryRow) xlsx.Cell { return xlsx.Text(directoryName(r.Section)) }},
		count("Newly blocked", func(s *compare.Section) int64 { return s.NewlyBlocked }),
		count("Newly allowed", func(s *compare.Section) int64 { return s.NewlyAllowed }),
		count("Weight newly blocked", func(s *compare.Section) int64 { return s.WeightBlocked }),
		count("Weight newly allowed", func(s *compare.Section) int64 { return s.WeightAllowed }),
		{Title: "Host", Width: 34, Value: func(r *directoryRow) xlsx.Cell { return xlsx.Text(r.Host) }},
	}, xlsx.DataBar(4), xlsx.DataBar(5))
	t.Kind.Optional = true
	return t
}

// section is one of the directories of all sites.
type section struct {
	site int
	compare.Section
}

func (s *section) weight() int64 { return s.WeightBlocked + s.WeightAllowed }

// addSection writes the row of a directory, and keeps it for the chart if it is among those with
// the most weight.
func (b *Book) addSection(s *compare.Section) {
	b.directories.AddRow(&b.Workbook, &directoryRow{s, b.siteName(b.site)})
	of := section{b.site, *s}
	if s.Path == "" || of.weight() == 0 {
		return
	}
	at := len(b.top)
	for at > 0 && b.top[at-1].weight() < of.weight() {
		at--
	}
	if at < chartRows {
		b.top = slices.Insert(b.top, at, of)
		b.top = b.top[:min(len(b.top), chartRows)]
	}
}
