//go:build soak && linux

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports"
)

// levelURLs are the URLs of each site of TestLevelCosts.
const levelURLs = 100

// levelServer serves any number of sites, s0.example and so on; every other one blocks nothing. Its
// responses never change.
func levelServer(w http.ResponseWriter, r *http.Request) {
	w.Header()["Date"] = nil
	var number int
	fmt.Sscanf(r.Host, "s%d.example", &number)
	switch r.URL.Path {
	case "/robots.txt":
		rule := "/search"
		if number%2 == 0 {
			rule = "/3/"
		}
		fmt.Fprintf(w, "User-agent: *\nDisallow: %s\n\nSitemap: http://%s/sitemap.xml\n", rule, r.Host)
	case "/sitemap.xml":
		var text strings.Builder
		text.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range levelURLs {
			fmt.Fprintf(&text, "\n<url><loc>http://%s/%d/article-%d.html</loc><lastmod>2026-01-02</lastmod></url>", r.Host, i%10, i)
		}
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, text.String(), "\n</urlset>\n")
	default:
		http.NotFound(w, r)
	}
}

// levelCost is the cost of a run per site.
type levelCost struct {
	cpu          time.Duration // of the process that audits
	files, bytes float64       // of the run's folder, also per site
	ofSites      float64       // those of the files that belong to sites
}

