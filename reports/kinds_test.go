package reports

import (
	"maps"
	"strings"
	"testing"
)

func TestCheckKinds(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{
		"workbook": "", "page evidence": "", "blocked,workbook": "", "none": "", "blocked blocked": "", "brief": "", "blocked,page,brief": "",
		"":         "no report named; want one of none, summary, blocked, all, or one or more of workbook, page, evidence, brief",
		"all none": "all and none exclude each other", "sumary": `unknown report "sumary": did you mean summary?`,
		"workbok": `unknown report "workbok": did you mean workbook?`, "page pdf": `unknown report "pdf": expected one of none, summary, blocked, all, workbook, page, evidence, brief`,
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

// TestSingleFile makes one page of all: it contains the page of every site, and neither it nor
// these link to other files.
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
