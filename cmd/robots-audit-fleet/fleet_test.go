package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"robots-audit/cmd/internal/clitest"
)

// sameRuns is a command of scripts: "same RUN OTHER" checks that the folders of two runs of the
// same sites have the same files. Their texts must be equal except for times; pages, which have
// many times, are not compared.
func sameRuns(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same RUN OTHER")
	}
	if diff := differingRuns(ts.MkAbs(args[0]), ts.MkAbs(args[1])); diff != "" {
		ts.Fatalf("%s", diff)
	}
}

// timesOfRuns matches what may differ between two runs of the same sites.
var timesOfRuns = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?( ?(Z|UTC))?|\d{8}T\d{6}Z|"(millis|seconds|bytes|records|workbook|page|checksum|sha256|crc32)": ?[^,}\n]*|"(sums|timings)":\{[^}]*\}|\d+(\.\d+)? (ms|s)\b|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|127\.0\.0\.1:\d+`)

// differingRuns says how two folders differ; "" = only in times.
func differingRuns(one, other string) string {
	a, b := filesOf(one), filesOf(other)
	if diff := cmp.Diff(a, b); diff != "" {
		return "files:\n" + diff
	}
	for _, name := range a {
		if ext := filepath.Ext(name); !slices.Contains([]string{".json", ".md", ".csv", ".txt"}, ext) {
			continue
		}
		if diff := cmp.Diff(withoutTimes(filepath.Join(one, name)), withoutTimes(filepath.Join(other, name))); diff != "" {
			return name + ":\n" + diff
		}
	}
	return ""
}

// filesOf lists the files of a run, without its lock.
func filesOf(dir string) (names []string) {
	fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "lock" {
			names = append(names, name)
		}
		return err
	})
	return names
}

func withoutTimes(name string) []string {
	text, err := os.ReadFile(name)
	if err != nil {
		return []string{err.Error()}
	}
	return strings.Split(timesOfRuns.ReplaceAllString(string(text), "…"), "\n")
}

func TestSameRuns(t *testing.T) {
	one, other := t.TempDir(), t.TempDir()
	for dir, text := range map[string]string{one: "{\"at\":\"2027-01-04T06:00:00Z\",\"n\":3}", other: "{\"at\":\"2027-01-05T07:01:00.5Z\",\"n\":3}"} {
		clitest.Write(t, dir, map[string]string{"a.json": text})
	}
	if diff := differingRuns(one, other); diff != "" {
		t.Error(diff)
	}
	clitest.Write(t, other, map[string]string{"a.json": "{\"at\":\"2027-01-04T06:00:00Z\",\"n\":4}"})
	if differingRuns(one, other) == "" {
		t.Error("a difference is not seen")
	}
	if err := os.WriteFile(filepath.Join(one, "b"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(differingRuns(one, other), "files:") {
		t.Error("a further file is not seen")
	}
}
