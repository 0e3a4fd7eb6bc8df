package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/reports"
)

// testToken is the token of dashboards that need one.
const testToken = "correct horse battery"

// guarded is a dashboard over one run, with private files next to it.
func guarded(t *testing.T, o Options) (*Desk, *asker, string) {
	t.Helper()
	dir := t.TempDir()
	run := filepath.Join(dir, "monday")
	auditRun(t, run, map[string]testSite{"shop.example": asked("shop.example", shop(8), "")}, reports.Options{})
	for _, name := range []string{filepath.Join(dir, "secret.txt"), filepath.Join(run, ".robots-audit", "hidden.txt"), filepath.Join(run, ".hidden.html")} {
		noError(t, os.WriteFile(name, []byte("SECRET"), 0o644))
	}
	for name, to := range map[string]string{"link.txt": filepath.Join(dir, "secret.txt"), "up": "..", "relative.txt": "../secret.txt"} {
		if err := os.Symlink(to, filepath.Join(run, name)); err != nil {
			t.Log(err) // a system without them
		}
	}
	o.Runs = []string{run}
	d, a := newDesk(t, o)
	return d, a, run
}

// TestRebinding checks that a dashboard answers only under its own names.
func TestRebinding(t *testing.T) {
	_, a, _ := guarded(t, Options{Hosts: []string{"desk.example.com"}})
	for host, want := range map[string]int{
		"127.0.0.1": 200, "127.0.0.1:7070": 200, "localhost": 200, "LOCALHOST:7070": 200, "[::1]:7070": 200, "192.0.2.7": 200,
		"desk.example.com": 200, "DESK.example.com:80": 200, "desk.example.com.": 200,
		"evil.example": 421, "desk.example.com.evil.example": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421,
		"evil.example:7070": 421, "localhost@evil.example": 421, "1": 421, "0x7f.1": 421, "desk.example.co": 421,
	} {
		for _, path := range []string{"/", "/runs/monday/report/index.html", "/runs/monday/crawlers", "/runs/monday/sites/shop.example", "/assets/desk.js"} {
			answer, text := a.do("GET", path, "", "Host", host, "Accept", "application/json")
			refused := answer.StatusCode == http.StatusMisdirectedRequest
			if refused != (want == 421) || refused && strings.Contains(text, "monday") {
				t.Errorf("Host %s: %s: %s", host, path, answer.Status)
			}
		}
	}
}

