package serve

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/history"
)

// TestFolderLinks checks that the paths of the history's folder, as mails have them, open in the dashboard,
// and what it says about a run that retention has removed.
func TestFolderLinks(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, shopSecond)
	compared := filepath.Join(dir, "comparisons", ids[1])
	noError(t, os.MkdirAll(compared, 0o755))
	noError(t, os.WriteFile(filepath.Join(compared, "changes.json"), []byte(`{"lead":"the lead","old":{},"new":{},"totals":{},"sites":[]}`), 0o644))
	for _, base := range []string{"", belowPath} {
		_, a := newDesk(t, Options{History: dir, BasePath: base})
		run := base + "/runs/" + ids[1]
		for path, want := range map[string]string{
			run: "/report/index.html", run + "/": "/report/index.html", run + "/index.html": "/report/index.html", run + "/pages/" + shopHost + ".html": "/report/pages/" + shopHost + ".html",
			run + "/" + shopHost + ".xlsx": "/report/" + shopHost + ".xlsx", run + "/a%20b%3F.html": "/report/a%20b%3F.html",
		} {
			if answer, _ := a.do("GET", path, ""); answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != run+want {
				t.Errorf("%s: %s to %s, want %s", path, answer.Status, answer.Header.Get("Location"), run+want)
			}
		}
		for _, name := range []string{"index.html", ""} {
			if answer, text := a.do("GET", base+"/comparisons/"+ids[1]+"/"+name, ""); answer.StatusCode != 200 || !strings.Contains(text, "the lead") {
				t.Errorf("the comparison: %s", answer.Status)
			}
		}
	}

	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	noError(t, db.MarkPruned(t.Context(), ids[0]))
	noError(t, db.Close())
	noError(t, os.RemoveAll(filepath.Join(dir, "runs", ids[0])))
	_, a := newDesk(t, Options{History: dir})
	newest := `<a href="/runs/` + ids[1] + `">The newest run</a>`
	site := `<a href="/runs/` + ids[1] + "/report/pages/" + shopHost + `.html">` + shopHost + " in the newest run</a>"
	for path, want := range map[string]string{
		"/index.html": newest, "/pages/" + shopHost + ".html": site, "/report/pages/" + shopHost + ".html": site, "/sites/" + shopHost: site, "/pages/other.example.html": newest, "/" + shopHost + ".xlsx": newest,
	} {
		answer, text := a.do("GET", "/runs/"+ids[0]+path, "", "Accept", "text/html")
		if answer.StatusCode != http.StatusGone || !strings.Contains(text, "was removed") || !strings.Contains(text, want) || strings.Contains(text, site) != (want == site) {
			t.Errorf("%s of a removed run: %s: %s", path, answer.Status, text)
		}
	}
	if answer, text := a.do("GET", "/comparisons/"+ids[0]+"/index.html", ""); answer.StatusCode != http.StatusGone || !strings.Contains(text, newest) {
		t.Errorf("the comparison of a removed run: %s: %s", answer.Status, text)
	}
	if answer, _ := a.do("GET", "/comparisons/"+ids[1]+"/nothing.html", ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("no file of a comparison: %s", answer.Status)
	}
}

// TestOldRuns checks links to runs beyond the listed ones: to one with a folder, and to a removed one.
func TestOldRuns(t *testing.T) {
	dir, ids := newHistory(t, shopFirst)
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	tx, err := db.Begin(t.Context())
	noError(t, err)
	start := time.Date(2026, 11, 4, 6, 0, 0, 0, time.UTC)
	var removed string
	for n := range maxRuns + 1 {
		at := start.Add(time.Duration(n) * time.Hour)
		id := at.Format("20060102T150405Z")
		if n == 0 {
			removed = id
		}
		noError(t, tx.AddRun(history.Run{ID: id, Schedule: "shops", Started: at, Finished: at, Program: "0.1.0"}))
	}
	noError(t, tx.Commit())
	noError(t, db.Close())
	_, a := newDesk(t, Options{History: dir})
	if answer, _ := a.do("GET", "/runs/"+ids[0]+"/report/index.html", ""); answer.StatusCode != 200 {
		t.Errorf("an old run: %s", answer.Status)
	}
	for id, want := range map[string]int{removed: http.StatusGone, "20200101T000000Z": http.StatusNotFound} {
		if answer, text := a.do("GET", "/runs/"+id+"/index.html", ""); answer.StatusCode != want {
			t.Errorf("%s: %s, want %d: %s", id, answer.Status, want, text)
		}
	}
}

// TestTokenThenPage checks that a link in a mail leads to its page after the token was given, and that no
// form leads to another host.
func TestTokenThenPage(t *testing.T) {
	for _, base := range []string{"", belowPath} {
		d, a, _ := guarded(t, Options{Token: testToken, BasePath: base})
		d.guard.guessTime = time.Millisecond
		enter := func(to, token string) (*http.Response, string) {
			return a.do("POST", base+"/enter", url.Values{"token": {token}, "to": {to}}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		}
		wanted := base + "/runs/monday/pages/shop.example.html?x=%22&y"
		form := `name="to" value="` + strings.NewReplacer("&", "&amp;").Replace(wanted) + `"`
		if answer, text := a.do("GET", wanted, ""); answer.StatusCode != http.StatusUnauthorized || !strings.Contains(text, form) {
			t.Errorf("%s: %s: %s", wanted, answer.Status, text)
		}
		if answer, text := enter(wanted, "wrong"); answer.StatusCode != http.StatusUnauthorized || !strings.Contains(text, form) {
			t.Errorf("a wrong token: %s: %s", answer.Status, text)
		}
		if answer, _ := a.do("GET", base+"/"+strings.Repeat("x", 3000), ""); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("a long path: %s", answer.Status)
		}
		for to, want := range map[string]string{
			wanted: wanted, "": base + "/", base + "/": base + "/", "//evil.example" + base + "/": base + "/", `/\evil.example` + base + "/": base + "/", "https://evil.example" + base + "/": base + "/",
			base + `/\evil.example`: base + "/", "javascript:alert(1)": base + "/", base + "/%zz": base + "/",
		} {
			if answer, _ := enter(to, testToken); answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != want {
				t.Errorf("to %q: %s to %q, want %q", to, answer.Status, answer.Header.Get("Location"), want)
			}
		}
	}
}
