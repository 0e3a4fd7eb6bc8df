package reports

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// cleanRecords are the records of a site without blocked URLs.
func cleanRecords(name string, ordinal, urls int) []audit.Record {
	records := siteRecords(name, ordinal, urls)
	done := records[len(records)-1].Done
	done.State, done.Blocked, done.BlockedAny, done.Unknown = audit.OK, make([]int64, len(testCrawlers)), 0, 0
	for u := range urlsOf(records) {
		u.Verdicts, u.Lines = []engine.Verdict{engine.Allow, engine.Allow, engine.Allow}, []int32{0, 0, 0}
	}
	return records
}

// levelSites are small and large sites, with and without something to look at. For some only the
// state or only the count says so.
func levelSites() (records []audit.Record) {
	unjudged := siteRecords("unjudged.example", 4, 0)
	unjudged[len(unjudged)-1].Done.State = audit.Undetermined
	fine := siteRecords("fine-but-blocked.example", 5, 20)
	fine[len(fine)-1].Done.State = audit.OK
	for _, list := range [][]audit.Record{
		siteRecords("small.example", 0, 100), siteRecords("large.example", 1, 3000), cleanRecords("clean.example", 2, 100), cleanRecords("large-clean.example", 3, 3000),
		unjudged, fine, shutRecords("shut.example:8080", 6),
	} {
		records = append(records, list...)
	}
	return records
}

// levelRun is a run of levelSites in its own folder, see copied.
func levelRun(t *testing.T, names ...string) (dir string) {
	t.Helper()
	return copied(t, fmt.Sprint("levels ", names), func(dir string) {
		o := testOptions(dir)
		o.Reports, o.Formats = names, []string{"csv"}
		writeRun(t, o, levelSites())
	})
}

// ofSite reports whether a file of a run's folder belongs to one of the sites, except its records.
func ofSite(name string, bases ...string) bool {
	first, rest, _ := strings.Cut(name, "/")
	if first == "pages" || first == "evidence" || first == "logs" {
		first = rest
	}
	return slices.ContainsFunc(bases, func(base string) bool {
		return strings.HasPrefix(first, base+".") || first == base || strings.HasPrefix(first, base+"/")
	})
}

var toWorkbook = regexp.MustCompile(`href="[^"]*\.xlsx"`)

