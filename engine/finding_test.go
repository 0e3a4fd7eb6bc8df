package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFindingKinds holds the catalogue to its form.
func TestFindingKinds(t *testing.T) {
	seen, names := map[string]bool{}, map[string]bool{}
	for _, k := range FindingKinds() {
		if letters := strings.TrimRight(k.ID, "0123456789"); seen[k.ID] || len(k.ID)-len(letters) != 3 || letters != strings.ToUpper(letters) {
			t.Errorf("id %q is not new and of the form ABC001", k.ID)
		}
		seen[k.ID] = true
		if !slices.Contains([]string{"file", "fetch", "site", "urls"}, k.Needs) || k.What == "" || strings.HasSuffix(k.What, ".") || !strings.HasSuffix(k.Why, ".") || !strings.HasSuffix(k.Fix, ".") {
			t.Errorf("%s is not written as the others: %+v", k.ID, k)
		}
		for _, name := range k.Profiles {
			found := name == "all"
			for _, p := range Profiles() {
				found = found || k.Concerns(p)
			}
			if !found {
				t.Errorf("%s: %q is no profile", k.ID, name)
			}
		}
		if k.Name == "" || len(k.Name) > 60 || strings.HasSuffix(k.Name, ".") || names[k.Name] {
			t.Errorf("%s: the name %q is not a short one of its own", k.ID, k.Name)
		}
		names[k.Name] = true
		for _, d := range k.Otherwise {
			if d.Severity == k.Severity || d.Where == "" || !strings.Contains(k.Severities(), "; "+d.Severity.String()+" where "+d.Where) {
				t.Errorf("%s: %+v is no departure from %v", k.ID, d, k.Severity)
			}
		}
		if got, ok := FindingKindByID(k.ID); !ok || got.What != k.What || (&Finding{ID: k.ID}).Name() != k.Name {
			t.Errorf("%s is not found", k.ID)
		}
	}
	if _, ok := FindingKindByID("RUL999"); ok || (&Finding{ID: "RUL999"}).Name() != "" {
		t.Error("a kind that there is not is found")
	}
}

// TestFindingIDs holds the checks to the catalogue: each id that the code names
// has a row, and each row that Lint can find is named by the code.
func TestFindingIDs(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	literal, named := regexp.MustCompile(`"([A-Z]{2,3}[0-9]{3})"`), map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range literal.FindAllSubmatch(source, -1) {
			id := string(match[1])
			if _, ok := FindingKindByID(id); !ok {
				t.Errorf("%s: findings.tsv has no %s", file, id)
			}
			named[id] = true
		}
	}
	for _, k := range FindingKinds() {
		if alone := k.Needs == "file" || k.Needs == "fetch"; alone != named[k.ID] {
			t.Errorf("%s needs %q; the code names it: %v", k.ID, k.Needs, named[k.ID])
		}
	}
}

// TestFindingLines has findings about several lines name all of them, up to a bound.
func TestFindingLines(t *testing.T) {
	many := "User-agent: *\n" + strings.Repeat("Disallow: *a\n", MaxLines+5)
	for _, c := range []struct {
		id, robots string
		want, n    int // the last of the lines, and their number
	}{
		{"RUL001", "User-agent: *\nDisallow: *a\nDisallow: /b\nAllow: *c\n", 4, 2},
		{"RUL001", "User-agent: *\nDisallow: *a\nDisallow: /b\n", 0, 0},
		{"RUL001", many, MaxLines + 1, MaxLines},
		{"GRP001", "Disallow: /a\nAllow: /b\nUser-agent: *\nDisallow: /c\n", 2, 2},
		{"PRS001", "User-agent: *\nDisallow: /*aab\nDisallow: /x\nDisallow: /*ccd\n", 4, 2},
		{"FMT002", "User-agent: *\nDisallow: /\xe4\nDisallow: /b\nDisallow: /\xf6\n", 4, 2},
	} {
		for _, f := range Lint([]byte(c.robots), LintOptions{}) {
			if f.ID != c.id {
				continue
			}
			last := 0
			if len(f.Lines) > 0 {
				last = f.Lines[len(f.Lines)-1]
			}
			if len(f.Lines) != c.n || last != c.want || c.n > 0 && f.Lines[0] != f.Line {
				t.Errorf("%s in line %d: %d lines to %d, want %d to %d", c.id, f.Line, len(f.Lines), last, c.n, c.want)
			}
			c.id = ""
		}
		if c.id != "" {
			t.Errorf("no %s in %.100q", c.id, c.robots)
		}
	}
}
