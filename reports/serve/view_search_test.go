package serve

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/reports"
)

// TestSearch finds URLs of a run with the recorded verdicts, and does not change the run.
func TestSearch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	auditRun(t, dir, map[string]testSite{shopHost: shop(400), "evil.example.com": evil()}, reports.Options{})
	before := folderState(t, dir)
	_, a := newDesk(t, Options{Runs: []string{dir}})

	var v searchView
	a.json(searchPath("monday", "", ""), &v)
	if v.URLs != nil || len(v.Sites.Sites) != 2 {
		t.Errorf("nothing asked for: URLs %v, %d sites, want 2", v.URLs, len(v.Sites.Sites))
	}
	if _, err := os.Stat(filepath.Join(dir, ".robots-audit", "index")); !os.IsNotExist(err) {
		t.Errorf("an index is there before anything was searched: %v", err)
	}

	verdicts := map[string]map[string]string{} // recorded, by URL and crawler
	stored, err := reports.OpenStored(dir, "0.1.0")
	noError(t, err)
	for _, site := range stored.Sites {
		var crawlers []audit.Crawler
		for rec, err := range site.Records() {
			noError(t, err)
			if rec.Site != nil {
				crawlers = rec.Site.Crawlers
			}
			if rec.URLs == nil {
				continue
			}
			for _, u := range rec.URLs.List {
				of := map[string]string{}
				for i, verdict := range u.Verdicts {
					of[crawlers[i].Label] = verdict.String()
				}
				verdicts[strings.Clone(u.Loc)] = of
			}
		}
	}
	met := 0
	for path := searchPath("monday", "", shopHost); path != ""; path = v.URLs.Next {
		v = searchView{}
		a.json(path, &v)
		if v.URLs.Total != 400 || len(v.URLs.List) != searchLimit {
			t.Fatalf("%s: %d of %d URLs", path, len(v.URLs.List), v.URLs.Total)
		}
		for _, u := range v.URLs.List {
			met++
			crawlers := 0
			for _, verdict := range u.Verdicts {
				for _, c := range verdict.Crawlers {
					crawlers++
					if want := verdicts[u.URL][c]; verdict.Verdict != want {
						t.Errorf("%s for %s: %s, recorded %q", u.URL, c, verdict.Verdict, want)
					}
				}
			}
			if crawlers != 3 || u.Kind != "page" || u.Site != shopHost {
				t.Errorf("%+v", u)
			}
		}
	}
	if met != 400 {
		t.Errorf("%d URLs on all pages, want 400", met)
	}
	for query, want := range map[string]int64{"/shop/private/": 100, "post-": 100, shopHost + "/search?q=1": 28, "nothing": 0} {
		v = searchView{}
		if a.json(searchPath("monday", query, ""), &v); v.URLs.Total != want {
			t.Errorf("%q: %d URLs, want %d", query, v.URLs.Total, want)
		}
	}

	for _, text := range hostileTexts {
		answer, page := a.do("GET", searchPath("monday", text, ""), "")
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%q: %s", text, answer.Status)
		}
		harmless(t, "search for "+text, page)
	}
	_, page := a.do("GET", searchPath("monday", "", "evil.example.com"), "")
	harmless(t, "hostile URLs", page)
	if answer, _ := a.do("GET", searchPath("monday", "x", "no.example"), ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a site that is none: %s", answer.Status)
	}

	after := folderState(t, dir)
	delete(after, "/.robots-audit/index/urls")
	if len(after) != len(before) {
		t.Errorf("%d files, there were %d", len(after), len(before))
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s is another one", name)
		}
	}
	if _, err := (reports.Options{Dir: dir}).Rebuild(); err != nil { // the index does not affect other commands
		t.Fatal(err)
	}
	for name, text := range folderState(t, dir) {
		if strings.HasSuffix(name, ".json") && !strings.Contains(name, "run.json") && before[name] != text {
			t.Errorf("%s is another one after it was made again", name)
		}
	}
	v = searchView{}
	if a.json(searchPath("monday", "/blog", ""), &v); v.URLs.Total != 100 {
		t.Errorf("after the reports were made again: %d URLs, want 100", v.URLs.Total)
	}
}

// TestSearchWaits answers 202 while an index is built, and shows the progress of a running run.
func TestSearchWaits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	auditRun(t, dir, map[string]testSite{shopHost: shop(40)}, reports.Options{})
	d, a := newDesk(t, Options{Runs: []string{dir}})
	d.indexes.patient = time.Millisecond
	d.indexes.turn <- struct{}{} // another run's index is being built
	path := searchPath("monday", "shop", "")
	answer, text := a.do("GET", path, "", "Accept", "application/json")
	if answer.StatusCode != http.StatusAccepted || !strings.Contains(text, "another run") {
		t.Errorf("while another index is made: %s %s", answer.Status, text)
	}
	if _, page := a.do("GET", path, ""); !strings.Contains(page, "data-indexing") {
		t.Error("the page does not look again by itself")
	}
	<-d.indexes.turn
	for answer.StatusCode == http.StatusAccepted {
		answer, text = a.do("GET", path, "", "Accept", "application/json")
	}
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, `"total":40`) {
		t.Errorf("once it was its turn: %s %s", answer.Status, text)
	}
}

