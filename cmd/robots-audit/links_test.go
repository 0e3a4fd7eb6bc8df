package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

var (
	docsLink   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docsFile   = regexp.MustCompile("`((?:cmd|audit|crawl|engine|reports|\\.ci|\\.github)/[\\w./*-]+)`")
	docsTitle  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInTitle = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestDocsLinks checks that the links of all pages lead to an existing file or heading. The files
// that pages name must exist, and README.md must lead to every guide.
func TestDocsLinks(t *testing.T) {
	pages := guides(t)
	for _, pattern := range []string{"CHANGELOG.md", ".github/*.md", ".github/peers/*.md"} {
		names, _ := filepath.Glob(filepath.Join("../..", pattern))
		for _, name := range names {
			pages[filepath.ToSlash(name)[len("../../"):]] = clitest.Read(t, name)
		}
	}
	links, files, linked := 0, 0, map[string]bool{}
	for page, text := range pages {
		for _, link := range docsLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(link[1], "#")
			file := path.Join(path.Dir(page), name)
			if name == "" {
				file = page
			}
			if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
				t.Errorf("%s: %s leads to no file", page, link[1])
			}
			if page == "README.md" {
				linked[file] = true
			}
			if anchor != "" && !headings(clitest.Read(t, "../..", file))[anchor] {
				t.Errorf("%s: %s leads to no heading", page, link[1])
			}
		}
		if page == "CHANGELOG.md" { // older versions had other files
			continue
		}
		for _, named := range docsFile.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(named[1], "reports/20") { // a run, not a package
				continue
			}
			files++
			if found, err := filepath.Glob(filepath.Join("../..", named[1])); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", page, named[1])
			}
		}
	}
	if links < 60 || files < 20 {
		t.Errorf("%d links and %d names of files, expected more", links, files)
	}
	for page := range pages {
		if strings.HasPrefix(page, ".github/docs/") && !linked[page] {
			t.Errorf("README.md has no link to %s", page)
		}
	}
}

// headings returns the anchors of a page, as GitHub makes them.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, title := range docsTitle.FindAllStringSubmatch(text, -1) {
		anchors[strings.ReplaceAll(notInTitle.ReplaceAllString(strings.ToLower(title[1]), ""), " ", "-")] = true
	}
	return anchors
}

// TestDocsSize keeps README.md below 8 KB and 1,400 words, and each guide below 6 KB.
func TestDocsSize(t *testing.T) {
	for page, text := range guides(t) {
		most := 6 << 10
		if page == "README.md" {
			most = 8 << 10
		}
		if words := len(strings.Fields(text)); len(text) > most || words > 1400 {
			t.Errorf("%s: %d bytes and %d words, at most %d and 1400", page, len(text), words, most)
		}
	}
}
