package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"robots-audit/reports"
)

const belowPath = "/tools/audit"

// proxied is a dashboard below belowPath of a proxy that also serves other things.
type proxied struct {
	*asker // client of the proxy, with a cookie jar

	mu      sync.Mutex
	outside []string // requests outside of the dashboard
}

func newProxied(t testing.TB, o Options) *proxied {
	t.Helper()
	o.BasePath, o.Token = belowPath, testToken
	_, a := newDesk(t, o)
	to, err := url.Parse(a.base)
	noError(t, err)
	p := &proxied{}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.SetXForwarded()
		r.Out.Host = r.In.Host
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == belowPath || strings.HasPrefix(r.URL.Path, belowPath+"/") {
			forward.ServeHTTP(w, r)
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.outside = append(p.outside, r.Method+" "+r.URL.String())
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	noError(t, err)
	p.asker = &asker{t: t, base: server.URL, jar: jar}
	return p
}

// allViews is a history and runs that together have every view: one is still running, and one is
// compared with the one before.
func allViews(t *testing.T) Options {
	t.Helper()
	dir, ids := newHistory(t, shopFirst, shopSecond)
	monday := filepath.Join(t.TempDir(), "mon day")
	auditLogged(t, monday, map[string]testSite{"shop.example": asked("shop.example", shop(250), ""), "small.example": shop(4)}, reports.Options{}, testLogs{"shop.example": newLogs(""), "small.example": newLogs("")})
	going := filepath.Join(t.TempDir(), "tuesday")
	cutShort(t, monday, going)
	word := `{"at":"` + time.Now().UTC().Format(time.RFC3339) + `","sites":1,"urls":40}`
	compared := filepath.Join(dir, "comparisons", ids[1])
	noError(t, os.MkdirAll(compared, 0o755))
	for name, text := range map[string]string{
		filepath.Join(going, ".robots-audit", "progress.json"): word,
		filepath.Join(compared, "changes.json"):                `{"lead":"l","old":{},"new":{},"totals":{},"sites":[{"domain":"shop.example.com","changed":true,"lead":"x"}]}`,
		filepath.Join(compared, "changes.md"):                  "changes",
	} {
		noError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return Options{
		History: dir, Runs: []string{monday, going}, Proposals: t.TempDir(),
		Acknowledge: func(context.Context, Answer) (string, error) { return "done", nil },
	}
}

// walk goes from the page of runs to everything that can be reached from it.
type walk struct {
	*proxied
	seen map[string]bool // addresses, without their query
	left []string        // paths
}

// TestBasePath walks through a dashboard below a path of a proxy: no link, form, script, redirect, cookie
// or address in JSON leads out of it.
func TestBasePath(t *testing.T) {
	p := newProxied(t, allViews(t))
	w := &walk{p, map[string]bool{}, nil}
	for _, path := range []string{"", "/", "/nothing", "/runs//x", "/runs/none"} { // before the token is sent
		if answer, text := w.ask("GET", belowPath+path, ""); answer.StatusCode < 400 && !strings.Contains(text, "Token") && answer.Header.Get("Location") == "" {
			t.Errorf("%s without a token: %s: %.100s", path, answer.Status, text)
		}
	}
	if answer, _ := w.ask("POST", belowPath+"/enter", "token="+url.QueryEscape(testToken), "Content-Type", "application/x-www-form-urlencoded"); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("the token: %s", answer.Status)
	}
	w.left = []string{belowPath, belowPath + "/", belowPath + "/runs//x", belowPath + "/nothing"}
	for len(w.left) > 0 {
		next := w.left[0]
		w.left = w.left[1:]
		answer, _ := w.ask("GET", next, "")
		unmade := strings.Contains(next, "/runs/tuesday/report/summary.") // of a run that is still running
		if answer.StatusCode >= 400 && !unmade && !strings.HasSuffix(next, "/nothing") && !strings.HasSuffix(next, "/runs/x") {
			t.Errorf("%s: %s", next, answer.Status)
		}
		w.ask("GET", next, "", "Accept", "application/json")
	}
	for _, want := range []string{"/alerts", "/alerts/alert0", "/enter", "/comparisons/", "/runs/mon%20day/search", "/runs/tuesday/progress", "/sites/shop.example/edit", "/sites/shop.example/url", "/sites/shop.example/versions", "/runs/mon%20day/crawlers", "/runs/mon%20day/logs/logs.json", "/sites/small.example/logs/logs.xlsx", "/report/pages/shop.example.html", "/report/pages/", "/assets/edit.js", "/assets/bar.css"} {
		found := false
		for address := range w.seen {
			found = found || strings.Contains(address, want)
		}
		if !found {
			t.Errorf("the walk does not come to %s", want)
		}
	}
	if len(p.outside) > 0 {
		t.Errorf("outside of the desk: %q", p.outside)
	}
	t.Logf("%d addresses", len(w.seen))
}

// ask requests a path, as a page if no header says otherwise, and checks the answer.
func (w *walk) ask(method, path, body string, header ...string) (*http.Response, string) {
	w.t.Helper()
	answer, text := w.do(method, path, body, append(header, "Accept", "text/html")...)
	if location := answer.Header.Get("Location"); location != "" {
		w.found(path, location, true)
	}
	for _, c := range answer.Cookies() {
		if c.Path != belowPath+"/" {
			w.t.Errorf("%s: cookie %s", path, c)
		}
	}
	switch kind := answer.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/html"):
		w.page(path, text)
	case strings.HasPrefix(kind, "application/json") && header != nil:
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			w.t.Errorf("%s: %v", path, err)
		}
		w.json(path, "", v)
	}
	return answer, text
}