// TestTraversal requests files outside of the run in more than sixty forms.
func TestTraversal(t *testing.T) {
	_, a, run := guarded(t, Options{})
	ups := []string{"../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%2e%2e%5c", "....//", "..;/", ".%2e/", "%252e%252e%252f", "..%c0%af", "%c0%ae%c0%ae/", "..%00/", "..%ff/", "up/", "./../", "pages/../../", "pages/..%2f..%2f", "evidence/shop.example/../../../"}
	var forms []string
	for _, up := range ups {
		forms = append(forms, up+"secret.txt", strings.Repeat(up, 3)+"secret.txt", up+".robots-audit/hidden.txt", strings.Repeat(up, 8)+"etc/passwd")
	}
	abs := url.PathEscape(filepath.Join(filepath.Dir(run), "secret.txt"))
	forms = append(forms, ".robots-audit/hidden.txt", ".hidden.html", "%2erobots-audit/hidden.txt", "link.txt", "relative.txt", "up/secret.txt", abs, "%2f"+abs, "file:%2f%2f"+abs, "pages", "pages/", "", ".", "..", "index.html%00.txt", "index.html/", "INDEX.HTML", "records", "records/", "C:%5csecret.txt", "con", "index.html::$DATA", "pages%2fshop.example.html%2f..%2f..%2fsecret.txt")
	if len(forms) < 60 {
		t.Fatal(len(forms))
	}
	for _, form := range forms {
		for _, path := range []string{"/runs/monday/report/" + form, "/runs/" + form, "/runs/monday/sites/" + form, "/comparisons/" + form, "/assets/" + form, "/" + form, "/runs/monday/sites/" + form + "/edit", "/runs/monday/sites/shop.example/start?key=proposal:" + url.QueryEscape(form)} {
			answer := a.raw("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
			if strings.Contains(answer, "SECRET") || strings.Contains(answer, "root:") {
				t.Errorf("GET %s: %s", path, answer)
			}
			if status := strings.Fields(answer + " - -")[1]; status[0] == '5' {
				t.Errorf("GET %s: %s", path, answer[:min(len(answer), 300)])
			}
		}
	}
	if answer, text := a.do("GET", "/runs/monday/report/index.html", ""); answer.StatusCode != 200 || !strings.Contains(text, "shop.example") {
		t.Errorf("what is served: %s", answer.Status) // otherwise the forms above prove nothing
	}
}

// TestCrossSite checks that pages of other sites can neither read nor change anything.
func TestCrossSite(t *testing.T) {
	proposals := t.TempDir()
	d, a, _ := guarded(t, Options{Proposals: proposals})
	site := "/runs/monday/sites/shop.example"
	const edit = `{"robots":"User-agent: *\nDisallow: /\n"%s}`
	session := &http.Cookie{Name: sessionCookie, Value: strings.Repeat("A", 43)}
	token := d.guard.formToken(session.Value)
	other := d.guard.formToken(strings.Repeat("B", 43))
	body := func(token string) string { return fmt.Sprintf(edit, fmt.Sprintf(`,"form_token":%q`, token)) }
	jsonType := []string{"Content-Type", "application/json"}
	with := func(more ...string) []string { return append(more, jsonType...) }
	for name, c := range map[string]struct {
		path, body string
		header     []string
		want       int
	}{
		"a page of its own":               {"/save", body(token), with("Cookie", session.String(), "Sec-Fetch-Site", "same-origin", "Origin", a.base), 200},
		"without a form's token":          {"/save", body(""), with("Cookie", session.String()), 403},
		"a token of another browser":      {"/save", body(other), with("Cookie", session.String()), 403},
		"a token without its cookie":      {"/save", body(token), with(), 403},
		"another site, by fetch metadata": {"/save", body(token), with("Cookie", session.String(), "Sec-Fetch-Site", "cross-site"), 403},
		"another port of this machine":    {"/save", body(token), with("Cookie", session.String(), "Sec-Fetch-Site", "same-site"), 403},
		"another site, by its origin":     {"/save", body(token), with("Cookie", session.String(), "Origin", "https://evil.example"), 403},
		"an opaque origin":                {"/save", body(token), with("Cookie", session.String(), "Origin", "null"), 403},
		"a form of another site":          {"/save", body(token), []string{"Cookie", session.String(), "Content-Type", "text/plain"}, 415},
		"a form's own type":               {"/save", "robots=x&form_token=" + token, []string{"Cookie", session.String(), "Content-Type", "application/x-www-form-urlencoded"}, 415},
		"to try, from another site":       {"/try", fmt.Sprintf(edit, ""), with("Sec-Fetch-Site", "cross-site"), 403},
		"to try, by a form":               {"/try", fmt.Sprintf(edit, ""), []string{"Content-Type", "text/plain"}, 415},
		"to try, without a type":          {"/try", fmt.Sprintf(edit, ""), nil, 415},
		"to try":                          {"/try", fmt.Sprintf(edit, ""), with(), 200},
	} {
		answer, text := a.do("POST", site+c.path, c.body, c.header...)
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d: %s", name, answer.Status, c.want, text)
		}
	}
	saved, err := filepath.Glob(filepath.Join(proposals, "shop.example", "*"))
	if err != nil || len(saved) != 1 {
		t.Errorf("saved are %q, %v", saved, err)
	}
	for path, want := range map[string]int{"/": 403, site: 403, "/assets/desk.js": 403} { // to be embedded, or read
		if answer, _ := a.do("GET", path, "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"); answer.StatusCode != want {
			t.Errorf("%s from another site: %s", path, answer.Status)
		}
	}
	if answer, _ := a.do("GET", "/", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); answer.StatusCode/100 > 3 {
		t.Errorf("a link from another site: %s", answer.Status)
	}
	if answer, _ := a.do("GET", "/", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"); answer.StatusCode != 403 {
		t.Errorf("a frame of another site: %s", answer.Status)
	}
	if answer, _ := a.do("OPTIONS", site+"/try", "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type", "Sec-Fetch-Site", "cross-site"); answer.StatusCode == 200 || answer.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("asked whether another site may: %s", answer.Status)
	}
}

// TestHeaders checks the headers of every answer.
func TestHeaders(t *testing.T) {
	_, a, _ := guarded(t, Options{})
	for _, path := range []string{"/", "/runs/monday/report/index.html", "/runs/monday/crawlers", "/runs/monday/report/pages/shop.example.html", "/runs/monday/report/evidence/shop.example/robots.txt", "/runs/monday/report/summary.xlsx", "/runs/monday/sites/shop.example", "/assets/desk.js", "/nothing", "/runs/none"} {
		answer, _ := a.do("GET", path, "")
		h := answer.Header
		policy := h.Get("Content-Security-Policy")
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Frame-Options") != "DENY" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("Referrer-Policy") != "same-origin" ||
			!strings.HasPrefix(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: %s: %v", path, answer.Status, h)
		}
		for _, c := range answer.Cookies() {
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
				t.Errorf("%s: cookie %v", path, c)
			}
		}
	}
	if answer, text := a.do("GET", "/runs/monday/report/evidence/shop.example/robots.txt", ""); answer.StatusCode != 200 || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain") || !strings.Contains(text, "Disallow: /shop/private/") {
		t.Errorf("robots.txt as it was fetched: %s, %s", answer.Status, answer.Header.Get("Content-Type"))
	}
}

