package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// testSite is a site for tests to audit: its robots.txt and the paths in its sitemap.
type testSite struct {
	robots string
	paths  []string
	asked  *audit.Asked // answers in the names of crawlers; nil = it was not asked
}

const testRobots = "User-agent: *\nDisallow: /shop/private/\nDisallow: /search\n\nUser-agent: Bingbot\nDisallow: /blog/\n\nSitemap: http://%s/sitemap.xml\n"

// shop is a site with n pages.
func shop(n int) testSite {
	s := testSite{robots: testRobots}
	for i := range n {
		s.paths = append(s.paths, []string{"/shop/a%d", "/shop/private/b%d", "/blog/post-%d", "/search?q=%d"}[i%4])
		s.paths[i] = fmt.Sprintf(s.paths[i], i)
	}
	return s
}

// auditRun audits sites over loopback into the folder of a run.
func auditRun(t testing.TB, dir string, sites map[string]testSite, o reports.Options) {
	t.Helper()
	auditLogged(t, dir, sites, o, nil)
}

// auditLogged is auditRun with access logs of some sites, by host.
func auditLogged(t testing.TB, dir string, sites map[string]testSite, o reports.Options, logs testLogs) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, ok := sites[r.Host]
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.URL.Path == "/robots.txt":
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, strings.ReplaceAll(site.robots, "%s", r.Host))
		case r.URL.Path == "/sitemap.xml":
			io.WriteString(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for _, path := range site.paths {
				fmt.Fprintf(w, "<url><loc>http://%s%s</loc></url>", r.Host, strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(path))
			}
			io.WriteString(w, "</urlset>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,GPTBot")
	noError(t, err)
	for i, c := range o.Crawlers {
		crawlers[i].Label = c.Label
	}
	o.Dir, o.Version, o.Crawlers = dir, "0.1.0", crawlers
	if o.Started.IsZero() {
		o.Started = time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC)
	}
	run, err := reports.Open(o)
	noError(t, err)
	var list []string
	for _, host := range slices.Sorted(maps.Keys(sites)) {
		list = append(list, "http://"+host)
	}
	auditor := &audit.Auditor{Client: &crawl.Client{Retries: -1, ConnectTo: []string{":80:" + strings.TrimPrefix(server.URL, "http://")}}, Crawlers: crawlers}
	if logs != nil {
		auditor.Hits = logs
	}
	for rec := range auditor.All(context.Background(), audit.Domains(strings.NewReader(strings.Join(list, "\n")))) {
		if of := logs[audit.HostName(rec.Domain)]; of != nil && rec.Done != nil {
			of.Site = rec.Domain
			noError(t, run.Write(audit.Record{Domain: rec.Domain, Logs: of}))
		}
		if of := sites[audit.HostName(rec.Domain)].asked; of != nil && rec.Site != nil {
			for _, c := range of.Crawlers {
				rec.Site.Asked = append(rec.Site.Asked, c.Name)
			}
		} else if of != nil && rec.Done != nil {
			noError(t, run.Write(audit.Record{Domain: rec.Domain, Asked: of}))
		}
		noError(t, run.Write(rec))
	}
	noError(t, run.Close())
}

// newDesk is a dashboard with a client.
func newDesk(t testing.TB, o Options) (*Desk, *asker) {
	t.Helper()
	o.Version = "0.1.0"
	d, err := New(o)
	noError(t, err)
	d.compared.patient = time.Minute // a busy machine changes no test
	server := httptest.NewServer(d)
	t.Cleanup(func() {
		server.Close()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, &asker{t: t, base: server.URL}
}

// asker is a client of a dashboard.
type asker struct {
	t    testing.TB
	base string
	jar  http.CookieJar // nil = cookies are not sent back
}

// do sends a request unchanged, and returns the answer with its body. It does not wait for a stream of
// events.
func (a *asker) do(method, path, body string, header ...string) (*http.Response, string) {
	a.t.Helper()
	r, err := http.NewRequest(method, a.base+path, strings.NewReader(body))
	noError(a.t, err)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Add(header[i], header[i+1])
	}
	client := &http.Client{Jar: a.jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Timeout: 30 * time.Second}
	answer, err := client.Do(r)
	noError(a.t, err)
	defer answer.Body.Close()
	if answer.Header.Get("Content-Type") == "text/event-stream" {
		return answer, ""
	}
	text, err := io.ReadAll(answer.Body)
	noError(a.t, err)
	return answer, string(text)
}

// raw sends a request that no normal client would send, and returns the whole answer.
func (a *asker) raw(request string) string {
	a.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.base, "http://"))
	noError(a.t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	io.WriteString(conn, request)
	text, err := io.ReadAll(conn)
	noError(a.t, err)
	return string(text)
}

// json requests data, with status 200.
func (a *asker) json(path string, into any) {
	a.t.Helper()
	answer, text := a.do("GET", path, "", "Accept", "application/json")
	if answer.StatusCode != http.StatusOK {
		a.t.Fatalf("%s: %s %s", path, answer.Status, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		a.t.Fatalf("%s: %v: %s", path, err, text)
	}
}

// post sends data, and decodes the answer; it returns the status.
func (a *asker) post(path string, data, into any) int {
	a.t.Helper()
	text, err := json.Marshal(data)
	noError(a.t, err)
	answer, body := a.do("POST", path, string(text), "Content-Type", "application/json")
	if err := json.Unmarshal([]byte(body), into); err != nil {
		a.t.Fatalf("%s: %v: %s", path, err, body)
	}
	return answer.StatusCode
}

// folderState is every file of a folder with its content.
func folderState(t testing.TB, dir string) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var text []byte
			text, err = os.ReadFile(path)
			state[strings.TrimPrefix(path, dir)] = string(bytes.TrimSpace(text))
		}
		return err
	})
	noError(t, err)
	return state
}

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
