package serve

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
)

// attacked is a dashboard with everything that routes can show, as attackers see it.
type attacked struct {
	t      *testing.T
	d      *Desk
	held   *Desk               // the same with a token
	secret string              // folder around everything: no answer may name it
	parts  map[string]string   // a value of each wildcard that leads to something
	params map[string][]string // parameters of each path, by openapi.json
	saved  string              // treeOf secret
}

// newAttacked makes a dashboard below a folder that also has a file that nobody may read.
func newAttacked(t *testing.T) *attacked {
	t.Helper()
	dir, ids := hostileHistory(t)
	at := &attacked{t: t, secret: t.TempDir(), params: map[string][]string{}}
	history := filepath.Join(at.secret, "history")
	noError(t, os.Rename(dir, history))
	noError(t, os.WriteFile(filepath.Join(at.secret, "secret.txt"), []byte("SECRET"), 0o644))
	run := filepath.Join(history, "runs", ids[2])
	os.Symlink("../../../secret.txt", filepath.Join(run, "link.txt")) // some systems have no links
	o := Options{History: history, Acknowledge: func(context.Context, Answer) (string, error) {
		t.Error("an alert was answered")
		return "", nil
	}}
	at.d, _ = newDesk(t, o)
	at.d.indexes.patient = time.Minute
	names, err := at.d.save(shopHost, []proposed{{".txt", shopThird + evil().robots}, {".note.txt", strings.Join(hostileTexts, "\n")}})
	noError(t, err)
	name := strings.TrimSuffix(filepath.Base(names[0]), ".txt")
	os.Symlink("../../../secret.txt", filepath.Join(history, "proposals", shopHost, "20200101T000000.000Z.txt"))
	at.parts = map[string]string{"run": ids[2], "site": shopHost, "name": name, "id": "alert0", "file": "summary.json"}
	o.Token, o.Acknowledge = testToken, func(context.Context, Answer) (string, error) {
		return "", &Refusal{"no history in " + history + " yet"}
	}
	at.held, _ = newDesk(t, o)
	at.do(at.d, "GET", searchPath(ids[2], "/shop", ""), "") // makes the index, so that later requests write nothing
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	noError(t, json.Unmarshal([]byte(openAPI), &document))
	for path, methods := range document.Paths {
		for _, p := range methods["get"].Parameters {
			if p.In == "query" {
				at.params[path] = append(at.params[path], p.Name)
			}
		}
	}
	at.saved = treeOf(t, at.secret)
	return at
}

// needed are parameters without which a route has nothing to show.
var needed = map[string]string{"GET /runs/{run}/search.csv": "?q=/shop", "GET /runs/{run}/search.xlsx": "?q=/shop", "GET /runs/{run}/sites/{site}/start": "?key=live", "GET /runs/{run}/sites/{site}/versions": "", "GET /url": "?u=https://" + shopHost + "/"}

// hostileHistory is a history with hostile names of a schedule, of crawlers and of people.
func hostileHistory(t *testing.T) (dir string, ids []string) {
	t.Helper()
	dir, ids = newHistory(t, shopFirst, shopSecond)
	at, id, hostile := time.Date(2026, 11, 6, 6, 0, 0, 0, time.UTC), "20261106T060000Z", strings.Join(hostileTexts, "")
	folder := filepath.Join(dir, "runs", id)
	var crawlers []audit.Crawler
	for _, text := range []string{"=1+1", hostileTexts[1] + "\u202e", "@you\r\nX-Harm: 1"} {
		crawlers = append(crawlers, audit.Crawler{Label: text})
	}
	site := shop(40)
	site.robots = shopThird
	auditRun(t, folder, map[string]testSite{shopHost: site, "evil.example.com": evil()}, reports.Options{Started: at, Crawlers: crawlers})
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	enter(t, db, history.Run{ID: id, Folder: "runs/" + id, Schedule: hostile, Started: at, Finished: at.Add(time.Minute), Program: hostile}, folder)
	tx, err := db.Begin(t.Context())
	noError(t, err)
	noError(t, tx.SaveAlert(history.Alert{ID: hostile, Site: hostile, Condition: hostile, Severity: "high", Base: ids[0], Raised: id, Since: at, Subjects: hostileTexts, Text: hostile}))
	noError(t, tx.Commit())
	noError(t, db.Acknowledge(t.Context(), []string{"alert0"}, at.AddDate(1, 0, 0), at, hostile))
	noError(t, db.Decide(t.Context(), []string{"alert0", "alert1", hostile}, at, history.Decision{Assign: true, Owner: hostile, Note: hostile}))
	return dir, append(ids, id)
}

