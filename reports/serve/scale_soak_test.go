//go:build soak

package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/table"
	"robots-audit/audit/watch/history"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// The world of TestMakeScale: a portfolio with a history, as an agency has it after 100 days.
const (
	scaleRuns   = 100
	scaleOpen   = 300 // open alerts
	scaleEnded  = 200
	scaleSmall  = 20 // URLs of a site in the runs before the newest
	scaleMaking = "TEST_SCALE_MAKE"
)

var scaleDay = time.Date(2026, 8, 21, 6, 0, 0, 0, time.UTC)

// scaleHost is the name of a site.
func scaleHost(i int) string { return fmt.Sprintf("shop-%04d.example", i) }

// scaleIndex is the number of a site by its name.
func scaleIndex(host string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(host, "shop-"), ".example"))
	return n
}

// scaleTurn is the day on which a site serves another version of its robots.txt.
func scaleTurn(i, version int) int {
	if version == 1 {
		return 1 + i*7%50
	}
	return 51 + i*13%49
}

// scaleVersion is the version that a site serves on a day.
func scaleVersion(i, day int) int {
	switch {
	case day >= scaleTurn(i, 2):
		return 2
	case day >= scaleTurn(i, 1):
		return 1
	}
	return 0
}

// scaleRobots is a version of a site's robots.txt. Each third blocks most URLs, each third some, and each third none for search;
// each 20th blocks everything since its last version.
func scaleRobots(i, version int) string {
	var b strings.Builder
	b.WriteString("# robots.txt of " + scaleHost(i) + "\nUser-agent: *\n" + []string{"Disallow: /private/\nDisallow: /*?sort=\nAllow: /shop/\nDisallow: /shop/archive/\nDisallow: /search\nDisallow: /*.pdf$\n", "Disallow: /private/\nDisallow: /search\n", "Disallow: /admin/\n"}[i%3])
	for n := range i % 40 { // rules that match nothing, as most files have them
		fmt.Fprintf(&b, "Disallow: /old/%d-%d/\n", i, n)
	}
	if version == 1 {
		b.WriteString("Disallow: /p/1\n")
	}
	if version == 2 && i%20 == 3 {
		b.WriteString("Disallow: /\n")
	}
	b.WriteString("\nUser-agent: Bingbot\nDisallow: /blog/2019/\n\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\nAllow: /shop/\n\nSitemap: http://" + scaleHost(i) + "/sitemap.xml\n")
	return b.String()
}

// scalePaths calls do with the paths of a site.
func scalePaths(i, n int, do func(path string)) {
	random := rand.New(rand.NewPCG(uint64(i), 42))
	shapes := [...]string{"/shop/%d/item-%d", "/shop/archive/%d/%d.html", "/blog/20%d/%d-a-post", "/private/%d/%d", "/search?q=%d&amp;n=%d", "/docs/%d/file-%d.pdf", "/de/produkte/%d/%d?sort=price", "/p/%d/%d"}
	for at := range n {
		do(fmt.Sprintf(shapes[random.IntN(8)], 10+random.IntN(15), at))
	}
}

// scaleHits are access logs in which crawlers request each item whose number ends with 7.
type scaleHits struct{}

func (scaleHits) Period(audit.Domain) (audit.LogPeriod, bool) {
	return audit.LogPeriod{From: scaleDay.AddDate(0, 0, scaleRuns-31), To: scaleDay.AddDate(0, 0, scaleRuns-1)}, true
}

func (scaleHits) Hits(url string, counts []int64) bool {
	if !strings.HasSuffix(url, "7") {
		return false
	}
	for i := range counts {
		counts[i] = int64(len(url) % (i + 2))
	}
	return true
}

// scaleServer answers for all sites of the world, on one day. Each 50th site has an error.
func scaleServer(t testing.TB, day, urls int) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := scaleIndex(r.Host)
		switch {
		case r.URL.Path == "/robots.txt" && i%50 == 7 && day >= scaleRuns-1:
			panic(http.ErrAbortHandler) // no answer
		case r.URL.Path == "/robots.txt":
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, scaleRobots(i, scaleVersion(i, day)))
		case r.URL.Path == "/sitemap.xml":
			io.WriteString(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			scalePaths(i, urls, func(path string) { io.WriteString(w, "<url><loc>http://"+r.Host+path+"</loc></url>") })
			io.WriteString(w, "</urlset>")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return ":80:" + strings.TrimPrefix(server.URL, "http://")
}

// scaleKnown is a list with clicks for each 20th URL.
func scaleKnown(t testing.TB, sites, urls int) *audit.Known {
	var b strings.Builder
	b.WriteString("page,clicks,impressions\n")
	for i := range sites {
		at := 0
		scalePaths(i, urls, func(path string) {
			if at++; at%20 == 0 {
				fmt.Fprintf(&b, "http://%s%s,%d,%d\n", scaleHost(i), strings.ReplaceAll(path, "&amp;", "&"), 1+at%977, 40*at%9973)
			}
		})
	}
	file, err := table.Read(strings.NewReader(b.String()), table.Options{Want: audit.KnownColumns})
	noError(t, err)
	known, err := audit.ReadKnown(file.Table(), "")
	noError(t, err)
	return known
}

