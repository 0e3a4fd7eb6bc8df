package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestList runs over typical lists. A line that is no site is reported with its number, in the log
// and in the errors. It does not affect other sites, and the exit code shows it.
func TestList(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow:\n")
		case "/sitemap.xml":
			fmt.Fprintf(w, "http://%s/\n", r.Host)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	bad := []string{
		"two words.example", "http://a..example", "xn--a-.example", strings.Repeat("a", 64) + ".example", "http://a.example:0", "gopher://a.example", "\xff\xfe",
	}
	for _, c := range []struct {
		name, list string
		code       int
		lines      []int // reported in standard error and in the run's folder
		sites      []string
	}{
		{"fine", "\uFEFFhttp://a.example\r\n\r\n# a comment\r\nHTTP://A.Example.:80/path?q # the same\r\nhttp://b.example", cli.ExitDone, nil, []string{"a.example", "b.example"}},
		{"bad lines", "http://a.example\r\n\n" + strings.Join(bad, "\r\n") + "\r\nhttp://b.example\n", cli.ExitUnknown, []int{3, 4, 5, 6, 7, 8, 9}, []string{"a.example", "b.example"}},
		{"nothing but bad lines", "two words\n", cli.ExitUsage, []int{1}, nil},
		{"nothing", "\n# a comment\n", cli.ExitUsage, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			code, said := callWith(c.list, "-domains", "-", "-out", out, "-quiet", "-no-cache", "-retries", "0", "-connect-to", ":80:"+server.Listener.Addr().String())
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, said)
			}
			text := clitest.Read(t, out, "summary.json")
			book := openBook(t, out, "summary.xlsx")
			var rows [][]string
			if i, err := book.GetSheetIndex("Errors"); err != nil {
				t.Fatal(err)
			} else if i >= 0 { // without an error there is no such sheet
				if rows, err = book.GetRows("Errors"); err != nil {
					t.Fatal(err)
				}
			}
			if (rows == nil) != (c.lines == nil) {
				t.Errorf("%d rows of errors", len(rows))
			}
			var table strings.Builder
			for _, row := range rows {
				fmt.Fprintln(&table, strings.Join(row, " "))
			}
			for _, line := range c.lines {
				told := fmt.Sprintf("line %d: ", line)
				if !strings.Contains(said, told) || !strings.Contains(table.String(), "bad_domain this line of the list names no site  "+told) {
					t.Errorf("%q is not said, or no row of the errors:\n%s\n%s", told, said, &table)
				}
			}
			if n := strings.Count(said, "the list of sites: line "); n != len(c.lines) {
				t.Errorf("%d lines are said to be bad, want %d:\n%s", n, len(c.lines), said)
			}
			var sum struct {
				Run struct {
					List []struct{ Stage, Code, Detail string } `json:"list_problems"`
				}
				Sites []struct{ Domain string }
			}
			if err := json.Unmarshal([]byte(text), &sum); err != nil {
				t.Fatal(err)
			}
			if len(sum.Run.List) != len(c.lines) {
				t.Errorf("summary.json names %d bad lines, want %d", len(sum.Run.List), len(c.lines))
			}
			for i, p := range sum.Run.List {
				if told := fmt.Sprintf("line %d: ", c.lines[i]); p.Stage != "list" || p.Code != "bad_domain" || !strings.HasPrefix(p.Detail, told) {
					t.Errorf("summary.json says %+v, want %s", p, told)
				}
			}
			var sites []string
			for _, s := range sum.Sites {
				sites = append(sites, s.Domain)
			}
			if diff := diff.Diff(c.sites, sites); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestListUTF16 reads a UTF-16 list, as some editors and shells write it. From standard input, which
// is read only once, it is refused: no folder is made, and the error says what to do.
func TestListUTF16(t *testing.T) {
	dir := t.TempDir()
	name, out := filepath.Join(dir, "list.txt"), filepath.Join(dir, "out")
	for _, text := range []string{"\xff\xfea\x00.\x00b\x00\n\x00", "\xfe\xff\x00a\x00.\x00b\x00\n"} {
		clitest.WriteFile(t, name, text)
		code, said := callWith(text, "-domains", "-", "-out", out)
		if want := "robots-audit: -domains -: this file is in UTF-16. Save it as UTF-8\n"; code != cli.ExitUsage || said != want {
			t.Errorf("exit code %d: %s", code, said)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("there is a folder")
		}
		list, took, err := audit.OpenDomains(name, "", "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(list)
		list.Close()
		if err != nil || string(got) != "a.b\n" || !strings.HasPrefix(took, "sites from column A, read as UTF-16") {
			t.Errorf("%q, %s, %v", got, took, err)
		}
	}
}

// TestReportInTheWay makes a site's report fail: the run continues without it, says so, and counts
// the site as unknown.
func TestReportInTheWay(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	out := filepath.Join(t.TempDir(), "out")
	if err := os.MkdirAll(filepath.Join(out, "a.example.xlsx", "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	code, said := callWith("http://a.example\nhttp://b.example\n", "-domains", "-", "-out", out, "-retries", "0", "-connect-to", ":80:"+server.Listener.Addr().String())
	if code != cli.ExitUnknown || !strings.Contains(said, "\n2 sites: 0 critical, 0 warnings, 1 unknown, 1 OK\n") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if !strings.Contains(said, `Fix the problem, then continue with -resume" sites=1`) {
		t.Errorf("it does not say that a report is missing: %s", said)
	}
}

// TestSummaryInTheWay makes the run fail at its end, with exit code 4 and advice. Following the
// advice gives the summary, without further requests.
func TestSummaryInTheWay(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.NotFound(w, r)
	}))
	defer server.Close()
	out := filepath.Join(t.TempDir(), "out")
	way := filepath.Join(out, "summary.xlsx", "in the way")
	if err := os.MkdirAll(way, 0o777); err != nil {
		t.Fatal(err)
	}
	args := []string{"-domains", "-", "-out", out, "-quiet", "-retries", "0", "-connect-to", ":80:" + server.Listener.Addr().String()}
	code, said := callWith("http://a.example\n", args...)
	if code != cli.ExitFailed || !strings.Contains(said, "summary.xlsx") || !strings.HasSuffix(said, "continue with: -out "+out+" -resume\n") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if err := os.Remove(way); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Dir(way)); err != nil {
		t.Fatal(err)
	}
	before := asked.Load()
	if code, said := callWith("http://a.example\n", append(args, "-resume")...); code != cli.ExitDone || asked.Load() != before {
		t.Errorf("exit code %d, asked %d times more: %s", code, asked.Load()-before, said)
	}
	if _, err := os.Stat(filepath.Join(out, "summary.xlsx")); err != nil {
		t.Error(err)
	}
}