// TestLevelCosts audits the same sites (TEST_SITES) with each level of -reports in turns
// (TEST_TIMES), and logs the medians of the cost per site. Each level writes the files that it
// promises, with the same findings. From the records of a lower level, report RUN -site HOST makes
// the files of -reports all.
//
//	TEST_SITES=1000 go test -tags soak -run '^TestLevelCosts$' -v ./cmd/robots-audit
func TestLevelCosts(t *testing.T) {
	sites, turns := clitest.Number(t, "TEST_SITES", 300), clitest.Number(t, "TEST_TIMES", 3)
	server := httptest.NewServer(http.HandlerFunc(levelServer))
	defer server.Close()
	dir, list := t.TempDir(), ""
	for i := range sites {
		list += fmt.Sprintf("http://s%d.example\n", i)
	}
	clitest.Write(t, dir, map[string]string{"list": list})
	costs := map[string][]levelCost{}
	for turn := range turns {
		for i := range reports.Levels() {
			level := reports.Levels()[(i+turn)%len(reports.Levels())]
			out := filepath.Join(dir, level)
			if err := os.Rename(out, fmt.Sprint(out, "-", turn)); err != nil && turn > 0 { // deleted at the end, see TestBuilds
				t.Fatal(err)
			}
			costs[level] = append(costs[level], levelRun(t, level, filepath.Join(dir, "list"), server.Listener.Addr().String(), sites, out))
		}
	}
	middle := map[string]levelCost{}
	for _, level := range slices.Backward(reports.Levels()) {
		of := costs[level]
		slices.SortFunc(of, func(a, b levelCost) int { return int(a.cpu - b.cpu) })
		m := of[len(of)/2]
		middle[level] = m
		t.Logf("%-8s %.2f ms of CPU a site (%.2f to %.2f), %.2f files (%.2f of its own), %.1f KB", level, ms(m.cpu), ms(of[0].cpu), ms(of[len(of)-1].cpu), m.files, m.ofSites, m.bytes/1000)
	}
	for level, files := range map[string]float64{"all": 5, "blocked": 3, "summary": 1, "none": 1} { // records; workbook, page, two of evidence
		if got := middle[level].ofSites; got != files {
			t.Errorf("%s: %v files a site, want %v", level, got, files)
		}
	}
	for i, more := range reports.Levels()[1:] {
		if less := reports.Levels()[i]; middle[less].files >= middle[more].files || middle[less].bytes >= middle[more].bytes {
			t.Errorf("%s takes as much as %s: %+v and %+v", less, more, middle[less], middle[more])
		}
	}
	said := map[string]string{}
	for _, level := range reports.Levels() {
		said[level] = levelSites(t, filepath.Join(dir, level), sites)
		if said[level] != said["none"] {
			t.Errorf("%s: summary.json says something else of the sites than with none", level)
		}
	}
	for _, level := range []string{"none", "summary", "blocked"} {
		levelDemand(t, filepath.Join(dir, level), filepath.Join(dir, level+"-as-all"), sites)
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// levelRun audits the sites of a list in its own process.
func levelRun(t *testing.T, level, list, server string, sites int, out string) (c levelCost) {
	t.Helper()
	exe := clitest.Self(t)
	args := []string{"-domains", list, "-out", out, "-reports", level, "-quiet", "-no-cache", "-retries", "0", "-connect-to", ":80:" + server}
	p := exec.Cmd{Path: exe, Args: append([]string{"robots-audit"}, args...)}
	if said, err := p.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", level, err, said)
	}
	c.cpu = (p.ProcessState.UserTime() + p.ProcessState.SystemTime()) / time.Duration(sites)
	n := float64(sites)
	for name, text := range read(t, out) {
		c.files += 1 / n
		c.bytes += float64(len(text)) / n
		if levelSiteOf(name) != "" {
			c.ofSites++
		}
	}
	c.ofSites /= n
	return c
}

// levelSiteOf is the site of a run's file; "" = it belongs to the run.
func levelSiteOf(name string) string {
	for _, prefix := range []string{"records/", "evidence/", "pages/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	host, _, found := strings.Cut(name, ".example")
	if !found {
		return ""
	}
	return host + ".example"
}

// levelSites are the entries of a run's summary.json in order, without times and names of
// workbooks, which must exist. Every other site is OK.
func levelSites(t *testing.T, run string, sites int) string {
	t.Helper()
	text := clitest.Read(t, run, "summary.json")
	var said struct{ Sites []map[string]any }
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatal(err)
	}
	if len(said.Sites) != sites {
		t.Errorf("%s: %d sites", run, len(said.Sites))
	}
	fine := 0
	for _, of := range said.Sites {
		if of["state"] == "ok" {
			fine++
		}
		if name, _ := of["workbook"].(string); name != "" {
			if _, err := os.Stat(filepath.Join(run, name)); err != nil {
				t.Errorf("summary.json names what is not there: %v", err)
			}
		}
		delete(of, "workbook")
	}
	if fine != sites/2 {
		t.Errorf("%s: %d sites are fine", run, fine)
	}
	list, err := json.Marshal(said.Sites)
	if err != nil {
		t.Fatal(err)
	}
	return clitest.Clocks.ReplaceAllString(string(list), "")
}

// levelDemand requests all files of some sites of a run, in its own folder and another. It compares
// them with those that -reports all writes from the same records, in the folder all.
func levelDemand(t *testing.T, run, all string, sites int) {
	t.Helper()
	var asked []string
	for i := 0; i < sites; i += max(1, sites/301) | 1 { // odd, to have sites of both kinds
		asked = append(asked, fmt.Sprintf("s%d.example", i))
	}
	want := levelReplay(t, run, all, asked)
	if len(want) != 4*len(asked) {
		t.Errorf("%s: %d files of %d sites with all", run, len(want), len(asked))
	}
	beside := filepath.Join(t.TempDir(), "beside")
	for dir, args := range map[string][]string{run: nil, beside: {"-out", beside}} {
		exe := clitest.Self(t)
		p := exec.Cmd{Path: exe, Args: append([]string{"robots-audit", "report", run, "-site", strings.Join(asked, ",")}, args...)}
		began := time.Now()
		if said, err := p.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", run, err, said)
		}
		t.Logf("%s: %d sites demanded: %.2f ms of CPU each, %v", filepath.Base(run), len(asked), ms(p.ProcessState.UserTime()+p.ProcessState.SystemTime())/float64(len(asked)), time.Since(began).Round(time.Millisecond))
		got := read(t, dir)
		maps.DeleteFunc(got, func(name, _ string) bool {
			return strings.HasPrefix(name, "records/") || !slices.Contains(asked, levelSiteOf(name))
		})
		if diff := differences(want, got); len(diff) > 0 {
			t.Errorf("%s, %v: not as -reports all has it: %q", filepath.Base(run), args, diff[:min(len(diff), 10)])
		}
	}
}

// levelReplay writes the records of some sites of a run into a run with all reports. It returns the
// files of these sites without their records.
func levelReplay(t *testing.T, run, all string, asked []string) map[string]string {
	t.Helper()
	stored, err := reports.OpenStored(run, cli.Version)
	if err != nil {
		t.Fatal(err)
	}
	r, err := reports.Open(reports.Options{Dir: all, Version: stored.Version, Crawlers: stored.Crawlers, Started: stored.Started})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range asked {
		of, found := stored.Site("http://" + name)
		if !found {
			if of, found = stored.Site(name); !found {
				t.Fatalf("%s: no site %s", run, name)
			}
		}
		for rec, err := range of.Records() {
			if err == nil {
				err = r.Write(rec)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	files := read(t, all)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, "records/") || levelSiteOf(name) == "" })
	return files
}
