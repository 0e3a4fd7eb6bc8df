package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// lintCase is a case of testdata/lint: a robots.txt, what is known beside it,
// and every finding there is, no more and no less.
type lintCase struct {
	name    string
	options [][2]string
	robots  string
	want    string
}

// readLintCases reads cases: "=== name", lines of "option: value", "---
// robots.txt" with the file, "--- findings" with one finding a line.
func readLintCases(t *testing.T, file string) []lintCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []lintCase
	for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		head, rest, ok := strings.Cut(part, "--- robots.txt\n")
		robots, want, ok2 := strings.Cut(rest, "--- findings\n")
		name, options, _ := strings.Cut(head, "\n")
		if !ok || !ok2 {
			t.Fatalf("%s: case %q is not whole", file, name)
		}
		c := lintCase{name: name, robots: robots, want: strings.TrimSpace(want)}
		for line := range strings.Lines(options) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			c.options = append(c.options, [2]string{key, value})
		}
		list = append(list, c)
	}
	return list
}

// run lints a case.
func (c *lintCase) run(t *testing.T) []Finding {
	t.Helper()
	body, o, file := c.robots, LintOptions{}, File{}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, option := range c.options {
		switch value := option[1]; option[0] {
		case "profiles":
			for name := range strings.FieldsSeq(value) {
				if name == "all" {
					o.Profiles = Profiles()
				} else {
					o.Profiles = append(o.Profiles, mustProfile(t, name))
				}
			}
		case "crawlers":
			for name := range strings.SplitSeq(value, ",") {
				crawler, err := ParseCrawler(name)
				if err != nil {
					t.Fatal(err)
				}
				o.Crawlers = append(o.Crawlers, crawler)
			}
		case "url":
			o.URL = value
		case "cache":
			o.Cache = value
		case "status":
			file.Status, o.File = number(value), &file
		case "error":
			file.Error, o.File = value, &file
		case "hops":
			file.Hops, o.File = number(value), &file
		case "type":
			file.ContentType, o.File = value, &file
		case "cross":
			file.CrossHost, o.File = true, &file
		case "closed": // a URL of the redirect chain is disallowed: "*" for everybody, or crawlers
			o.File = &file
			if file.HopBlocked = value == "*"; !file.HopBlocked {
				o.HopBlocked = func(_ *Profile, c Crawler) bool { return slices.Contains(strings.Split(value, ","), c.Name) }
			}
		case "hours": // since the file was first found unreachable
			file.UnreachableHours, o.File = float64(number(value)), &file
		case "copy": // the last good one
			file.Cached, o.File = []byte(strings.ReplaceAll(value, `\n`, "\n")), &file
		case "escapes": // the file holds Go's escapes; its own line ends count
			text, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(body, `"`, `\"`), "\n", `\n`) + `"`)
			if err != nil {
				t.Fatal(err)
			}
			if body = text; strings.HasSuffix(body, "\r\n") && strings.Count(body, "\n") == 1 {
				body = strings.TrimSuffix(body, "\n") // CR alone
			}
		case "pad": // comments up to that many bytes
			const line = "# a comment to make the file longer\n"
			body += strings.Repeat(line, (number(value)-len(body)-1)/len(line))
			body += strings.Repeat("#", number(value)-len(body)-1) + "\n"
		case "then": // what comes after them
			body += strings.ReplaceAll(value, `\n`, "\n")
		case "rules": // so many more rules
			for i := range number(value) {
				body += fmt.Sprintf("Disallow: /r%dx\n", i)
			}
		case "long": // a rule whose path has so many bytes
			body += "Disallow: /" + strings.Repeat("x", number(value)-1) + "\n"
		default:
			t.Fatalf("unknown option %q", option[0])
		}
	}
	if file.Body = []byte(body); o.File != nil && file.Status == 0 && file.Error == "" {
		file.Status = 200
	}
	return Lint([]byte(body), o)
}

// short writes a finding on one line.
func short(f *Finding) string {
	s := fmt.Sprintf("%d:%d-%d %s %s [%s] %s", f.Line, f.Column, f.EndColumn, f.Severity, f.ID, strings.Join(f.Profiles, " "), f.What)
	if f.Related != nil {
		s += fmt.Sprintf(" %v", f.Related)
	}
	if f.Replacement != "" {
		s += fmt.Sprintf(" => %+q", clip(f.Replacement, 100))
	}
	return s
}

// TestLintCases holds the lint to every finding of every case. A case is
// called after the finding that it is about; where that is followed by "not",
// the case is about its absence.
func TestLintCases(t *testing.T) {
	files, err := filepath.Glob("testdata/lint/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	shown, absent := map[string]bool{}, 0
	for _, file := range files {
		var out strings.Builder
		for _, c := range readLintCases(t, file) {
			findings := c.run(t)
			var lines []string
			for i := range findings {
				lines = append(lines, short(&findings[i]))
				shown[findings[i].ID] = true
			}
			got := strings.Join(lines, "\n")
			if got != c.want && !*update {
				t.Errorf("%s: %s\n got:\n%s\nwant:\n%s", file, c.name, got, c.want)
			}
			id, about, _ := strings.Cut(c.name, ": ")
			not := strings.HasPrefix(about, "not ")
			if has(findings, id, 0) == not && !strings.Contains(about, "a star: not") {
				t.Errorf("%s: %s: %s is there: %v", file, c.name, id, !not)
			}
			if not {
				absent++
			}
			out.WriteString("=== " + c.name + "\n")
			for _, o := range c.options {
				out.WriteString(o[0] + ": " + o[1] + "\n")
			}
			out.WriteString("--- robots.txt\n" + c.robots + "--- findings\n" + got + "\n\n")
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, k := range FindingKinds() {
		if alone := k.Needs == "file" || k.Needs == "fetch"; alone != shown[k.ID] {
			t.Errorf("%s needs %q; some case shows it: %v", k.ID, k.Needs, shown[k.ID])
		}
	}
	if absent < 30 {
		t.Errorf("only %d cases hold an absence", absent)
	}
}

// TestFindingKinds holds the catalogue to its form.
func TestFindingKinds(t *testing.T) {
	seen := map[string]bool{}
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
		if got, ok := FindingKindByID(k.ID); !ok || got.What != k.What {
			t.Errorf("%s is not found", k.ID)
		}
	}
	if _, ok := FindingKindByID("RUL999"); ok {
		t.Error("a kind that there is not is found")
	}
}
