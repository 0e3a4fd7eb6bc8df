package reports

import "robots-audit/audit"

// siteTables are the sheets of a site's workbook, the same for all sites of a
// run, since all are asked about the same crawlers.
type siteTables struct {
	*scaffold
	crawlers []audit.Crawler
	figures  figureRows

	blocked   *table[verdictRow]
	undecided *table[verdictRow]
	urls      *table[urlRow]
	resources *table[verdictRow]
	differ    *table[disagreementRow]
	policies  *table[policyRow]
	clean     *table[cleanRow]
	rules     *table[ruleRow]
	agents    *table[agentRow]
	file      *table[fileRow]
	lint      *table[lintRow]
	sitemaps  *table[audit.Sitemap]
	hosts     *table[hopRow]
	leftOut   *table[leftOutRow]
	problems  *table[audit.Problem]
	evidence  *table[evidenceRow]
}

func newSiteTables(r *Run) (*siteTables, error) {
	crawlers := r.Crawlers
	t := &siteTables{
		crawlers:  crawlers,
		figures:   newFigureRows(len(crawlers)),
		blocked:   newTable("Blocked", verdictColumns(false), mark{3, verdictColours}),
		undecided: newTable("Undecided", verdictColumns(false), mark{3, verdictColours}),
		resources: newTable("Resources", verdictColumns(true), mark{3, verdictColours}),
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
	t.undecided.kind.optional = true
	t.clean.kind.optional = true
	t.urls.kind.optional = r.Rows != "all"
	var err error
	t.scaffold, err = newScaffold(r.workbookDesign(t.figures.layout(),
		t.blocked.kind, t.undecided.kind, t.urls.kind, t.differ.kind, t.rules.kind, t.agents.kind, t.policies.kind, t.file.kind, t.lint.kind,
		t.sitemaps.kind, t.hosts.kind, t.clean.kind, t.resources.kind, t.leftOut.kind, t.problems.kind, t.evidence.kind))
	return t, err
}

// workbookDesign is that of all workbooks of the run.
func (r *Run) workbookDesign(page layout, sheets ...*sheetKind) design {
	return design{
		creator: "robots-audit", subject: "robots.txt audit", made: r.Started, page: page, sheets: sheets,
		moreRows: func(rows int64) string { return thousands(rows) + " more rows stand in the site's records alone" },
	}
}

// Conditional formats: verdicts, states, severities, and what an AI crawler may fetch.
var (
	verdictColours  = []highlight{{"disallow", red}, {"undefined", amber}, {"unknown", grey}}
	stateColours    = []highlight{{"critical", red}, {"warn", amber}, {"unknown", grey}, {"ok", green}}
	severityColours = []highlight{{"critical", red}, {"error", red}, {"warning", amber}, {"info", grey}}
	accessColours   = []highlight{{"none", red}, {"part", amber}, {"unknown", grey}, {"all", green}}
)