var wildcard = regexp.MustCompile(`\{(\w+)(\.\.\.)?\}`)

// path is the address of a route, with some values of wildcards. The others lead to something.
func (at *attacked) path(r route, values map[string]string) (method, path string) {
	method, path, _ = strings.Cut(strings.TrimSuffix(r.pattern, "{$}"), " ")
	return method, wildcard.ReplaceAllStringFunc(path, func(text string) string {
		name := wildcard.FindStringSubmatch(text)[1]
		value, given := values[name]
		switch {
		case given:
			return value
		case strings.HasPrefix(path, "/assets"):
			return styleName
		case strings.Contains(path, "/proposals/") && name == "file":
			return "robots.patch"
		}
		return at.parts[name]
	})
}

// do asks a dashboard, as a server would. Headers are as the view set them, also if a server would change them.
func (at *attacked) do(d *Desk, method, path, body string, header ...string) (*http.Response, string) {
	at.t.Helper()
	r, err := http.NewRequestWithContext(at.t.Context(), method, "http://127.0.0.1"+path, strings.NewReader(body))
	noError(at.t, err)
	r.RequestURI = path
	for i := 0; i < len(header); i += 2 {
		if r.Header.Add(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), w.Body.String()
}

// body is what a form or the editor would send to a route.
func (at *attacked) body(method, path string) (body, kind string) {
	if method == http.MethodGet {
		return "", ""
	}
	if strings.HasPrefix(path, "/alerts") {
		return "do=accept&id=alert0", "application/x-www-form-urlencoded"
	}
	return `{"robots":"User-agent: *\nDisallow: /\n","want":"allow","urls":["/a"]}`, "application/json"
}

// ofEditor are the data and the script of the editor's page, and a link.
var ofEditor = regexp.MustCompile(`<script type="application/json" id="setup">[^<]*</script>|<script src="/assets/edit\.js\?\w+"></script>|<a href="proposals">|<textarea name="urls"[^>]*>[^<]*</textarea>`)

// check checks an answer: whatever was asked, it has the headers that protect it, and tells nothing about this machine.
func (at *attacked) check(what string, answer *http.Response, text string) {
	at.t.Helper()
	h := answer.Header
	if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Frame-Options") != "DENY" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("Access-Control-Allow-Origin") != "" {
		at.t.Errorf("%s: %s with the headers %v", what, answer.Status, h)
	}
	if h.Get("Cache-Control") != "no-store" && !strings.Contains(what, "/assets/") {
		at.t.Errorf("%s: %s may be kept: %q", what, answer.Status, h.Get("Cache-Control"))
	}
	for name, values := range h {
		if strings.ContainsAny(name+strings.Join(values, ""), "\r\n") {
			at.t.Errorf("%s: the header %s is %q", what, name, values)
		}
	}
	if answer.StatusCode >= 500 || h.Get("X-Harm") != "" || strings.Contains(text, "SECRET") || strings.Contains(text, at.secret) || strings.Contains(text, at.d.made.dir) {
		at.t.Errorf("%s: %s: %v %.300s", what, answer.Status, h, text)
	}
	if to := h.Get("Location"); to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\")) {
		at.t.Errorf("%s leads to %s", what, to)
	}
	switch kind := h.Get("Content-Type"); {
	case strings.HasPrefix(kind, "text/html") && strings.Contains(text, "<html"):
		harmless(at.t, what, ofEditor.ReplaceAllString(text, ""))
	case strings.HasPrefix(kind, "application/json"), strings.HasPrefix(kind, "text/plain"), strings.HasPrefix(kind, "text/css"), strings.HasPrefix(kind, "text/javascript"), kind == "text/event-stream":
	case strings.HasPrefix(h.Get("Content-Disposition"), "attachment"), answer.StatusCode/100 == 3, text == "":
	default:
		at.t.Errorf("%s: the type of the answer is %q", what, kind)
	}
}

