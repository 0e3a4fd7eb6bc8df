//go:build soak

package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports"
)

const largeRobots = "User-agent: *\nDisallow: /private/\nDisallow: /*?sort=\nAllow: /shop/\nDisallow: /shop/archive/\nDisallow: /search\nDisallow: /*.pdf$\n\nUser-agent: Bingbot\nDisallow: /blog/2019/\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /shop/\n"

// largeRun is the folder of a run with one site of n known URLs, and three crawlers.
func largeRun(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), fmt.Sprintf("run%d", n))
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,GPTBot")
	noError(t, err)
	o := reports.Options{Dir: dir, Version: "0.1.0", Crawlers: crawlers, Started: time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC), Reports: []string{"page"}}
	run, err := reports.Open(o)
	noError(t, err)
	write := func(rec audit.Record) {
		rec.Domain = "large.example"
		noError(t, run.Write(rec))
	}
	const origin = "https://large.example"
	robots := &audit.Robots{Origin: origin, File: *crawl.ServedRobots(origin, []byte(largeRobots), 0)}
	robots.File.Given = false
	robots.Reads = make([]audit.Read, len(crawlers))
	write(audit.Record{Site: &audit.Site{Name: "large.example", Crawlers: crawlers, Started: o.Started}})
	write(audit.Record{Robots: robots})
	random := rand.New(rand.NewPCG(1, uint64(n)))
	batch, counts := &audit.URLs{}, audit.Counts{Blocked: make([]int64, len(crawlers))}
	for i := range n {
		path := [...]string{"/shop/%d/item-%d", "/shop/archive/%d/%d.html", "/blog/20%d/%d-a-post", "/private/%d/%d", "/search?q=%d&n=%d", "/docs/%d/file-%d.pdf", "/de/produkte/%d/%d?sort=price", "/p/%d/%d"}[random.IntN(8)]
		batch.List = append(batch.List, audit.URL{Loc: origin + fmt.Sprintf(path, 10+random.IntN(15), i), Verdicts: make([]engine.Verdict, len(crawlers)), Lines: make([]int32, len(crawlers))})
		counts.Count(batch.List[len(batch.List)-1].Verdicts)
		if len(batch.List) == 1000 || i == n-1 {
			write(audit.Record{URLs: batch})
			batch.List = batch.List[:0]
		}
	}
	write(audit.Record{Done: &audit.Done{State: audit.OK, Origin: origin, Counts: counts, Finished: o.Started.Add(time.Minute)}})
	noError(t, run.Close())
	return dir
}

// edits are realistic edits: one more character of a rule at a time, lines deleted, files replaced.
func edits(random *rand.Rand) string {
	lines := strings.Split(largeRobots, "\n")
	at := random.IntN(len(lines))
	insert := func(line string) string { return strings.Join(slices.Insert(slices.Clone(lines), at, line), "\n") }
	path := []string{"/shop/archive/", "/blog/20", "/p/1", "/de/produkte/", "/*item", "/docs/*.pdf", "/"}[random.IntN(7)]
	switch random.IntN(8) {
	case 0:
		return strings.Join(slices.Delete(slices.Clone(lines), at, at+1), "\n")
	case 1:
		return "User-agent: *\nDisallow: /\n"
	case 2:
		return ""
	case 3:
		return insert("Allow: " + path)
	}
	return insert("Disallow: " + path[:1+random.IntN(len(path))])
}

// TestEditing measures fifty edits of a site of 100,000 and of 1,000,000 known URLs over HTTP, and
// compares the memory after a thousand with that after a hundred.
func TestEditing(t *testing.T) {
	for _, n := range []int{100_000, 1_000_000} {
		_, a := newDesk(t, Options{Runs: []string{largeRun(t, n)}})
		base := fmt.Sprintf("/runs/run%d/sites/large.example/", n)
		random := rand.New(rand.NewPCG(7, uint64(n)))
		began := time.Now()
		a.json(base+"edit", &struct{}{})
		first := time.Since(began)
		try := func(robots string) time.Duration {
			began := time.Now()
			var v struct {
				Known int `json:"known_urls"`
			}
			if status := a.post(base+"try", map[string]string{"robots": robots}, &v); status != 200 || v.Known != n {
				t.Fatalf("status %d, %d URLs", status, v.Known)
			}
			return time.Since(began)
		}
		var took []time.Duration
		for range 50 {
			took = append(took, try(edits(random)))
		}
		slices.Sort(took)
		t.Logf("%d URLs: the editor opens in %s; of fifty edits the median takes %s, the worst %s", n, first.Round(time.Millisecond), took[25].Round(time.Millisecond), took[49].Round(time.Millisecond))
		if n > 100_000 {
			continue
		}
		heap := func() uint64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		for range 50 {
			try(edits(random))
		}
		before := heap()
		for range 900 {
			try(edits(random))
		}
		after := heap()
		t.Logf("the heap after a hundred edits: %.1f MB, after a thousand: %.1f MB", float64(before)/1e6, float64(after)/1e6)
		if after > before+4<<20 {
			t.Error("it grows with edits")
		}
	}
}

