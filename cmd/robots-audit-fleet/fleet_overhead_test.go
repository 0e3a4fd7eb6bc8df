//go:build soak && linux

package main

import (
	"errors"
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
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// TestFleetOverhead logs what a fleet costs compared with an audit of the same list: CPU time per
// site of 100 URLs. It takes the difference between a short and a long list, so fixed costs of a
// run do not count. An audit, a fleet of one process and one of three on loopback take turns in all
// orders. They have default settings, and the medians are compared. TEST_SITES and TEST_TURNS (of
// three turns each) set the duration. The bounds are wide enough for a busy machine; the logged
// figure is the result.
func TestFleetOverhead(t *testing.T) {
	const urls = 100
	long, turns := clitest.Number(t, "TEST_SITES", 300), clitest.Number(t, "TEST_TURNS", 2)
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

	self := clitest.Self(t)
	dir := t.TempDir()
	exe := filepath.Join(dir, "robots-audit-fleet") // by this name the test binary knows that it is the command
	alone := filepath.Join(dir, "robots-audit")
	if err := errors.Join(os.Symlink(self, exe), os.Symlink(self, alone)); err != nil {
		t.Fatal(err)
	}
	lists := map[int]string{}
	for _, n := range []int{short, long} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "http://site%d.example\n", i)
		}
		lists[n] = filepath.Join(dir, strconv.Itoa(n))
		clitest.WriteFile(t, lists[n], text.String())
	}
	runs := 0
	folder := func() string { // folders stay until the end, because removing them would disturb the next turn
		runs++
		return filepath.Join(dir, fmt.Sprint("run", runs))
	}
	of := func(c *exec.Cmd) time.Duration { return c.ProcessState.UserTime() + c.ProcessState.SystemTime() }
	run := func(exe string, args ...string) time.Duration {
		c := exec.Command(exe, args...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c.Args, err, out)
		}
		return of(c)
	}
	settings := func(n int) []string {
		return []string{"-domains", lists[n], "-quiet", "-connect-to", ":80:" + server.Listener.Addr().String()}
	}
	// CPU time of a fleet's processes, of all and of each.
	fleet := func(n int) map[string]time.Duration {
		address, files := clitest.FreeAddress(t), folder()
		bucket := filepath.Join(files, "bucket")
		if err := os.MkdirAll(bucket, 0o755); err != nil {
			t.Fatal(err)
		}
		var processes []*process
		at := []string{"-servers", "nats://" + address, "-bucket", "file://" + bucket}
		for _, args := range [][]string{
			{"node", "-quiet", "-name", "n1", "-dir", filepath.Join(files, "n1"), "-listen", address},
			append([]string{"worker", "-quiet", "-scratch", filepath.Join(files, "scratch")}, at...),
		} {
			c := exec.Command(exe, args...)
			c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
			processes = append(processes, started(t, c))
		}
		clitest.Until(t, time.Minute, "the node answers", func() bool {
			return exec.Command(exe, "status", "-servers", "nats://"+address).Run() == nil
		})
		costs := map[string]time.Duration{"submit": run(exe, append(append([]string{"submit", "-wait"}, at...), settings(n)...)...)}
		for i, name := range []string{"worker", "node"} { // the node last, since the worker returns its sites to it
			p := processes[1-i]
			p.Process.Signal(syscall.SIGTERM)
			p.wait()
			costs[name] = of(p.Cmd)
		}
		return costs
	}
	sides := []struct {
		name string
		cost func(n int) map[string]time.Duration
	}{
		{"audit", func(n int) map[string]time.Duration {
			return map[string]time.Duration{"": run(alone, append([]string{"-out", folder(), "-no-cache"}, settings(n)...)...)}
		}},
		{"submit -local", func(n int) map[string]time.Duration {
			return map[string]time.Duration{"": run(exe, append([]string{"submit", "-local", "-out", folder(), "-no-cache"}, settings(n)...)...)}
		}},
		{"fleet", fleet},
	}
	type cell struct {
		side, process string
		sites         int
	}
	costs := map[cell][]time.Duration{}
	for turn := range turns * len(sides) {
		for _, n := range []int{short, long} {
			for i := range sides {
				s, all := sides[(i+turn)%len(sides)], time.Duration(0)
				for process, cost := range s.cost(n) {
					all += cost
					if process != "" {
						costs[cell{s.name, process, n}] = append(costs[cell{s.name, process, n}], cost)
					}
				}
				costs[cell{s.name, "", n}] = append(costs[cell{s.name, "", n}], all)
			}
		}
	}
	each := func(side, process string) float64 {
		a, b := median(costs[cell{side, process, short}]), median(costs[cell{side, process, long}])
		ms := float64(b-a) / float64(long-short) / 1e6
		t.Logf("%-13s %-6s %6.2f ms of CPU a site of %d URLs (%s for %d sites, %s for %d)", side, process, ms, urls, a.Round(time.Millisecond), short, b.Round(time.Millisecond), long)
		return ms
	}
	audit := each("audit", "")
	for _, s := range []struct {
		side  string
		bound float64 // in %
	}{{"submit -local", 100}, {"fleet", 200}} {
		more := 100 * (each(s.side, "")/audit - 1)
		t.Logf("%s costs %+.1f %% a site", s.side, more)
		if more > s.bound {
			t.Errorf("that is more than %+.0f %%", s.bound)
		}
	}
	for _, process := range []string{"worker", "node", "submit"} {
		each("fleet", process)
	}
}

func median(of []time.Duration) time.Duration {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}
