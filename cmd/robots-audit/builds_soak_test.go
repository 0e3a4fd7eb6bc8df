//go:build soak && linux

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// latentServer serves the sites of levelServer with a delay, and counts parallel requests to each
// host.
type latentServer struct {
	latency time.Duration
	mu      sync.Mutex
	asked   map[string]int // requests in progress
	most    int            // to one host at once
	all     int            // requests answered
}

func (s *latentServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.count(r.Host, 1)
	defer s.count(r.Host, -1)
	time.Sleep(s.latency)
	levelServer(w, r)
}

func (s *latentServer) count(host string, change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[host] += change
	s.most = max(s.most, s.asked[host])
	if change < 0 {
		s.all++
	}
}

// buildCost is the cost of a run.
type buildCost struct {
	cpu, wall time.Duration
	memory    float64 // peak, in MB
	bytes     float64 // of its folder
	files     int
}

// TestBuilds audits the same small sites (TEST_SITES) with several programs in turns (TEST_TIMES),
// to compare versions in the same minutes. The server answers with a delay (TEST_LATENCY,
// milliseconds). It logs the medians of a run's cost. Without TEST_BUILDS it runs only this
// program. No host gets two requests at once, and each site has its findings or, from a program
// without summary.json, its workbook.
//
//	TEST_BUILDS="before=/tmp/before now=/tmp/now" TEST_SITES=2000 TEST_LATENCY=300 TEST_ARGS="-rows all" \
//	    go test -tags soak -run '^TestBuilds$' -v ./cmd/robots-audit
func TestBuilds(t *testing.T) {
	sites, turns := clitest.Number(t, "TEST_SITES", 300), clitest.Number(t, "TEST_TIMES", 3)
	latency := time.Duration(clitest.Number(t, "TEST_LATENCY", 0)) * time.Millisecond
	exe := clitest.Self(t)
	builds := strings.Fields(os.Getenv("TEST_BUILDS"))
	if len(builds) == 0 {
		builds = []string{"this=" + exe}
	}
	dir, list := t.TempDir(), ""
	for i := range sites {
		list += fmt.Sprintf("http://s%d.example\n", i)
	}
	clitest.Write(t, dir, map[string]string{"list": list})
	costs := make([][]buildCost, len(builds))
	for turn := range turns {
		for i := range builds {
			i = (i + turn) % len(builds)
			name, path, ok := strings.Cut(builds[i], "=")
			if !ok {
				t.Fatalf("TEST_BUILDS: %q is not NAME=PROGRAM", builds[i])
			}
			handler := &latentServer{latency: latency, asked: map[string]int{}}
			server := httptest.NewServer(handler)
			// Files are removed only at the end: after many deletions ext4 needs several times as
			// long to create one.
			out := filepath.Join(dir, fmt.Sprint(name, "-", turn))
			costs[i] = append(costs[i], buildRun(t, path, filepath.Join(dir, "list"), server.Listener.Addr().String(), out))
			server.Close()
			if handler.most != 1 {
				t.Errorf("%s: %d requests to one host at once", name, handler.most)
			}
			if handler.all < 2*sites {
				t.Errorf("%s: %d requests to %d sites", name, handler.all, sites)
			}
			if _, err := os.Stat(filepath.Join(out, "summary.json")); err == nil {
				levelSites(t, out, sites) // each is there, and every other one is OK
			} else if books, _ := filepath.Glob(filepath.Join(out, "*.xlsx")); len(books) != sites { // another program
				t.Errorf("%s: %d workbooks of %d sites", name, len(books), sites)
			}
		}
	}
	n := float64(sites)
	for i, of := range costs {
		slices.SortFunc(of, func(a, b buildCost) int { return int(a.cpu - b.cpu) })
		name, _, _ := strings.Cut(builds[i], "=")
		m := of[len(of)/2]
		t.Logf("%-8s %.2f ms of CPU a site (%.2f to %.2f), %.1f sites/s, at most %.0f MB, %.2f files and %.1f KB a site", name,
			ms(m.cpu)/n, ms(of[0].cpu)/n, ms(of[len(of)-1].cpu)/n, n/m.wall.Seconds(), m.memory, float64(m.files)/n, m.bytes/n/1000)
	}
}

// buildRun audits a list with a program.
func buildRun(t *testing.T, program, list, server, out string) (c buildCost) {
	t.Helper()
	args := append([]string{"robots-audit", "-domains", list, "-out", out, "-quiet", "-no-cache", "-connect-to", ":80:" + server}, strings.Fields(os.Getenv("TEST_ARGS"))...)
	var said bytes.Buffer
	p := exec.Cmd{Path: program, Args: args, Stdout: &said, Stderr: &said}
	began := time.Now()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	// The system's final figure would include the memory of the test, which has started the
	// process.
	often := time.NewTicker(20 * time.Millisecond)
	defer often.Stop()
	for {
		select {
		case <-often.C:
			if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid)); err == nil {
				var kB float64
				if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
					fmt.Sscan(after, &kB)
				}
				c.memory = max(c.memory, kB*1024/1e6)
			}
			continue
		case err := <-ended:
			if err != nil {
				t.Fatalf("%s: %v: %s", program, err, said.String())
			}
		}
		break
	}
	c.wall = time.Since(began)
	c.cpu = p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	for _, text := range read(t, out) {
		c.files++
		c.bytes += float64(len(text))
	}
	return c
}