// TestLoad requests all views from fifty clients for a minute.
func TestLoad(t *testing.T) {
	length := time.Minute
	if s := os.Getenv("TEST_SECONDS"); s != "" {
		n, err := strconv.Atoi(s)
		noError(t, err)
		length = time.Duration(n) * time.Second
	}
	dir := filepath.Join(t.TempDir(), "monday")
	sites := map[string]testSite{}
	for i := range 40 {
		sites[fmt.Sprintf("shop%d.example", i)] = shop(500)
	}
	auditRun(t, dir, sites, reports.Options{})
	_, a := newDesk(t, Options{Runs: []string{dir}})
	var asked, busy atomic.Int64
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	var clients sync.WaitGroup
	end := time.Now().Add(length)
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	defer client.CloseIdleConnections()
	for i := range 50 {
		clients.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for time.Now().Before(end) {
				site := fmt.Sprintf("/runs/monday/sites/shop%d.example", random.IntN(40))
				view, path, body := "page", "", ""
				switch random.IntN(10) {
				case 0:
					view, path = "runs", "/"
				case 1:
					view, path = "site", fmt.Sprintf("/runs/monday/report/pages/shop%d.example.html", random.IntN(40))
				case 2:
					view, path = "search", "/runs/monday/search?q=/blog/post-"+strconv.Itoa(random.IntN(500))
				case 3:
					view, path = "url", site+"/url?u=/shop/a"+strconv.Itoa(random.IntN(500))
				case 4:
					view, path = "edit", site+"/edit"
				case 5, 6:
					view, path, body = "try", site+"/try", "User-agent: *\nDisallow: /shop/a"+strconv.Itoa(random.IntN(500))+"\n"
				case 7:
					view, path, body = "lint", site+"/lint", largeRobots
				case 8:
					view, path = "versions", site+"/versions"
				default:
					view, path = "run", "/runs/monday/report/index.html"
				}
				began := time.Now()
				var answer *http.Response
				var err error
				if body != "" {
					text, _ := json.Marshal(map[string]string{"robots": body})
					answer, err = client.Post(a.base+path, "application/json", bytes.NewReader(text))
				} else {
					answer, err = client.Get(a.base + path)
				}
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				switch {
				case err != nil:
					t.Errorf("%s: %v", path, err)
				case answer.StatusCode == http.StatusServiceUnavailable:
					busy.Add(1)
				case answer.StatusCode != 200:
					t.Errorf("%s: %s %s", path, answer.Status, text[:min(300, len(text))])
				}
				asked.Add(1)
				mu.Lock()
				took[view] = append(took[view], time.Since(began))
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	var all []time.Duration
	for view, list := range took {
		slices.Sort(list)
		t.Logf("%-9s %6d requests, median %7s, 99 %% below %7s, worst %7s", view, len(list), list[len(list)/2].Round(time.Microsecond), list[len(list)*99/100].Round(time.Microsecond), list[len(list)-1].Round(time.Microsecond))
		all = append(all, list...)
	}
	slices.Sort(all)
	t.Logf("all       %6d requests in %s, %d told to ask again, median %s, 99 %% below %s, worst %s", len(all), length, busy.Load(), all[len(all)/2].Round(time.Microsecond), all[len(all)*99/100].Round(time.Microsecond), all[len(all)-1].Round(time.Microsecond))
	if busy.Load() > 0 {
		t.Error("fifty clients are too many")
	}
}
