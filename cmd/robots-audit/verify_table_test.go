package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// The robots.txt of shop.example, and a proposed one.
const (
	tableRobots = "User-agent: *\nDisallow: /cart/\nAllow: /cart/help\nDisallow: /*?sort=\nDisallow: /*.htm\nAllow: /page\n\n" +
		"User-agent: GPTBot\nDisallow: /\n\nUser-agent: Yandex\nDisallow: /private\nAllow: /private/open\n\nSitemap: http://shop.example/sitemap.xml\n"
	tableProposed = "User-agent: *\nDisallow: /cart/\nDisallow: /de/\nAllow: /cart/help\nDisallow: /*.htm\nAllow: /page\n"
)

var tablePaths = []string{"/", "/a", "/cart/1", "/cart/help", "/page.htm", "/list?sort=x", "/de/1", "/de/2", "/doc.pdf", "/%C3%BCber"}

// tableServer serves the four sites of the table.
func tableServer(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.Path {
		case "shop.example/robots.txt":
			fmt.Fprint(w, tableRobots)
		case "shop.example/sitemap.xml":
			fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for _, path := range tablePaths {
				fmt.Fprintf(w, "<url><loc>http://shop.example%s</loc></url>", path)
			}
			fmt.Fprint(w, "</urlset>")
		case "busy.example/robots.txt":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "dead.example/robots.txt":
			panic(http.ErrAbortHandler)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// tableRow is a row of testdata/verify.txt.
type tableRow struct {
	cells [4]string         // url, crawler, expect, profile
	want  map[string]string // by column: outcomes, one per site
}

func readTable(t *testing.T) (rows []tableRow) {
	t.Helper()
	text := clitest.Read(t, "testdata", "verify.txt")
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 7 {
			t.Fatalf("%d columns: %s", len(fields), line)
		}
		rows = append(rows, tableRow{[4]string{fields[0], fields[1], fields[2], strings.TrimPrefix(fields[3], "-")}, map[string]string{"file": fields[4], "sites": fields[5], "proposed": fields[6]}})
	}
	return rows
}

// writeTable writes the expectations of a column as CSV and as JSON Lines, and returns their rows.
func writeTable(t *testing.T, rows []tableRow, column string) (asked []tableRow) {
	t.Helper()
	var table, lines bytes.Buffer
	out := csv.NewWriter(&table)
	for _, row := range rows {
		if row.want[column] == "-" {
			continue
		}
		asked = append(asked, row)
		out.Write(row.cells[:])
		line, err := json.Marshal(map[string]string{"url": row.cells[0], "crawler": row.cells[1], "expect": row.cells[2], "profile": row.cells[3]})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	out.Flush()
	for name, text := range map[string][]byte{column + ".csv": table.Bytes(), column + ".jsonl": lines.Bytes()} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return asked
}

// TestVerifyTable judges a table of expectations by a file, by a run, and by live sites.
func TestVerifyTable(t *testing.T) {
	rows := readTable(t)
	t.Chdir(t.TempDir())
	server := tableServer(t)
	clitest.Write(t, "", map[string]string{
		"robots.txt": tableRobots, "new.txt": tableProposed, "list": "http://shop.example\nhttp://gone.example\nhttp://busy.example\nhttp://dead.example\n",
		"urls.txt": "http://shop.example" + strings.Join(tablePaths, "\nhttp://shop.example") + "\n",
	})
	if code, said := call(strings.Fields("-domains list -out run -quiet -no-cache -retries 0 -connect-to :80:" + server.Listener.Addr().String())...); code != cli.ExitUnknown {
		t.Fatalf("exit code %d: %s", code, said)
	}
	live := "-domains list -quiet -retries 0 -connect-to :80:" + server.Listener.Addr().String()
	judged := 0
	for _, column := range []string{"file", "sites", "proposed"} {
		asked := writeTable(t, rows, column)
		for _, args := range map[string][]string{
			"file":     {"-urls urls.txt -site http://shop.example robots.txt", "-urls urls.txt -site http://shop.example -"},
			"sites":    {"-run run", live},
			"proposed": {"-run run -robots http://shop.example=new.txt -all-sites", live + " -robots shop.example=new.txt -all-sites"},
		}[column] {
			for _, format := range []string{".csv", ".jsonl"} {
				judged += len(asked)
				got, code := judgeTable(t, "-expect "+column+format+" "+args)
				if code != cli.ExitFindings {
					t.Errorf("%s: exit code %d", args, code)
				}
				for i, row := range asked {
					if list := strings.Join(got[i+1], ","); list != row.want[column] {
						t.Errorf("%s%s: %v is %s, want %s", args, format, row.cells, list, row.want[column])
					}
				}
			}
		}
	}
	if len(rows) < 40 || judged != 2*2*(39+39+47) {
		t.Errorf("%d rows, judged %d times", len(rows), judged)
	}
}

// judgeTable runs verify, and returns the outcomes by line, in the order of sites.
func judgeTable(t *testing.T, args string) (map[int][]string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	code := runVerify(append(strings.Fields(args), "-json"), cli.Streams{In: strings.NewReader(tableRobots), Out: &out, Err: &errs})
	got := map[int][]string{}
	order := []string{"shop.example", "gone.example", "busy.example", "dead.example"}
	bySite := map[string]map[int]string{}
	for line := range bytes.Lines(out.Bytes()) {
		var r struct {
			Line          int
			Site, Outcome string
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		site := strings.TrimPrefix(r.Site, "http://")
		if bySite[site] == nil {
			bySite[site] = map[int]string{}
		}
		if before := bySite[site][r.Line]; before != "" {
			t.Errorf("%s: line %d is judged twice at %s", args, r.Line, site)
		}
		bySite[site][r.Line] = r.Outcome
	}
	for _, site := range order {
		for line, outcome := range bySite[site] {
			got[line] = append(got[line], outcome)
		}
		delete(bySite, site)
	}
	for _, lines := range bySite { // for no site, or for the one file
		for line, outcome := range lines {
			got[line] = append(got[line], outcome)
		}
	}
	if errs.Len() > 0 && code == cli.ExitUsage {
		t.Errorf("%s: %s", args, errs.String())
	}
	return got, code
}

// TestVerifyRunWrong verifies with runs that cannot be judged: each is named, and nothing is
// written. An interrupted site is judged as far as it is known.
func TestVerifyRunWrong(t *testing.T) {
	t.Chdir(t.TempDir())
	server := tableServer(t)
	clitest.Write(t, "", map[string]string{"list": "http://shop.example\n", "e.csv": "/cart/1,Googlebot,disallow\n/de/*,Googlebot,allow\n/fr/*,Googlebot,allow\n", "robots.txt": tableProposed})
	records := filepath.Join("run", "records", "shop.example.jsonl.zst")
	// make makes the run again, and changes one of its files.
	make := func(name string, change func(string) string) {
		t.Helper()
		os.RemoveAll("run")
		if code, said := call(strings.Fields("-domains list -out run -reports evidence -quiet -no-cache -retries 0 -connect-to :80:" + server.Listener.Addr().String())...); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		text := clitest.Read(t, name)
		if filepath.Ext(name) == ".zst" {
			in, _ := zstd.NewReader(nil)
			out, _ := zstd.NewWriter(nil)
			records, err := in.DecodeAll([]byte(text), nil)
			if err != nil {
				t.Fatal(err)
			}
			text = string(out.EncodeAll([]byte(change(string(records))), nil))
		} else {
			text = change(text)
		}
		clitest.WriteFile(t, name, text)
	}
	body := regexp.MustCompile(`,"body":"[^"]*"`)
	for what, c := range map[string]struct {
		file   string
		change func(string) string
		code   int
		want   string
	}{
		"as it is":         {records, func(s string) string { return s }, cli.ExitFindings, ""},
		"without evidence": {records, func(s string) string { return body.ReplaceAllString(s, "") }, cli.ExitUsage, "the records of shop.example have no text of http://shop.example/robots.txt. Audit the site again\n"},
		"no JSON":          {records, func(s string) string { return s + "{\n" }, cli.ExitFailed, records + ": audit: records, line 18: "},
		"cut short":        {records, func(s string) string { return s[:strings.LastIndexByte(s[:len(s)-1], '\n')+1] }, cli.ExitUnknown, "shop.example: its records are incomplete"},
		"no run.json":      {filepath.Join("run", "run.json"), func(string) string { return "{}" }, cli.ExitFailed, "robots-audit: run: run.json cannot be used"},
		"edited run.json":  {filepath.Join("run", "run.json"), func(s string) string { return strings.Replace(s, `"version": "`, `"version": "9`, 1) }, cli.ExitFailed, "robots-audit: run: run.json cannot be used"},
	} {
		make(c.file, c.change)
		from := "run"
		if c.file == records { // the journal has their original checksum
			from = records
		}
		code, said := call(strings.Fields("verify -expect e.csv -run " + from + " -junit out.xml -sarif out.sarif -markdown out.md")...)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit code %d, want %d: %s", what, code, c.code, said)
		}
		list, _ := filepath.Glob("*out.*")
		if written := code == cli.ExitFindings || code == cli.ExitUnknown; written != (len(list) == 3) || !written && len(list) > 0 {
			t.Errorf("%s: %v are there", what, list)
		}
		for _, name := range list {
			os.Remove(name)
		}
	}
}
