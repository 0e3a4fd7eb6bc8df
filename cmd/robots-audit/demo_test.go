package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestDemoPages follows every link and fragment of every page of the demo, before their script has
// run.
func TestDemoPages(t *testing.T) {
	dir := demoRun(t)
	seen, queue := map[string]bool{}, []string{filepath.Join(dir, "index.html")}
	pages := 0
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		if seen[file] {
			continue
		}
		seen[file] = true
		if _, err := os.Stat(file); err != nil || !strings.HasPrefix(file, dir) {
			t.Errorf("a link leads to %s: %v", file, err)
			continue
		}
		if filepath.Ext(file) != ".html" {
			continue
		}
		pages++
		links, ids, rows := readDemoPage(t, file)
		for _, link := range links {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "" || u.Host != "" {
				t.Errorf("%s: link to %s, %v", file, link, err)
				continue
			}
			if u.Fragment != "" && !ids[u.Fragment] {
				t.Errorf("%s: no %s in the page", file, u.Fragment)
			}
			if u.Path != "" {
				queue = append(queue, filepath.Join(filepath.Dir(file), filepath.FromSlash(u.Path)))
			}
		}
		if filepath.Base(file) != "index.html" {
			continue
		}
		var sites struct{ Rows [][]any }
		if err := json.Unmarshal([]byte(rows), &sites); err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, row := range sites.Rows { // name, base of its file names, state
			states = append(states, row[2].(string))
			queue = append(queue, filepath.Join(dir, "pages", row[1].(string)+".html"), filepath.Join(dir, row[1].(string)+".xlsx"))
		}
		slices.Sort(states)
		if want := []string{"critical", "critical", "ok", "unknown", "warn", "warn", "warn", "warn"}; !slices.Equal(states, want) {
			t.Errorf("states of the sites: %q, want %q", states, want)
		}
	}
	if pages != 9 || !seen[filepath.Join(dir, "www.bookshop.example.xlsx")] || !seen[filepath.Join(dir, "evidence", "moved.example", "robots.txt")] {
		t.Errorf("%d pages, %d files", pages, len(seen))
	}
}

// readDemoPage returns the targets of a page's links, its IDs, and the rows for its script.
func readDemoPage(t *testing.T, name string) (links []string, ids map[string]bool, rows string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	root, err := html.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	ids = map[string]bool{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "href" && n.Data == "a":
				links = append(links, a.Val)
			case a.Key == "id":
				ids[a.Val] = true
				if a.Val == "rows" {
					rows = n.FirstChild.Data
				}
			}
		}
	}
	return links, ids, rows
}

// TestDemoCrawl follows links on the pages of the demo sites.
func TestDemoCrawl(t *testing.T) {
	dir := demoRun(t, "-crawl", "-reports", "workbook")
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || strings.Contains(string(text), "The home page http") {
		t.Errorf("a home page of the demo fails: %v", err)
	}
	book := openBook(t, dir, "www.bookshop.example.xlsx")
	if rows := bookRows(t, book, "Pages"); len(rows) < demoLinks/2 || rows[0]["Status"] != "200" {
		t.Errorf("%d pages, of which the first is %v", len(rows), rows)
	}
}
