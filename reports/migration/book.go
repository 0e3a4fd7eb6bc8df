package migration

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit/migrate"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/xlsx"
)

// book is migration.xlsx while it is written.
type book struct {
	xlsx.Workbook
	pairs   xlsx.Sheet[migrate.Result]
	chains  xlsx.Sheet[Chain]
	flips   xlsx.Sheet[flipRow]
	targets xlsx.Sheet[Target]
	leaks   xlsx.Sheet[migrate.Leak]

	expectations xlsx.Sheet[Expectation]
}

// flipRow is a target for which the proposed robots.txt changes a crawler's verdict.
type flipRow struct {
	*Flipped
	Flip
}

var severityColours = []xlsx.Highlight{
	{Text: string(migrate.Critical), Colour: xlsx.Red}, {Text: string(migrate.Error), Colour: xlsx.Red}, {Text: string(migrate.Unknown), Colour: xlsx.Grey},
	{Text: string(migrate.Warning), Colour: xlsx.Amber}, {Text: string(migrate.Fine), Colour: xlsx.Green},
}

// writeBook writes migration.xlsx.
func (f *Folder) writeBook(s *Summary, order []entry) error {
	b := &book{}
	b.pairs.Table, b.chains.Table, b.flips.Table, b.targets.Table, b.leaks.Table, b.expectations.Table = f.pairTable(s, order), chainTable(), flipTable(), targetTable(), leakTable(), expectationTable()
	for _, optional := range []*bool{&b.flips.Kind.Optional, &b.targets.Kind.Optional, &b.leaks.Kind.Optional, &b.expectations.Kind.Optional} {
		*optional = true // a sheet without rows is omitted
	}
	b.Sheets = []xlsx.AnySheet{&b.pairs, &b.chains, &b.flips, &b.targets, &b.leaks, &b.expectations}
	template := xlsx.NewTemplate(xlsx.Design{
		Creator: "robots-audit", Title: "Pre-migration check", Created: f.Head.Started, Summary: s.layout(), Sheets: xlsx.KindsOf(b.Sheets),
		PrintNote: func(printed, rows int64) string {
			return "First " + wording.Thousands(printed) + " of " + wording.Thousands(rows) + " rows"
		},
		MoreRows: func(rows int64) string { return wording.Thousands(rows) + " more rows are in " + journalName },
	})
	limit := f.RowLimit
	if limit == 0 {
		limit = xlsx.MaxRows
	}
	b.Template, b.Disk, b.SpillName, b.RowLimit, b.Whole = template, f.folder.FS, f.folder.TempPath("spill"), limit, true
	defer b.Discard()
	if err := b.addRows(f, s, order); err != nil {
		return err
	}
	temp := f.folder.TempPath(bookName)
	if err := b.Finish(temp, s.sheet()); err != nil {
		return err
	}
	return b.Disk.Rename(temp, f.folder.Path(bookName))
}

func (b *book) addRows(f *Folder, s *Summary, order []entry) error {
	for r, err := range f.results(order) {
		if err != nil {
			return err
		}
		b.pairs.AddRow(&b.Workbook, r)
	}
	b.chains.Fill(&b.Workbook, pointers(s.Chains))
	for i := range s.flipped {
		of, err := f.flipped(&s.flipped[i])
		if err != nil {
			return err
		}
		for _, flip := range of.Flips {
			b.flips.AddRow(&b.Workbook, &flipRow{of, flip})
		}
	}
	if s.Expectations != nil {
		b.expectations.Fill(&b.Workbook, pointers(s.Expectations.List))
	}
	b.targets.Fill(&b.Workbook, pointers(s.Targets))
	b.leaks.Fill(&b.Workbook, pointers(s.Leaks))
	for sheet, none := range map[xlsx.AnySheet]string{
		&b.pairs:  "No pair has a result yet.",
		&b.chains: "No pair has a result yet.",
	} {
		if !sheet.Begun() && !sheet.Optional() {
			sheet.Note(&b.Workbook, none)
		}
	}
	return b.Err()
}

