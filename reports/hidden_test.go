package reports

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine/escape"
)

// markedRecords are the records of a site with a mark in every place of its report for text from
// the site.
func markedRecords(name, mark string, urls int) []audit.Record {
	records := siteRecords(name, 0, urls)
	done := records[len(records)-1].Done
	done.Why = mark
	for i := range records {
		rec := &records[i]
		switch {
		case rec.Site != nil:
			rec.Site.Crawlers = slices.Clone(rec.Site.Crawlers)
			rec.Site.Crawlers[0].Label += mark
		case rec.Robots != nil:
			rec.Robots.File.Body = append(rec.Robots.File.Body, "\n# "+mark+"\ndisallow: /"+mark+"\n"...)
			for k := range rec.Robots.Reads {
				rec.Robots.Reads[k].GroupTokens += mark
			}
		case rec.URLs != nil:
			for k := range rec.URLs.List {
				rec.URLs.List[k].Loc += mark
				rec.URLs.List[k].LastMod = mark
			}
		case rec.Sitemap != nil:
			rec.Sitemap.URL += mark
		case rec.Problem != nil:
			rec.Problem.URL, rec.Problem.Detail = rec.Problem.URL+mark, mark
		case rec.Findings != nil:
			for k := range rec.Findings.List {
				rec.Findings.List[k].Text, rec.Findings.List[k].What = mark, mark
			}
		}
	}
	return records
}

// No text file of a run contains invisible characters unescaped, and JSON keeps the value.
func TestRunHoldsNothingUnseen(t *testing.T) {
	t.Parallel()
	const mark = "left\u202egpj \u009b2J \u2066\u0085\u200d\U000E0041 right"
	records := markedRecords("example.com", mark, inlineRows*8)
	o := testOptions(t.TempDir())
	o.Formats, o.Settings["user-agent"] = []string{"csv", "jsonl"}, mark
	r := openRun(t, o)
	writeAll(t, r, append([]audit.Record{{Problem: &audit.Problem{Stage: "list", Code: "bad_line", Detail: mark}}}, records...))
	closeRun(t, r)
	files := 0
	for name, text := range folder(t, o.Dir) {
		switch ext := filepath.Ext(name); {
		case ext == ".html" || ext == ".js" || ext == ".json" || ext == ".md" || ext == ".jsonl" && !strings.HasPrefix(name, hidden):
			files++
			for i, c := range text {
				if escape.IsHidden(c) && c != '\n' {
					t.Errorf("%s: %U at byte %d: %q", name, c, i, text[max(0, i-40):min(i+20, len(text))])
					break
				}
			}
		case ext == ".csv":
			files++
			for i, c := range text {
				if escape.IsMisleading(c) && c != '\r' && c != '\n' {
					t.Errorf("%s: %U at byte %d: %q", name, c, i, text[max(0, i-40):min(i+20, len(text))])
					break
				}
			}
		}
	}
	if files < 8 {
		t.Errorf("only %d files were looked at", files)
	}
	site := entriesOf(t, o.Dir)[0]
	if e := site.Errors[0]; site.Why != mark || e.Detail != mark || !strings.HasSuffix(e.URL, mark) {
		t.Errorf("summary.json means something else: %+v", e)
	}
}
