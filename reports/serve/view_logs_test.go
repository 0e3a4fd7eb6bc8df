package serve

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/reports"
)

// testLogs are the access logs of sites, by host. Googlebot requests each product three times.
type testLogs map[string]*audit.Logs

func (l testLogs) Period(d audit.Domain) (audit.LogPeriod, bool) {
	of := l[audit.HostName(d.Name)]
	if of == nil {
		return audit.LogPeriod{}, false
	}
	return audit.LogPeriod{From: of.From, To: of.To}, true
}

func (l testLogs) Hits(url string, counts []int64) bool {
	if !strings.Contains(url, "/shop/a") {
		return false
	}
	counts[0] = 3
	return true
}

// newLogs are access logs with a crawler that disobeys, and one whose name is a text.
func newLogs(text string) *audit.Logs {
	at := func(day int) time.Time { return time.Date(2026, 11, day, 6, 12, 0, 0, time.UTC) }
	l := &audit.Logs{From: at(1), To: at(20), Judged: audit.LogHistory, Listed: 40, Found: 40, Ranges: "2026-05-05", Versions: []audit.LogVersion{{Name: "1 Nov 2026, 06:12", Status: 200, First: at(1), Last: at(20)}}}
	for i, name := range []string{"Googlebot", "GPTBot", "Bot" + text} {
		n := int64(1000 - i)
		c := audit.LogCrawler{Name: name, Purpose: []string{"search", "AI training", ""}[i], Genuine: audit.LogTally{Requests: n, Obeyed: n - int64(i), Disobeyed: int64(i)}, URLs: n / 2, Robots: audit.LogRobots{MedianDays: -1}, Directories: []audit.LogPart{{Name: "/shop/" + text, Requests: n, URLs: 9, OK: n}}}
		for day := 1; day <= 20; day++ {
			c.Days = append(c.Days, audit.LogDay{Day: at(day).Format(time.DateOnly), Requests: 50})
		}
		l.Crawlers = append(l.Crawlers, c)
	}
	return l
}

// logsWorld has a run without logs, one with logs of one of its two sites, and one with logs of two of its three sites.
func logsWorld(t testing.TB) Options {
	t.Helper()
	o := Options{}
	for name, logs := range map[string]testLogs{"none": nil, "one": {shopHost: newLogs("")}, "several": {shopHost: newLogs(""), "evil.example.com": newLogs(hostileTexts[1])}} {
		sites := map[string]testSite{shopHost: shop(40), "evil.example.com": evil()}
		if name == "several" {
			sites["quiet.example.com"] = shop(4)
			sites[shopHost], sites["evil.example.com"] = asked(shopHost, shop(40), ""), asked("evil.example.com", evil(), hostileTexts[1])
		}
		dir := filepath.Join(t.TempDir(), name)
		auditLogged(t, dir, sites, reports.Options{}, logs)
		o.Runs = append(o.Runs, dir)
	}
	return o
}

// TestLogs shows the logs of runs with one logged site, with several, and with none.
func TestLogs(t *testing.T) {
	_, a := newDesk(t, logsWorld(t))
	for path, want := range map[string]string{
		"/runs/none/logs":                                      "404 this run has no access logs",
		"/runs/none/logs/index.html":                           "404 this run has no access logs",
		"/runs/none/sites/" + shopHost + "/logs":               "404 this run has no access logs of this site",
		"/runs/none/sites/x/logs":                              "404 has no site",
		"/runs/none/report/index.html":                         "200 !/logs",
		"/runs/one/logs":                                       "303 /runs/one/sites/" + shopHost + "/logs/index.html",
		"/runs/one/sites/" + shopHost + "/logs":                "303 /runs/one/sites/" + shopHost + "/logs/index.html",
		"/runs/one/sites/evil.example.com/logs":                "404 this run has no access logs of this site",
		"/runs/one/sites/evil.example.com/logs/logs.xlsx":      "404 this run has no access logs of this site",
		"/runs/one/report/index.html":                          `200 <a href="/runs/one/logs">Logs</a>`,
		"/runs/one/sites/" + shopHost + "/versions":            "200 !Site logs",
		"/runs/several/logs":                                   "303 /runs/several/logs/index.html",
		"/runs/several/logs/index.html":                        `200 <a href="../sites/` + shopHost + `/logs/index.html">`,
		"/runs/several/logs/logs.xlsx":                         "404 there is no such file",
		"/runs/several/logs/..%2f..%2findex.html":              "404",
		"/runs/several/sites/" + shopHost + "/versions":        `200 <a href="/runs/several/sites/` + shopHost + `/logs">Site logs</a>`,
		"/runs/several/sites/quiet.example.com/versions":       "200 !Site logs",
		"/runs/several/sites/" + shopHost + "/logs/index.html": `200 <a href="/runs/several/sites/` + shopHost + `/logs" aria-current="page">Site logs</a>`,
		"/runs/several/sites/" + shopHost + "/logs/logs.xlsx":  "200 PK",
	} {
		answer, text := a.do("GET", path, "")
		got := fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Location"), text)
		status, words, _ := strings.Cut(want, " ")
		words, not := strings.CutPrefix(words, "!")
		if !strings.HasPrefix(got, status) || strings.Contains(strings.ToLower(got), strings.ToLower(words)) == not {
			t.Errorf("%s: %.300s, want %s", path, got, want)
		}
	}
	_, page := a.do("GET", "/runs/several/logs/index.html", "")
	if !strings.Contains(page, "5,994 requests of crawlers for 2 sites") || strings.Contains(page, "What was read") || strings.Contains(page, "Log files") || strings.Contains(page, "logs.xlsx") {
		t.Errorf("the page of all sites: %s", page)
	}
	answer, page := a.do("GET", "/runs/several/sites/evil.example.com/logs/index.html", "")
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src") || strings.Contains(policy, "unsafe") || strings.Contains(page, "<script") || strings.Contains(page, "<img") {
		t.Errorf("policy %q, page %s", policy, page)
	}
	for path, want := range map[string]int{"/runs/several/logs": 2, "/runs/several/sites/" + shopHost + "/logs": 1, "/runs/one/logs": 1, "/runs/one/sites/" + shopHost + "/logs": 1} {
		var of struct {
			Head  map[string]any
			Sites []audit.Logs
		}
		if a.json(path, &of); len(of.Sites) != want || len(of.Sites[0].Crawlers) != 3 || of.Head["lines"] != nil {
			t.Errorf("%s: %+v", path, of)
		}
	}
}