// page checks a page.
func (w *walk) page(address, text string) {
	root, err := html.Parse(strings.NewReader(text))
	noError(w.t, err)
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "href", "src", "data-progress", "data-indexing":
				w.found(address, a.Val, true)
			case "formaction":
				w.found(address, a.Val, false) // these forms are posted
			case "action":
				w.found(address, a.Val, !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "method" && a.Val == "post" }))
			}
		}
	}
}

// json checks data for addresses of the dashboard, which begin with a slash. Paths of sites also do, in
// fields of other names.
func (w *walk) json(address, key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			w.json(address, name, value)
		}
	case []any:
		for _, value := range v {
			w.json(address, key, value)
		}
	case string:
		if strings.HasPrefix(v, "/") && slices.Contains([]string{"link", "edit", "versions", "report", "url", "before", "next", "compared"}, key) && v != belowPath { // openapi.json names the path itself
			w.found(address, v, true)
		}
	}
}

// found notes an address in an answer; follow = request it.
func (w *walk) found(at, link string, follow bool) {
	w.t.Helper()
	from, err := url.Parse(w.base + at)
	noError(w.t, err)
	to, err := from.Parse(link)
	if err != nil {
		w.t.Errorf("%s: %v", at, err)
		return
	}
	if to.Scheme == "data" || to.Host != from.Host && !strings.HasPrefix(link, "/") {
		return // another site's
	}
	if to.Host != from.Host || !strings.HasPrefix(to.Path, belowPath+"/") {
		w.t.Errorf("%s: %s leads out of the desk", at, link)
		return
	}
	key := to.EscapedPath()
	if to.Query().Has("from") { // the following pages are a separate kind
		key += "?from"
	}
	if !w.seen[key] && follow {
		w.left = append(w.left, to.RequestURI())
	}
	w.seen[key] = true
}

// TestBasePathStripped checks that a dashboard behind a proxy that removes the path says so.
func TestBasePathStripped(t *testing.T) {
	_, a, _ := guarded(t, Options{BasePath: belowPath, Token: testToken})
	for _, path := range []string{"/", "/runs", "/alerts"} {
		answer, text := a.do("GET", path, "", "Authorization", "Bearer "+testToken)
		if answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "The proxy must pass on the whole path, with "+belowPath) {
			t.Errorf("%s: %s: %.300s", path, answer.Status, text)
		}
	}
}

// TestCleanBasePath checks which base paths are accepted.
func TestCleanBasePath(t *testing.T) {
	for given, want := range map[string]string{"": "", "/": "", "/x": "/x", "/x/": "/x", "/tools/robots-audit_2.0~": "/tools/robots-audit_2.0~"} {
		if got, err := CleanBasePath(given); got != want || err != nil {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	for _, given := range []string{"x", "//", "//x", "/x//y", "/..", "/x/../y", "/x/.", "/{x}", "/a b", "/%2f", "/ä", "/x?y", "/x#", "https://x.example/", `/x\y`, "/x\n", "/x/\n"} {
		if got, err := CleanBasePath(given); err == nil {
			t.Errorf("%q: %q", given, got)
		}
	}
}
