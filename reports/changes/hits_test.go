package changes

import (
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/audit/compare"
)

// logged are records of a site with access logs: each URL has as many hits of Googlebot as its
// number times 100, one of GPTBot, and no clicks.
func logged(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.Site != nil {
				rec.Site.Logs = &audit.LogPeriod{From: start, To: start}
			}
			if rec.URLs != nil {
				for i := range rec.URLs.List {
					rec.URLs.List[i].Weight.ClicksGiven = true
					rec.URLs.List[i].Hits = []int64{int64(100 * i), 1}
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// TestHits says what part of a crawler's requests a change concerns.
func TestHits(t *testing.T) {
	dir := t.TempDir()
	r := newReport(t, Options{Dir: dir})
	urls := []string{"/a", "/b", "/c", "/d"}
	add(t, r, compare.Sides(logged(run(t, "a.example", "Googlebot,GPTBot", "User-agent: *\nDisallow: /b\n", urls...)),
		logged(run(t, "a.example", "Googlebot,GPTBot", "User-agent: *\nDisallow: /c\n", urls...)), compare.Options{Temp: r.Temp()}))
	closeReport(t, r)
	files := folder(t, dir)
	for name, parts := range map[string][]string{
		"changes.md":   {"1 URL (33 % of Googlebot's requests, 0 clicks) is newly blocked for Googlebot.", "| Clicks lost | Clicks gained | Hits lost | Hits gained |", "| Googlebot | 1 | 1 |  |  |  |  |  | 200 | 100 |", "| GPTBot | 1 | 1 |  |  |  |  |  | 1 | 1 |"},
		"changes.json": {`"hits":600,"hits_blocked":200,"hits_allowed":100`},
		"index.html":   {`1<span class="sub">200 hits</span>`, `1<span class="sub">100 hits</span>`},
	} {
		text := files[name]
		if name == "changes.json" {
			text = strings.Join(strings.Fields(text), "")
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q:\n%s", name, part, text)
			}
		}
	}
	f, err := excelize.OpenFile(filepath.Join(dir, "changes.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, _ := f.GetRows("Changed URLs")
	text := ""
	for _, row := range rows {
		text += strings.Join(row, " | ") + "\n"
	}
	if !strings.Contains(text, "| Hits |") || !strings.Contains(text, "| 201 |") || !strings.Contains(text, "| 101 |") {
		t.Errorf("changes.xlsx:\n%s", text)
	}
}
