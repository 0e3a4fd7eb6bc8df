package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
)

// A history of the demo's sites has the IDs of their workbooks.
func TestHistoryIDs(t *testing.T) {
	dir := demoRun(t, "-rows", "all", "-sheets", "all")
	stored, err := reports.OpenStored(dir, cli.Version)
	if err != nil {
		t.Fatal(err)
	}
	answers, rules, urls := map[history.Answer]int{}, 0, 0
	for _, of := range stored.Sites {
		collector := history.NewCollector(func(string) bool { return true })
		for rec, err := range of.Records() {
			if err != nil {
				t.Fatal(err)
			}
			collector.Add(rec)
		}
		site, err := collector.Site()
		if err != nil {
			t.Fatal(err)
		}
		answers[site.Answer]++
		book := openBook(t, dir, of.Base+".xlsx")
		var collected, told []string
		for _, r := range site.Rules {
			collected = append(collected, r.ID)
		}
		for _, row := range sheetRows(t, book, "Rules", "rule_id", "Origin") {
			if row[0] != "" && strings.Contains(row[1], ownOrigin(of)) {
				told = append(told, row[0])
			}
		}
		if slices.Sort(told); !slices.Equal(slices.Sorted(slices.Values(collected)), slices.Compact(told)) {
			t.Errorf("%s: rules %q, and the workbook has %q", of.Name, collected, told)
		}
		rules += len(collected)

		collected, told = nil, nil
		for _, u := range site.URLs {
			collected = append(collected, strings.Join([]string{u.ID, u.Crawler, u.Rule, strconv.Itoa(u.Line)}, " "))
		}
		for _, sheet := range book.GetSheetList() {
			for _, row := range sheetRows(t, book, sheet, "url_id", "Crawlers", "Verdict", "Rule", "Line") {
				for crawler := range strings.SplitSeq(row[1], ", ") {
					if row[2] == "blocked" {
						told = append(told, strings.Join([]string{row[0], crawler, row[3], row[4]}, " "))
					}
				}
			}
		}
		slices.Sort(told)
		if slices.Sort(collected); !slices.Equal(collected, slices.Compact(told)) {
			t.Errorf("%s: blocked URLs\n%s\nand the workbook has\n%s", of.Name, strings.Join(collected, "\n"), strings.Join(told, "\n"))
		}
		urls += len(collected)
	}
	if rules == 0 || urls == 0 || len(answers) < 3 {
		t.Errorf("%d rules, %d blocked URLs, %v: nothing was held to anything", rules, urls, answers)
	}
}

// ownOrigin is the origin of a site's own robots.txt.
func ownOrigin(of reports.StoredSite) string {
	for rec := range of.Records() {
		if rec.Robots != nil && rec.Robots.Index == 0 {
			return rec.Robots.Origin
		}
	}
	return audit.CodeBadDomain
}

// openBook opens a workbook, with its path in parts, for the duration of the test.
func openBook(t *testing.T, path ...string) *excelize.File {
	t.Helper()
	book, err := excelize.OpenFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	return book
}

// sheetRows returns some columns of a sheet, by their titles; nil = one is missing.
func sheetRows(t *testing.T, book *excelize.File, sheet string, titles ...string) (list [][]string) {
	t.Helper()
	rows, err := book.GetRows(sheet)
	if err != nil {
		return nil
	}
	var at []int
	for _, row := range rows {
		if at == nil {
			if !slices.Contains(row, titles[0]) {
				continue
			}
			for _, title := range titles {
				if at = append(at, slices.Index(row, title)); at[len(at)-1] < 0 {
					return nil
				}
			}
			continue
		}
		var cells []string
		for _, i := range at {
			cell := ""
			if i < len(row) {
				cell = row[i]
			}
			cells = append(cells, cell)
		}
		list = append(list, cells)
	}
	return list
}
