package reports

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// siteTables are the sheets of a site's workbook, the same for all sites of a
// run, since all are asked about the same crawlers.
type siteTables struct {
	*xlsx.Template
	crawlers []audit.Crawler
	figures  figureRows

	blocked   *xlsx.Table[verdictRow]
	undecided *xlsx.Table[verdictRow]
	urls      *xlsx.Table[urlRow]
	resources *xlsx.Table[verdictRow]
	differ    *xlsx.Table[disagreementRow]
	policies  *xlsx.Table[policyRow]
	clean     *xlsx.Table[cleanRow]
	rules     *xlsx.Table[ruleRow]
	agents    *xlsx.Table[agentRow]
	file      *xlsx.Table[fileRow]
	lint      *xlsx.Table[lintRow]
	sitemaps  *xlsx.Table[audit.Sitemap]
	hosts     *xlsx.Table[hopRow]
	leftOut   *xlsx.Table[leftOutRow]
	problems  *xlsx.Table[audit.Problem]
	evidence  *xlsx.Table[evidenceRow]
}

func newSiteTables(r *Run) (*siteTables, error) {
	crawlers := r.Crawlers
	t := &siteTables{
		crawlers:  crawlers,
		figures:   newFigureRows(len(crawlers)),
		blocked:   xlsx.NewTable("Blocked", verdictColumns(false), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours}),
		undecided: xlsx.NewTable("Undecided", verdictColumns(false), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours}),
		resources: xlsx.NewTable("Resources", verdictColumns(true), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours}),
		urls:      urlTable(crawlers),
		differ:    disagreementTable(crawlers),
		policies:  policyTable(),
		clean:     cleanTable(),
		rules:     ruleTable(),
		agents:    agentTable(),
		file:      fileTable(crawlers),
		lint:      lintTable(),
		sitemaps:  sitemapTable(crawlers),
		hosts:     hopTable(crawlers),
		leftOut:   leftOutTable(),
		problems:  problemTable(),
		evidence:  evidenceTable(),
	}
	t.undecided.Kind.Optional = true
	t.clean.Kind.Optional = true
	t.urls.Kind.Optional = r.Rows != "all"
	var err error
	t.Template, err = xlsx.NewTemplate(r.workbookDesign(t.figures.layout(),
		t.blocked.Kind, t.undecided.Kind, t.urls.Kind, t.differ.Kind, t.rules.Kind, t.agents.Kind, t.policies.Kind, t.file.Kind, t.lint.Kind,
		t.sitemaps.Kind, t.hosts.Kind, t.clean.Kind, t.resources.Kind, t.leftOut.Kind, t.problems.Kind, t.evidence.Kind))
	return t, err
}

// workbookDesign is that of all workbooks of the run.
func (r *Run) workbookDesign(page xlsx.PageLayout, sheets ...*xlsx.SheetKind) xlsx.Design {
	return xlsx.Design{
		Creator: "robots-audit", Title: "robots.txt audit", Created: r.Started, Page: page, Sheets: sheets,
		MoreRows: func(rows int64) string { return thousands(rows) + " more rows stand in the site's records alone" },
	}
}

// Conditional formats: verdicts, states, severities, and what an AI crawler may fetch.
var (
	verdictColours  = []xlsx.Highlight{{Text: "disallow", Colour: xlsx.Red}, {Text: "undefined", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}}
	stateColours    = []xlsx.Highlight{{Text: "critical", Colour: xlsx.Red}, {Text: "warn", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}, {Text: "ok", Colour: xlsx.Green}}
	severityColours = []xlsx.Highlight{{Text: "critical", Colour: xlsx.Red}, {Text: "error", Colour: xlsx.Red}, {Text: "warning", Colour: xlsx.Amber}, {Text: "info", Colour: xlsx.Grey}}
	accessColours   = []xlsx.Highlight{{Text: "none", Colour: xlsx.Red}, {Text: "part", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}, {Text: "all", Colour: xlsx.Green}}
)
