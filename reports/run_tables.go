package reports

import (
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// runTables are the sheets of summary.xlsx.
type runTables struct {
	*xlsx.Template
	sites   *xlsx.Table[siteLine]
	fleet   *xlsx.Table[fleetRow]
	errors  *xlsx.Table[errorRow]
	leftOut *xlsx.Table[siteLeftOut]
}

// siteLine is a finished site.
type siteLine struct {
	*journalLine
	entry siteSummary
}

// errorRow is a problem of a site, or of the list where domain is empty.
type errorRow struct {
	domain string
	siteError
}

// siteLeftOut is a number of a site's URLs that were not tested, for one reason.
type siteLeftOut struct {
	domain string
	leftOutRow
}

func newRunTables(r *Run) (*runTables, error) {
	t := &runTables{
		sites: siteLineTable(r.Crawlers),
		fleet: fleetTable(),
		errors: xlsx.NewTable("Errors", []xlsx.Column[errorRow]{
			{Title: "Domain", Width: 34, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.domain) }},
			{Title: "Stage", Width: 10, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.Stage) }},
			{Title: "Code", Width: 22, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.Code) }},
			{Title: "In words", Width: 56, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(meaning(r.Code)) }},
			{Title: "URL", Width: 60, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.URL) }},
			{Title: "Detail", Width: 70, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.Detail) }},
		}),
		leftOut: xlsx.NewTable("Left out", []xlsx.Column[siteLeftOut]{
			{Title: "Domain", Width: 34, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Text(r.domain) }},
			{Title: "Reason", Width: 18, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Text(r.reason) }},
			{Title: "In words", Width: 60, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Text(meaning(r.reason)) }},
			{Title: "URLs", Width: 12, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Number(r.urls) }},
		}),
	}
	var err error
	t.Template, err = xlsx.NewTemplate(r.workbookDesign(runLayout(), t.sites.Kind, t.fleet.Kind, t.errors.Kind, t.leftOut.Kind))
	return t, err
}

func siteLineTable(crawlers []audit.Crawler) *xlsx.Table[siteLine] {
	columns := []xlsx.Column[siteLine]{
		{Title: "No.", Width: 7, Value: func(l *siteLine) xlsx.Cell { return xlsx.Identifier(l.Ordinal + 1) }},
		{Title: "Domain", Width: 34, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.Name) }},
		{Title: "State", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.State) }},
		{Title: "Why", Width: 70, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.Why) }},
		{Title: "robots.txt status", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Identifier(l.entry.Robots.Status) }},
		{Title: "Access", Width: 12, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.entry.Robots.Access) }},
		{Title: "Trouble", Width: 18, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.entry.Robots.Error) }},
		{Title: "Redirects", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(int64(l.entry.Robots.Hops)) }},
		{Title: "Bytes", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(l.entry.Robots.Bytes) }},
		{Title: "Sitemaps", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(int64(l.entry.Sitemaps)) }},
		{Title: "Known URLs", Width: 12, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(l.URLs) }},
		{Title: "Blocked for at least one", Width: 12, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(l.BlockedURLs) }},
		{Title: "% blocked", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Percent(l.BlockedURLs, l.URLs) }},
	}
	marks := []xlsx.ConditionalFormat{{Column: 2, Highlights: stateColours}, xlsx.DataBar(12)}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[siteLine]{Title: "Blocked for " + c.Label, Width: 14, Value: func(l *siteLine) xlsx.Cell {
			if i >= len(l.Blocked) {
				return xlsx.Cell{}
			}
			return xlsx.Number(l.Blocked[i])
		}})
	}
	columns = append(columns, []xlsx.Column[siteLine]{
		{Title: "Without a clear verdict", Width: 12, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(l.Unknown) }},
		{Title: "Verdicts differ", Width: 12, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(l.Differing) }},
		{Title: "Left out", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(total(l.LeftOut)) }},
		{Title: "Problems", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Number(int64(l.Problems)) }},
		{Title: "Findings: critical", Width: 10, Value: func(l *siteLine) xlsx.Cell { return l.findings(func(s *audit.Severities) int64 { return s.Critical }) }},
		{Title: "Findings: errors", Width: 10, Value: func(l *siteLine) xlsx.Cell { return l.findings(func(s *audit.Severities) int64 { return s.Error }) }},
		{Title: "Findings: warnings", Width: 10, Value: func(l *siteLine) xlsx.Cell { return l.findings(func(s *audit.Severities) int64 { return s.Warning }) }},
		{Title: "What AI crawlers may fetch", Width: 70, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.Policy) }},
		{Title: "Origin", Width: 36, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.entry.Origin) }},
		{Title: "Workbook", Width: 36, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.entry.Workbook) }},
		{Title: "Finished (UTC)", Width: 19, Value: func(l *siteLine) xlsx.Cell { return xlsx.Time(l.finished()) }},
		{Title: "Seconds", Width: 10, Value: func(l *siteLine) xlsx.Cell { return xlsx.Float(l.Millis / 1000) }},
		{Title: "robots.txt SHA-256", Width: 66, Value: func(l *siteLine) xlsx.Cell { return xlsx.Text(l.entry.Robots.SHA256) }},
	}...)
	return xlsx.NewTable("Sites", columns, marks...)
}

// findings is a count of the site's findings; empty where they were not counted.
func (l *journalLine) findings(of func(*audit.Severities) int64) xlsx.Cell {
	if l.Findings == nil {
		return xlsx.Cell{}
	}
	return xlsx.Number(of(l.Findings))
}

// finished is the time of the site's end; zero where it is not known.
func (l *journalLine) finished() time.Time {
	t, err := time.Parse(time.RFC3339, l.Finished)
	if err != nil {
		return time.Time{}
	}
	return t
}
