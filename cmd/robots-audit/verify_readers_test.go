//go:build readers

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// readJUnit prints as JSON what junit2json reads from standard input.
const readJUnit = `import(process.argv[1]).then(async ({parse}) => {
  let text = "";
  for await (const part of process.stdin) text += part;
  console.log(JSON.stringify(await parse(text)));
})`

// countJUnit prints junitparser's counts of a file: cases, failures, errors, and cases with file
// and line of their expectation.
const countJUnit = `import sys, junitparser
cases = [c for s in junitparser.JUnitXml.fromfile(sys.argv[1]) for c in s]
of = lambda kind: sum(isinstance(r, kind) for c in cases for r in c.result)
print(len(cases), of(junitparser.Failure), of(junitparser.Error), sum(c._elem.get("file") == "expect.csv" and int(c._elem.get("line")) > 0 for c in cases))`

// TestReadersJUnit reads the output of verify for build servers with junit2json and junitparser.
func TestReadersJUnit(t *testing.T) {
	readers := os.Getenv("ROBOTS_AUDIT_READERS")
	if readers == "" {
		t.Fatal("ROBOTS_AUDIT_READERS names no folder: see .ci/install-readers")
	}
	t.Chdir(t.TempDir())
	clitest.Write(t, "", map[string]string{"robots.txt": sarifFiles["robots.txt"], "expect.csv": verifyFiles["expect.csv"], "urls.txt": verifyFiles["urls.txt"]})
	code, out := call(strings.Fields("verify -expect expect.csv -urls urls.txt -site a.example -junit out.xml -json robots.txt")...)
	if code != cli.ExitFindings {
		t.Fatalf("exit code %d: %s", code, out)
	}
	text := clitest.Read(t, "out.xml")
	var read, errs bytes.Buffer
	cmd := exec.Command("node", "-e", readJUnit, filepath.Join(readers, "node_modules", "junit2json", "dist", "esm", "index.js"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &read, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	if counts, err := exec.Command(filepath.Join(readers, "python3"), "-c", countJUnit, "out.xml").CombinedOutput(); err != nil || string(counts) != "6 6 0 6\n" {
		t.Errorf("junitparser counts %q, %v", counts, err)
	}
	type problem struct{ Message, Type string }
	var suites struct {
		TestSuite []struct {
			Name                    string
			Tests, Failures, Errors int
			TestCase                []struct {
				Name, ClassName, File string
				Line                  any
				Failure, Error        []problem
			}
		}
	}
	if err := json.Unmarshal(read.Bytes(), &suites); err != nil {
		t.Fatalf("%v: %s", err, read.String())
	}
	got := map[string]string{}
	for _, s := range suites.TestSuite {
		if len(s.TestCase) != s.Tests {
			t.Errorf("%s: %d cases, want %d", s.Name, len(s.TestCase), s.Tests)
		}
		for _, c := range s.TestCase {
			got[s.Name+" "+c.Name] = "met"
			for _, p := range append(c.Failure, c.Error...) {
				got[s.Name+" "+c.Name] = p.Type
			}
		}
	}
	want := 0
	for line := range strings.Lines(out) {
		var r struct{ Site, URL, Crawler, Expect, Outcome string }
		if json.Unmarshal([]byte(line), &r) != nil {
			continue // the count
		}
		want++
		if name := r.Site + " " + r.URL + " " + r.Crawler + " " + r.Expect; got[name] != r.Outcome {
			t.Errorf("%s: %q, want %q; %v", name, got[name], r.Outcome, got)
		}
	}
	if want != 6 || len(got) != want {
		t.Errorf("%d cases of %d", len(got), want)
	}
}