// TestLogsDamaged names a site whose records cannot be read, and shows the others.
func TestLogsDamaged(t *testing.T) {
	o := logsWorld(t)
	for _, dir := range o.Runs {
		noError(t, filepath.WalkDir(filepath.Join(dir, "records"), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.Contains(path, "evil") {
				return err
			}
			text, err := os.ReadFile(path)
			noError(t, err)
			text[len(text)/2] ^= 1
			return os.WriteFile(path, text, 0o644)
		}))
	}
	_, a := newDesk(t, o)
	if answer, page := a.do("GET", "/runs/several/logs/index.html", ""); answer.StatusCode != 200 || !strings.Contains(page, "2,997 requests of crawlers for 1 site") || !strings.Contains(page, "The records of 1 site could not be read") {
		t.Errorf("%s: %s", answer.Status, page)
	}
	if answer, text := a.do("GET", "/runs/several/sites/evil.example.com/logs/index.html", ""); answer.StatusCode != http.StatusInternalServerError || !strings.Contains(text, "could not be made") {
		t.Errorf("%s: %s", answer.Status, text)
	}
}

// TestURLRequests shows the requests of crawlers for a URL only where the run has access logs of its site.
func TestURLRequests(t *testing.T) {
	_, a := newDesk(t, logsWorld(t))
	for _, c := range []struct{ run, site, path, text, json string }{
		{"none", shopHost, "/shop/a0", "!access logs", `{}`},
		{"one", shopHost, "/shop/a0", "Requests in the access logs (1 Nov 2026 to 20 Nov 2026)</dt><dd><bdi>Googlebot</bdi> 3<", `{"requests":[{"crawler":"Googlebot","requests":3}],"logs":true}`},
		{"one", shopHost, "/blog/post-2", "(1 Nov 2026 to 20 Nov 2026)</dt><dd>none by these crawlers<", `{"logs":true}`},
		{"several", "quiet.example.com", "/shop/a0", "!access logs", `{}`},
	} {
		path := "/runs/" + c.run + "/sites/" + c.site + "/url?u=" + c.path
		for range 100 { // until there is an index
			if answer, _ := a.do("GET", searchPath(c.run, "http", ""), "", "Accept", "application/json"); answer.StatusCode != http.StatusAccepted {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		_, page := a.do("GET", path, "")
		if words, not := strings.CutPrefix(c.text, "!"); strings.Contains(page, words) == not {
			t.Errorf("%s: %s", path, page)
		}
		var of struct{ Known []map[string]any }
		if a.json(path, &of); len(of.Known) != 1 {
			t.Fatalf("%s: %v", path, of)
		}
		got := map[string]any{}
		if of.Known[0]["logs"] != nil {
			got["logs"] = true
		}
		if requests := of.Known[0]["requests"]; requests != nil {
			got["requests"] = requests
		}
		text, err := json.Marshal(got)
		noError(t, err)
		var want, is any
		noError(t, json.Unmarshal([]byte(c.json), &want))
		noError(t, json.Unmarshal(text, &is))
		if fmt.Sprint(want) != fmt.Sprint(is) {
			t.Errorf("%s: %s, want %s", path, text, c.json)
		}
	}
}
