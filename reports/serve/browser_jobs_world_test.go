//go:build browser

package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/table"
	"robots-audit/audit/watch/history"
	"robots-audit/crawl"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// The world of the jobs: sites of one platform, whose robots.txt a relaunch replaced. One site is not of the platform.
const (
	jobsOctober  = "User-agent: *\nDisallow: /search\n"
	jobsNovember = "User-agent: *\nDisallow: /search\nDisallow: /shop/archive/\n"
	jobsRelaunch = "# relaunch\nUser-agent: *\nDisallow: /search\nDisallow: /shop/archive/\nDisallow: /shop/private/\nDisallow: /blog/\n"
	jobsSites    = 12
	jobsURLs     = 400 // of a site
	jobsAlone    = "alone.example.com"
)

func jobsHost(i int) string { return fmt.Sprintf("shop%02d.example.com", i) }

// jobsHits are access logs in which Googlebot requests each private page.
type jobsHits struct{ testLogs }

func (jobsHits) Hits(url string, counts []int64) bool {
	counts[0] = 3
	return strings.Contains(url, "/shop/private/")
}

// jobsRun audits all sites with a robots.txt into a folder, with clicks and logs.
func jobsRun(t testing.TB, folder string, at time.Time, robots string) {
	t.Helper()
	known, logs := &strings.Builder{}, testLogs{}
	known.WriteString("page,clicks\n")
	var list []string
	hosts := []string{jobsAlone}
	for i := range jobsSites {
		hosts = append(hosts, jobsHost(i))
	}
	paths := shop(jobsURLs).paths
	for _, host := range hosts {
		list, logs[host] = append(list, "http://"+host), newLogs("")
		for i, path := range paths {
			if i%4 > 0 {
				fmt.Fprintf(known, "http://%s%s,%d\n", host, path, []int{0, 2, 20, 1}[i%4])
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			w.Header().Set("Content-Type", "text/plain")
			if r.Host == jobsAlone {
				fmt.Fprint(w, jobsOctober)
				return
			}
			fmt.Fprint(w, robots)
		case "/sitemap.xml":
			fmt.Fprint(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://`+r.Host+strings.Join(paths, `</loc></url><url><loc>http://`+r.Host)+`</loc></url></urlset>`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,GPTBot")
	noError(t, err)
	file, err := table.Read(strings.NewReader(known.String()), table.Options{Want: audit.KnownColumns})
	noError(t, err)
	clicks, err := audit.ReadKnown(file.Table(), "")
	noError(t, err)
	run, err := reports.Open(reports.Options{Dir: folder, Version: "0.1.0", Crawlers: crawlers, Started: at, Segments: []reports.Segment{{Name: "shop", Pattern: "/shop/"}, {Name: "blog", Pattern: "/blog/"}}})
	noError(t, err)
	auditor := &audit.Auditor{Client: &crawl.Client{Retries: -1, ConnectTo: []string{":80:" + strings.TrimPrefix(server.URL, "http://")}}, Crawlers: crawlers, Known: clicks, Hits: jobsHits{logs}}
	for rec := range auditor.All(context.Background(), audit.Domains(strings.NewReader(strings.Join(list, "\n")))) {
		if of := logs[audit.HostName(rec.Domain)]; rec.Done != nil {
			of.Site = rec.Domain
			noError(t, run.Write(audit.Record{Domain: rec.Domain, Logs: of}))
		}
		noError(t, run.Write(rec))
	}
	noError(t, run.Close())
}

// jobsHistory makes a history with three runs, the newest of which is after the relaunch, and its alerts.
func jobsHistory(t testing.TB) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	var sites []string
	var runs []*reports.StoredRun
	days := []time.Time{time.Date(2026, 10, 5, 6, 0, 0, 0, time.UTC), time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC), time.Date(2026, 11, 28, 6, 0, 0, 0, time.UTC)}
	for i, robots := range []string{jobsOctober, jobsNovember, jobsRelaunch} {
		id := days[i].Format("20060102T150405Z")
		folder := filepath.Join(dir, "runs", id)
		jobsRun(t, folder, days[i], robots)
		enter(t, db, history.Run{ID: id, Folder: "runs/" + id, Schedule: "shops", Started: days[i], Finished: days[i].Add(time.Minute), Program: "0.1.0"}, folder)
		stored, err := reports.OpenStored(folder, "0.1.0")
		noError(t, err)
		runs, ids = append(runs, stored), append(ids, id)
	}
	side := func(r *reports.StoredRun) changes.Run {
		return changes.Run{Path: r.Path, ID: r.ID, Version: r.Version, Started: r.Started, Finished: r.Finished, Crawlers: []string{"Googlebot", "Bingbot", "GPTBot"}}
	}
	compared, err := changes.Open(changes.Options{Dir: filepath.Join(dir, "comparisons", ids[2]), Old: side(runs[1]), New: side(runs[2]), Version: "0.1.0"})
	noError(t, err)
	tx, err := db.Begin(t.Context())
	noError(t, err)
	for i := range runs[2].Sites {
		name := runs[2].Sites[i].Name
		sites = append(sites, name)
		_, err := compared.AddSite(compare.Sides(runs[1].Sites[i].Records(), runs[2].Sites[i].Records(), compare.Options{}))
		noError(t, err)
		if audit.HostName(name) == jobsAlone {
			continue
		}
		for n, condition := range []string{"AL04", "AL06"} {
			noError(t, tx.SaveAlert(history.Alert{ID: fmt.Sprintf("%s-%02d", strings.ToLower(condition), len(sites)), Site: name, Condition: condition, Severity: []string{"critical", "high"}[n], Base: ids[1], Raised: ids[2], Since: days[2], URLs: 200, Text: name + ": more URLs are blocked."}))
		}
	}
	noError(t, tx.Commit())
	noError(t, compared.Close())
	return dir, ids
}
