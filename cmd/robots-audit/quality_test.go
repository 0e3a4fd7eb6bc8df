package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/robots-audit/internal/codequality"
)

// readQuality reads a Code Quality report as GitLab does, and checks each issue against its
// documentation (docs.gitlab.com, "Code Quality report format").
func readQuality(t *testing.T, text string) (list []codequality.Issue) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil || list == nil {
		t.Fatalf("%v: %s", err, text)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("more than an array: %s", text)
	}
	prints := map[string]bool{}
	for _, i := range list {
		if i.Description == "" || i.Check == "" || i.Location.Path == "" || strings.HasPrefix(i.Location.Path, "./") || strings.Contains(i.Location.Path, `\`) || i.Location.Lines.Begin < 1 {
			t.Errorf("%+v", i)
		}
		if !slices.Contains([]codequality.Severity{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
			t.Errorf("severity %q", i.Severity)
		}
		if prints[i.Fingerprint] || !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(i.Fingerprint) {
			t.Errorf("fingerprint %q of %+v", i.Fingerprint, i)
		}
		prints[i.Fingerprint] = true
	}
	return list
}

// lintQualityOf lints files as Code Quality.
func lintQualityOf(t *testing.T, args string) []codequality.Issue {
	t.Helper()
	var out, errs bytes.Buffer
	if code := runLint(append([]string{"-code-quality"}, strings.Fields(args)...), cli.Streams{In: strings.NewReader(sarifFiles["robots.txt"]), Out: &out, Err: &errs}); code != cli.ExitDone && code != cli.ExitFindings {
		t.Fatalf("lint -code-quality %s: exit code %d: %s", args, code, errs.String())
	}
	return readQuality(t, out.String())
}

// TestCodeQuality checks the reports of lint and verify: shape, names of files, severities.
func TestCodeQuality(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "", sarifFiles)
	list := lintQualityOf(t, "-profile all robots.txt ./odd.txt empty.txt bytes.txt page.txt")
	severities, paths := map[codequality.Severity]bool{}, map[string]bool{}
	for _, i := range list {
		severities[i.Severity], paths[i.Location.Path] = true, true
	}
	if len(list) < 20 || len(severities) < 3 || !paths["odd.txt"] || !paths["robots.txt"] {
		t.Errorf("%d issues, severities %v, paths %v", len(list), severities, paths)
	}
	ignored := func(i codequality.Issue) bool { return i.Check == "RUL001" }
	if slices.ContainsFunc(lintQualityOf(t, "robots.txt"), ignored) {
		t.Error("an ignored finding is in the report")
	}
	for _, i := range lintQualityOf(t, "-sarif-uri public/robots.txt -") {
		if i.Location.Path != "public/robots.txt" {
			t.Errorf("%+v", i)
		}
	}
	clitest.WriteFile(t, "fine.txt", "User-agent: *\nDisallow: /a/\nSitemap: https://a.example/s.xml\n")
	if list := lintQualityOf(t, "fine.txt"); len(list) > 0 {
		t.Errorf("%+v", list)
	}

	clitest.Write(t, "", verifyFiles)
	for args, want := range map[string]string{
		"-expect expect.csv -urls urls.txt -site a.example robots.txt": "EXP001 critical robots.txt:9, EXP001 critical robots.txt:2, EXP001 critical robots.txt:2, EXP002 major expect.csv:4, EXP001 critical robots.txt:6, EXP003 major expect.csv:5",
		"-expect met.csv robots.txt":                                   "",
	} {
		if code, out := call(append(strings.Fields("verify "+args), "-code-quality", "out.json")...); code == cli.ExitUsage || code == cli.ExitFailed {
			t.Fatalf("verify %s: %s", args, out)
		}
		var found []string
		for _, i := range readQuality(t, clitest.Read(t, "out.json")) {
			found = append(found, fmt.Sprintf("%s %s %s:%d", i.Check, i.Severity, i.Location.Path, i.Location.Lines.Begin))
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("verify %s: %s, want %s", args, got, want)
		}
	}
}

// TestCodeQualityMovedLines moves the lines of a file: GitLab recognizes each finding.
func TestCodeQualityMovedLines(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := func(body string) map[string]int { // by fingerprint
		clitest.WriteFile(t, "robots.txt", body)
		found := map[string]int{}
		for _, i := range lintQualityOf(t, "robots.txt") {
			found[i.Fingerprint] = i.Location.Lines.Begin
		}
		return found
	}
	const body = "User-agent: *\nDisallow: /a*\nDisallow: b\nDisallow: /a*\n"
	before, after := lines(body), lines("# A new head.\n\n"+strings.Replace(body, "Disallow: b", "Disallow:  b  # a comment", 1))
	if len(before) < 4 {
		t.Fatal(before)
	}
	for print, line := range before {
		if line > 1 && after[print] != line+2 {
			t.Errorf("line %d is line %d of %v", line, after[print], after)
		}
	}
}
