package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // contains the schema
	"github.com/xeipuuv/gojsonschema"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/robots-audit/internal/sarif"
)

// sarifSchema returns the JSON schema of SARIF 2.1.0, as published by OASIS with its errata. It is
// a constant of a module that is used only for it.
func sarifSchema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var schema string
	ast.Inspect(file, func(n ast.Node) bool {
		if value, ok := n.(*ast.BasicLit); ok && len(value.Value) > len(schema) {
			schema = value.Value
		}
		return true
	})
	text, err := strconv.Unquote(schema)
	if err != nil || !strings.Contains(text, "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema") {
		t.Fatalf("%d bytes of a schema: %v", len(text), err)
	}
	return text
}

// sarifFiles are files with all kinds of SARIF results: findings with and without edits, about the
// whole file, with related lines, ignored, unusual.
var sarifFiles = map[string]string{
	"robots.txt": "User-agent: *\nDisallow: /a*\nDisallow: b # robots-audit: ignore RUL001 because it is meant\nDisallow: /é*\nDisallow: /x/\nDisallow: /x/y\n\nUser-agent: Googlebot\nAllow: /\nNoindex: /\nSitemap: s.xml\nSitemap: https://a.example/s\nSitemap: https://a.example/s\n",
	"odd.txt":    "User-agent: [31m\nDisallow: a\x00b\xff[2J\nDisallow: /" + strings.Repeat("é", 2000) + "*\n",
	"empty.txt":  "",
	"bytes.txt":  "\xff\xfeU\x00s\x00e\x00r\x00",
	"page.txt":   "<!DOCTYPE html><html><body>no</body></html>",
}

// verifyFiles are files for expectations with every outcome.
var verifyFiles = map[string]string{
	"urls.txt":   "https://a.example/a\nhttps://a.example/x/y\n",
	"met.csv":    "/a,Googlebot,allow\n",
	"expect.csv": "/a,Googlebot,disallow\n/a,Bingbot,allow\n/*,Bingbot,allow\n/none/*,Bingbot,allow\nhttps://b.example/x/,Bingbot,allow\n/x/y,YandexBot,allow,,\"why\\u202e|\"\n",
}

