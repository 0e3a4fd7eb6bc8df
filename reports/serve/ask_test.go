package serve

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"robots-audit/reports"
)

// Ask gets the JSON that clients get over HTTP, and cannot save anything.
func TestAsk(t *testing.T) {
	dir, ids := newHistory(t, testRobots, "User-agent: *\nDisallow: /\n")
	d, web := newDesk(t, Options{History: dir, Token: "a token of visitors", BasePath: "/ra"})
	took := regexp.MustCompile(`"took_ms":[0-9.]+`)
	ask := func(path string, body []byte) (int, string) {
		t.Helper()
		r, err := d.Ask(t.Context(), path, body)
		if err != nil {
			return 0, err.Error()
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		noError(t, err)
		return r.StatusCode, string(text)
	}
	run := "/runs/" + ids[1]
	for _, path := range []string{"/", run, run + "/sites?q=shop", run + "/sites/" + shopHost, run + "/sites/" + shopHost + "/url?u=/shop/a0", run + "/sites/" + shopHost + "/versions", run + "/sites/" + shopHost + "/edit", "/alerts", "/time", "/runs/nothing", "/nothing"} {
		r, err := http.NewRequest(http.MethodGet, web.base+"/ra"+path, nil)
		noError(t, err)
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Authorization", "Bearer a token of visitors")
		answer, err := http.DefaultClient.Do(r)
		noError(t, err)
		want, err := io.ReadAll(answer.Body)
		noError(t, err)
		answer.Body.Close()
		if status, got := ask(path, nil); status != answer.StatusCode || took.ReplaceAllString(got, "") != took.ReplaceAllString(string(want), "") || !json.Valid(want) {
			t.Errorf("%s: status %d, over HTTP %d:\n%.300s\nwant\n%.300s", path, status, answer.StatusCode, got, want)
		}
	}
	site := run + "/sites/" + shopHost
	if status, got := ask(site+"/try", []byte(`{"robots":""}`)); status != http.StatusOK || !strings.Contains(got, `"newly_allowed":40`) {
		t.Errorf("try: status %d: %.300s", status, got)
	}
	before := treeOf(t, dir)
	for _, path := range []string{site + "/save", "/alerts", "/alerts/alert0", "/enter", site + "/nothing", site, "/"} {
		if status, got := ask(path, []byte(`{"robots":"x"}`)); status != 0 || !strings.Contains(got, "saves something, or does not exist") {
			t.Errorf("POST %s: status %d: %.300s", path, status, got)
		}
	}
	if after := treeOf(t, dir); after != before {
		t.Errorf("the history changed:\n%s\nwas\n%s", after, before)
	}
}

// treeOf lists the files below a folder with their times.
func treeOf(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	noError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && !strings.HasPrefix(info.Name(), "history.db-") { // SQLite's locks, also of readers
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	}))
	return b.String()
}

// A caller of Ask may leave early: the view ends, and so the dashboard closes.
func TestAskLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	auditRun(t, dir, map[string]testSite{shopHost: shop(4000)}, reports.Options{})
	d, _ := newDesk(t, Options{Runs: []string{dir}})
	path := "/runs/run/report/records/" + shopHost + ".jsonl.zst"
	r, err := d.Ask(t.Context(), path, nil)
	noError(t, err)
	r.Body.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r, err = d.Ask(ctx, path, nil)
	noError(t, err)
	cancel()
	closed := make(chan struct{})
	go func() { d.jobs.Wait(); close(closed) }()
	select {
	case <-closed:
		if text, err := io.ReadAll(r.Body); err == nil {
			t.Errorf("%d bytes after the caller has left", len(text))
		}
	case <-time.After(time.Minute):
		t.Error("a view still runs")
	}
}

// A dashboard that only reads writes its index into its own folder, saves nothing, and goes on after damage.
func TestReadOnly(t *testing.T) {
	dir, ids := newHistory(t, testRobots)
	before := treeOf(t, dir)
	d, _ := newDesk(t, Options{History: dir, ReadOnly: true, Acknowledge: func(context.Context, Answer) (string, error) { return "saved", nil }})
	search := func() (total int64) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for {
			var v searchView
			r, err := d.Ask(t.Context(), "/runs/"+ids[0]+"/search?q=/shop/", nil)
			noError(t, err)
			noError(t, json.NewDecoder(r.Body).Decode(&v))
			r.Body.Close()
			if v.URLs != nil {
				return v.URLs.Total
			}
			if time.Now().After(deadline) {
				t.Fatalf("no result: status %d, %+v", r.StatusCode, v)
			}
		}
	}
	if n := search(); n != 20 {
		t.Errorf("%d URLs", n)
	}
	if after := treeOf(t, dir); after != before {
		t.Errorf("the history changed:\n%s\nwas\n%s", after, before)
	}
	run, err := d.runs.find(ids[0])
	noError(t, err)
	d.indexes.remove(run)
	if n := search(); n != 20 {
		t.Errorf("after damage: %d URLs", n)
	}
	if d.o.Acknowledge != nil || d.o.Proposals != "" {
		t.Error("it can save")
	}
}
