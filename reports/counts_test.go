package reports

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// town is a loopback server of made-up sites, each with its robots.txt and a
// sitemap that names pages, images and alternates.
type town map[string]string

func (w town) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	page, ok := w[r.Host+r.URL.Path]
	if !ok {
		http.NotFound(out, r)
		return
	}
	io.WriteString(out, page)
}

var townPaths = []string{"/a", "/b", "/a/b", "/shop/", "/shop/item", "/search", "/img", "/p/%61", "/tag", "/"}

// newTown makes sites with many overlapping rules.
func newTown(rng *rand.Rand, sites int) (w town, names []string) {
	w = town{}
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for n := range sites {
		name := fmt.Sprintf("site-%d.test", n)
		names = append(names, name)
		var robots strings.Builder
		for _, agent := range []string{"*", pick("Bingbot", "Yandex", "GPTBot"), pick("Googlebot", "googlebot")} {
			fmt.Fprintf(&robots, "User-agent: %s\n", agent)
			for range 1 + rng.IntN(5) {
				fmt.Fprintf(&robots, "%s: %s%s\n", pick("Disallow", "Disallow", "Allow"), pick(townPaths...), pick("", "", "*", "/1", "$", "*2"))
			}
			if rng.IntN(3) == 0 {
				robots.WriteString("\n")
			}
		}
		if rng.IntN(2) == 0 {
			robots.WriteString("Clean-param: sid /\n")
		}
		w[name+"/robots.txt"] = robots.String()
		var urls strings.Builder
		urls.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">`)
		for i := range 60 + rng.IntN(100) {
			fmt.Fprintf(&urls, "<url><loc>http://%s%s%s%d</loc>", name, pick(townPaths...), pick("", "/", "?sid=", "?q="), i)
			if rng.IntN(3) == 0 {
				fmt.Fprintf(&urls, "<image:image><image:loc>http://%s/img/%d.png</image:loc></image:image>", name, rng.IntN(50))
			}
			if rng.IntN(5) == 0 {
				fmt.Fprintf(&urls, `<xhtml:link rel="alternate" hreflang="de" href="http://%s%s?de"/>`, name, pick(townPaths...))
			}
			urls.WriteString("</url>")
		}
		urls.WriteString("<url><loc>mailto:nobody</loc></url><url><loc>/relative</loc></url></urlset>")
		w[name+"/sitemap.xml"] = urls.String()
	}
	return w, names
}

// townSites is the number of sites in a town for n: a third under the race detector.
func townSites(n int) int {
	if raced {
		return n / 3
	}
	return n
}

// auditTown audits sites of a town and passes on every record.
func auditTown(t *testing.T, w town, names []string, crawlers string, each func(audit.Record)) []audit.Crawler {
	t.Helper()
	server := httptest.NewServer(w)
	defer server.Close()
	list, err := audit.ParseCrawlers(crawlers)
	noError(t, err)
	a := audit.Auditor{Client: &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1}, Crawlers: list, Workers: 2}
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "http://%s\n", name)
	}
	for rec := range a.All(context.Background(), audit.Domains(strings.NewReader(text.String()))) {
		each(rec)
	}
	return list
}

const townCrawlers = "Googlebot,Bingbot,YandexBot,GPTBot,Googlebot@google-2019,YandexBot@yandex-2016,Googlebot@rep-1994"

