package export

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/crawls"
)

// logRow is a row of a table on access logs: a crawler, and one of its rules, days or parts.
type logRow struct {
	about *Row // only with site, run and version
	*crawls.Crawler
	rule *audit.LogRule
	day  *audit.LogDay
	part *crawls.Part
}

// seen is the time at which a run first saw a version of robots.txt; zero = it is not known.
func (r *logRow) seen(version string) time.Time {
	for i := range r.Site.Versions {
		if v := &r.Site.Versions[i]; v.Name == version {
			return v.First
		}
	}
	return time.Time{}
}

// logColumn is a column of a table on access logs.
type logColumn struct {
	name     string
	like     string // the column of Row with the same type
	optional bool
	of       func(*logRow) value
}

// Columns by their values.

func word(name string, of func(*logRow) string) logColumn {
	return logColumn{name, "url", false, func(r *logRow) value { return textValue(escape.ShowInvalid(of(r))) }}
}

// wordOrNull is null for "".
func wordOrNull(name string, of func(*logRow) string) logColumn {
	return logColumn{name, "rule", true, func(r *logRow) value { return textValueOrNull(textOrNull(of(r))) }}
}

// yesOrNull has "yes" or null.
func yesOrNull(name string, of func(*logRow) bool) logColumn {
	return wordOrNull(name, func(r *logRow) string {
		if of(r) {
			return "yes"
		}
		return ""
	})
}

func count(name string, of func(*logRow) int64) logColumn {
	return logColumn{name, "line", false, func(r *logRow) value { return value{kind: number, number: of(r)} }}
}

// countOrNull is null where the number is not known.
func countOrNull(name string, of func(*logRow) (n int64, known bool)) logColumn {
	return logColumn{name, "line", true, func(r *logRow) value {
		n, known := of(r)
		return numberValue(numberOrNull(known, n))
	}}
}

// timeOrNull is null for the zero time.
func timeOrNull(name string, of func(*logRow) time.Time) logColumn {
	return logColumn{name, "lastmod_time", true, func(r *logRow) value {
		t := of(r)
		if t.IsZero() {
			return value{}
		}
		return value{kind: moment, number: t.UnixMilli()}
	}}
}

// logTable is a table on access logs.
type logTable struct {
	*table
	columns []logColumn
	rows    func(r *logRow, add func()) // calls add for each row of the crawler of r
}

// logTables are the tables on access logs. Columns and their names are stable; new ones come last.
var logTables = []logTable{
	newLogTable("crawlers", crawlerColumns(), func(_ *logRow, add func()) { add() }),
	newLogTable("rules", []logColumn{
		wordOrNull("rule", func(r *logRow) string { return r.rule.Rule }),
		countOrNull("line", func(r *logRow) (int64, bool) { return int64(r.rule.Line), r.rule.Line > 0 }),
		timeOrNull("robots_txt_version", func(r *logRow) time.Time { return r.seen(r.rule.Version) }),
		count("requests", func(r *logRow) int64 { return r.rule.Requests }),
		count("urls", func(r *logRow) int64 { return r.rule.URLs }),
		count("disobeyed", func(r *logRow) int64 { return r.rule.Disobeyed }),
		count("grace", func(r *logRow) int64 { return r.rule.Grace }),
		timeOrNull("first_disobeyed", func(r *logRow) time.Time { return r.rule.First }),
		timeOrNull("last_disobeyed", func(r *logRow) time.Time { return r.rule.Last }),
		wordOrNull("examples", func(r *logRow) string { return strings.Join(r.rule.Samples, " ") }),
	}, func(r *logRow, add func()) {
		for i := range r.Rules {
			r.rule = &r.Rules[i]
			add()
		}
	}),
	newLogTable("days", []logColumn{
		word("day", func(r *logRow) string { return r.day.Day }),
		count("requests", func(r *logRow) int64 { return r.day.Requests }),
		count("disobeyed", func(r *logRow) int64 { return r.day.Disobeyed }),
		count("grace", func(r *logRow) int64 { return r.day.Grace }),
		count("errors", func(r *logRow) int64 { return r.day.Errors }),
		count("robots_txt_requests", func(r *logRow) int64 { return r.day.Robots }),
		count("robots_txt_errors", func(r *logRow) int64 { return r.day.RobotsBad }),
	}, func(r *logRow, add func()) {
		for i := range r.Days {
			r.day = &r.Days[i]
			add()
		}
	}),
	newLogTable("parts", []logColumn{
		word("kind", func(r *logRow) string { return r.part.Kind }),
		word("part", func(r *logRow) string { return r.part.LogPart.Name }),
		count("requests", func(r *logRow) int64 { return r.part.Requests }),
		count("urls", func(r *logRow) int64 { return r.part.LogPart.URLs }),
		count("ok", func(r *logRow) int64 { return r.part.OK }),
		count("redirects", func(r *logRow) int64 { return r.part.Redirects }),
		count("errors", func(r *logRow) int64 { return r.part.Errors }),
		count("blocked", func(r *logRow) int64 { return r.part.LogPart.Blocked }),
	}, func(r *logRow, add func()) {
		for _, r.part = range r.PartRows() {
			add()
		}
	}),
}

