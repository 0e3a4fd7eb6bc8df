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

func newSiteTables(s *shop, crawlers []audit.Crawler, allRows bool) (*siteTables, error) {
	t := &siteTables{
		crawlers:  crawlers,
		figures:   newFigureRows(len(crawlers)),
		blocked:   newTable("Blocked", verdictColumns(false), mark{3, markVerdict}),
		undecided: newTable("Undecided", verdictColumns(false), mark{3, markVerdict}),
		resources: newTable("Resources", verdictColumns(true), mark{3, markVerdict}),
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
	t.urls.kind.optional = !allRows
	var err error
	t.scaffold, err = newScaffold(s, t.figures.layout(), &sheetKind{name: "Summary"},
		t.blocked.kind, t.undecided.kind, t.urls.kind, t.differ.kind, t.rules.kind, t.agents.kind, t.policies.kind, t.file.kind, t.lint.kind,
		t.sitemaps.kind, t.hosts.kind, t.clean.kind, t.resources.kind, t.leftOut.kind, t.problems.kind, t.evidence.kind)
	return t, err
}