// TestToken checks who gets access, and that a wrong token causes a delay.
func TestToken(t *testing.T) {
	d, a, _ := guarded(t, Options{Token: testToken})
	d.guard.guessTime = 50 * time.Millisecond
	for _, path := range []string{"/", "/runs/monday/report/index.html", "/runs/monday/crawlers", "/runs/monday/sites/shop.example", "/runs/monday/search", "/alerts", "/nothing"} {
		for name, header := range map[string][]string{
			"none": nil, "wrong": {"Authorization", "Bearer " + testToken[:len(testToken)-1]}, "longer": {"Authorization", "Bearer " + testToken + "x"}, "empty": {"Authorization", "Bearer "}, "basic": {"Authorization", "Basic " + testToken},
			"a cookie of somebody's making": {"Cookie", tokenCookie + "=" + testToken}, "an empty cookie": {"Cookie", tokenCookie + "="},
		} {
			began := time.Now()
			answer, text := a.do("GET", path, "", header...)
			if header != nil && header[0] == "Authorization" && time.Since(began) < d.guard.guessTime {
				t.Errorf("%s, token %s: told after %s", path, name, time.Since(began))
			}
			text = strings.ReplaceAll(text, `name="to" value="`+path+`"`, "") // the client knows what it has asked for
			if answer.StatusCode != http.StatusUnauthorized || strings.Contains(text, "monday") || strings.Contains(text, "shop") {
				t.Errorf("%s, token %s: %s", path, name, answer.Status)
			}
		}
	}
	if answer, text := a.do("GET", "/runs/monday/report/index.html", "", "Authorization", "Bearer "+testToken); answer.StatusCode != 200 || !strings.Contains(text, "shop.example") {
		t.Errorf("with the token: %s", answer.Status)
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	began := time.Now()
	answer, _ := a.do("POST", "/enter", "token=wrong", form...)
	if took := time.Since(began); answer.StatusCode != http.StatusUnauthorized || took < d.guard.guessTime || len(answer.Cookies()) > 0 {
		t.Errorf("a wrong token in the form: %s after %s", answer.Status, took)
	}
	answer, _ = a.do("POST", "/enter", "token="+url.QueryEscape(testToken), form...)
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("the token in the form: %s, %v", answer.Status, answer.Cookies())
	}
	cookie := answer.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || strings.Contains(cookie.Value, testToken) {
		t.Errorf("cookie %v", cookie)
	}
	if answer, _ := a.do("GET", "/runs/monday/report/index.html", "", "Cookie", cookie.Name+"="+cookie.Value); answer.StatusCode != 200 {
		t.Errorf("with the cookie: %s", answer.Status)
	}
	if answer, _ := a.do("POST", "/enter", "token="+url.QueryEscape(testToken), append(form, "Sec-Fetch-Site", "cross-site")...); answer.StatusCode != http.StatusForbidden {
		t.Errorf("the form of another site: %s", answer.Status)
	}
}

// TestOversized checks that too large requests are refused with a message, and that the dashboard
// continues.
func TestOversized(t *testing.T) {
	_, a, _ := guarded(t, Options{})
	site := "/runs/monday/sites/shop.example"
	for name, c := range map[string]struct {
		robots string
		want   int
	}{
		"a large file":     {strings.Repeat("Disallow: /a\n", 20_000), 200},
		"beyond a reader":  {strings.Repeat("a", maxRobots+1), 413},
		"beyond a request": {strings.Repeat("a", maxBody+1), 413},
		"one long line":    {"Disallow: /" + strings.Repeat("a*", 200_000), 200},
	} {
		answer, text := a.do("POST", site+"/lint", fmt.Sprintf(`{"robots":%q}`, c.robots), "Content-Type", "application/json")
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s %s", name, answer.Status, text[:min(300, len(text))])
		}
	}
	for _, body := range []string{"", "{", "[]", `{"robots":1}`, `{"other":1}`, "\xff", `{"robots":"a"`} {
		if answer, _ := a.do("POST", site+"/try", body, "Content-Type", "application/json"); answer.StatusCode != 400 {
			t.Errorf("%q: %s", body, answer.Status)
		}
	}
	if answer, _ := a.do("GET", "/runs/monday/sites?q="+strings.Repeat("a", 10_000), "", "Accept", "application/json"); answer.StatusCode != 200 {
		t.Errorf("a long query: %s", answer.Status)
	}
}
