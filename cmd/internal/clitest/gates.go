package clitest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// gateFiles are the files that the commands of the table of gates read.
var gateFiles = map[string]string{
	"sites.txt": "http://a.example\nhttp://b.example\n", "empty.txt": "", "comments.txt": "# later\n\n", "words.txt": "two words\n",
	"some.txt": "http://a.example\ntwo words\n", "header.csv": "url,clicks\n", "pages.txt": "http://a.example/shop/page\nhttp://b.example/x\n",
	"robots.txt": "User-agent: *\nDisallow: /cart/\nDisallow: /de/p\nSitemap: http://a.example/sitemap.xml\n", "nothing.txt": "",
	"met.csv": "/,Googlebot,allow\n", "paths.csv": "/de/*,Googlebot,allow\n/,Googlebot,allow\n", "titles.csv": "url,crawler,expect\n",
	"https.csv": "https://a.example/de/*,Googlebot,allow\n", "www.csv": "http://www.a.example/de/*,Googlebot,allow\n", "other.csv": "http://c.example/*,Googlebot,allow\n",
	"secure.txt": "https://a.example/de/1\nhttps://a.example/de/2\n", "mixed.csv": "/de/q,Googlebot,allow\nhttp://b.example/,Googlebot,allow\n",
	"silent.txt": "http://down.example/de/p\nhttp://down.example/x\n",
	"pairs.csv":  "old,new\nhttp://down.example/x,http://down.example/y\n", "nopairs.csv": "old,new\n",
	"schedule.toml": "[history]\ndir = \"history\"\n[[schedule]]\nname = \"shops\"\ncron = \"0 3 * * *\"\ndomains = \"comments.txt\"\n",
}

// gateWorld serves a.example with four URLs, b.example, which has a robots.txt alone, and bare.example,
// whose URLs are of www.bare.example. The server
// of down.example hangs up. The working folder has gateFiles. It returns flags for requests.
func gateWorld(t *testing.T) (network string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.Path {
		case "a.example/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /cart/\nSitemap: http://a.example/sitemap.xml\n")
		case "a.example/sitemap.xml":
			fmt.Fprint(w, "http://a.example/\nhttp://a.example/cart/1\nhttp://a.example/de/p\nhttp://a.example/de/q\n")
		case "bare.example/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow:\nSitemap: http://bare.example/sitemap.xml\n")
		case "bare.example/sitemap.xml":
			fmt.Fprint(w, "http://www.bare.example/de/p\nhttp://www.bare.example/de/q\n")
		case "b.example/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow:\n")
		case "down.example/robots.txt":
			panic(http.ErrAbortHandler)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	t.Chdir(t.TempDir())
	Write(t, "", gateFiles)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("ROBOTS_AUDIT_QUIET", "true") // of the schedule
	return " -quiet -retries 0 -connect-to :80:" + server.Listener.Addr().String()
}

// requesting are the commands that request something.
var (
	requesting = regexp.MustCompile(` (-domains|-map|http://\S+)`)
	offline    = regexp.MustCompile(` (compare|simulate|-run|lint|check) `)
	fetching   = regexp.MustCompile(` (lint|check) http://`) // without -quiet
)

// logged is the begin of a log line.
var logged = regexp.MustCompile(`^time=\S+ level=(\w+) msg=`)

// Gates runs the rows of a table of gates that are commands of this program. A row has a situation,
// whether something was checked ("yes", "no"), a command line, the exit code, and the first line
// printed. "< FILE" is the command's standard input. before are commands that prepare the world. If
// nothing was checked, the exit code is not 0. It returns the number of rows.
func Gates(t *testing.T, table string, update bool, run func([]string, cli.Streams) int, before ...string) (rows int) {
	t.Helper()
	table, err := filepath.Abs(table)
	if err != nil {
		t.Fatal(err)
	}
	network := gateWorld(t)
	call := func(command string) (code int, first string) {
		command, file, _ := strings.Cut(command, " < ")
		switch {
		case fetching.MatchString(command):
			command += strings.TrimPrefix(network, " -quiet")
		case requesting.MatchString(command) && !offline.MatchString(command):
			command += network
		}
		var said bytes.Buffer
		code = run(strings.Fields(command)[1:], cli.Streams{In: strings.NewReader(gateFiles[file]), Out: &said, Err: &said})
		first, _, _ = strings.Cut(said.String(), "\n")
		return code, logged.ReplaceAllString(first, "$1 ")
	}
	for _, command := range before {
		call(command)
	}
	lines := strings.Split(Read(t, table), "\n")
	for i, line := range lines {
		row := strings.Split(line, "\t")
		if i == 0 || line == "" {
			continue
		}
		switch program, _, _ := strings.Cut(row[2], " "); program {
		case cli.Current.Name:
		case "robots-audit", "robots-audit-fleet":
			continue
		default:
			t.Errorf("%s: no program %s", row[0], program)
		}
		rows++
		code, first := call(row[2])
		if made, _ := filepath.Glob("robots-audit-*"); made != nil { // default folders
			for _, dir := range made {
				os.RemoveAll(dir)
			}
		}
		if row[1] == "no" && code == cli.ExitDone {
			t.Errorf("%s: nothing was checked, but the exit code is 0: %s", row[0], first)
		}
		if update {
			lines[i] = strings.Join(append(row[:3:3], strconv.Itoa(code), first), "\t")
		} else if len(row) != 5 || row[3] != strconv.Itoa(code) || row[4] != first {
			t.Errorf("%s: %s:\nexit code %d, %s\nwant %s", row[0], row[2], code, first, strings.Join(row[min(3, len(row)):], ", "))
		}
	}
	if update {
		WriteFile(t, table, strings.Join(lines, "\n"))
	}
	return rows
}