// scaleAudit audits all sites as they are on a day, into the folder of a run.
func scaleAudit(t testing.TB, dir string, day, sites, urls int) {
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,YandexBot,Applebot,GPTBot,ClaudeBot")
	noError(t, err)
	a := &audit.Auditor{Client: &crawl.Client{Retries: -1, ConnectTo: []string{scaleServer(t, day, urls)}}, Crawlers: crawlers, Workers: 4, Known: scaleKnown(t, sites, urls), Hits: scaleHits{}}
	run, err := reports.Open(reports.Options{Dir: dir, Version: "0.1.0", Crawlers: crawlers, Started: scaleDay.AddDate(0, 0, day), Reports: []string{"page"},
		Segments: []reports.Segment{{Name: "shop", Pattern: "/shop/"}, {Name: "blog", Pattern: "/blog/"}, {Name: "documents", Pattern: "/docs/"}}})
	noError(t, err)
	var list strings.Builder
	for i := range sites {
		list.WriteString("http://" + scaleHost(i) + "\n")
	}
	for rec := range a.All(context.Background(), audit.Domains(strings.NewReader(list.String()))) {
		of := asked(audit.HostName(rec.Domain), testSite{}, "").asked
		if rec.Site != nil {
			for _, c := range of.Crawlers {
				rec.Site.Asked = append(rec.Site.Asked, c.Name)
			}
		}
		if rec.Done != nil {
			logs := newLogs("")
			logs.Site = rec.Domain
			noError(t, run.Write(audit.Record{Domain: rec.Domain, Logs: logs}))
			noError(t, run.Write(audit.Record{Domain: rec.Domain, Asked: of}))
		}
		noError(t, run.Write(rec))
	}
	noError(t, run.Close())
}

// scaleSites are the results of a run for its sites, by their numbers.
func scaleSites(t testing.TB, folder string) map[int]history.Site {
	stored, err := reports.OpenStored(folder, "0.1.0")
	noError(t, err)
	all := map[int]history.Site{}
	for _, s := range stored.Sites {
		collector := history.NewCollector(nil)
		for rec, err := range s.Records() {
			noError(t, err)
			collector.Add(rec)
		}
		of, err := collector.Site()
		noError(t, err)
		all[scaleIndex(audit.HostName(s.Name))] = of
	}
	return all
}

// TestMakeScale makes the history of 1,000 sites × 100 runs, whose newest run has 10,000 URLs for each site, in the
// folder TEST_SCALE_MAKE. Only the two newest runs have folders. TEST_SCALE_SITES and TEST_SCALE_URLS make it smaller.
func TestMakeScale(t *testing.T) {
	dir := os.Getenv(scaleMaking)
	if dir == "" {
		t.Skip(scaleMaking + " is the folder to make")
	}
	sites, _ := strconv.Atoi(cmp.Or(os.Getenv("TEST_SCALE_SITES"), "1000"))
	urls, _ := strconv.Atoi(cmp.Or(os.Getenv("TEST_SCALE_URLS"), "10000"))
	began := time.Now()
	step := func(what string) {
		t.Logf("%s: %s", time.Since(began).Round(time.Second), what)
		fmt.Fprintln(os.Stderr, time.Since(began).Round(time.Second), what)
	}
	id := func(day int) string { return scaleDay.AddDate(0, 0, day).Format("20060102T150405Z") }
	folder := func(day int) string { return filepath.Join(dir, "runs", id(day)) }
	noError(t, os.MkdirAll(filepath.Join(dir, "runs"), 0o755))
	last := scaleRuns - 1
	var versions [3]map[int]history.Site // as each version has it, with few URLs
	for version, day := range []int{0, 50} {
		temp := filepath.Join(dir, fmt.Sprint("small", version)) // robots-audit compare makes a comparison of these
		scaleAudit(t, temp, day, sites, scaleSmall)
		versions[version] = scaleSites(t, temp)
	}
	scaleAudit(t, folder(last-1), last-1, sites, scaleSmall)
	step("three small runs")
	scaleAudit(t, folder(last), last, sites, urls)
	step("the large run")
	newest := scaleSites(t, folder(last))
	versions[2] = scaleSites(t, folder(last-1)) // has no errors
	step("read again")
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	for day := range scaleRuns {
		at := scaleDay.AddDate(0, 0, day)
		run := history.Run{ID: id(day), Schedule: "portfolio", Started: at, Finished: at.Add(20 * time.Minute), Program: "0.1.0"}
		if day >= last-1 {
			run.Folder = "runs/" + run.ID
		}
		tx, err := db.Begin(t.Context())
		noError(t, err)
		noError(t, tx.AddRun(run))
		for i := range sites {
			version := scaleVersion(i, day)
			of := versions[version][i]
			if day == last {
				of = newest[i]
			}
			entry := history.Entry{Site: of, Settled: true}
			if version > 0 && day == scaleTurn(i, version) {
				entry.Changes = []compare.Change{{Kind: compare.KindRules, What: "a rule", Before: "allowed", After: "blocked", Severity: []compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info}[i%4]}}
			}
			noError(t, tx.AddSite(t.Context(), entry))
		}
		noError(t, tx.Commit())
	}
	step("the history")
	tx, err := db.Begin(t.Context())
	noError(t, err)
	for n := range scaleOpen + scaleEnded {
		i := n % sites // the alerts of a site are of the run that changed it
		day := scaleTurn(i, 2)
		a := history.Alert{ID: fmt.Sprintf("a%05d", n), Site: newest[i].Name, Condition: fmt.Sprintf("AL%02d", 1+(n+n/sites)%12), Severity: []string{"critical", "high", "medium", "info"}[n%4],
			Base: id(day - 1), Raised: id(day), Since: scaleDay.AddDate(0, 0, day), URLs: int64(n * 17 % 9000), Text: newest[i].Name + ": more URLs are blocked by its robots.txt."}
		if n >= scaleOpen {
			a.EndedRun, a.Ended = id(last), scaleDay.AddDate(0, 0, last)
		}
		noError(t, tx.SaveAlert(a))
	}
	noError(t, tx.Commit())
	step("the alerts")
}
