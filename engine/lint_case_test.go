package engine

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"robots-audit/engine/escape"
)

// lintCase is a case of testdata/lint: a robots.txt, what is known besides it,
// and every finding there is, no more and no less.
type lintCase struct {
	name     string
	options  string // lines of "key: value"
	robots   []byte
	findings *txtar.File
}

// readLintCases reads the cases of an archive: NAME.options where there are
// any, NAME.robots and NAME.findings.
func readLintCases(t *testing.T, archive *txtar.Archive) []lintCase {
	t.Helper()
	var list []lintCase
	for i := 0; i < len(archive.Files); i++ {
		var c lintCase
		name, ok := strings.CutSuffix(archive.Files[i].Name, ".options")
		if ok {
			c.options = string(archive.Files[i].Data)
			i++
		} else {
			name = strings.TrimSuffix(name, ".robots")
		}
		c.name = name
		if i+1 >= len(archive.Files) || archive.Files[i].Name != name+".robots" || archive.Files[i+1].Name != name+".findings" {
			t.Fatalf("case %q is not whole", name)
		}
		c.robots = archive.Files[i].Data
		i++
		c.findings = &archive.Files[i]
		list = append(list, c)
	}
	return list
}

// lintCrawlers reads the crawler list of the cases: some rows of crawlers.tsv,
// which may itself grow without changing a case.
func lintCrawlers(t testing.TB) *crawlerIndex {
	t.Helper()
	text, err := os.ReadFile("testdata/lint/crawlers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	return newCrawlerIndex(parseCrawlers(string(text)))
}

// lint gives the findings of a case, one a line.
func (c *lintCase) lint(t *testing.T, listed *crawlerIndex) (found []Finding, text string) {
	t.Helper()
	body, o, file := string(c.robots), LintOptions{}, File{}
	for line := range strings.Lines(c.options) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "escapes", "pad", "then", "rules", "long":
			body = extendBody(t, body, key, value)
		case "profiles", "crawlers", "url", "cache":
			setLintOption(t, &o, listed, key, value)
		case "closed": // a URL of the redirect chain is disallowed: "*" for everybody, or crawlers
			o.File = &file
			if file.HopBlocked = value == "*"; !file.HopBlocked {
				o.HopBlocked = func(_ *Profile, c Crawler) bool { return slices.Contains(strings.Split(value, ","), c.Name) }
			}
		default:
			o.File = &file
			setOutcome(t, &file, key, value)
		}
	}
	if file.Body = []byte(body); o.File != nil && file.Status == 0 && file.Error == "" {
		file.Status = 200
	}
	var lines strings.Builder
	found = lint(file.Body, o, listed)
	for i := range found {
		lines.WriteString(short(&found[i]) + "\n")
	}
	return found, lines.String()
}

// extendBody makes a file that is hard to write down out of one that is not.
func extendBody(t *testing.T, body, key, value string) string {
	t.Helper()
	switch key {
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
		body += strings.Repeat(line, (number(t, value)-len(body)-1)/len(line))
		body += strings.Repeat("#", number(t, value)-len(body)-1) + "\n"
	case "then": // what comes after them
		body += strings.ReplaceAll(value, `\n`, "\n")
	case "rules": // so many more rules
		for i := range number(t, value) {
			body += fmt.Sprintf("Disallow: /r%dx\n", i)
		}
	case "long": // a rule whose path has so many bytes
		body += "Disallow: /" + strings.Repeat("x", number(t, value)-1) + "\n"
	}
	return body
}

// setLintOption sets an option of Lint.
func setLintOption(t *testing.T, o *LintOptions, listed *crawlerIndex, key, value string) {
	t.Helper()
	switch key {
	case "profiles":
		for name := range strings.FieldsSeq(value) {
			o.Profiles = append(o.Profiles, mustProfile(t, name))
		}
	case "crawlers":
		for name := range strings.SplitSeq(value, ",") {
			i := slices.IndexFunc(listed.all, func(c Crawler) bool { return c.Name == name })
			if i < 0 {
				t.Fatalf("testdata/lint/crawlers.tsv has no %q", name)
			}
			o.Crawlers = append(o.Crawlers, listed.all[i])
		}
	case "url":
		o.URL = value
	case "cache":
		o.Cache = value
	}
}

// setOutcome sets a part of the outcome of the fetch.
func setOutcome(t *testing.T, f *File, key, value string) {
	t.Helper()
	switch key {
	case "status":
		f.Status = number(t, value)
	case "error":
		f.Error = value
	case "hops":
		f.Hops = number(t, value)
	case "type":
		f.ContentType = value
	case "cross":
		f.CrossHost = true
	case "hours": // since the file was first found unreachable
		f.UnreachableHours = float64(number(t, value))
	case "copy": // the last good one
		f.Cached = []byte(strings.ReplaceAll(value, `\n`, "\n"))
	default:
		t.Fatalf("unknown option %q", key)
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// short writes a finding on one line.
func short(f *Finding) string {
	s := fmt.Sprintf("%d:%d-%d %s %s [%s] %s", f.Line, f.Column, f.EndColumn, f.Severity, f.ID, strings.Join(f.Profiles, " "), f.What)
	if f.Related != nil {
		s += fmt.Sprintf(" %v", f.Related)
	}
	if f.Replacement != "" {
		s += fmt.Sprintf(" => %+q", escape.Prefix(f.Replacement, 100))
	}
	if f.Delete != nil {
		s += fmt.Sprintf(" without %v", f.Delete)
	}
	if f.Harmless {
		s += " changes no verdict"
	}
	return s
}
