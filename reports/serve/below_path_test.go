package serve

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
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

const (
	belowPath  = "/tools/audit"
	belowToken = "correct horse battery"
)

// proxied is a desk below belowPath of a proxy that has other things beside it. strip has the proxy
// take the path away.
type proxied struct {
	t    testing.TB
	base string // address of the proxy

	mu      sync.Mutex
	outside []string // what it was asked for beside the desk
}

func newProxied(t testing.TB, o Options, strip bool) *proxied {
	t.Helper()
	o.BasePath, o.Token = belowPath, belowToken
	_, a := newDesk(t, o)
	to, err := url.Parse(a.base)
	noError(t, err)
	p := &proxied{t: t}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		if strip {
			r.Out.URL.Path = strings.TrimPrefix(r.Out.URL.Path, belowPath)
			r.Out.URL.RawPath = strings.TrimPrefix(r.Out.URL.RawPath, belowPath)
		}
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
	p.base = server.URL
	return p
}

// allViews is a history and runs that together have every view: one goes on, and one is compared
// with the one before.
func allViews(t *testing.T) Options {
	t.Helper()
	dir, ids := newHistory(t, shopFirst, shopSecond)
	monday := filepath.Join(t.TempDir(), "mon day")
	auditRun(t, monday, map[string]testSite{"shop.example": shop(250)}, reports.Options{})
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
		Acknowledge: func(context.Context, string, string, string, bool) (string, error) { return "done", nil },
	}
}

// walk goes from the page of runs to all that can be reached from it.
type walk struct {
	*proxied
	client *http.Client
	seen   map[string]bool // addresses, without what is asked of them
	left   []string
}

// TestBasePath walks through a desk below a path of a proxy: no link, form, script, redirect, cookie
// or address in JSON leads out of it.
func TestBasePath(t *testing.T) {
	p := newProxied(t, allViews(t), false)
	w := &walk{p, browser(t), map[string]bool{}, nil}
	for _, path := range []string{"", "/", "/nothing", "/runs//x", "/runs/none"} { // before the token is known
		if answer, text := w.ask("GET", p.base+belowPath+path, ""); answer.StatusCode < 400 && !strings.Contains(text, "Token") && answer.Header.Get("Location") == "" {
			t.Errorf("%s without a token: %s: %.100s", path, answer.Status, text)
		}
	}
	if answer, _ := w.ask("POST", p.base+belowPath+"/enter", "token="+url.QueryEscape(belowToken)); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("the token: %s", answer.Status)
	}
	w.left = []string{p.base + belowPath, p.base + belowPath + "/", p.base + belowPath + "/runs//x", p.base + belowPath + "/nothing"}
	for len(w.left) > 0 {
		next := w.left[0]
		w.left = w.left[1:]
		answer, _ := w.ask("GET", next, "")
		unmade := strings.Contains(next, "/runs/tuesday/report/summary.") // of a run that goes on
		if answer.StatusCode >= 400 && !unmade && !strings.HasSuffix(next, "/nothing") && !strings.HasSuffix(next, "/runs/x") {
			t.Errorf("%s: %s", next, answer.Status)
		}
		w.ask("GET", next, "", "Accept", "application/json")
	}
	for _, want := range []string{"/alerts", "/alerts/alert0", "/enter", "/comparisons/", "/runs/mon%20day/search", "/runs/tuesday/progress", "/sites/shop.example/edit", "/sites/shop.example/url", "/sites/shop.example/versions", "/report/pages/shop.example.html", "/report/pages/", "/assets/edit.js", "/assets/bar.css"} {
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

// ask asks for an address, and looks through the answer.
func (w *walk) ask(method, address, body string, header ...string) (*http.Response, string) {
	w.t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	noError(w.t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Accept", "text/html")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := w.client.Do(r)
	noError(w.t, err)
	defer answer.Body.Close()
	if location := answer.Header.Get("Location"); location != "" {
		w.found(address, location, true)
	}
	for _, c := range answer.Cookies() {
		if c.Path != belowPath+"/" {
			w.t.Errorf("%s: cookie %s", address, c)
		}
	}
	var text []byte
	switch kind := answer.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/event-stream"):
	case strings.HasPrefix(kind, "text/html"):
		text, err = io.ReadAll(answer.Body)
		w.page(address, string(text))
	case strings.HasPrefix(kind, "application/json") && header != nil:
		var v any
		err = json.NewDecoder(answer.Body).Decode(&v)
		w.json(address, "", v)
	}
	if err != nil {
		w.t.Errorf("%s: %v", address, err)
	}
	return answer, string(text)
}

// page looks through a page.
func (w *walk) page(address, text string) {
	root, err := html.Parse(strings.NewReader(text))
	noError(w.t, err)
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "href", "src", "data-progress", "data-indexing":
				w.found(address, a.Val, true)
			case "action", "formaction":
				w.found(address, a.Val, !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "method" && a.Val == "post" }))
			}
		}
	}
}

// json looks through data for addresses of the desk, which begin with a slash; so do paths of sites,
// in fields of other names.
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
		if strings.HasPrefix(v, "/") && slices.Contains([]string{"link", "edit", "versions", "report", "url", "before", "next", "compared"}, key) {
			w.found(address, v, true)
		}
	}
}

// found notes an address that an answer names; whether it can be asked for.
func (w *walk) found(at, link string, follow bool) {
	w.t.Helper()
	from, err := url.Parse(at)
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
	to.Fragment = ""
	address := to.String()
	key := to.Scheme + "://" + to.Host + to.EscapedPath()
	if to.Query().Has("from") { // what follows is a kind of its own
		key += "?from"
	}
	if !w.seen[key] && follow {
		w.left = append(w.left, address)
	}
	w.seen[key] = true
}

// TestBasePathStripped holds that a desk behind a proxy that takes the path away says so.
func TestBasePathStripped(t *testing.T) {
	p := newProxied(t, allViews(t), true)
	w := &walk{p, browser(t), map[string]bool{}, nil}
	for _, path := range []string{"/", "/runs", "/alerts"} {
		answer, text := w.ask("GET", p.base+belowPath+path, "", "Authorization", "Bearer "+belowToken)
		if answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "a proxy must pass paths on whole, with "+belowPath) {
			t.Errorf("%s: %s: %.300s", path, answer.Status, text)
		}
	}
}

// TestCleanBasePath holds which paths a desk may be below.
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
