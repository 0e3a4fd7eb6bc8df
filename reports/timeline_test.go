package reports

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// timelineCrawlers are eight crawlers, more than there are different lines.
var timelineCrawlers = func() (list []audit.Crawler) {
	for i, name := range []string{"Googlebot", "Bingbot", "YandexBot", "GPTBot", "ClaudeBot", "Applebot", "DuckDuckBot", "PerplexityBot"} {
		c := testCrawlers[i%2]
		c.Label, c.Name, c.Tokens = name, name, []string{name}
		list = append(list, c)
	}
	return list
}()

// withCrawlers are the records of a site for these crawlers: further ones read like the first.
func withCrawlers(records []audit.Record, crawlers []audit.Crawler) []audit.Record {
	more := func(n int) int { return max(0, len(crawlers)-n) }
	for i := range records {
		switch rec := &records[i]; {
		case rec.Site != nil:
			rec.Site.Crawlers = crawlers
		case rec.Robots != nil:
			rec.Robots.Reads = rec.Robots.Reads[:2]
			for range more(2) {
				rec.Robots.Reads = append(rec.Robots.Reads, rec.Robots.Reads[0])
			}
		case rec.URLs != nil:
			for u := range rec.URLs.List {
				url := &rec.URLs.List[u]
				url.Verdicts, url.Lines = url.Verdicts[:2], url.Lines[:2]
				for range more(2) {
					url.Verdicts, url.Lines = append(url.Verdicts, url.Verdicts[0]), append(url.Lines, url.Lines[0])
				}
			}
		case rec.Sitemap != nil:
			rec.Sitemap.Blocked, rec.Sitemap.Self, rec.Sitemap.SelfLines = nil, nil, nil
		case rec.Rules != nil && rec.Rules.Crawlers[0] == 2:
			rec.Rules.Crawlers = []int{0}
		case rec.Done != nil:
			rec.Done.Blocked, rec.Done.Unknown = rec.Done.Blocked[:2], 0
			for range more(2) {
				rec.Done.Blocked = append(rec.Done.Blocked, rec.Done.Blocked[0])
			}
		}
	}
	return records
}

// pastOf makes a history of n earlier runs of a site with 1,000 URLs found, one a day.
func pastOf(n int, point func(i int, p *audit.Point)) *audit.Past {
	past := &audit.Past{Begins: start.AddDate(0, 0, -n)}
	for i := range n {
		p := audit.Point{Started: start.AddDate(0, 0, i-n), Answer: "200", Status: 200, SHA256: "0f0f0f0f0f0f", Known: 1000, Blocked: map[string]int64{}}
		for _, c := range timelineCrawlers {
			p.Blocked[c.Label] = 12
		}
		point(i, &p)
		past.Points = append(past.Points, p)
	}
	return past
}

// fails makes a point that of a run without a reliable response.
func fails(p *audit.Point, answer string, status int) {
	p.Answer, p.Status, p.SHA256 = answer, status, ""
	for name := range p.Blocked {
		p.Blocked[name] = p.Known
	}
}

// histories are three sites: one that an edit has blocked in part, one whose servers fail now and
// then, and one of a thousand runs.
var histories = map[string]*audit.Past{
	"edited.example": pastOf(90, func(i int, p *audit.Point) {
		if p.Blocked["Googlebot"], p.Blocked["Bingbot"] = 0, 0; i >= 83 {
			p.SHA256 = sumOf(testRobots)
			for _, c := range timelineCrawlers {
				p.Blocked[c.Label] = 400
			}
			p.Blocked["Bingbot"] = 200
		}
	}),
	"flapping.example": pastOf(90, func(i int, p *audit.Point) {
		p.SHA256 = sumOf(testRobots)
		for _, c := range timelineCrawlers {
			p.Blocked[c.Label] = 200
		}
		switch i {
		case 9, 31, 32, 33, 58, 77:
			fails(p, "5xx", 503)
		case 45:
			fails(p, "unreachable", 0)
		case 66:
			p.Answer, p.SHA256 = "html", "feedfacecafe"
			clear(p.Blocked)
			for _, c := range timelineCrawlers {
				p.Blocked[c.Label] = 0
			}
		}
		if i < 20 {
			delete(p.Blocked, "PerplexityBot")
		}
	}),
	"long.example": func() *audit.Past {
		random := rand.New(rand.NewPCG(3, 4))
		counts := make([]int64, len(timelineCrawlers))
		version := 0
		return pastOf(1000, func(i int, p *audit.Point) {
			p.Known = 600 + int64(i)/2
			if i%33 == 7 {
				version++
				for c := range counts {
					counts[c] = random.Int64N(p.Known * int64(c+1) / 9)
				}
			}
			p.SHA256 = fmt.Sprintf("%012x", version*0x10fe3)
			for c, crawler := range timelineCrawlers {
				p.Blocked[crawler.Label] = counts[c] + random.Int64N(4)
			}
			if random.IntN(60) == 0 {
				fails(p, "5xx", 502)
			}
		})
	}(),
}