// Every count of the summaries is the number of its rows.
func TestCounts(t *testing.T) {
	t.Parallel()
	w, names := newTown(rand.New(rand.NewPCG(7, 11)), townSites(12))
	crawlers, err := audit.ParseCrawlers(townCrawlers)
	noError(t, err)
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: crawlers, Rows: "all", RowLimit: 50, Formats: []string{"jsonl"}}
	r := openRun(t, o)
	done := map[string]*audit.Done{}
	auditTown(t, w, names, townCrawlers, func(rec audit.Record) {
		noError(t, r.Write(rec))
		if rec.Done != nil {
			done[rec.Domain] = rec.Done
		}
	})
	closeRun(t, r)
	entries := entriesOf(t, o.Dir)
	if len(entries) != len(names) {
		t.Fatalf("%d sites", len(entries))
	}
	var urls, blocked, differ, resources int64
	for _, site := range entries {
		d := done[site.Domain]
		f := openBook(t, o.Dir, fileBase(site.Domain)+".xlsx")
		same := func(what string, rows, want int64) {
			t.Helper()
			if rows != want {
				t.Errorf("%s: %s: %d rows, the count is %d", site.Domain, what, rows, want)
			}
		}
		blockedFor, any := map[string]int64{}, map[string]bool{}
		for _, row := range perCrawler(t, sheetRows(t, f, "Blocked")) {
			blockedFor[row["Crawler"]]++
			any[row["URL"]] = true
		}
		var counts map[string]int64
		noError(t, json.Unmarshal(site.Blocked, &counts))
		for _, c := range crawlers {
			same("blocked for "+c.Label, blockedFor[c.Label], counts[c.Label])
		}
		same("blocked for any", int64(len(any)), site.BlockedURLs)
		unclear := map[string]bool{}
		for _, row := range perCrawler(t, sheetRows(t, f, "Undecided")) {
			unclear[row["URL"]] = true
		}
		same("without a clear verdict", int64(len(unclear)), d.Unknown)
		pages := int64(0)
		kinds := map[string]int64{}
		for _, row := range sheetRows(t, f, "All URLs") {
			if row["Kind"] == "page" {
				pages++
			} else {
				kinds[row["Kind"]]++
			}
		}
		same("pages", pages, site.URLs)
		same("kinds", int64(len(kinds)), int64(len(d.Kinds)))
		blockedKinds := map[string]map[string]int64{}
		for _, row := range perCrawler(t, sheetRows(t, f, "Resources")) {
			if row["Verdict"] == "blocked" {
				if blockedKinds[row["Kind"]] == nil {
					blockedKinds[row["Kind"]] = map[string]int64{}
				}
				blockedKinds[row["Kind"]][row["Crawler"]]++
			}
		}
		for kind, k := range d.Kinds {
			same(kind, kinds[kind], k.URLs)
			for i, n := range k.Blocked {
				same(kind+" for "+crawlers[i].Label, blockedKinds[kind][crawlers[i].Label], n)
				resources += n
			}
		}
		same("left out", sum(t, sheetRows(t, f, "Skipped"), "URLs"), site.LeftOut)
		same("sitemaps", int64(len(sheetRows(t, f, "Sitemaps"))), int64(site.Sitemaps))
		same("tested of sitemaps", sum(t, sheetRows(t, f, "Sitemaps"), "URLs tested"), site.URLs)
		figures := summaryRows(t, f)
		figure := func(name string) int64 {
			n, err := strconv.ParseInt(strings.ReplaceAll(figures[name][1], ",", ""), 10, 64)
			if err != nil {
				t.Fatalf("%s: figure %s: %v", site.Domain, name, err)
			}
			return n
		}
		disagreements := int64(0)
		for _, row := range sheetRows(t, f, "Disagreements") {
			if row["Cause"] != "" {
				disagreements++
			} else if row["url_id"] != "" {
				t.Errorf("%s: no cause for %s", site.Domain, row["URL"])
			}
		}
		same("disagreements", disagreements, figure("URLs whose verdict differs"))
		same("figure: tested", figure("URLs found"), site.URLs)
		same("figure: blocked", figure("Blocked for at least one crawler"), site.BlockedURLs)
		if findings := figure("Findings"); findings > 0 {
			rows := slices.DeleteFunc(sheetRows(t, f, "Rules"), func(row map[string]string) bool { return row["ID"] == "" })
			same("findings", int64(len(rows)), findings)
		}
		// The rules of each crawler decide as many URLs as the rows say.
		lines := map[string]int64{}
		for _, row := range perCrawler(t, sheetRows(t, f, "Blocked")) {
			if row["Line"] != "0" {
				lines[row["Line"]+" "+row["Crawler"]]++
			}
		}
		for _, row := range sheetRows(t, f, "Rules") {
			if !strings.HasPrefix(row["Compared as"], "disallow") || row["URLs decided"] == "" {
				continue
			}
			for crawler := range strings.SplitSeq(row["Crawlers"], ", ") {
				if !strings.Contains(crawler, "@") { // profiles of today leave nothing undefined
					n, err := strconv.ParseInt(row["URLs decided"], 10, 64)
					noError(t, err)
					same("line "+row["Line"]+" for "+crawler, lines[row["Line"]+" "+crawler], n)
				}
			}
		}
		urls += site.URLs
		blocked += site.BlockedURLs
		differ += disagreements
	}
	if totals, err := readTotals(filepath.Join(o.Dir, "summary.json")); err != nil || urls != totals.URLs || blocked != totals.Blocked {
		t.Errorf("%d URLs, %d of them blocked: the totals are %+v (%v)", urls, blocked, totals, err)
	}
	if blocked == 0 || differ == 0 || resources == 0 {
		t.Errorf("%d blocked, %d differ, %d resources blocked: the test tests nothing", blocked, differ, resources)
	}
}

// sum adds up a column.
func sum(t *testing.T, rows []map[string]string, title string) (n int64) {
	t.Helper()
	for _, row := range rows {
		if row[title] == "" {
			continue
		}
		v, err := strconv.ParseInt(row[title], 10, 64)
		noError(t, err)
		n += v
	}
	return n
}
