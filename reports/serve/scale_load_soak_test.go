//go:build soak

package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// scaleDesk is a dashboard over the world of TestMakeScale: the program TEST_SCALE_PROGRAM, or one in this process,
// for a profile.
type scaleDesk struct {
	*asker
	pid int
}

func openScale(t *testing.T, dir string) *scaleDesk {
	program := os.Getenv("TEST_SCALE_PROGRAM")
	if program == "" {
		_, a := newDesk(t, Options{History: dir})
		return &scaleDesk{a, os.Getpid()}
	}
	address := cmp.Or(os.Getenv("TEST_SCALE_ADDRESS"), "127.0.0.1:18317")
	c := exec.Command(program, "serve", dir, "-listen", address)
	c.Stderr = os.Stderr
	began := time.Now()
	noError(t, c.Start())
	t.Cleanup(func() {
		c.Process.Signal(os.Interrupt)
		c.Wait()
	})
	for {
		if answer, err := http.Get("http://" + address + "/assets/none"); err == nil {
			answer.Body.Close()
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("it does not start")
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Logf("started in %s", time.Since(began).Round(time.Millisecond))
	return &scaleDesk{&asker{t: t, base: "http://" + address}, c.Process.Pid}
}

// memory is the resident memory of the dashboard and its highest value, in MB.
func (d *scaleDesk) memory() (now, most int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.pid))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && (f[0] == "VmRSS:" || f[0] == "VmHWM:") {
			n, _ := strconv.Atoi(f[1])
			if f[0] == "VmRSS:" {
				now = n >> 10
			} else {
				most = n >> 10
			}
		}
	}
	return now, most
}

// cpu is the processor time that the dashboard has used, which other work of the machine does not change. Its unit is a
// hundredth of a second.
func (d *scaleDesk) cpu() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// scaleView is a request that is measured. %[1]s in its path is the newest run, %[2]s a site, %[3]s a URL, %[4]s
// and %[5]s two versions. A body is sent with POST.
type scaleView struct {
	name, path, body string
}

var scaleViews = []scaleView{
	{name: "home", path: "/"},
	{name: "time", path: "/time"},
	{name: "time, 90 days", path: "/time?days=90"},
	{name: "time, 365 days", path: "/time?days=365"},
	{name: "time, part of a name", path: "/time?q=shop-09"},
	{name: "time, page 10", path: "/time?page=10"},
	{name: "alerts", path: "/alerts"},
	{name: "alerts, errors", path: "/alerts?severity=error"},
	{name: "alerts of a site", path: "/alerts?site=%[2]s"},
	{name: "run", path: "/runs/%[1]s/report/index.html"},
	{name: "run, JSON", path: "/runs/%[1]s?json"},
	{name: "sites, JSON", path: "/runs/%[1]s/sites?q=09&json"},
	{name: "site", path: "/runs/%[1]s/report/pages/%[2]s.html"},
	{name: "site, JSON", path: "/runs/%[1]s/sites/%[2]s?json"},
	{name: "search, no text", path: "/runs/%[1]s/search"},
	{name: "search, begin", path: "/runs/%[1]s/search?q=/shop/12/"},
	{name: "search, begin of a URL", path: "/runs/%[1]s/search?q=http://%[2]s/shop/"},
	{name: "search, middle", path: "/runs/%[1]s/search?q=item-77"},
	{name: "search, frequent", path: "/runs/%[1]s/search?q=html"},
	{name: "search, no hit", path: "/runs/%[1]s/search?q=nothing-has-that"},
	{name: "search, of a site", path: "/runs/%[1]s/search?q=item-7&site=%[2]s"},
	{name: "search, page 100", path: "/runs/%[1]s/search?q=/shop/&from=9900"},
	{name: "search, one URL", path: "/runs/%[1]s/search?q=%[3]s"},
	{name: "search, blocked", path: "/runs/%[1]s/search?blocked=any"},
	{name: "search, blocked for one", path: "/runs/%[1]s/search?blocked=any&crawler=Googlebot&q=item-7"},
	{name: "search, by clicks", path: "/runs/%[1]s/search?blocked=any&sort=-clicks"},
	{name: "search, hits, blocked", path: "/runs/%[1]s/search?blocked=any&crawler=Googlebot&hits=1&sort=-hits"},
	{name: "search, template", path: "/runs/%[1]s/search?template=/shop/{n}/item-{n}"},
	{name: "search, rule, page 100", path: "/runs/%[1]s/search?rule=disallow:+/search&from=9900"},
	{name: "URL", path: "/runs/%[1]s/sites/%[2]s/url?u=%[3]s"},
	{name: "URL, of no site", path: "/runs/%[1]s/url?u=%[3]s"},
	{name: "URL, of no run", path: "/url?u=%[3]s"},
	{name: "versions", path: "/runs/%[1]s/sites/%[2]s/versions"},
	{name: "two versions", path: "/runs/%[1]s/sites/%[2]s/versions?old=%[4]s&new=%[5]s"},
	{name: "crawlers", path: "/runs/%[1]s/crawlers"},
	{name: "logs", path: "/runs/%[1]s/logs/index.html"},
	{name: "comparison", path: "/comparisons/%[1]s/index.html"},
	{name: "editor", path: "/runs/%[1]s/sites/%[2]s/edit"},
	{name: "try", path: "/runs/%[1]s/sites/%[2]s/try", body: "User-agent: *\nDisallow: /shop/archive/\nDisallow: /p/1%d\n"},
	{name: "lint", path: "/runs/%[1]s/sites/%[2]s/lint", body: largeRobots + "# %d\n"},
	{name: "OpenAPI", path: "/openapi.json"},
}