// TestSearchElsewhere builds the index in the dashboard's own folder if the run's cannot be written, and
// builds another one if the records have changed.
func TestSearchElsewhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	auditRun(t, dir, map[string]testSite{shopHost: shop(40)}, reports.Options{})
	noError(t, os.WriteFile(filepath.Join(dir, ".robots-audit", "index"), nil, 0o444))
	d, a := newDesk(t, Options{Runs: []string{dir}})
	var v searchView
	if a.json(searchPath("monday", "/shop/", ""), &v); v.URLs == nil || v.URLs.Total != 20 {
		t.Fatalf("found %+v, want 20 URLs", v.URLs)
	}
	if _, err := os.Stat(d.indexes.ownPath(&run{Key: "monday"})); err != nil {
		t.Error(err)
	}

	noError(t, os.RemoveAll(dir))
	auditRun(t, dir, map[string]testSite{shopHost: shop(80)}, reports.Options{})
	v = searchView{}
	if a.json(searchPath("monday", "/shop/", ""), &v); v.URLs == nil || v.URLs.Total != 40 {
		t.Errorf("of the run that came in its place: %+v, want 40 URLs", v.URLs)
	}
	noError(t, os.WriteFile(filepath.Join(dir, ".robots-audit", "index", "urls"), []byte("no index"), 0o644))
	_, b := newDesk(t, Options{Runs: []string{dir}})
	v = searchView{}
	if b.json(searchPath("monday", "/shop/", ""), &v); v.URLs == nil || v.URLs.Total != 40 {
		t.Errorf("with a damaged index: %+v, want 40 URLs", v.URLs)
	}

	noError(t, os.RemoveAll(dir))
	for _, path := range []string{searchPath("monday", "/shop/", ""), "/runs/monday/sites/" + shopHost + "/url?u=/a", "/runs/monday/sites/" + shopHost + "/versions"} {
		if answer, text := a.do("GET", path, ""); answer.StatusCode != http.StatusGone {
			t.Errorf("%s of a run that is gone: %s %s", path, answer.Status, text)
		}
	}
	if answer, _ := a.do("GET", "/", ""); answer.StatusCode != http.StatusOK {
		t.Errorf("all runs: %s", answer.Status)
	}
}

// TestSearchGoesOn searches no URLs of a running run, and resumes a run with an index.
func TestSearchGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	auditRun(t, dir, map[string]testSite{shopHost: shop(40)}, reports.Options{})
	cut := filepath.Join(t.TempDir(), "monday")
	cutShort(t, dir, cut)
	dir = cut
	_, a := newDesk(t, Options{Runs: []string{dir}})
	var v searchView
	if a.json(searchPath("monday", "/shop/", ""), &v); v.URLs == nil || v.URLs.Total != 20 {
		t.Fatalf("of a run that was cut short: %+v, want 20 URLs", v.URLs)
	}
	auditRun(t, dir, map[string]testSite{"other.example.com": shop(80)}, reports.Options{Resume: true})
	v = searchView{}
	if a.json(searchPath("monday", "/shop/", ""), &v); v.URLs == nil || v.URLs.Total != 60 {
		t.Errorf("of the run that was resumed: %+v, want 60 URLs", v.URLs)
	}

	going := filepath.Join(t.TempDir(), "tuesday")
	cutShort(t, dir, going)
	word := `{"at":"` + time.Now().UTC().Format(time.RFC3339) + `","sites":1,"urls":40}`
	noError(t, os.WriteFile(filepath.Join(going, ".robots-audit", "progress.json"), []byte(word), 0o644))
	_, a = newDesk(t, Options{Runs: []string{going}})
	v = searchView{}
	if a.json(searchPath("tuesday", "shop", ""), &v); v.URLs != nil || len(v.Sites.Sites) != 1 || !strings.Contains(v.Note, "has not finished") {
		t.Errorf("of a run that goes on: %+v", v)
	}
}

// cutShort makes an unfinished run of the sites of another.
func cutShort(t *testing.T, of, dir string) {
	t.Helper()
	stored, err := reports.OpenStored(of, "0.1.0")
	noError(t, err)
	begun := filepath.Join(t.TempDir(), "begun")
	run, err := reports.Open(reports.Options{Dir: begun, Version: "0.1.0", Crawlers: stored.Crawlers, Started: stored.Started})
	noError(t, err)
	for _, site := range stored.Sites {
		for rec, err := range site.Records() {
			if err == nil {
				err = run.Write(rec)
			}
			noError(t, err)
		}
	}
	noError(t, os.CopyFS(dir, os.DirFS(begun)))
	noError(t, run.Close())
}
