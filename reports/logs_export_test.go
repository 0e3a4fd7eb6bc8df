package reports

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
)

// withLogs adds what access logs say to the records of a site.
func withLogs(records []audit.Record, logs *audit.Logs) []audit.Record {
	last := len(records) - 1
	return slices.Concat(records[:last], []audit.Record{{Domain: records[last].Domain, Logs: logs}}, records[last:])
}

// crawlerLogs are access logs with one crawler, in all tables of the exports.
func crawlerLogs(site string) *audit.Logs {
	return &audit.Logs{Site: site, From: start, To: start.Add(time.Hour), Judged: audit.LogHistory, Crawlers: []audit.LogCrawler{{
		Name: "Googlebot", Operator: "Google", Purpose: "search", Genuine: audit.LogTally{Requests: 3, Obeyed: 2, Disobeyed: 1}, Robots: audit.LogRobots{MedianDays: -1},
		Rules:       []audit.LogRule{{Version: "4 Mar 2026, 05:06", Line: 2, Rule: "disallow: /a", Requests: 1, URLs: 1, Disobeyed: 1, First: start, Last: start}},
		Days:        []audit.LogDay{{Day: "2026-03-04", Requests: 3, Disobeyed: 1}},
		Directories: []audit.LogPart{{Name: "/a", Requests: 3, URLs: 2}},
	}}}
}

// TestExportsOfLogs: a site with access logs has a file of each table and format, whether it is small or large, and
// others have none. Sites and runs are in the rows. They are made again with the same bytes.
func TestExportsOfLogs(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	o.Formats = allFormats
	r := openRun(t, o)
	for i, name := range []string{"small.example", "large.example", "without.example"} {
		records := siteRecords(name, i, 3000*(i%2))
		if i < 2 {
			records = withLogs(records, crawlerLogs(name))
		}
		writeAll(t, r, records)
	}
	closeRun(t, r)
	var names []string
	for name, text := range folder(t, o.Dir) {
		if base, ok := strings.CutPrefix(name, "logs/"); ok {
			names = append(names, base)
			if site := strings.Join(strings.Split(base, ".")[:2], "."); strings.HasSuffix(base, ".csv") && (strings.Count(text, "\r\n") != 2 || !strings.Contains(text, "\r\n"+site+","+r.id()+",1.2.3,Googlebot,")) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
	var want []string
	for _, site := range []string{"small.example", "large.example"} {
		for _, table := range logTables {
			for _, format := range allFormats {
				want = append(want, site+"."+table+"."+format)
			}
		}
	}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	before := folder(t, o.Dir)
	gone(t, o.Dir, "logs")
	mustRebuild(t, o.Dir)
	sameFolder(t, before, folder(t, o.Dir), journalName)
}

// logTables are the tables on access logs.
var logTables = []string{"crawlers", "rules", "days", "parts"}

// TestExportsWithoutLogs: without access logs, or without formats, there is no folder for their tables.
func TestExportsWithoutLogs(t *testing.T) {
	t.Parallel()
	for _, logs := range []bool{false, true} {
		o, records := testOptions(t.TempDir()), siteRecords("example.com", 0, 0)
		if logs {
			records = withLogs(records, crawlerLogs("example.com"))
		} else {
			o.Formats = allFormats
		}
		writeRun(t, o, records)
		if found, _ := filepath.Glob(filepath.Join(o.Dir, "logs*")); found != nil {
			t.Errorf("logs %v: %q", logs, found)
		}
	}
}

// TestFullDiskOfExports: a disk that fails for any table of the exports fails the site, and no temporary file stays.
func TestFullDiskOfExports(t *testing.T) {
	t.Parallel()
	var paths []string
	for i := range 400 {
		paths = append(paths, fmt.Sprint("/a/", i))
	}
	many := judged(t, "Googlebot,Bingbot,YandexBot,GPTBot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, paths...) // a small site whose rows do not fit into a buffer
	for _, c := range []struct{ op, file string }{
		{"create", ".rows.verdict."}, {"write", ".rows.verdict."}, {"create", ".rows.crawlers."}, {"create", ".rows.days.parquet"}, {"write", ".rows.parts."}, {"rename", "logs/example.com.rules.jsonl"},
	} {
		for urls, records := range map[int][]audit.Record{0: siteRecords("example.com", 0, 0), 3000: siteRecords("example.com", 0, 3000), 400: many} {
			o := testOptions(t.TempDir())
			o.Formats, o.Rows, o.Crawlers, o.disk = allFormats, "all", records[0].Site.Crawlers, fullDisk{site: c.file, op: c.op, err: syscall.ENOSPC}
			r := openRun(t, o)
			writeAll(t, r, withLogs(records, crawlerLogs("example.com")))
			closeRun(t, r)
			if r.Totals().Failed != 1 {
				t.Errorf("%s, %s, %d URLs: %d sites failed", c.op, c.file, urls, r.Totals().Failed)
			}
			for name := range folder(t, o.Dir) {
				if strings.Contains(name, "tmp") || name == "example.com.xlsx" {
					t.Errorf("%s, %s, %d URLs: left behind: %s", c.op, c.file, urls, name)
				}
			}
		}
	}
}
