package book

import (
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// Titles of the columns that only workbooks of a site with history have. People write into the note
// column: the next report finds the column by its title and keeps the notes.
const (
	titleFirstBlocked = "First seen blocked"
	titleFirstSeen    = "First seen"
	titleChanged      = "Last changed"
	TitleNote         = "Owner note"
	TitleURLID        = "url_id"
	TitleRuleID       = "rule_id"
)

// pastCells are the cells of a row that come from the history.
type pastCells struct{ first, changed, note xlsx.Cell }

// sinceCell is a date, with "≤" before the date of the first run: earlier states are not known.
func sinceCell(s site.Since) xlsx.Cell {
	c := xlsx.Time(s.At)
	if s.Before && c.Kind != xlsx.KindBlank {
		c.Style = xlsx.StyleNoLater
	}
	return c
}

// pastOfVerdict returns the history of the row that b.details describes: the crawlers with the i-th
// crawler's verdict by the same line.
func (b *Site) pastOfVerdict(row *urlRow, i int) (c pastCells) {
	u := row.url
	if b.site.Past == nil {
		return c
	}
	if u.Verdicts[i] == engine.Disallow {
		var first site.Since
		for j := i; j < min(len(u.Verdicts), len(b.site.Crawlers)); j = alikeFrom(u, j+1, i) {
			first = first.Earlier(b.site.BlockedSince(u, row.id.Text, j))
		}
		c.first = sinceCell(first)
	}
	c.changed = sinceCell(b.site.LineSince(u.Origin, int(lineOf(u, i)), i))
	c.note = xlsx.Text(b.site.Note(site.NoteURL, row.id.Text))
	return c
}

// firstBlocked is the date since which a URL is blocked for any crawler; blank if it is not.
func (b *Site) firstBlocked(row *urlRow) xlsx.Cell {
	var first site.Since
	for i, v := range row.url.Verdicts[:min(len(row.url.Verdicts), len(b.site.Crawlers))] {
		if v == engine.Disallow {
			first = first.Earlier(b.site.BlockedSince(row.url, row.id.Text, i))
		}
	}
	return sinceCell(first)
}

// verdictPast are the columns of the history on the sheet of blocked URLs.
func verdictPast() []xlsx.Column[verdictRow] {
	return []xlsx.Column[verdictRow]{
		{Title: titleFirstBlocked, Width: 21, Value: func(r *verdictRow) xlsx.Cell { return r.past.first }},
		{Title: titleChanged, Width: 21, Value: func(r *verdictRow) xlsx.Cell { return r.past.changed }},
		{Title: TitleNote, Width: 40, Value: func(r *verdictRow) xlsx.Cell { return r.past.note }},
	}
}

// urlPast are the columns of the history on the sheet of all URLs.
func urlPast() []xlsx.Column[allRow] {
	return []xlsx.Column[allRow]{
		{Title: titleFirstBlocked, Width: 21, Value: func(r *allRow) xlsx.Cell { return r.workbook.firstBlocked(r.urlRow) }},
		{Title: TitleNote, Width: 40, Value: func(r *allRow) xlsx.Cell { return xlsx.Text(r.workbook.site.Note(site.NoteURL, r.id.Text)) }},
	}
}
