package engine

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestLintCases holds the lint to every finding of every case. A case is
// called after the finding that it is about; where that is followed by "not",
// the case is about its absence.
func TestLintCases(t *testing.T) {
	files, err := filepath.Glob("testdata/lint/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	listed := lintCrawlers(t)
	shown, absent := map[string]bool{}, 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range readLintCases(t, archive) {
			id, about, _ := strings.Cut(c.name, ": ")
			not := strings.HasPrefix(about, "not ")
			if not {
				absent++
			}
			t.Run(c.name, func(t *testing.T) {
				found, got := c.lint(t, listed)
				for i := range found {
					shown[found[i].ID] = true
					checkSeverity(t, &found[i])
				}
				if want := string(c.findings.Data); got != want && !*update {
					t.Errorf("%s\n got:\n%s\nwant:\n%s", file, got, want)
				}
				if has(found, id, 0) == not {
					t.Errorf("%s: %s is there: %v", file, id, !not)
				}
				c.findings.Data = []byte(got)
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if absent < 30 {
		t.Errorf("only %d cases hold an absence", absent)
	}
	t.Run("every finding has a case", func(t *testing.T) {
		for _, k := range FindingKinds() {
			if alone := k.Needs == "file" || k.Needs == "fetch"; alone != shown[k.ID] {
				t.Errorf("%s needs %q; some case shows it: %v", k.ID, k.Needs, shown[k.ID])
			}
		}
	})
}

// lintCaseFiles yields the files of all cases by their names, each robots.txt without its findings.
func lintCaseFiles(t *testing.T) iter.Seq2[string, string] {
	t.Helper()
	names, err := filepath.Glob("testdata/lint/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	return func(yield func(name, body string) bool) {
		for _, name := range names {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".robots") && !yield(f.Name, string(f.Data)) {
					return
				}
			}
		}
	}
}

// checkSeverity holds the severity of a finding to those of the catalogue.
func checkSeverity(t *testing.T, f *Finding) {
	t.Helper()
	kind, _ := FindingKindByID(f.ID)
	if f.Severity != kind.Severity && !slices.ContainsFunc(kind.Otherwise, func(d Departure) bool { return d.Severity == f.Severity }) {
		t.Errorf("%s: the catalogue has it as %s", short(f), kind.Severities())
	}
}
