package book

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// hopRow is one request for a robots.txt.
type hopRow struct {
	origin    string
	step      int
	hop       audit.Hop
	file      *audit.Outcome // of the last hop: the whole result
	robots    *audit.Robots  // of the last hop
	forecasts []string       // of the last hop, for each crawler: how the effect of the response changes over time
	given     bool           // no request was sent: see crawl.Outcome.Given
}

// hostSheet has every request for a robots.txt, whether it found one or not.
func hostSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	return define(o, xlsx.NewTable("Requests for robots.txt", hostColumns(crawlers)), hooks[hopRow]{concerns: severalRequests, end: func(s *sheet[hopRow], _ *audit.Done) {
		robots := s.workbook.site.Files
		if o.AllSheets {
			robots = s.workbook.site.AllRobots // including origins with the same file
		}
		for r := range robots {
			writeHops(s, r)
		}
	}})
}

// writeHops writes the requests for a robots.txt.
func writeHops(s *sheet[hopRow], r *audit.Robots) {
	hops := site.Hops(r)
	for i, hop := range hops {
		row := hopRow{origin: r.Origin, step: i + 1, hop: hop, given: r.File.Given}
		if i == len(hops)-1 {
			row.file, row.robots = &r.File.Outcome, r
			if r.File.Given {
				row.file = &audit.Outcome{}
			}
			for c := range s.workbook.site.Crawlers {
				row.forecasts = append(row.forecasts, s.workbook.site.Forecast(r.Index, c))
			}
		}
		s.write(&row)
	}
}

// hostColumns are the columns of the sheet Requests for robots.txt.
func hostColumns(crawlers []audit.Crawler) []xlsx.Column[hopRow] {
	last := func(r *hopRow, c xlsx.Cell) xlsx.Cell {
		if r.file == nil {
			return xlsx.Cell{}
		}
		return c
	}
	outcome := func(r *hopRow) *audit.Outcome {
		if r.file == nil {
			return &audit.Outcome{}
		}
		return r.file
	}
	columns := []xlsx.Column[hopRow]{
		{Title: "Origin", Width: 32, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.origin) }},
		{Title: "Step", Width: 7, Value: func(r *hopRow) xlsx.Cell { return xlsx.Identifier(r.step) }},
		{Title: "URL", Width: 50, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.hop.URL) }},
		{Title: "Status", Width: 8, Value: func(r *hopRow) xlsx.Cell { return status(r.hop.Status) }},
		{Title: "ms", Width: 9, Extra: true, Value: func(r *hopRow) xlsx.Cell { return xlsx.Float(r.hop.Millis) }},
		{Title: "Leads to", Width: 40, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.hop.Location) }},
		{Title: "Address", Width: 18, Extra: true, Value: func(r *hopRow) xlsx.Cell {
			if r.given {
				return xlsx.Text(site.NotAsked)
			}
			return xlsx.Text(r.hop.Address)
		}},
		{Title: "Trouble", Width: 30, Value: func(r *hopRow) xlsx.Cell {
			if r.file != nil && r.file.Code != "" {
				return xlsx.Text(site.FormatProblem(r.file.Code, r.file.Detail))
			}
			return xlsx.Text(site.FormatProblem(r.hop.Code, ""))
		}},
		{Title: "Content-Type", Width: 24, Extra: true, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(outcome(r).Type) }},
		{Title: "Bytes", Width: 10, Extra: true, Value: func(r *hopRow) xlsx.Cell { return last(r, count(outcome(r).Bytes, outcome(r).Status != 0)) }},
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[hopRow]{Title: "What " + c.Label + " makes of it", Width: 50, Value: func(r *hopRow) xlsx.Cell {
			if r.robots == nil || i >= len(r.robots.Reads) {
				return xlsx.Cell{}
			}
			return xlsx.Text(site.AccessWords(r.robots, i))
		}})
	}
	for i := range crawlers {
		columns = append(columns, xlsx.Column[hopRow]{Title: "Forecast for " + crawlers[i].Label, Width: 60, Value: func(r *hopRow) xlsx.Cell {
			if i >= len(r.forecasts) {
				return xlsx.Cell{}
			}
			return xlsx.Text(r.forecasts[i])
		}})
	}
	return append(columns, xlsx.Column[hopRow]{Title: "Time (UTC)", Width: 19, Extra: true, Value: func(r *hopRow) xlsx.Cell { return xlsx.Time(r.hop.Started) }})
}

// severalRequests reports whether more than one request for a robots.txt was sent, or one failed.
func severalRequests(of *site.Site, _ *audit.Done) bool {
	own := of.Robots(0)
	return of.OriginCount() > 1 || len(site.Hops(own)) > 1 || site.Read(own, 0).Access != engine.Parsed
}
