//go:build soak

package reports

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/disk"
)

// TestRecountCorpus counts the URLs of findings again for every file of a corpus
// of robots.txt files, served with a sitemap of URLs that its rules are about:
//
//	ROBOTS_AUDIT_CORPUS=DIR go test -tags soak ./reports -run TestRecountCorpus
func TestRecountCorpus(t *testing.T) {
	dir := os.Getenv("ROBOTS_AUDIT_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_AUDIT_CORPUS names no corpus of robots.txt files")
	}
	files, err := os.ReadDir(dir)
	noError(t, err)
	rng := rand.New(rand.NewPCG(23, 29))
	seen, audited := map[string]int{}, 0
	for _, file := range files {
		body, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil || len(body) > 100_000 {
			continue
		}
		const name = "site.test"
		body = slowLines.ReplaceAll(body, []byte("#"))
		w := town{name + "/robots.txt": string(body), name + "/sitemap.xml": sitemapOf(rng, body)}
		var r recounter
		auditTown(t, w, []string{name}, townCrawlers, func(rec audit.Record) { r.add(rec) })
		for _, wrong := range r.check(seen) {
			t.Errorf("%s: %s", file.Name(), wrong)
		}
		audited++
	}
	if audited < 100 {
		t.Errorf("%d files", audited)
	}
	t.Log(audited, "files;", recounted(seen))
}

// slowLines lead to other servers, or ask for delays.
var slowLines = regexp.MustCompile(`(?i)site.?map|crawl.?delay`)

// sitemapOf names URLs like the paths of a file's rules, and others near them.
func sitemapOf(rng *rand.Rand, body []byte) string {
	var paths []string
	for _, rule := range (&engine.Profile{}).Parse(body).Rules() {
		paths = append(paths, rule.Value)
	}
	var urls strings.Builder
	urls.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range min(2*len(paths), 300) {
		path := strings.TrimSuffix(paths[rng.IntN(len(paths))], "$")
		path = strings.ReplaceAll(path, "*", []string{"", "x", "a/b", "?q="}[rng.IntN(4)])
		path += []string{"", "/", "x", "-y", "?sid=1&utm_source=2", "&q=2"}[rng.IntN(6)]
		switch rng.IntN(8) {
		case 0:
			path = strings.ToUpper(path)
		case 1:
			path = path[:len(path)-len(path)/3]
		}
		fmt.Fprintf(&urls, "<url><loc>http://site.test/%s</loc></url>", escapedXML.Replace(strings.TrimPrefix(path, "/")))
		if i%9 == 0 {
			fmt.Fprintf(&urls, "<url><loc>http://site.test/other/%d</loc></url>", i)
		}
	}
	return urls.String() + "</urlset>"
}

var escapedXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// TestRecountRecords does the same with the records of a run on real sites:
//
//	ROBOTS_AUDIT_OUT=OUT go test ./reports -tags soak -run TestRecountRecords -v
func TestRecountRecords(t *testing.T) {
	dir := os.Getenv("ROBOTS_AUDIT_OUT")
	if dir == "" {
		t.Skip("ROBOTS_AUDIT_OUT names no run")
	}
	files, err := filepath.Glob(filepath.Join(dir, "records", "*.zst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	seen := map[string]int{}
	for _, file := range files {
		var r recounter
		for rec, err := range readRecords(disk.OS{}, file) {
			if err != nil {
				t.Fatal(file, err)
			}
			r.add(rec)
		}
		for _, wrong := range r.check(seen) {
			t.Error(wrong)
		}
	}
	if len(seen) == 0 {
		t.Error("no finding was recounted")
	}
	t.Log(len(files), "sites;", recounted(seen))
}

// recounted lists how many findings of each id were recounted.
func recounted(seen map[string]int) string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		parts = append(parts, fmt.Sprintf("%s %d", id, seen[id]))
	}
	return strings.Join(parts, ", ")
}
