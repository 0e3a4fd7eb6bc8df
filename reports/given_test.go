package reports

import (
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestGiven uses a file instead of robots.txt: no report may mention a request for it.
func TestGiven(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte("User-agent: *\nDisallow: /a\n")}, "/a", "/b")
	file := &records[1].Robots.File
	file.Given, file.Hops, file.Type, file.SHA256 = true, nil, "text/plain", "0123456789abcdef0123"
	for i := range records[1].Robots.Reads {
		records[1].Robots.Reads[i].Why = "your draft of robots.txt: the rules apply" // the same text as package audit writes
	}
	o := testOptions(t.TempDir())
	o.Started, o.Crawlers = start, records[0].Site.Crawlers
	dir := writeRun(t, o, records)

	const lead = "a test robots.txt was not fetched; your draft was used instead (sha256 0123456789abcdef…)."
	const why = "For Googlebot: your draft of robots.txt: the rules apply, as if served (sha256 0123456789abcdef…)"
	page := readText(t, dir, "pages", "example.com.html")
	checkHas(t, page, lead, why, `<td>none<td`, "your draft of robots.txt</a>", "not fetched: your draft was used<td")
	for _, text := range []string{page, readText(t, dir, "index.html")} {
		if strings.Contains(text, "text/plain, ") || strings.Contains(text, `"a test",200,`) {
			t.Error("a page tells of an answer that nobody gave")
		}
	}
	if text := readText(t, dir, "summary.json"); !strings.Contains(text, `"sha256":"0123456789abcdef0123","given":true`) {
		t.Errorf("summary.json does not tell: %s", text)
	}

	f := openBook(t, dir, "example.com.xlsx")
	if got, _ := f.GetCellValue("Summary", "A2"); got != lead {
		t.Errorf("Summary begins with %q", got)
	}
	if status := summaryRows(t, f)["robots.txt, HTTP status"]; status == nil || status[1] != "not asked" || status[4] != why {
		t.Errorf("the figure is %q", status)
	}
	for name, want := range map[string]map[string]string{
		"Requests for robots.txt": {"URL": "https://example.com/robots.txt", "Status": "–", "Address": "not fetched: your draft was used", "Content-Type": "", "Time (UTC)": "", "What Bingbot makes of it": "your draft of robots.txt: the rules apply"},
		"Evidence":                {"What": "robots.txt of https://example.com: not fetched: your draft was used", "Status": "–", "Time (UTC)": "", "Content-Type": "", "Tries": "", "SHA-256": "0123456789abcdef0123"},
	} {
		row := sheetRows(t, f, name)[0]
		for title, text := range want {
			if row[title] != text {
				t.Errorf("%s: %s is %q, want %q", name, title, row[title], text)
			}
		}
	}
	sites := sheetRows(t, openBook(t, dir, "summary.xlsx"), "Sites")
	if len(sites) != 1 || sites[0]["robots.txt status"] != "not asked" || sites[0]["Redirects"] != "–" {
		t.Errorf("the run's workbook has %v", sites)
	}
}
