//go:build suites

package crawl

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// suiteCase is one input of another project's tests and what these expect.
type suiteCase struct {
	Suite, Name string
	URL, Type   string
	Body        []byte   // base64 in the file
	Want        []string // pages or child sitemaps, in any order; null = only their number is known
	Count       int      // of them
	Reason      string   // why we read something else, with the sentence that it rests on; "" = we do not
}

// TestSuites reads the cases of other projects' tests: JSON files in the
// folder that ROBOTS_AUDIT_SUITES names, one case each. None of them is part of
// this project.
func TestSuites(t *testing.T) {
	dir := os.Getenv("ROBOTS_AUDIT_SUITES")
	if dir == "" {
		t.Fatal("ROBOTS_AUDIT_SUITES names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	type figures struct{ cases, equal, reasoned int }
	all := map[string]*figures{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c suiteCase
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		f := all[c.Suite]
		if f == nil {
			f = &figures{}
			all[c.Suite] = f
		}
		f.cases++
		got := []string{}
		body := newContent(bytes.NewReader(c.Body), c.URL, c.Type, 1<<30)
		s := newScanner(body)
		for s.next() {
			if s.url.Kind == KindLoc {
				got = append(got, string(s.url.Loc))
			}
		}
		s.free()
		body.free()
		slices.Sort(got)
		slices.Sort(c.Want)
		equal := len(got) == c.Count && (c.Want == nil || slices.Equal(slices.Compact(slices.Clone(got)), slices.Compact(c.Want)))
		switch {
		case equal && c.Reason == "":
			f.equal++
		case equal:
			t.Errorf("%s %s: a reason is given, but there is no difference", c.Suite, c.Name)
		case c.Reason != "":
			f.reasoned++
			t.Logf("%s %s: %s", c.Suite, c.Name, c.Reason)
		default:
			t.Errorf("%s %s:\n got %q\nwant %d %q\nof %.3000q", c.Suite, c.Name, got, c.Count, c.Want, c.Body)
		}
	}
	for suite, f := range all {
		t.Logf("%s: %d cases, %d equal, %d different with a reason", suite, f.cases, f.equal, f.reasoned)
	}
}
