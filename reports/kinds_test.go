package reports

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var toWorkbook = regexp.MustCompile(`href="[^"]*\.xlsx"`)

// TestKinds writes each choice of reports: what is named and nothing else, made again
// with the same bytes, and resumed without an audit.
func TestKinds(t *testing.T) {
	t.Parallel()
	always := []string{"records", "run.json", "summary.json", "summary.md"}
	files := map[string][]string{
		kindWorkbook: {"example.com.xlsx", "example.net.xlsx", "example.org_8080.xlsx", "summary.xlsx"},
		kindPage:     {"index.html", "pages"},
		kindEvidence: {"evidence"},
	}
	for _, kinds := range [][]string{{kindWorkbook}, {kindPage}, {kindEvidence}, {kindPage, kindWorkbook}, {kindEvidence, kindPage, kindWorkbook}} {
		o := testOptions(t.TempDir())
		o.Reports = kinds
		dir := writeRun(t, o, threeSites())
		want := slices.Clone(always)
		for _, kind := range kinds {
			want = append(want, files[kind]...)
		}
		slices.Sort(want)
		var got []string
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if e.Name() != hidden {
				got = append(got, e.Name())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", kinds, got, want)
		}
		summary, err := os.ReadFile(filepath.Join(dir, "summary.json"))
		if has := strings.Contains(string(summary), `"workbook":"example.com.xlsx"`); err != nil || has != slices.Contains(kinds, kindWorkbook) {
			t.Errorf("%v: summary.json names a workbook: %v, %v", kinds, has, err)
		}
		for name, text := range folder(t, dir) {
			if strings.HasSuffix(name, ".html") && toWorkbook.MatchString(text) && !slices.Contains(kinds, kindWorkbook) {
				t.Errorf("%v: %s refers to a workbook", kinds, name)
			}
		}
		checkRebuilt(t, dir)
		before := folder(t, dir)

		o.Resume = true
		r := openRun(t, o)
		for _, name := range []string{"example.com", "example.net", "example.org:8080"} {
			if !r.Skip(name) {
				t.Errorf("%v: %s would be audited again", kinds, name)
			}
		}
		closeRun(t, r)
		sameFolder(t, before, folder(t, dir), journalName)

		if o.Reports = []string{kindWorkbook, kindEvidence}; !slices.Equal(kinds, o.Reports) {
			var mismatch *MismatchError
			if _, err := Open(o); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "reports: the run has") {
				t.Errorf("%v: resumed with other reports: %v", kinds, err)
			}
		}
	}
}

func TestCheckKinds(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{
		"workbook": "", "page evidence": "", "blocked,workbook": "", "none": "", "blocked blocked": "",
		"":         "no report named; want one of none, summary, blocked, all, or one or more of workbook, page, evidence",
		"all none": "all and none exclude each other", "sumary": `there is no report "sumary": did you mean summary?`,
		"workbok": `there is no report "workbok": did you mean workbook?`, "page pdf": `there is no report "pdf": want none, summary, blocked, all, workbook, page, evidence`,
	} {
		got := ""
		if err := CheckKinds(strings.FieldsFunc(names, func(r rune) bool { return r == ' ' || r == ',' })); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}

// TestSingleFile makes one page of all: it holds the page of every site, and refers to
// no file beside it; nor do they.
func TestSingleFile(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	o.SingleFile = true
	dir := writeRun(t, o, append(threeSites(), siteRecords("big.example", 3, 15_000)...))
	pages := folder(t, dir)
	maps.DeleteFunc(pages, func(name, _ string) bool { return !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".js") })
	index := pages["index.html"]
	if n := strings.Count(index, "<iframe "); n != 4 {
		t.Errorf("%d pages are held, want 4", n)
	}
	for name, text := range pages {
		if strings.HasSuffix(name, ".js") {
			t.Errorf("there is %s beside the pages", name)
		}
		for _, reference := range []string{`href="../`, `href="summary`, `href="run.json`, `href="pages/`, `href="evidence/`, "src="} {
			if strings.Contains(text, reference) {
				t.Errorf("%s has %s", name, reference)
			}
		}
	}
	if big := pages["pages/big.example.html"]; !strings.Contains(big, "The first 5,000 are here; 1,000 more are in the workbook.") {
		t.Error("the page of the large site does not say that it is cut")
	}
	if !strings.Contains(index, "&lt;bdi&gt;example.net&lt;/bdi&gt;") {
		t.Error("the page of example.net is not in the index")
	}
	checkRebuilt(t, dir)
}
