//go:build browser

package serve

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestBrowserForeignPages opens the files of a foreign run and history: none of their scripts runs,
// and the pages that the dashboard makes instead work.
func TestBrowserForeignPages(t *testing.T) {
	history, run := foreignHistory(t)
	_, a := newDesk(t, Options{History: history, Runs: []string{run}})
	b := openTab(t)
	for _, path := range []string{
		"/", "/runs/monday/report/index.html", "/runs/monday/report/pages/shop.example.html", "/comparisons/monday/index.html", "/comparisons/monday/changes.md", "/runs/monday/report/summary.json", "/runs/monday/sites/shop.example/versions",
	} {
		b.open(a.base + path)
		if eval[bool](b, `window.harmed === 1`) {
			t.Errorf("%s: what somebody has left in a run is run", path)
		}
	}
	b.open(a.base + "/comparisons/monday/index.html")
	b.accessible("a comparison")
	for _, path := range []string{"/runs/monday/report/index.html", "/runs/monday/report/pages/shop.example.html"} {
		b.open(a.base + path)
		b.until(`document.querySelectorAll("#grid tbody tr").length > 0`)
		b.Quiet()
	}
}

// TestBrowserForeignFiles puts a page with a script in the place of each file of a run and its history, or
// scripts in all texts of a file of JSON: no view runs one, or asks anybody else for anything. The browser opens
// all pages and files of a report, whose data is packed and whose scripts are files. It opens views of the
// dashboard itself only if they contain the name that the script sets: the others show nothing of the file.
func TestBrowserForeignFiles(t *testing.T) {
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	page := []byte(`<!doctype html><script>window.foreign = 1</script><meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'"><title>x</title>
<script>fetch("` + other.URL + `")</script><img src="` + other.URL + `"><iframe src="` + other.URL + `"></iframe><meta http-equiv="refresh" content="0;url=` + other.URL + `">`)
	text := strings.NewReplacer(`": "`, `": "`+strings.Trim(strconv.Quote(string(page)), `"`), `":"`, `":"`+strings.Trim(strconv.Quote(string(page)), `"`))

	made, ids := historyWithTexts(t)
	b := openTab(t)
	tried, opened := 0, 0
	for _, name := range allFiles(t, made) {
		was, err := os.ReadFile(filepath.Join(made, name))
		if err != nil || strings.HasPrefix(name, "runs/"+ids[0]) || strings.HasPrefix(name, "runs/going/") && !strings.HasSuffix(name, "/progress.json") || strings.HasPrefix(name, "history.db") || strings.HasSuffix(name, "lock") || strings.Contains(name, "evil.") {
			continue
		}
		forms := [][]byte{page}
		if strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl") {
			forms = append(forms, []byte(text.Replace(string(was))))
		}
		for _, form := range forms {
			dir := filepath.Join(t.TempDir(), "history")
			noError(t, errors.Join(os.CopyFS(dir, os.DirFS(made)), os.WriteFile(filepath.Join(dir, name), form, 0o644)))
			_, a := newDesk(t, Options{History: dir})
			run := "/runs/" + ids[1]
			for _, path := range []string{
				"/", "/alerts", "/comparisons/" + ids[1] + "/index.html", run, searchPath(ids[1], "", ""), run + "/sites/" + shopHost, run + "/sites/" + shopHost + "/url?u=/shop/private/b1", run + "/sites/" + shopHost + "/versions", run + "/sites/" + shopHost + "/edit",
				run + "/report/index.html", run + "/report/pages/" + shopHost + ".html", run + "/report" + strings.TrimPrefix(name, "runs/"+ids[1]),
			} {
				tried++
				if !strings.HasPrefix(path, run+"/report/") {
					answer, body := a.do("GET", path, "", "Accept", "text/html")
					if !strings.Contains(answer.Header.Get("Location")+body, "foreign") {
						continue
					}
					opened++
				}
				b.Do(chromedp.Navigate("about:blank")) // a download leaves this page open
				if _, err := chromedp.Call(b.Ctx, cdppage.Navigate, cdppage.NavigateParams{URL: a.base + path}); err != nil {
					t.Fatal(err)
				}
				b.until(`document.readyState === "complete"`)
				if eval[bool](b, `window.foreign === 1`) {
					t.Errorf("%s, with a script in %s: it is run", path, name)
				}
			}
		}
	}
	if n := elsewhere.Load(); n > 0 || tried < 150 || opened < 2 {
		t.Errorf("%d views were tried, %d of the dashboard itself contained the script, and %d requests went elsewhere", tried, opened, n)
	}
}

// historyWithTexts is a history with the files whose texts are shown without a checksum: a comparison, and the
// progress of a run.
func historyWithTexts(t *testing.T) (dir string, ids []string) {
	t.Helper()
	dir, ids = newHistory(t, shopFirst, shopSecond)
	going, compared := filepath.Join(dir, "runs", "going"), filepath.Join(dir, "comparisons", ids[1])
	cutShort(t, filepath.Join(dir, "runs", ids[1]), going)
	progress := `{"at" :"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `","sites":1,"waiting_for":"a","waiting_at":"b"}` // the space keeps the time from being replaced
	changes := `{"lead":"l","old":{"id":"a"},"new":{"id":"b"},"notes":["n"],"totals":{"sites":1,"sites_changed":1},"sites":[{"domain":"d","changed":true,"lead":"l","changes":[{"kind":"k","what":"w","before":"b","after":"a","severity":"high"}]}]}`
	noError(t, errors.Join(
		os.WriteFile(filepath.Join(going, ".robots-audit", "progress.json"), []byte(progress), 0o644),
		os.MkdirAll(compared, 0o755),
		os.WriteFile(filepath.Join(compared, "changes.json"), []byte(changes), 0o644),
	))
	return dir, ids
}

// allFiles are the files below a folder.
func allFiles(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, name)
		}
		return err
	})
	noError(t, err)
	return list
}
