package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports"
)

// served are the robots.txt of hosts, which a test replaces between two runs.
type served struct {
	sync.Mutex
	files map[string]string
}

func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	w.Header().Set("Content-Type", "text/plain")
	switch file, known := s.files[r.Host]; {
	case r.URL.Path == "/robots.txt" && known:
		fmt.Fprint(w, file)
	case r.URL.Path == "/sitemap.txt":
		for _, path := range []string{"", "shop/a", "shop/b", "shop/b/c", "news/1", "news/2?x=1", "a.pdf", "old", "old/x", "%C3%A4", "*"} {
			fmt.Fprintf(w, "http://%s/%s\n", r.Host, path)
		}
	default:
		http.NotFound(w, r)
	}
}

func (s *served) set(files map[string]string) {
	s.Lock()
	defer s.Unlock()
	s.files = files
}

// edits are robots.txt of hosts, before and after an edit.
var edits = []struct{ host, was, is string }{
	{"rules.example", "User-agent: *\nDisallow: /shop/\nDisallow: /old\n", "User-agent: *\nDisallow: /shop/b\nAllow: /shop/b/c\nDisallow: /old$\nDisallow: /*?\n"},
	{"groups.example", "User-agent: *\nDisallow: /news/\n", "User-agent: Googlebot\nUser-agent: GPTBot\nDisallow: /shop/\n\nUser-agent: *\nDisallow: /news/\n"},
	{"moved.example", "User-agent: *\nDisallow: /old\nDisallow: /a\n", "\xEF\xBB\xBFUser-agent: *\r\nDisallow: /a\r\nDisallow: /old\r\n# a comment\r\n"},
	{"html.example", "User-agent: *\nDisallow: /news/\n", "<!DOCTYPE html><html><title>x</title></html>\n"},
	{"empty.example", "User-agent: *\nDisallow: /news/\n", ""},
	{"large.example", "User-agent: *\nDisallow: /news/\n", strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 5200) + "User-agent: *\nDisallow: /news/\n"},
	{"same.example", "User-agent: *\nDisallow: /news/\n", "User-agent: *\nDisallow: /news/\n"},
}

// TestSimulateEqualsRerun compares simulate, and an audit with -robots, with an audit of the same
// sites once they serve these files. Each figure, each change with its cause and lines, and each
// cell must be equal.
func TestSimulateEqualsRerun(t *testing.T) {
	t.Parallel()
	sites := &served{}
	server := httptest.NewServer(sites)
	defer server.Close()
	dir := t.TempDir()
	was, is := map[string]string{}, map[string]string{}
	var list, robots []string
	for _, e := range edits {
		was[e.host], is[e.host] = e.was, e.is
		list = append(list, "http://"+e.host)
		clitest.Write(t, dir, map[string]string{e.host: e.is})
		robots = append(robots, "-robots", e.host+"="+filepath.Join(dir, e.host))
	}
	audit := func(name string, files map[string]string, more ...string) string {
		t.Helper()
		sites.set(files)
		out := filepath.Join(dir, name)
		args := append([]string{"-out", out, "-quiet", "-no-cache", "-retries", "-1", "-rows", "all", "-reports", "evidence,workbook", "-connect-to", ":80:" + server.Listener.Addr().String()}, list...)
		commandOf(t, append(args, more...)...)
		return out
	}
	base, rerun := audit("base", was), audit("rerun", is)
	live := audit("live", was, robots...)
	real, simulated := filepath.Join(dir, "real"), filepath.Join(dir, "simulated")
	commandOf(t, "compare", base, rerun, "-out", real)
	commandOf(t, append([]string{"simulate", base, "-out", simulated}, robots...)...)

	if a, b := comparison(t, real), comparison(t, simulated); !reflect.DeepEqual(a, b) {
		t.Errorf("changes.json: simulated\n%v\nserved\n%v", b, a)
	} else if flips := a["totals"].(map[string]any)["newly_blocked"]; flips != float64(4) {
		t.Errorf("%v newly blocked", flips)
	}
	sameSheets(t, filepath.Join(real, "changes.xlsx"), filepath.Join(simulated, "changes.xlsx"), "Summary", "Runs")
	for _, e := range edits {
		sameSheets(t, filepath.Join(rerun, e.host+".xlsx"), filepath.Join(live, e.host+".xlsx"))
	}
	if a, b := recordsOf(t, rerun), recordsOf(t, live); !slices.Equal(a, b) {
		t.Errorf("records: with -robots\n%q\nserved\n%q", b, a)
	}
}

func commandOf(t *testing.T, args ...string) {
	t.Helper()
	if code, out := call(args...); code != cli.ExitDone && code != cli.ExitUnknown {
		t.Fatalf("%q: exit code %d: %s", args, code, out)
	}
}

