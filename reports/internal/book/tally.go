package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// tallyRow is the part of a row with the number of pages of one sort and the number of blocked
// pages among them.
type tallyRow struct {
	tally              *site.Tally
	allURLs, allClicks int64 // of the site
	weighed            bool  // the user's own list has clicks
	each               bool  // the numbers of each crawler are shown
}

// tallyRow makes the row of a tally. Each crawler has its number if the numbers differ, or if all
// sheets are requested.
func (b *Site) tallyRow(of *site.Tally, d *audit.Done) tallyRow {
	return tallyRow{of, d.URLs, d.Clicks, d.Clicks > 0 || d.ClicksGiven > 0, b.shared.AllSheets || b.site.Differing > 0}
}

// clicks is a number of clicks; empty if the user's own list has none.
func (r *tallyRow) clicks(n int64) xlsx.Cell {
	if !r.weighed {
		return xlsx.Cell{}
	}
	return xlsx.Number(n)
}

// tallyColumns are the columns of tallies in rows T.
func tallyColumns[T any](o *sheetOptions, of func(*T) *tallyRow) []xlsx.Column[T] {
	columns := []xlsx.Column[T]{
		{Title: "URLs", Width: 11, Value: func(r *T) xlsx.Cell { return xlsx.Number(of(r).tally.URLs) }},
		{Title: "URLs blocked", Width: 11, Value: func(r *T) xlsx.Cell {
			t := of(r).tally
			return count(t.BlockedAny, t.JudgedAny())
		}},
		{Title: "% blocked", Width: 10, Value: func(r *T) xlsx.Cell {
			t := of(r).tally
			if !t.JudgedAny() {
				return xlsx.Cell{}
			}
			return xlsx.Percent(t.BlockedAny, t.URLs)
		}},
	}
	for i, c := range o.Crawlers {
		columns = append(columns, xlsx.Column[T]{Title: "Blocked for " + c.Label, Width: 13, Value: func(r *T) xlsx.Cell {
			t := of(r).tally
			if !of(r).each {
				return xlsx.Cell{}
			}
			return count(t.Blocked[i], t.URLs > 0 && t.Judged(i))
		}})
	}
	columns = append(columns, []xlsx.Column[T]{
		{Title: "Clicks", Width: 10, Value: func(r *T) xlsx.Cell { return of(r).clicks(of(r).tally.Clicks) }},
		{Title: "Clicks on blocked URLs", Width: 12, Value: func(r *T) xlsx.Cell { return of(r).clicks(of(r).tally.BlockedClicks) }},
	}...)
	return append(columns, hitsColumns(o, func(r *T) site.Hits { return of(r).tally.Hits })...)
}

// hitsColumns are the columns of hits in rows T; none without access logs.
func hitsColumns[T any](o *sheetOptions, of func(*T) site.Hits) []xlsx.Column[T] {
	if o.hitsOf == "" {
		return nil
	}
	return []xlsx.Column[T]{
		{Title: o.titleHits(), Width: 10, Value: func(r *T) xlsx.Cell { return xlsx.Number(of(r).All) }},
		{Title: o.titleHits() + " on blocked URLs", Width: 12, Value: func(r *T) xlsx.Cell { return xlsx.Number(of(r).Blocked) }},
	}
}