// timelineRun is the folder of a run of these sites.
func timelineRun(t testing.TB, dir string) {
	o := testOptions(dir)
	o.Crawlers = timelineCrawlers
	o.Past = func(site string) (*audit.Past, error) { return histories[site], nil }
	r := openRun(t, o)
	for i, name := range []string{"edited.example", "flapping.example", "long.example", "new.example"} {
		records := withCrawlers(siteRecords(name, i, 1000), timelineCrawlers)
		if past := histories[name]; past != nil { // all is the same as in the run before
			last := past.Points[len(past.Points)-1]
			records[1].Robots.File.SHA256 = last.SHA256
			done := records[len(records)-1].Done
			for i, c := range timelineCrawlers {
				done.Blocked[i] = last.Blocked[c.Label]
			}
		}
		writeAll(t, r, records)
	}
	closeRun(t, r)
}

// TestTimeline compares the tables of page and workbook with the points, and checks that reports of
// a site without history have no timeline.
func TestTimeline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	timelineRun(t, dir)
	for name, past := range histories {
		text := readText(t, dir, "pages", name+".html")
		_, section, _ := strings.Cut(text, `<div id="timeline">`)
		section, _, _ = strings.Cut(section, "\n</div></details>\n")
		points := map[string]string{} // start → the figures
		for _, p := range past.Points {
			row := []string{p.Answer}
			for _, c := range timelineCrawlers {
				n, asked := p.Blocked[c.Label]
				if !asked {
					row = append(row, "–")
					continue
				}
				row = append(row, wording.Thousands(n))
			}
			points[p.Started.Format("2006-01-02 15:04")] = strings.Join(row, " ")
		}
		rows := 0
		tag := regexp.MustCompile(`<[^>]*>`)
		for row := range strings.SplitSeq(section, "<tr>") {
			var cells []string
			for _, cell := range strings.SplitAfter(row, "</t") {
				cells = append(cells, strings.TrimSpace(tag.ReplaceAllString(strings.TrimPrefix(strings.TrimSuffix(cell, "</t"), "d>"), "")))
			}
			if len(cells) < 6 || points[strings.TrimPrefix(cells[0], "h>")] == "" {
				continue
			}
			rows++
			got := strings.TrimPrefix(cells[1], "h>") + " " + strings.Join(cells[5:5+len(timelineCrawlers)], " ")
			if want := points[cells[0]]; got != want {
				t.Errorf("%s, %s: the page has %q, not %q", name, cells[0], got, want)
			}
		}
		if want := min(len(past.Points), 99); rows != want {
			t.Errorf("%s: the page lists %d runs, not %d", name, rows, want)
		}
		if len(section) > 80<<10 {
			t.Errorf("%s: the timeline takes %d bytes of the page", name, len(section))
		}
		book := openBook(t, dir, name+".xlsx")
		list := sheetRows(t, book, "Timeline")
		if len(list) != len(past.Points)+1 {
			t.Fatalf("%s: %d rows, not %d", name, len(list), len(past.Points)+1)
		}
		for i, row := range list[1:] {
			p := past.Points[len(past.Points)-1-i]
			got := []string{row["Answer"]}
			for _, c := range timelineCrawlers {
				got = append(got, cmp.Or(row["Blocked for "+c.Label], "–"))
			}
			if want := strings.ReplaceAll(points[p.Started.Format("2006-01-02 15:04")], ",", ""); strings.ReplaceAll(strings.Join(got, " "), ",", "") != want {
				t.Errorf("%s, %s: the workbook has %q, not %q", name, p.Started, got, want)
			}
		}
	}
	text := readText(t, dir, "pages", "new.example.html")
	if strings.Contains(text, "imeline") || strings.Contains(text, ".tl ") {
		t.Error("a page without history has a timeline")
	}
	if sheets := openBook(t, dir, "new.example.xlsx").GetSheetList(); slices.Contains(sheets, "Timeline") {
		t.Errorf("a workbook without history has the sheets %q", sheets)
	}
}

// TestTimelinePicture checks every mark of the picture of five runs: an edit in the third, an
// outage in the fourth.
func TestTimelinePicture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := testOptions(dir)
	o.Crawlers = timelineCrawlers[:3]
	past := pastOf(4, func(i int, p *audit.Point) {
		switch i {
		case 2:
			p.SHA256, p.Blocked["Googlebot"] = sumOf(testRobots), 400
		case 3:
			fails(p, "5xx", 503)
		}
	})
	o.Past = func(string) (*audit.Past, error) { return past, nil }
	writeRun(t, o, withCrawlers(siteRecords("example.com", 0, 10), o.Crawlers))
	_, section, _ := strings.Cut(readText(t, dir, "pages/example.com.html"), `<div id="timeline">`)
	section, _, _ = strings.Cut(section, "\n</div></details>\n")
	golden(t, "timeline.html", strings.NewReplacer("><", ">\n<").Replace(section)+"\n")
}
