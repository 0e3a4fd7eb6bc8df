package reports

import (
	"time"

	"robots-audit/audit"
)

// runTables are the sheets of summary.xlsx.
type runTables struct {
	*scaffold
	sites   *table[siteLine]
	fleet   *table[fleetRow]
	errors  *table[errorRow]
	leftOut *table[siteLeftOut]
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
		errors: newTable("Errors", []column[errorRow]{
			{"Domain", 34, func(r *errorRow) cell { return text(r.domain) }},
			{"Stage", 10, func(r *errorRow) cell { return text(r.Stage) }},
			{"Code", 22, func(r *errorRow) cell { return text(r.Code) }},
			{"In words", 56, func(r *errorRow) cell { return text(meaning(r.Code)) }},
			{"URL", 60, func(r *errorRow) cell { return text(r.URL) }},
			{"Detail", 70, func(r *errorRow) cell { return text(r.Detail) }},
		}),
		leftOut: newTable("Left out", []column[siteLeftOut]{
			{"Domain", 34, func(r *siteLeftOut) cell { return text(r.domain) }},
			{"Reason", 18, func(r *siteLeftOut) cell { return text(r.reason) }},
			{"In words", 60, func(r *siteLeftOut) cell { return text(meaning(r.reason)) }},
			{"URLs", 12, func(r *siteLeftOut) cell { return number(r.urls) }},
		}),
	}
	var err error
	t.scaffold, err = newScaffold(r.workbookDesign(runLayout(), t.sites.kind, t.fleet.kind, t.errors.kind, t.leftOut.kind))
	return t, err
}

func siteLineTable(crawlers []audit.Crawler) *table[siteLine] {
	columns := []column[siteLine]{
		{"No.", 7, func(l *siteLine) cell { return plainNumber(l.Ordinal + 1) }},
		{"Domain", 34, func(l *siteLine) cell { return text(l.Name) }},
		{"State", 10, func(l *siteLine) cell { return text(l.State) }},
		{"Why", 70, func(l *siteLine) cell { return text(l.Why) }},
		{"robots.txt status", 10, func(l *siteLine) cell { return plainNumber(l.entry.Robots.Status) }},
		{"Access", 12, func(l *siteLine) cell { return text(l.entry.Robots.Access) }},
		{"Trouble", 18, func(l *siteLine) cell { return text(l.entry.Robots.Error) }},
		{"Redirects", 10, func(l *siteLine) cell { return number(int64(l.entry.Robots.Hops)) }},
		{"Bytes", 10, func(l *siteLine) cell { return number(l.entry.Robots.Bytes) }},
		{"Sitemaps", 10, func(l *siteLine) cell { return number(int64(l.entry.Sitemaps)) }},
		{"Known URLs", 12, func(l *siteLine) cell { return number(l.URLs) }},
		{"Blocked for at least one", 12, func(l *siteLine) cell { return number(l.BlockedURLs) }},
		{"% blocked", 10, func(l *siteLine) cell { return share(l.BlockedURLs, l.URLs) }},
	}
	marks := []mark{{2, stateColours}, {12, nil}}
	for i, c := range crawlers {
		columns = append(columns, column[siteLine]{"Blocked for " + c.Label, 14, func(l *siteLine) cell {
			if i >= len(l.Blocked) {
				return cell{}
			}
			return number(l.Blocked[i])
		}})
	}
	columns = append(columns, []column[siteLine]{
		{"Without a clear verdict", 12, func(l *siteLine) cell { return number(l.Unknown) }},
		{"Verdicts differ", 12, func(l *siteLine) cell { return number(l.Differing) }},
		{"Left out", 10, func(l *siteLine) cell { return number(total(l.LeftOut)) }},
		{"Problems", 10, func(l *siteLine) cell { return number(int64(l.Problems)) }},
		{"Findings: critical", 10, func(l *siteLine) cell { return l.findings(func(s *audit.Severities) int64 { return s.Critical }) }},
		{"Findings: errors", 10, func(l *siteLine) cell { return l.findings(func(s *audit.Severities) int64 { return s.Error }) }},
		{"Findings: warnings", 10, func(l *siteLine) cell { return l.findings(func(s *audit.Severities) int64 { return s.Warning }) }},
		{"What AI crawlers may fetch", 70, func(l *siteLine) cell { return text(l.Policy) }},
		{"Origin", 36, func(l *siteLine) cell { return text(l.entry.Origin) }},
		{"Workbook", 36, func(l *siteLine) cell { return text(l.entry.Workbook) }},
		{"Finished (UTC)", 19, func(l *siteLine) cell { return moment(l.finished()) }},
		{"Seconds", 10, func(l *siteLine) cell { return realNumber(l.Millis / 1000) }},
		{"robots.txt SHA-256", 66, func(l *siteLine) cell { return text(l.entry.Robots.SHA256) }},
	}...)
	return newTable("Sites", columns, marks...)
}

// findings is a count of the site's findings; empty where they were not counted.
func (l *journalLine) findings(of func(*audit.Severities) int64) cell {
	if l.Findings == nil {
		return cell{}
	}
	return number(of(l.Findings))
}

// finished is the time of the site's end; zero where it is not known.
func (l *journalLine) finished() time.Time {
	t, err := time.Parse(time.RFC3339, l.Finished)
	if err != nil {
		return time.Time{}
	}
	return t
}
