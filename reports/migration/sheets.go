package migration

import (
	"robots-audit/audit/migrate"
	"robots-audit/reports/internal/xlsx"
)

// chainTable is the sheet Chains: one row for each chain.
func chainTable() *xlsx.Table[Chain] {
	return xlsx.NewTable("Chains", []xlsx.Column[Chain]{
		{Title: "Redirect chain", Width: 50, Value: func(c *Chain) xlsx.Cell { return xlsx.Text(c.String()) }},
		{Title: "Pairs", Width: 12, Value: func(c *Chain) xlsx.Cell { return xlsx.Number(c.Pairs) }},
		{Title: "Clicks", Width: 12, Value: func(c *Chain) xlsx.Cell { return xlsx.NumberOrBlank(c.Clicks) }},
		{Title: "Redirects", Width: 10, Value: func(c *Chain) xlsx.Cell { return xlsx.Number(int64(c.Redirects)) }},
		{Title: "As planned", Width: 12, Value: func(c *Chain) xlsx.Cell { return xlsx.Number(c.OK) }},
		{Title: "Warning or info", Width: 14, Value: func(c *Chain) xlsx.Cell { return xlsx.Number(c.Minor) }},
		{Title: "Unknown", Width: 10, Value: func(c *Chain) xlsx.Cell { return xlsx.Number(c.Unknown) }},
		{Title: "Error or critical", Width: 14, Value: func(c *Chain) xlsx.Cell { return xlsx.Number(c.Failing) }},
	}, xlsx.DataBar(1))
}

// flipTable is the sheet Proposed: the changes by the proposed robots.txt, by clicks.
func flipTable() *xlsx.Table[flipRow] {
	return xlsx.NewTable("Proposed", []xlsx.Column[flipRow]{
		{Title: "New URL", Width: 60, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.URL) }},
		{Title: "Crawler", Width: 20, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.Crawler) }},
		{Title: "Change", Width: 16, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.Class) }},
		{Title: "Clicks", Width: 10, Value: func(r *flipRow) xlsx.Cell { return xlsx.NumberOrBlank(r.Clicks) }},
		{Title: "Old URLs", Width: 10, Value: func(r *flipRow) xlsx.Cell { return xlsx.Number(r.Pairs) }},
		{Title: "Live", Width: 12, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.Live.Verdict) }},
		{Title: "Live rule", Width: 30, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.Live.Rule) }},
		{Title: "Live line", Width: 8, Value: func(r *flipRow) xlsx.Cell { return identifier(r.Live.Line) }},
		{Title: "Proposed", Width: 12, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.Proposed.Verdict) }},
		{Title: "Proposed rule", Width: 30, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.Proposed.Rule) }},
		{Title: "Proposed line", Width: 8, Value: func(r *flipRow) xlsx.Cell { return identifier(r.Proposed.Line) }},
	}, xlsx.ConditionalFormat{Column: 2, Highlights: []xlsx.Highlight{{Text: "newly blocked", Colour: xlsx.Red}, {Text: "newly allowed", Colour: xlsx.Green}, {Text: "now unclear", Colour: xlsx.Grey}}})
}

func targetTable() *xlsx.Table[Target] {
	return xlsx.NewTable("Targets", []xlsx.Column[Target]{
		{Title: "New URL", Width: 80, Value: func(t *Target) xlsx.Cell { return xlsx.Text(t.URL) }},
		{Title: "Old URLs", Width: 12, Value: func(t *Target) xlsx.Cell { return xlsx.Number(t.Pairs) }},
		{Title: "Clicks", Width: 12, Value: func(t *Target) xlsx.Cell { return xlsx.NumberOrBlank(t.Clicks) }},
		{Title: "Status", Width: 10, Value: func(t *Target) xlsx.Cell { return identifier(t.Status) }},
	}, xlsx.DataBar(1))
}

func leakTable() *xlsx.Table[migrate.Leak] {
	return xlsx.NewTable("robots.txt problems", []xlsx.Column[migrate.Leak]{
		{Title: "Severity", Width: 10, Value: func(l *migrate.Leak) xlsx.Cell { return xlsx.Text(string(l.Severity)) }},
		{Title: "What", Width: 80, Value: func(l *migrate.Leak) xlsx.Cell { return xlsx.Text(l.Words) }},
		{Title: "File", Width: 44, Value: func(l *migrate.Leak) xlsx.Cell { return xlsx.Text(l.File) }},
		{Title: "Line", Width: 8, Value: func(l *migrate.Leak) xlsx.Cell { return identifier(l.Line) }},
		{Title: "Text", Width: 60, Value: func(l *migrate.Leak) xlsx.Cell { return xlsx.Text(l.Text) }},
		{Title: "Fix", Width: 70, Value: func(l *migrate.Leak) xlsx.Cell { return xlsx.Text(l.Todo) }},
		{Title: "Kind", Width: 18, Value: func(l *migrate.Leak) xlsx.Cell { return xlsx.Text(l.Kind) }},
	}, xlsx.ConditionalFormat{Column: 0, Highlights: severityColours})
}

// expectationTable is the sheet Expectations: those that are not met.
func expectationTable() *xlsx.Table[Expectation] {
	return xlsx.NewTable("Expectations", []xlsx.Column[Expectation]{
		{Title: "Outcome", Width: 20, Value: func(e *Expectation) xlsx.Cell { return xlsx.Text(e.OutcomeWords()) }},
		{Title: "URL or pattern", Width: 50, Value: func(e *Expectation) xlsx.Cell { return xlsx.Text(e.URL) }},
		{Title: "Crawler", Width: 22, Value: func(e *Expectation) xlsx.Cell { return xlsx.Text(e.Crawler) }},
		{Title: "What", Width: 100, Value: func(e *Expectation) xlsx.Cell { return xlsx.Text(e.What) }},
		{Title: "Site", Width: 36, Value: func(e *Expectation) xlsx.Cell { return xlsx.Text(e.Site) }},
		{Title: "Note", Width: 40, Value: func(e *Expectation) xlsx.Cell { return xlsx.Text(e.Note) }},
		{Title: "Line of file", Width: 10, Value: func(e *Expectation) xlsx.Cell { return identifier(e.Line) }},
	}, xlsx.ConditionalFormat{Column: 0, Highlights: []xlsx.Highlight{{Text: "failed", Colour: xlsx.Red}, {Text: noURLFound, Colour: xlsx.Red}, {Text: noSuchSite, Colour: xlsx.Red}, {Text: "unclear", Colour: xlsx.Grey}}})
}