// pointers yields a pointer to each element.
func pointers[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// maxHops is the number of redirects with their own columns.
const maxHops = 5

// pairTable is the sheet Migration: one row for each pair.
func (f *Folder) pairTable(s *Summary, order []entry) *xlsx.Table[migrate.Result] {
	clicks, flags := int64(0), uint8(0) // of all pairs together
	for i := range order {
		clicks, flags = clicks|order[i].clicks, flags|order[i].flags
	}
	type column = xlsx.Column[migrate.Result]
	text := func(title string, width float64, value func(r *migrate.Result) string) column {
		return column{Title: title, Width: width, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.Text(value(r)) }}
	}
	main := func(r *migrate.Result) *migrate.Remark {
		if m := r.Main(); m != nil {
			return m
		}
		return &migrate.Remark{}
	}
	columns := []column{
		text("Old URL", 50, func(r *migrate.Result) string { return r.Old }),
		text("New URL", 50, func(r *migrate.Result) string { return r.New }),
		text("Severity", 10, func(r *migrate.Result) string { return string(migrate.ClassOf(r.Class).Severity) }),
		text("Class", 16, func(r *migrate.Result) string { return r.Class }),
		text("What is wrong", 50, func(r *migrate.Result) string { return migrate.ClassOf(r.Class).Words }),
		text("Found", 60, func(r *migrate.Result) string { return main(r).Text }),
		text("Rule", 28, func(r *migrate.Result) string { return main(r).Rule }),
		{Title: "Line", Width: 8, Value: func(r *migrate.Result) xlsx.Cell { return identifier(main(r).Line) }},
		text("File", 40, func(r *migrate.Result) string { return main(r).File }),
		{Title: "Clicks", Width: 10, Extra: clicks == 0, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.NumberOrBlank(r.Clicks) }},
		{Title: "Important", Width: 10, Extra: flags&flagImportant == 0, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.Text(yes(r.Important)) }},
		text("In new sitemap", 10, func(r *migrate.Result) string { return r.Listed }),
		text("Fix", 60, func(r *migrate.Result) string { return migrate.ClassOf(r.Class).Todo }),
	}
	if of := f.Head.HitsOf; of != "" {
		columns = slices.Insert(columns, 10, column{Title: of + " hits", Width: 10, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.NumberOrBlank(r.Hits) }})
	}
	for i, c := range f.Crawlers {
		columns = append(columns, text("Old: "+c.Label, 14, func(r *migrate.Result) string { return verdict(r.Hops[0].Verdicts, i) }))
	}
	columns = append(columns, column{Title: "Old status", Width: 8, Value: func(r *migrate.Result) xlsx.Cell { return status(&r.Hops[0]) }})
	longest := 0
	for i := range s.Chains {
		longest = max(longest, s.Chains[i].Redirects)
	}
	for n := 1; n <= min(longest, maxHops); n++ {
		hop := func(r *migrate.Result) *migrate.Hop {
			if n < len(r.Hops) {
				return &r.Hops[n]
			}
			return &migrate.Hop{}
		}
		name := "Hop " + strconv.Itoa(n)
		columns = append(columns,
			text(name, 40, func(r *migrate.Result) string { return hop(r).URL }),
			column{Title: name + " status", Width: 8, Value: func(r *migrate.Result) xlsx.Cell { return status(hop(r)) }},
			text(name+" verdict", 20, func(r *migrate.Result) string { return f.verdicts(hop(r).Verdicts) }),
		)
	}
	columns = append(columns,
		column{Title: "Redirects", Width: 8, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.Number(int64(r.Redirects())) }},
		column{Title: "New status", Width: 8, Value: func(r *migrate.Result) xlsx.Cell { return status(&r.Target.Hop) }},
		text("New: live", 24, func(r *migrate.Result) string { return f.verdicts(r.Target.Live) }),
	)
	if f.Head.Proposed != "" {
		columns = append(columns, text("New: proposed", 24, func(r *migrate.Result) string { return f.verdicts(r.Target.Proposed) }))
	}
	if s.Run.Staging != "" {
		columns = append(columns, text("New: staging", 24, func(r *migrate.Result) string { return f.verdicts(r.Target.Staging) }))
	}
	columns = append(columns,
		text("All remarks", 80, func(r *migrate.Result) string { return remarks(r) }),
		column{Title: "Retry", Width: 10, Extra: flags&flagPassing == 0, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.Text(yes(r.Passing)) }},
		column{Title: "Line of map", Width: 10, Value: func(r *migrate.Result) xlsx.Cell { return xlsx.Identifier(r.Line) }},
	)
	shown := make([]bool, len(columns))
	for i, c := range columns {
		shown[i] = !c.Extra
	}
	return xlsx.NewTable("Migration", columns, xlsx.ConditionalFormat{Column: 2, Highlights: severityColours}).With(shown)
}

func identifier(n int) xlsx.Cell {
	if n == 0 {
		return xlsx.Cell{}
	}
	return xlsx.Identifier(n)
}

// status is the status of a URL's response, or the code of the error.
func status(h *migrate.Hop) xlsx.Cell {
	if h.Status == 0 {
		return xlsx.Text(h.Code)
	}
	return xlsx.Identifier(h.Status)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// verdict is one crawler's verdict in words.
func verdict(list []migrate.Verdict, i int) string {
	if i >= len(list) {
		return ""
	}
	if v := list[i]; v.Line > 0 {
		return fmt.Sprintf("%s by line %d", v.Verdict, v.Line)
	}
	return list[i].Verdict.String()
}

// verdicts are those of all crawlers: one word if they agree.
func (f *Folder) verdicts(list []migrate.Verdict) string {
	if len(list) == 0 {
		return ""
	}
	same := true
	for i := range list {
		same = same && verdict(list, i) == verdict(list, 0)
	}
	if same {
		return verdict(list, 0)
	}
	var parts []string
	for i := range list {
		parts = append(parts, f.Crawlers[i].Label+": "+verdict(list, i))
	}
	return strings.Join(parts, ", ")
}

// remarks are all remarks on a pair in one text.
func remarks(r *migrate.Result) string {
	var parts []string
	for _, m := range r.Remarks {
		part := m.Class + ": " + m.Text
		if m.URL != "" {
			part += " (" + m.URL + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