// comparison reads changes.json without what differs between the runs: their times, and the states
// of sites, which only an audit computes.
func comparison(t *testing.T, dir string) map[string]any {
	t.Helper()
	text := clitest.Read(t, dir, "changes.json")
	var of map[string]any
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		t.Fatal(err)
	}
	delete(of, "old")
	delete(of, "new")
	for _, site := range of["sites"].([]any) {
		for _, key := range []string{"started", "finished", "state"} {
			delete(site.(map[string]any)["new"].(map[string]any), key)
		}
	}
	return of
}

// fromServer are the columns that need a response of a server.
var fromServer = []string{"State, new", "Time (UTC)", "Fetched (UTC)", "ms", "Address", "Bytes over the wire"}

// fromAnswer are columns that are empty if -robots replaces the response.
var fromAnswer = []string{"Status", "Content-Type", "Bytes", "Tries"}

// given matches the text that is added there, so that the file is not mistaken for a response.
var given = regexp.MustCompile(`( robots\.txt was|:) not fetched[;:] your draft was used( instead)?( \(sha256 [0-9a-f]{16}…\)\.)?|, as if served \(sha256 [0-9a-f]{16}…\)`)

// sameSheets compares all cells of two workbooks, except some sheets and the columns of fetches.
func sameSheets(t *testing.T, real, other string, without ...string) {
	t.Helper()
	a := openBook(t, real)
	b := openBook(t, other)
	if !slices.Equal(a.GetSheetList(), b.GetSheetList()) {
		t.Fatalf("%s: sheets %q, served %q", filepath.Base(other), b.GetSheetList(), a.GetSheetList())
	}
	cells := 0
	for _, sheet := range a.GetSheetList() {
		if slices.Contains(without, sheet) {
			continue
		}
		rows := func(f *excelize.File) [][]string {
			list, err := f.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			titles := slices.Clone(list[0])
			for r, row := range list {
				for i := range row {
					cells++
					row[i] = given.ReplaceAllString(strings.ReplaceAll(row[i], "your draft of robots.txt: ", "HTTP 200: "), "")
					switch at := slices.Index(titles, "URL"); {
					case i < len(titles) && slices.Contains(fromServer, titles[i]):
						row[i] = ""
					case (sheet == "Requests for robots.txt" || sheet == "Evidence") && strings.HasSuffix(row[at], "/robots.txt") && slices.Contains(fromAnswer, titles[i]):
						row[i] = ""
					case sheet == "Summary" && row[0] == "robots.txt, HTTP status" && row[i] == "not asked":
						row[i] = "200"
					}
				}
				for len(row) > 0 && row[len(row)-1] == "" { // empty cells at the end are optional
					row = row[:len(row)-1]
				}
				list[r] = row
			}
			return list
		}
		if x, y := fmt.Sprintf("%q", rows(a)), fmt.Sprintf("%q", rows(b)); x != y {
			t.Errorf("%s, sheet %s:\n%s\nserved\n%s", filepath.Base(other), sheet, y, x)
		}
	}
	if cells < 100 {
		t.Errorf("%s: %d cells", filepath.Base(other), cells)
	}
}

// recordsOf are all records of a run in order, one per line, without times and addresses.
func recordsOf(t *testing.T, dir string) (lines []string) {
	t.Helper()
	stored, err := reports.OpenStored(dir, cli.Version)
	if err != nil {
		t.Fatal(err)
	}
	for _, site := range stored.Sites {
		for rec, err := range site.Records() {
			if err != nil {
				t.Fatal(err)
			}
			if rec.URLs != nil {
				for _, u := range rec.URLs.List {
					lines = append(lines, fmt.Sprintf("%s %s %d %q %d", u.Loc, u.Kind, u.Origin, u.Verdicts, u.Lines))
				}
				continue
			}
			text, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			var of any
			if err := json.Unmarshal(text, &of); err != nil {
				t.Fatal(err)
			}
			if r := rec.Robots; r != nil { // -robots sends no request, and says so: see TestGiven of package audit
				if file := of.(map[string]any)["robots"].(map[string]any)["file"].(map[string]any); r.File.Given == (file["hops"] != nil) || r.File.Given == (file["tries"] != nil) {
					t.Errorf("given %v, and requests: %v", r.File.Given, file)
				}
				forget(of.(map[string]any)["robots"], "given", "hops", "tries")
			}
			forget(of, "started", "finished", "millis", "address", "header", "wire")
			lines = append(lines, strings.ReplaceAll(fmt.Sprint(of), "why:your draft of robots.txt: ", "why:HTTP 200: "))
		}
	}
	return lines
}

func forget(of any, keys ...string) {
	switch of := of.(type) {
	case map[string]any:
		for _, key := range keys {
			delete(of, key)
		}
		for _, value := range of {
			forget(value, keys...)
		}
	case []any:
		for _, value := range of {
			forget(value, keys...)
		}
	}
}