// TestLevels: each level, and each choice of reports, writes exactly its files, with the same bytes
// as a run with all reports. The records and the texts of summaries are the same. They are made
// again with the same bytes, and resumed without an audit.
func TestLevels(t *testing.T) {
	t.Parallel()
	all := folder(t, levelRun(t))
	everySite := []string{"small.example", "large.example", "clean.example", "large-clean.example", "unjudged.example", "fine-but-blocked.example", "shut.example_8080"}
	looked := []string{"small.example", "large.example", "unjudged.example", "fine-but-blocked.example", "shut.example_8080"}
	for names, sites := range map[string][]string{
		"all": everySite, "blocked": looked, "summary": nil, "none": nil, "blocked workbook": looked, "summary page": nil,
		"workbook": everySite, "page": everySite, "evidence": everySite, "page workbook": everySite,
	} {
		dir := levelRun(t, strings.Fields(names)...)
		got := folder(t, dir)
		kinds := kindsOf(strings.Fields(names))
		want := map[string]bool{}
		for name := range all {
			is := ofSite(name, sites...) || IsAsset(name) && sites != nil
			switch {
			case strings.HasPrefix(name, "records/"), name == "run.json", name == "summary.json", name == "summary.md", name == journalName:
				is = true
			case name == "summary.xlsx" || name == "index.html":
				is = !strings.HasPrefix(names, "none")
			}
			for kind, prefixes := range map[string][]string{kindWorkbook: {".xlsx"}, kindPage: {".html", "pages/"}, kindEvidence: {"evidence/"}} {
				for _, p := range prefixes {
					if (strings.HasPrefix(name, p) || strings.HasSuffix(name, p)) && !slices.Contains(kinds, kind) {
						is = false
					}
				}
			}
			if is {
				want[name] = true
			}
		}
		if a, b := slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)); !slices.Equal(a, b) {
			t.Errorf("%s: %q, want %q", names, b, a)
		}
		for name, text := range got {
			if strings.HasSuffix(name, ".html") && toWorkbook.MatchString(text) && !slices.Contains(kinds, kindWorkbook) {
				t.Errorf("%s: %s refers to a workbook", names, name)
			}
			if (strings.HasPrefix(name, "records/") && name != journalName || len(kinds) == len(Kinds()) && ofSite(name, everySite...)) && got[name] != all[name] {
				t.Errorf("%s: %s has other bytes than with all reports", names, name)
			}
		}
		if a, b := withoutFiles(t, all["summary.json"]), withoutFiles(t, got["summary.json"]); a != b {
			t.Errorf("%s: summary.json says something else of the sites:\n%s\n%s", names, b, a)
		}
		for _, text := range []string{got["summary.json"], got["index.html"]} {
			for _, base := range everySite {
				if _, there := got[base+".xlsx"]; !there && strings.Contains(text, base+".xlsx") {
					t.Errorf("%s: a summary names %s.xlsx, which is not there", names, base)
				}
				if _, there := got["pages/"+base+".html"]; !there && strings.Contains(text, `","`+base+`","`) {
					t.Errorf("%s: the index leads to the page of %s, which is not there", names, base)
				}
			}
		}
		whole := levelOf(strings.Fields(names)) == levelAll
		if onDemand := strings.Contains(got["summary.md"], "-site HOST"); onDemand == whole {
			t.Errorf("%s: summary.md tells how to make the files of a site: %v", names, onDemand)
		}
		if index, there := got["index.html"]; there && strings.Contains(index, "-site HOST") == whole {
			t.Errorf("%s: index.html tells how to make the files of a site, or does not", names)
		}

		mustRebuild(t, dir)
		sameFolder(t, got, folder(t, dir), journalName)
		o := testOptions(dir)
		o.Reports, o.Formats, o.Resume = strings.Fields(names), []string{"csv"}, true
		r := openRun(t, o)
		for _, name := range everySite {
			if name = strings.Replace(name, "_", ":", 1); !r.Skip(name) {
				t.Errorf("%s: %s would be audited again", names, name)
			}
		}
		closeRun(t, r)
		sameFolder(t, got, folder(t, dir), journalName)
		other := levelNone
		if names == "none" {
			other = levelAll
		}
		o.Reports = []string{other}
		var mismatch *MismatchError
		if _, err := Open(o); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "reports: the run has") {
			t.Errorf("%s: resumed as %s: %v", names, other, err)
		}
	}
}

// withoutFiles is summary.json without the names of workbooks.
func withoutFiles(t *testing.T, text string) string {
	t.Helper()
	_, sites, found := strings.Cut(text, "\"sites\":[")
	if !found {
		t.Fatal("summary.json has no sites")
	}
	return regexp.MustCompile(`"workbook":"[^"]*"`).ReplaceAllString(sites, "")
}

// TestLevelsAuditedAgain: a site that had files, and gets none in its second audit, keeps none of
// the first.
func TestLevelsAuditedAgain(t *testing.T) {
	t.Parallel()
	dir := levelRun(t, levelBlocked)
	o := testOptions(dir)
	o.Reports, o.Formats, o.Resume = []string{levelBlocked}, []string{"csv"}, true
	truncate(t, dir, "records/small.example"+recordsExt, 10)
	r := openRun(t, o)
	if r.Skip("small.example") {
		t.Fatal("a site with damaged records is not audited again")
	}
	writeAll(t, r, cleanRecords("small.example", 0, 100))
	closeRun(t, r)
	for name := range folder(t, dir) {
		if ofSite(name, "small.example") {
			t.Errorf("%s is still there", name)
		}
	}
}