// newLogTable adds the columns that all tables on access logs begin with.
func newLogTable(name string, columns []logColumn, rows func(*logRow, func())) logTable {
	columns = append([]logColumn{
		word("site", func(r *logRow) string { return r.about.Site }),
		word("run", func(r *logRow) string { return r.about.Run }),
		word("version", func(r *logRow) string { return r.about.Version }),
		word("crawler", func(r *logRow) string { return r.Crawler.Name }),
	}, columns...)
	like := func(i int) (string, bool) { return columns[i].like, columns[i].optional }
	return logTable{newTable(name, "logs", namesOf(columns, func(c *logColumn) string { return c.name }), like), columns, rows}
}

func tablesOfLogs() (list []*table) {
	for _, t := range logTables {
		list = append(list, t.table)
	}
	return list
}

func crawlerColumns() []logColumn {
	list := []logColumn{
		wordOrNull("operator", func(r *logRow) string { return r.Operator }),
		wordOrNull("purpose", func(r *logRow) string { return r.Purpose }),
		timeOrNull("logs_from", func(r *logRow) time.Time { return r.Site.From }),
		timeOrNull("logs_to", func(r *logRow) time.Time { return r.Site.To }),
		yesOrNull("scaled", func(r *logRow) bool { return r.Site.Scaled > 1 }),
		word("judged_by", func(r *logRow) string { return string(r.Site.Judged) }),
		wordOrNull("ranges", func(r *logRow) string { return r.Site.Ranges }),
		count("requests", func(r *logRow) int64 { return r.Own.Requests }),
		count("urls", func(r *logRow) int64 { return r.URLs }),
		yesOrNull("urls_estimated", func(r *logRow) bool { return r.AboutURLs }),
	}
	for _, address := range []struct {
		name string
		of   func(*logRow) *audit.LogTally
	}{
		{"genuine", func(r *logRow) *audit.LogTally { return &r.Genuine }},
		{"unknown", func(r *logRow) *audit.LogTally { return &r.Unknown }},
		{"claimed", func(r *logRow) *audit.LogTally { return &r.LogCrawler.Claimed }},
	} {
		for _, judged := range []struct {
			name string
			of   func(*audit.LogTally) int64
		}{
			{"requests", func(t *audit.LogTally) int64 { return t.Requests }},
			{"obeyed", func(t *audit.LogTally) int64 { return t.Obeyed }},
			{"disobeyed", func(t *audit.LogTally) int64 { return t.Disobeyed }},
			{"grace", func(t *audit.LogTally) int64 { return t.Grace }},
			{"unclear", func(t *audit.LogTally) int64 { return t.Unclear }},
			{"exempt", func(t *audit.LogTally) int64 { return t.Exempt }},
			{"blocked", func(t *audit.LogTally) int64 { return t.Blocked }},
			{"stale", func(t *audit.LogTally) int64 { return t.Stale }},
		} {
			list = append(list, count(address.name+"_"+judged.name, func(r *logRow) int64 { return judged.of(address.of(r)) }))
		}
	}
	list = append(list,
		count("robots_txt_requests", func(r *logRow) int64 { return r.Robots.Requests }),
		timeOrNull("robots_txt_last", func(r *logRow) time.Time { return r.Robots.Last }),
		countOrNull("robots_txt_last_status", func(r *logRow) (int64, bool) { return int64(r.Robots.LastStatus), !r.Robots.Last.IsZero() }),
		timeOrNull("robots_txt_read", func(r *logRow) time.Time { return r.Robots.Read }),
		timeOrNull("robots_txt_knows", func(r *logRow) time.Time { return r.seen(r.Robots.Knows) }),
		yesOrNull("robots_txt_waiting", func(r *logRow) bool { return r.Waiting() }),
		countOrNull("robots_txt_median_seconds", func(r *logRow) (int64, bool) {
			return int64(math.Round(r.Robots.MedianDays * 24 * 60 * 60)), r.Robots.MedianDays >= 0
		}),
	)
	for _, of := range []struct {
		name     string
		statuses func(*logRow) []audit.LogCount
	}{
		{"robots_txt_", func(r *logRow) []audit.LogCount { return r.Robots.Statuses }},
		{"status_", func(r *logRow) []audit.LogCount { return r.Statuses }},
	} {
		for _, class := range statusClasses {
			list = append(list, count(of.name+class, func(r *logRow) (n int64) {
				for _, status := range of.statuses(r) {
					if statusClass(status.Name) == class {
						n += status.Requests
					}
				}
				return n
			}))
		}
	}
	return append(list,
		count("waste_redirects", func(r *logRow) int64 { return r.Waste.Redirects }),
		count("waste_errors", func(r *logRow) int64 { return r.Waste.Errors }),
		count("waste_parameters", func(r *logRow) int64 { return r.Waste.Parameters }),
		count("waste_blocked", func(r *logRow) int64 { return r.Waste.Blocked }),
		countOrNull("never_fetched", func(r *logRow) (int64, bool) { return r.NeverFetched, r.Site.Listed > 0 && !r.AboutURLs }),
		countOrNull("never_fetched_blocked", func(r *logRow) (int64, bool) { return r.NeverBlocked, r.Site.Listed > 0 && !r.AboutURLs }),
		countOrNull("orphans", func(r *logRow) (int64, bool) { return r.Orphans, r.Site.Found > 0 }),
	)
}

var statusClasses = []string{"2xx", "3xx", "4xx", "5xx", "other"}

// statusClass is the class of a status or of a class: "404", "4xx".
func statusClass(name string) string {
	i := slices.IndexFunc(statusClasses[:4], func(class string) bool { return name != "" && name[0] == class[0] })
	if i < 0 {
		return "other"
	}
	return statusClasses[i]
}

// writeLogs writes the tables on access logs, if the site has any.
func (s *Site) writeLogs() {
	if s.site.Crawls == nil {
		return
	}
	of := crawls.New(s.site.Crawls)
	for i := range logTables {
		s.open(logTables[i].table)
		logTables[i].each(of, &s.row, func(row []value) {
			for _, w := range s.writers {
				s.err = cmp.Or(s.err, w.add(row))
			}
		})
		s.close()
	}
}

// each calls add for each row of a site. The values are reused.
func (t *logTable) each(of *crawls.Site, about *Row, add func([]value)) {
	row := make([]value, len(t.columns))
	for _, c := range of.Crawlers {
		r := &logRow{about: about, Crawler: c}
		t.rows(r, func() {
			for i := range t.columns {
				row[i] = t.columns[i].of(r)
			}
			add(row)
		})
	}
}