// generalAttacks are requests that every route refuses in the same way.
var generalAttacks = []struct {
	name   string
	held   bool   // of the dashboard with a token
	method string // "" = that of the route
	header []string
	want   []int
}{
	{"nothing wrong", false, "", nil, []int{200, 202, 303, 403, 404}},
	{"no token", true, "", nil, []int{401}},
	{"a cookie of its own", true, "", []string{"Cookie", tokenCookie + "=x; " + sessionCookie + "=" + strings.Repeat("A", 43)}, []int{401}},
	{"an unknown host", false, "", []string{"Host", "evil.example"}, []int{421}},
	{"a host before an @", false, "", []string{"Host", "localhost@evil.example"}, []int{421}},
	{"another site", false, "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}, []int{403}},
	{"a frame", false, "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, []int{403}},
	{"another port", false, "", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, []int{403}},
	{"another origin", false, http.MethodPost, []string{"Origin", "https://evil.example"}, []int{403}},
	{"an opaque origin", false, http.MethodPost, []string{"Origin", "null"}, []int{403}},
	{"a proxy", false, "", []string{"X-Forwarded-For", "192.0.2.1"}, []int{403}},
	{"a proxy's standard", false, "", []string{"Forwarded", "host=localhost"}, []int{403}},
	{"a form by plain text", false, http.MethodPost, []string{"Content-Type", "text/plain"}, []int{403, 404, 405, 415}},
	{"PUT", false, http.MethodPut, nil, []int{404, 405}},
	{"DELETE", false, http.MethodDelete, nil, []int{404, 405}},
	{"OPTIONS", false, http.MethodOptions, []string{"Origin", "http://127.0.0.1", "Access-Control-Request-Method", "POST"}, []int{404, 405}},
	{"TRACE", false, http.MethodTrace, nil, []int{404, 405}},
	{"HEAD", false, http.MethodHead, nil, []int{200, 202, 303, 404, 405}},
}

// TestEveryRoute attacks each route in the ways that need no knowledge of it. So a new route cannot be forgotten.
func TestEveryRoute(t *testing.T) {
	at := newAttacked(t)
	for _, r := range routes {
		method, path := at.path(r, nil)
		body, kind := at.body(method, path)
		for _, c := range generalAttacks {
			to, header := at.d, append([]string{"Accept", "application/json"}, c.header...)
			if c.held {
				to = at.held
			}
			if !slices.Contains(header, "Content-Type") {
				header = append(header, "Content-Type", kind)
			}
			answer, text := at.do(to, cmp.Or(c.method, method), path+needed[r.pattern], body, header...)
			at.check(c.name+": "+path, answer, text)
			if asset := strings.HasPrefix(path, "/assets/") && c.held; !asset && !slices.Contains(c.want, answer.StatusCode) {
				t.Errorf("%s: %s %s: %s: %.200s", c.name, c.method, path, answer.Status, text)
			}
		}
		for _, part := range wildcard.FindAllStringSubmatch(r.pattern, -1) {
			at.wrongPart(r, part[1])
		}
		if method == http.MethodGet {
			at.wrongParams(path, strings.TrimSuffix(wildcard.ReplaceAllString(r.pattern[4:], "{$1}"), "{$}"))
		} else {
			at.wrongBodies(path, kind)
		}
	}
	at.noFormulas()
	if _, text := at.do(at.held, "POST", "/alerts", "do=accept&id=alert0", "Accept", "application/json", "Authorization", "Bearer "+testToken, "Content-Type", "application/x-www-form-urlencoded"); !strings.Contains(text, "no history in history yet") {
		t.Errorf("a refusal: %s", text)
	}
	if is := treeOf(t, at.secret); is != at.saved {
		t.Errorf("something was saved:\n%s\nwas\n%s", is, at.saved)
	}
}

// noFormulas checks the tables that are handed over: the names of crawlers in this history are formulas.
func (at *attacked) noFormulas() {
	run := "/runs/" + at.parts["run"]
	_, found := at.do(at.d, "GET", run+"/search.csv?q=/shop", "")
	var expected expectView
	_, text := at.do(at.d, "POST", run+"/sites/"+shopHost+"/expect", `{"robots":"User-agent: *\nDisallow: /\n"}`, "Content-Type", "application/json")
	noError(at.t, json.Unmarshal([]byte(text), &expected))
	if expected.More == 0 {
		at.t.Errorf("no row is left out: %+v", expected)
	}
	for _, text := range []string{found, expected.Text} {
		table, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF"))).ReadAll()
		noError(at.t, err)
		for _, cell := range slices.Concat(table...) {
			if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") || strings.ContainsAny(cell, "\r\n\u202e") {
				at.t.Errorf("a cell is %q", cell)
			}
		}
	}
}

// wrongPart asks for what is outside of the folders, by one wildcard of a route.
func (at *attacked) wrongPart(r route, name string) {
	for i, value := range []string{
		"..", "%2e%2e", "..%2f..%2fsecret.txt", "..%2f..%2f..%2f..%2fsecret.txt", "..%5c..%5csecret.txt", "%2fetc%2fpasswd", "%5cevil.example", "%2f%2fevil.example", "link.txt", "20200101T000000.000Z", "%00", "a%00.txt", "%ff", "%0d%0aX-Harm:%201", "con", "nul.txt", "C:%5csecret.txt",
		".robots-audit", "~1", "%3Cscript%3Ewindow.harmed=1%3C%2Fscript%3E", "%22%3E%3Cimg%20src%3Dx%3E", "%E2%80%AE", strings.Repeat("a", 5000), strings.Repeat("..%2f", 500) + "secret.txt",
	} {
		method, path := at.path(r, map[string]string{name: value})
		body, kind := at.body(method, path)
		accept := []string{"text/html", "application/json"}[i%2]
		if strings.HasPrefix(value, "%") {
			accept = "text/html"
		}
		answer, text := at.do(at.d, method, path, body, "Accept", accept, "Content-Type", kind)
		at.check(method+" "+path, answer, text)
		if answer.StatusCode/100 == 2 && !strings.HasSuffix(path, "/lint") { // which needs no run
			at.t.Errorf("%s %s: %s: %.200s", method, path, answer.Status, text)
		}
	}
}

// hostileValues are values that a parameter may be given by a link of a stranger.
var hostileValues = []string{strings.Join(hostileTexts, ""), "javascript:window.harmed=1", "//evil.example/", `/\evil.example`, "https://evil.example/", "a\r\nX-Harm: 1", "\x00", "\xff", "../../secret.txt", "proposal:../../../secret", "proposal:20200101T000000.000Z", "version:' OR 1=1 --",
	"9e18", "9223372036854775807", "-1", "99999999999999999999999", "run", "%", "=1+1", strings.Repeat("a", 1999), strings.Repeat("9", 9000)}

// wrongParams gives each parameter of a route hostile values.
func (at *attacked) wrongParams(path, documented string) {
	for _, name := range append(slices.Clone(at.params[documented]), "said", "page") {
		for i, value := range hostileValues {
			accept := []string{"text/html", "application/json"}[i%2]
			if strings.ContainsAny(value, "<\"'\u202e") {
				accept = "text/html"
			}
			answer, text := at.do(at.d, "GET", path+"?"+url.Values{name: {value}}.Encode(), "", "Accept", accept)
			at.check("GET "+path+"?"+name+"="+value[:min(len(value), 50)], answer, text)
		}
	}
	answer, text := at.do(at.d, "GET", path+"?"+strings.Repeat("q&", 10_000), "")
	at.check("GET "+path+" with many parameters", answer, text)
}

// wrongBodies sends what no form and no editor would send.
func (at *attacked) wrongBodies(path, kind string) {
	for name, body := range map[string]string{
		"nothing": "", "a list": "[]", "deep": strings.Repeat(`{"robots":`, 20_000), "deep lists": `{"urls":` + strings.Repeat("[", 50_000), "an unknown name": `{"robots":"","admin":true}`, "not UTF-8": "{\"robots\":\"\xff\",\"want\":\"\xff\"}",
		"many parameters": strings.Repeat("id=a&", 100_000), "too much": `{"robots":"` + strings.Repeat("a", maxBody) + `"}`, "a forged form": "do=accept&id=alert0&form_token=x", "a forged token": `{"robots":"x","form_token":"x"}`,
	} {
		answer, text := at.do(at.d, "POST", path, body, "Content-Type", kind, "Accept", "application/json", "Cookie", sessionCookie+"="+strings.Repeat("A", 43))
		at.check("POST "+path+" with "+name, answer, text)
		if answer.StatusCode/100 == 2 && name != "not UTF-8" && (name != "a forged token" || strings.HasSuffix(path, "/save")) {
			at.t.Errorf("POST %s with %s: %s: %.200s", path, name, answer.Status, text)
		}
	}
}