// TestRunsOfOneSecond checks that runs without a named folder get different ones.
func TestRunsOfOneSecond(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 3 {
		if code, said := callWith("# none\n", "-domains", "-", "-no-cache"); code != cli.ExitUsage {
			t.Errorf("exit code %d: %s", code, said)
		}
	}
	if found, _ := filepath.Glob("robots-audit-*"); len(found) != 3 {
		t.Errorf("folders %q, want 3", found)
	}
}

// URLs of -urls are tested with their site. The number of those without a site is in every summary.
// A value that the list lacks is null.
func TestURLsOfOtherHosts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /p\nSitemap: http://a.example/sitemap.xml\n")
		case "/sitemap.xml":
			io.WriteString(w, "http://a.example/p0\n")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	urls, list := filepath.Join(dir, "urls.csv"), filepath.Join(dir, "list.txt")
	table := "page,clicks,impressions\nhttp://a.example/p1,0,7\nhttp://www.a.example/p2,,\nhttp://a.example:8080/p3,-,0\nhttp://b.example/1,5,6\nhttp://b.example/2,1,1\n/relative,1,1\n"
	sites := "http://a.example\nhttp://a.example:8080\n"
	clitest.Write(t, "", map[string]string{urls: table, list: sites})
	for _, domains := range []string{"-", list} {
		out := filepath.Join(t.TempDir(), "out")
		address := server.Listener.Addr().String()
		code, said := callWith(sites, "-domains", domains, "-out", out, "-quiet", "-no-cache", "-retries", "0", "-rows", "all", "-format", "csv,jsonl", "-urls", urls, "-crawlers", "Googlebot",
			"-connect-to", ":80:"+address, "-connect-to", ":8080:"+address)
		if code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		read := func(name string) string { return clitest.Read(t, out, name) }
		for name, want := range map[string][]string{ // URL, and the columns after Directory's pattern: clicks, impressions
			"a.example":      {"http://a.example/p0 null null", "http://a.example/p1 0 7", "http://www.a.example/p2 null null"},
			"a.example_8080": {"http://a.example/p0 null null", "http://a.example:8080/p3 null 0"},
		} {
			var fromCSV, fromJSON []string
			rows := csv.NewReader(strings.NewReader(read(name + ".csv")))
			header, err := rows.Read()
			if err != nil {
				t.Fatal(err)
			}
			for row, err := rows.Read(); err == nil; row, err = rows.Read() {
				cell := func(title string) string { return cmp.Or(row[slices.Index(header, title)], "null") }
				fromCSV = append(fromCSV, cell("url")+" "+cell("clicks")+" "+cell("impressions"))
			}
			for line := range strings.Lines(read(name + ".jsonl")) {
				var row map[string]any
				if err := json.Unmarshal([]byte(line), &row); err != nil {
					t.Fatal(err)
				}
				fromJSON = append(fromJSON, strings.ReplaceAll(fmt.Sprintln(row["url"], row["clicks"], row["impressions"]), "<nil>", "null"))
			}
			for format, got := range map[string][]string{"csv": fromCSV, "jsonl": fromJSON} {
				for i := range got {
					got[i] = strings.Join(strings.Fields(got[i]), " ")
				}
				slices.Sort(got)
				slices.Sort(want)
				if text := diff.Diff(want, got); text != "" {
					t.Errorf("%s, %s: %s", name, format, text)
				}
			}
		}
		untested := "b.example: 2 URLs of the list of URLs were not tested, because the host is not in the list of sites"
		for _, name := range []string{"summary.json", "summary.md", "index.html"} {
			if text := read(name); !strings.Contains(text, untested) || !strings.Contains(text, "1 row of the list of URLs skipped") {
				t.Errorf("%s does not tell:\n%s", name, text)
			}
		}
		if strings.Contains(read("summary.md"), "Lines of the list without a site") || strings.Count(said, "-urls: ") != 2 {
			t.Errorf("%s\n%s", read("summary.md"), said)
		}
		book := openBook(t, out, "summary.xlsx")
		for sheet, want := range map[string]string{"Errors": "urls|not_listed|URLs in your list whose host is not in the list of sites||" + untested, "Skipped": "b.example|not_listed|URLs in your list whose host is not in the list of sites|2"} {
			rows, err := book.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(rows, func(row []string) bool { return strings.Contains(strings.Join(row, "|"), want) }) {
				t.Errorf("no row %q in %s: %q", want, sheet, rows)
			}
		}
	}
}

// An endless list of sites cannot be read twice, which is reported.
func TestEndlessListWithURLs(t *testing.T) {
	urls := filepath.Join(t.TempDir(), "urls")
	clitest.WriteFile(t, urls, "http://a.example/\n")
	var said bytes.Buffer
	code := run([]string{"-domains", "-", "-out", filepath.Join(t.TempDir(), "out"), "-no-cache", "-urls", urls}, cli.Streams{In: endlessComments{}, Out: io.Discard, Err: &said})
	if code != cli.ExitUsage || !strings.Contains(said.String(), "the list of sites is longer than 64 MB") {
		t.Errorf("exit code %d: %s", code, &said)
	}
}

type endlessComments struct{}

func (endlessComments) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte("#\n"), (len(p)+1)/2)), nil
}
