//go:build soak && unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFleetOverhead tells what a fleet of one process costs beside an audit of the same list: in CPU
// time a site of 100 URLs, between a short list and a long one, so that what a run costs whatever its
// sites does not count. Both take turns, with their settings as they are, and the medians of turns are
// compared. TEST_SITES and TEST_TURNS set how long it takes. The bound is wide enough for a machine
// that does other things; what is told is the figure.
func TestFleetOverhead(t *testing.T) {
	const urls, bound = 100, 1.35
	long, turns := fromEnvironment(t, "TEST_SITES", 300), fromEnvironment(t, "TEST_TURNS", 5)
	short := max(long/10, 1)
	var locs strings.Builder
	for i := range urls {
		fmt.Fprintf(&locs, "<url><loc>http://HOST/section-%d/page-%d</loc></url>\n", i%7, i)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\nDisallow: /section-3/\nAllow: /section-3/page-3\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: http://%s/sitemap.xml\n", r.Host)
		case "/sitemap.xml":
			io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+strings.ReplaceAll(locs.String(), "HOST", r.Host)+"</urlset>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	exe := filepath.Join(dir, "robots-audit") // by its name the test's program knows that it is the command
	if err := os.Symlink(self, exe); err != nil {
		t.Fatal(err)
	}
	lists := map[int]string{}
	for _, n := range []int{short, long} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "http://site%d.example\n", i)
		}
		lists[n] = filepath.Join(dir, strconv.Itoa(n))
		if err := os.WriteFile(lists[n], []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runs := 0
	cpu := func(n int, command ...string) time.Duration {
		runs++ // folders stay until the end: to remove them between turns would disturb the next
		c := exec.Command(exe, append(command, "-domains", lists[n], "-out", filepath.Join(dir, fmt.Sprint("run", runs)), "-no-cache", "-quiet", "-connect-to", ":80:"+server.Listener.Addr().String())...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c.Args, err, out)
		}
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	sides := []struct {
		name    string
		command []string
		costs   map[int][]time.Duration
	}{{"audit", []string{"audit"}, map[int][]time.Duration{}}, {"submit -local", []string{"submit", "-local"}, map[int][]time.Duration{}}}
	for range turns {
		for n := range lists {
			for _, s := range sides {
				s.costs[n] = append(s.costs[n], cpu(n, s.command...))
			}
		}
	}
	var each [2]float64
	for i, s := range sides {
		each[i] = float64(median(s.costs[long])-median(s.costs[short])) / float64(long-short)
		t.Logf("%s: %.2f ms of CPU a site of %d URLs (%s for %d sites, %s for %d)", s.name, each[i]/1e6, urls, median(s.costs[short]), short, median(s.costs[long]), long)
	}
	t.Logf("a fleet of one process costs %+.1f %% a site", 100*(each[1]/each[0]-1))
	if each[1] > bound*each[0] {
		t.Errorf("that is more than %+.0f %%", 100*(bound-1))
	}
}

// fromEnvironment is a number that a variable may set.
func fromEnvironment(t *testing.T, name string, otherwise int) int {
	text, ok := os.LookupEnv(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q", name, text)
	}
	return n
}

// median is the middle one of some times.
func median(of []time.Duration) time.Duration {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}