// sarifLogs are SARIF logs, by command.
func sarifLogs(t *testing.T) map[string][]byte {
	t.Helper()
	t.Chdir(t.TempDir())
	clitest.Write(t, "", sarifFiles)
	logs := map[string][]byte{}
	lint := func(args string) []byte {
		var out, errs bytes.Buffer
		if code := runLint(append([]string{"-sarif"}, strings.Fields(args)...), cli.Streams{In: strings.NewReader(sarifFiles["robots.txt"]), Out: &out, Err: &errs}); code == cli.ExitFailed {
			t.Fatalf("lint -sarif %s: %s", args, errs.String())
		}
		return out.Bytes()
	}
	const all = "robots.txt odd.txt empty.txt bytes.txt page.txt"
	if err := os.WriteFile("known.sarif", lint("robots.txt"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		all, "-profile all -max 1 " + all, "-ignore RUL004,RUL005:6 " + all, "-baseline known.sarif " + all, "-severity critical empty.txt",
		"nofile robots.txt", "nofile", "-", "-sarif-uri public/robots.txt -", filepath.Join("..", "nofile"),
	} {
		logs[args] = lint(args)
	}
	clitest.Write(t, "", verifyFiles)
	for _, args := range []string{
		"-expect expect.csv -urls urls.txt robots.txt", "-expect expect.csv -urls urls.txt -site a.example robots.txt", "-expect expect.csv -urls urls.txt -", "-expect met.csv robots.txt",
	} {
		var out bytes.Buffer
		if code := runVerify(append(strings.Fields(args), "-sarif", "out.sarif"), cli.Streams{In: strings.NewReader(sarifFiles["robots.txt"]), Out: &out, Err: &out}); code == cli.ExitUsage || code == cli.ExitFailed {
			t.Fatalf("verify %s: %s", args, out.String())
		}
		logs["verify "+args] = []byte(clitest.Read(t, "out.sarif"))
	}
	return logs
}

// TestSARIFSchema checks our output against the schema of SARIF 2.1.0.
func TestSARIFSchema(t *testing.T) {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(sarifSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	problems := func(log []byte) []gojsonschema.ResultError {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(log))
		if err != nil {
			t.Fatal(err)
		}
		return result.Errors()
	}
	for args, log := range sarifLogs(t) {
		for _, p := range problems(log) {
			t.Errorf("lint -sarif %s: %s", args, p)
		}
		for _, key := range []string{`"version"`, `"driver"`, `"ruleId"`} { // the validator must notice errors
			if broken := bytes.Replace(log, []byte(key), []byte(`"x`+key[1:]), 1); !bytes.Equal(broken, log) && len(problems(broken)) == 0 {
				t.Errorf("lint -sarif %s: the schema allows it without %s", args, key)
			}
		}
	}
}

// TestSARIFGitHub checks our output against the requirements of GitHub's code scanning
// (docs.github.com, "SARIF support for code scanning"), which exceed the schema, and its
// recommendations.
func TestSARIFGitHub(t *testing.T) {
	results := 0
	for args, text := range sarifLogs(t) {
		var log sarif.Log
		if err := json.Unmarshal(text, &log); err != nil {
			t.Fatal(err)
		}
		if log.Schema == "" || log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Results == nil || log.Runs[0].Tool.Driver.Rules == nil || log.Runs[0].Tool.Driver.Name == "" {
			t.Fatalf("lint -sarif %s: %s", args, text)
		}
		run := log.Runs[0]
		for _, r := range run.Tool.Driver.Rules {
			for what, text := range map[string]string{"name": r.Name, "short": r.Short.Text, "full": r.Full.Text, "help": r.Help.Text, "markdown": r.Help.Markdown} {
				if n := utf8.RuneCountInString(text); n == 0 || n > 1024 {
					t.Errorf("rule %s: %s has %d characters", r.ID, what, n)
				}
			}
			if !slices.Contains([]string{"note", "warning", "error"}, r.Default.Level) || !slices.Contains([]string{"recommendation", "warning", "error"}, r.Properties.Severity) {
				t.Errorf("rule %s: levels %q and %q", r.ID, r.Default.Level, r.Properties.Severity)
			}
			if r.Properties.Precision != "high" || len(r.Properties.Tags) != 2 || !strings.HasPrefix(r.HelpURI, "https://") {
				t.Errorf("rule %s: %+v %s", r.ID, r.Properties, r.HelpURI)
			}
		}
		prints := map[string]bool{}
		for _, r := range run.Results {
			results++
			if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || len(r.Locations) != 1 {
				t.Errorf("lint -sarif %s: %+v", args, r)
				continue
			}
			at := r.Locations[0].Physical
			print := r.RuleID + at.Artifact.URI + r.Prints["primaryLocationLineHash"]
			if r.Prints["primaryLocationLineHash"] == "" || prints[print] {
				t.Errorf("lint -sarif %s: %s has the fingerprint of another", args, print)
			}
			prints[print] = true
			region := at.Region
			if at.Artifact.URI == "" || region.StartLine < 1 || region.StartColumn < 1 || region.EndLine < region.StartLine || region.EndColumn < region.StartColumn {
				t.Errorf("lint -sarif %s: %+v at %+v", args, at.Artifact, region)
			}
			if base := run.Bases[at.Artifact.Base].URI; at.Artifact.Base != "" && (!strings.HasPrefix(base, "file:///") || !strings.HasSuffix(base, "/")) {
				t.Errorf("lint -sarif %s: %s is %q", args, at.Artifact.Base, base)
			}
		}
	}
	if results < 50 {
		t.Errorf("only %d results were looked at", results)
	}
}

// TestSARIFMovedLines moves the lines of a file: code review recognizes each finding.
func TestSARIFMovedLines(t *testing.T) {
	t.Chdir(t.TempDir())
	prints := func(body string) map[string]string { // by rule and fingerprint: the line
		clitest.WriteFile(t, "robots.txt", body)
		var out bytes.Buffer
		runLint([]string{"-sarif", "robots.txt"}, cli.Streams{In: nil, Out: &out, Err: &out})
		var log sarif.Log
		if err := json.NewDecoder(&out).Decode(&log); err != nil {
			t.Fatal(err)
		}
		lines := map[string]string{}
		for _, r := range log.Runs[0].Results {
			lines[r.RuleID+" "+r.Prints["primaryLocationLineHash"]] = strconv.Itoa(r.Locations[0].Physical.Region.StartLine)
		}
		return lines
	}
	const body = "User-agent: *\nDisallow: /a*\nDisallow: b\nDisallow: /a*\n"
	before, after := prints(body), prints("# A new head.\n\n"+strings.Replace(body, "Disallow: b", "Disallow:  b  # a comment", 1))
	if len(before) < 4 {
		t.Fatal(before)
	}
	for print, line := range before {
		if n, _ := strconv.Atoi(line); after[print] != strconv.Itoa(n+2) && n > 1 {
			t.Errorf("%s of line %s is in line %q of %v", print, line, after[print], after)
		}
	}
}
