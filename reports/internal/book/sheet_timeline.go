package book

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// Positions in the chart of the sheet Timeline.
const (
	placeholderTimelineTitle = "@timeline@"
	placeholderTimelineDates = "@dates@"
)

// timelineDates is the format of the times below the chart.
func timelineDates(t *site.Timeline) string {
	if t.Hours {
		return "d mmm yyyy hh:mm"
	}
	return "d mmm yyyy"
}

// timelineColours are the colours of the lines. A reader cannot distinguish more lines than there are
// colours and dashes, so the chart has only the first crawlers.
var timelineColours = []string{"0B57A4", "B3261E", "1D6B35", "8A5300", "6A3FA0", "00706B", "A0156E", "444C56"}

// answerColours are the colours of the classes of responses: see history.Answer. The cells have the
// words.
var answerColours = []xlsx.Highlight{
	{Text: "200", Colour: xlsx.Green}, {Text: "empty", Colour: xlsx.Amber}, {Text: "3xx", Colour: xlsx.Amber}, {Text: "4xx", Colour: xlsx.Amber}, {Text: "html", Colour: xlsx.Red}, {Text: "binary", Colour: xlsx.Red},
	{Text: "429", Colour: xlsx.Red}, {Text: "5xx", Colour: xlsx.Red}, {Text: "unreachable", Colour: xlsx.Red}, {Text: "not asked", Colour: xlsx.Grey},
}

// timelineSheet has the runs of a site with history, the newest first, since most readers ask for
// recent changes.
func timelineSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	columns := []xlsx.Column[site.TimelineRun]{
		{Title: "Started (UTC)", Width: 19, Value: func(r *site.TimelineRun) xlsx.Cell { return xlsx.Time(r.Started) }},
		{Title: "Answer", Width: 12, Value: func(r *site.TimelineRun) xlsx.Cell { return xlsx.Text(r.Answer) }},
		{Title: "Status", Width: 8, Value: func(r *site.TimelineRun) xlsx.Cell { return status(r.Status) }},
		{Title: "robots.txt changed", Width: 11, Value: func(r *site.TimelineRun) xlsx.Cell {
			if !r.Had() {
				return unmeasured
			}
			return xlsx.YesNo(r.Changed)
		}},
		{Title: "sha256", Width: 14, Value: func(r *site.TimelineRun) xlsx.Cell { return xlsx.Text(r.SHA256[:min(12, len(r.SHA256))]) }},
		{Title: "Known URLs", Width: 11, Value: func(r *site.TimelineRun) xlsx.Cell { return xlsx.Number(r.Known) }},
	}
	var lines []string
	for i, c := range crawlers {
		if i < len(timelineColours) {
			lines = append(lines, xlsx.ColumnName(len(columns)))
		}
		columns = append(columns, xlsx.Column[site.TimelineRun]{Title: "Blocked for " + c.Label, Width: 13, Value: func(r *site.TimelineRun) xlsx.Cell {
			if i >= len(r.Counts) || r.Counts[i] == site.NoCount {
				return xlsx.Cell{} // a gap of the line
			}
			return xlsx.Number(r.Counts[i])
		}})
	}
	// Only the chart needs them. It also draws cells in folded columns.
	marks := xlsx.ColumnName(len(columns))
	columns = append(columns, xlsx.Column[site.TimelineRun]{Title: "Most blocked at a change", Width: 15, Folded: true, Value: func(r *site.TimelineRun) xlsx.Cell {
		if most := slices.Max(append(slices.Clone(r.Counts), site.NoCount)); r.Changed && most != site.NoCount {
			return xlsx.Number(most)
		}
		return xlsx.Cell{}
	}})
	table := xlsx.NewTable("Timeline", columns,
		xlsx.ConditionalFormat{Column: 1, Highlights: answerColours}, xlsx.ConditionalFormat{Column: 3, Highlights: []xlsx.Highlight{{Text: "yes", Colour: xlsx.Amber}}})
	table.Kind.Optional = true
	table.Kind.Charts = []xlsx.Chart{{
		Type: xlsx.LineChart, Title: placeholderTimelineTitle, Categories: "A",
		Values: lines, Colours: timelineColours, Height: 420, Width: 900, Newest: placeholderTimelineDates, Marks: marks,
	}}
	return define(o, table, hooks[site.TimelineRun]{end: func(s *sheet[site.TimelineRun], d *audit.Done) {
		t := s.workbook.site.Timeline(d)
		if t == nil || len(t.Runs) < 2 {
			return
		}
		s.workbook.timeline = t
		for i := range slices.Backward(t.Runs) {
			s.write(&t.Runs[i])
		}
	}})
}
