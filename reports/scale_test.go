package reports

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/reports/internal/summary"
)

// enterMany enters n sites into a run by lines like those of levelSites, most of them without
// blocked URLs: "s000017.example", no. 17. Their files do not exist. A site in five has a page.
func enterMany(t testing.TB, r *Run, n int) {
	t.Helper()
	from := t.TempDir()
	o := testOptions(from)
	kinds := openRun(t, o)
	writeAll(t, kinds, levelSites())
	var lines []summary.Line
	var entries []summary.Entry
	for i := range kinds.done.journal.entries {
		line, err := kinds.done.journal.read(i)
		noError(t, err)
		of, err := summary.NewSite(line)
		noError(t, err)
		lines, entries = append(lines, *line), append(entries, of.Entry)
	}
	closeRun(t, kinds)
	for i := range n {
		kind := 2 // clean.example
		if i%5 == 0 {
			kind = i / 5 % len(lines)
		}
		line, entry := lines[kind], entries[kind]
		line.Name, line.Ordinal = manyName(i), i
		line.Base = fileBase(line.Name)
		entry.Domain, entry.Number, entry.Records, entry.Workbook = line.Name, i+1, recordsName(line.Base), ""
		line.Sums, line.Workbook = nil, 0
		if i%5 > 0 {
			line.Page = 0
		}
		if line.BlockedURLs > 0 {
			line.Worst.URLs += int64(i)
		}
		var err error
		if line.Summary, err = json.Marshal(entry); err != nil {
			t.Fatal(err)
		}
		text, err := sealedLine(&line)
		if err == nil {
			err = r.Enter(text)
		}
		noError(t, err)
	}
}

// manyName is the name of a site of enterMany: one in three begins with "www.".
func manyName(i int) string {
	if i%3 == 0 {
		return fmt.Sprintf("www.s%07d.example", i)
	}
	return fmt.Sprintf("s%07d.example", i)
}

// TestLargeIndex: beyond a few thousand sites index.html contains the first, and refers to files
// with all others, and with all names in their order.
func TestLargeIndex(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("one goroutine that works for a minute")
	}
	dir := t.TempDir()
	o := testOptions(dir)
	o.Reports = []string{levelBlocked}
	r := openRun(t, o)
	const sites = 12_345
	enterMany(t, r, sites)
	closeRun(t, r)
	index := readText(t, dir, "index.html")
	if n := strings.Count(index, "\n[\""); n != 1000 {
		t.Errorf("%d sites stand within it", n)
	}
	rows := 1000
	for _, name := range []string{"1.js", "2.js"} {
		rows += strings.Count(readText(t, dir, "pages", "index.rows", name), "\n[\"")
	}
	if rows != sites {
		t.Errorf("%d rows", rows)
	}
	before, names := "", 0
	for part := range 3 {
		text := readText(t, dir, "pages", "index.rows", fmt.Sprintf("names-%d.js", part))
		for line := range strings.Lines(text) {
			var of []any
			if json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(line), ",")), &of) != nil {
				continue
			}
			names++
			key := strings.TrimPrefix(of[0].(string), "www.")
			if key <= before {
				t.Fatalf("%s comes after %s", key, before)
			}
			before = key
		}
	}
	if names != sites {
		t.Errorf("%d names", names)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "pages", "index.rows")); len(entries) != 5 {
		t.Errorf("%d files", len(entries))
	}
	if info, err := os.Stat(filepath.Join(dir, "summary.md")); err != nil || info.Size() > 20<<10 {
		t.Errorf("summary.md: %v, %v", info.Size(), err)
	}
}
