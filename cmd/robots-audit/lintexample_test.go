package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestLintExamples holds every finding that lint can make to an example that gives it,
// and every example to a finding.
func TestLintExamples(t *testing.T) {
	examples := lintExamples()
	audits := "" // the text of the packages that make the findings of an audit
	for _, pattern := range []string{"../../audit/*.go", "../../audit/internal/findings/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") {
				audits += string(text)
			}
		}
	}
	for _, k := range engine.FindingKinds() {
		e := examples[k.ID]
		delete(examples, k.ID)
		alone := k.Needs == "file" || k.Needs == "fetch"
		if (e != nil) != alone {
			t.Errorf("%s needs %s: has an example: %t", k.ID, k.Needs, e != nil)
		}
		if e == nil {
			if told := strings.Contains(audits, strconv.Quote(k.ID)); told == untold[k.ID] {
				t.Errorf("%s: an audit tells it: %t; the page says %s", k.ID, told, toldBy(&k))
			}
			continue
		}
		if f, ok := e.lint(); !ok || f.What == "" || f.Fix == "" {
			t.Errorf("the example of %s gives %+v", k.ID, engine.Lint([]byte(e.body()), engine.LintOptions{}))
		}
		for key := range e.known {
			if knownWords[key] == "" {
				t.Errorf("%s: nobody reads %q", k.ID, key)
			}
		}
	}
	for id := range examples {
		t.Errorf("there is no finding %s", id)
	}
}

// TestCatalogue reads the page: an entry and a link for each finding, with the sentence
// that lint has for the example.
func TestCatalogue(t *testing.T) {
	var page bytes.Buffer
	if code := runLint([]string{"-list", "-markdown"}, streams{nil, &page, &page}); code != exitDone {
		t.Fatal(code, page.String())
	}
	text := page.String()
	for _, k := range engine.FindingKinds() {
		_, entry, found := strings.Cut(text, "\n## "+k.ID+"\n")
		entry, _, _ = strings.Cut(entry, "\n## ")
		if !found || !strings.Contains(text, "\n| ["+k.ID+"](#"+strings.ToLower(k.ID)+") | ") {
			t.Errorf("%s is not on the page", k.ID)
			continue
		}
		if !strings.Contains(entry, "\nWhat to do: ") || !strings.Contains(entry, "Who says so: [") || !strings.Contains(entry, "](https://") {
			t.Errorf("%s: %s", k.ID, entry)
		}
		if e := lintExamples()[k.ID]; e != nil {
			if f, _ := e.lint(); !strings.Contains(entry, "\n> ") || !strings.Contains(entry, markdownText(f.What)) {
				t.Errorf("%s: %q is not told: %s", k.ID, f.What, entry)
			}
		}
		if strings.Contains(entry, "%!") || strings.Contains(entry, "\n\n\n") {
			t.Errorf("%s: %s", k.ID, entry)
		}
	}
	for _, args := range [][]string{{"-markdown"}, {"-markdown", "robots.txt"}} {
		if code := runLint(args, streams{nil, &page, &page}); code != exitUsage {
			t.Errorf("lint %v: exit code %d", args, code)
		}
	}
}