// scaleFacts are the texts for paths of scaleViews.
type scaleFacts struct {
	run      string
	versions map[string][]string // by site
}

func (f *scaleFacts) path(v scaleView, i int, loc string) string {
	site := scaleHost(i)
	versions := append(f.versions[site], "none", "none")
	of := func(path string) string {
		if strings.Contains(path, "%[") {
			path += "%.0[1]s%.0[2]s%.0[3]s%.0[4]s%.0[5]s"
			return fmt.Sprintf(path, f.run, site, url.QueryEscape(loc), versions[1], versions[0])
		}
		return path
	}
	return of(v.path)
}

// locOf is a known URL of a site.
func locOf(i int) (loc string) {
	scalePaths(i, 40, func(path string) {
		if loc == "" && strings.HasPrefix(path, "/shop/archive/") {
			loc = "http://" + scaleHost(i) + path
		}
	})
	return loc
}

// ask sends the request of a view, and returns its time and its status.
func (d *scaleDesk) ask(client *http.Client, v scaleView, path string, n int) (took time.Duration, status int, text []byte, err error) {
	method, body := "GET", ""
	if v.body != "" {
		data, _ := json.Marshal(map[string]string{"robots": fmt.Sprintf(v.body, n)})
		method, body = "POST", string(data)
	}
	plain, asJSON := strings.CutSuffix(strings.TrimSuffix(path, "?json"), "&json")
	asJSON = asJSON || plain != path
	r, err := http.NewRequest(method, d.base+plain, strings.NewReader(body))
	if err != nil {
		return 0, 0, nil, err
	}
	if v.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if asJSON {
		r.Header.Set("Accept", "application/json")
	}
	began := time.Now()
	answer, err := client.Do(r)
	if err != nil {
		return 0, 0, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return time.Since(began), answer.StatusCode, text, err
}

// TestScale measures each view of the world in TEST_SCALE: the first request after the start, the next ten of other
// sites, and fifty clients for a minute (TEST_SECONDS). TEST_SCALE_ONLY is a pattern of the names of views.
func TestScale(t *testing.T) {
	dir := os.Getenv("TEST_SCALE")
	if dir == "" {
		t.Skip("TEST_SCALE is a folder of TestMakeScale")
	}
	only := regexp.MustCompile(os.Getenv("TEST_SCALE_ONLY"))
	facts := &scaleFacts{run: scaleDay.AddDate(0, 0, scaleRuns-1).Format("20060102T150405Z"), versions: map[string][]string{}}
	var views []scaleView
	for _, v := range scaleViews {
		if only.MatchString(v.name) {
			views = append(views, v)
		}
	}
	d := openScale(t, dir)
	sites := len(glob(t, filepath.Join(dir, "runs", facts.run, "records", "*.jsonl.zst")))
	at := func(n int) int { return (n*37 + 1) % sites }
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 50}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	now, _ := d.memory()
	t.Logf("%d sites; %d MB after the start", sites, now)
	// The index, if it is missing.
	began := time.Now()
	for {
		_, status, _, err := d.ask(client, scaleView{}, "/runs/"+facts.run+"/search?q=zzzz&json", 0)
		noError(t, err)
		if status != http.StatusAccepted {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if took := time.Since(began); took > 5*time.Second {
		now, most := d.memory()
		t.Logf("the index was made in %s, %d MB, at most %d MB", took.Round(time.Second), now, most)
	}
	if files := glob(t, filepath.Join(dir, "runs", facts.run, hiddenFolder, "index", "*")); len(files) > 0 {
		if info, err := os.Stat(files[0]); err == nil {
			t.Logf("the index has %d MB", info.Size()>>20)
		}
	}
	for n := range 60 {
		var of versionsView
		d.json("/runs/"+facts.run+"/sites/"+scaleHost(at(n))+"/versions", &of)
		for _, v := range of.Versions {
			facts.versions[scaleHost(at(n))] = append(facts.versions[scaleHost(at(n))], v.SHA256)
		}
	}
	t.Logf("%-26s %9s %9s %9s %9s %9s %8s %6s %8s", "view", "first", "median", "worst", "first CPU", "mean CPU", "bytes", "status", "MB")
	for _, v := range views {
		var took []time.Duration
		var size, status int
		var cpu, firstCPU time.Duration
		begin := d.cpu()
		for n := range 11 {
			of, s, text, err := d.ask(client, v, facts.path(v, at(n), locOf(at(n))), n)
			noError(t, err)
			took, status, size = append(took, of), max(status, s), max(size, len(text))
			if cpu = d.cpu() - begin; n == 0 {
				firstCPU = cpu
			}
		}
		first := took[0]
		rest := slices.Sorted(slices.Values(took[1:]))
		now, _ := d.memory()
		mark, bound := "", 500*time.Millisecond
		if strings.HasPrefix(v.name, "search") {
			bound = time.Second
		}
		if first > bound || rest[9] > bound {
			mark = " TOO SLOW"
		}
		t.Logf("%-26s %9s %9s %9s %9s %9s %8d %6d %8d%s", v.name, first.Round(100*time.Microsecond), rest[5].Round(100*time.Microsecond), rest[9].Round(100*time.Microsecond), firstCPU, (cpu-firstCPU)/10, size, status, now, mark)
	}
	_, most := d.memory()
	t.Logf("at most %d MB so far", most)
	d.crowd(t, client, views, facts, at)
}

// crowd requests all views from fifty clients, each after a pause of TEST_SCALE_PAUSE seconds on average.
func (d *scaleDesk) crowd(t *testing.T, client *http.Client, views []scaleView, facts *scaleFacts, at func(int) int) {
	seconds, _ := strconv.Atoi(cmp.Or(os.Getenv("TEST_SECONDS"), "60"))
	if seconds == 0 {
		return
	}
	pause, _ := strconv.ParseFloat(os.Getenv("TEST_SCALE_PAUSE"), 64) // mean seconds between two requests of a client
	var mu sync.Mutex
	took, faults := map[string][]time.Duration{}, map[string]int{}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var clients sync.WaitGroup
	for i := range 50 {
		clients.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 9))
			for time.Now().Before(end) {
				v, n := views[random.IntN(len(views))], random.IntN(60)
				of, status, _, err := d.ask(client, v, facts.path(v, at(n), locOf(at(n))), random.IntN(1000))
				time.Sleep(time.Duration(2 * random.Float64() * pause * float64(time.Second)))
				mu.Lock()
				if took[v.name] = append(took[v.name], of); err != nil || status >= 400 && status != 404 {
					faults[fmt.Sprint(v.name, ": ", status, " ", err)]++
				}
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	var all []time.Duration
	tell := func(name string, list []time.Duration) {
		slices.Sort(list)
		n := len(list)
		round := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
		t.Logf("%-26s %6d requests, p50 %7s, p95 %7s, p99 %7s, worst %7s", name, n, round(list[n/2]), round(list[n*95/100]), round(list[n*99/100]), round(list[n-1]))
	}
	for _, v := range views {
		if list := took[v.name]; len(list) > 0 {
			all = append(all, list...)
			tell(v.name, list)
		}
	}
	tell("all", all)
	now, most := d.memory()
	t.Logf("%d MB, at most %d MB; errors: %v", now, most, faults)
}

func glob(t testing.TB, pattern string) []string {
	list, err := filepath.Glob(pattern)
	noError(t, err)
	return list
}
