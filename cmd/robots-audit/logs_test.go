package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/audit/logs/agent"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports"
)

// loggedShop serves the robots.txt and the sitemap of all hosts.
func loggedShop(t *testing.T) (address string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\nDisallow: /private\nSitemap: http://%s/list.txt\n", r.Host)
		case "/list.txt":
			fmt.Fprintf(w, "http://%[1]s/a\nhttp://%[1]s/private/b\n", r.Host)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// gzipped compresses a text.
func gzipped(text string) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, text)
	z.Close()
	return packed.Bytes()
}

// secrets are in all texts of visitors, and in those of crawlers that no report may show.
var secrets = []string{"zq7", "203.0.113.77", "2001:db8:77::77", "66.249.66.77", "198.51.100.77"}

// holdsVisitor reports whether a text has something of a visitor.
func holdsVisitor(text []byte) bool {
	text = bytes.ToLower(text)
	for _, secret := range secrets {
		if bytes.Contains(text, []byte(secret)) {
			return true
		}
	}
	return false
}

// visitorLogs writes logs of several formats with secrets, and returns their names.
func visitorLogs(t *testing.T, dir string) (files []string) {
	const google, chrome = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Mozilla/5.0 zq7agent Chrome/99 Safari/537.36"
	var vhost, lines, csv strings.Builder
	for i := range 50 {
		at := fmt.Sprintf("24/Nov/2026:06:%02d:00 +0000", i)
		fmt.Fprintf(&vhost, `shop.example:80 203.0.113.77 - zq7user [%s] "GET /private/zq7path?zq7name=zq7value HTTP/1.1" 200 12 "http://zq7referer.example/?q=zq7" "%s" "zq7cookie=zq7"`+"\n", at, chrome)
		fmt.Fprintf(&vhost, `zq7host.example:80 2001:db8:77::77 - - [%s] "GET /robots.txt?zq7 HTTP/1.1" 404 12 "-" "%s"`+"\n", at, chrome)
		fmt.Fprintf(&vhost, `shop.example:80 66.249.66.77 - zq7user [%s] "GET /private/b?page=%d HTTP/1.1" 200 12 "http://zq7referer.example/" "%s"`+"\n", at, i, google)
		fmt.Fprintf(&vhost, `shop.example:80 198.51.100.77 - zq7user [%s] "GET /a HTTP/1.1" 301 12 "http://zq7referer.example/" "%s"`+"\n", at, google)
		fmt.Fprintf(&vhost, `zq7 no line 203.0.113.77 "%s`+"\n"+`shop.example:80 203.0.113.77 - - [99/zq7/2026] "\x16\x03zq7" 400 0 "-" "-"`+"\n", google)
		for _, agent := range []string{chrome, google} {
			fmt.Fprintf(&lines, `{"time_iso8601":"2026-11-24T07:%02d:00+00:00","remote_addr":"203.0.113.77","host":"shop.example","scheme":"http","request_method":"GET","request_uri":"/a","status":200,`+
				`"http_user_agent":"%s","http_referer":"http://zq7referer.example/","http_cookie":"session=zq7cookie","remote_user":"zq7user","http_authorization":"Basic zq7"}`+"\n", i, agent)
			fmt.Fprintf(&lines, `{"zq7":"zq7","http_user_agent":"%s"`+"\n", agent)
		}
		fmt.Fprintf(&csv, "2026-11-24 08:%02d:00 203.0.113.77 GET /zq7path zq7=zq7 80 zq7user 203.0.113.77 %s http://zq7referer.example/ shop.example 200\n", i, strings.ReplaceAll(chrome, " ", "+"))
	}
	vhost.WriteString("shop.example:80 203.0.113.77 " + strings.Repeat("zq7", 400_000) + "\n")
	for name, text := range map[string]string{
		"vhost.log": vhost.String(), "again.log.gz": vhost.String(), "cut.log.gz": "zq7" + vhost.String(), "nginx.json": lines.String(),
		"iis.log": "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) cs-host sc-status\n" + csv.String(),
	} {
		name = filepath.Join(dir, name)
		if filepath.Ext(name) == ".gz" {
			text = string(gzipped(text))
		}
		if strings.Contains(name, "cut") {
			text = text[:len(text)*2/3]
		}
		clitest.WriteFile(t, name, text)
		files = append(files, name)
	}
	return files
}

// TestLogsPrivacy reads logs with secrets of visitors, and of crawlers where no report may show them.
// No output has one of them: neither reports, records and exports, nor log lines and errors.
func TestLogsPrivacy(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	logs := filepath.Join(dir, "logs")
	os.Mkdir(logs, 0o755)
	files := visitorLogs(t, logs)
	clitest.WriteFile(t, "robots.txt", "User-agent: *\nDisallow: /private\n")
	clitest.WriteFile(t, "list", "http://shop.example\nhttp://second.example\n")
	bare := `203.0.113.77 - zq7user [24/Nov/2026:06:12:00 +0000] "GET /a?zq7=zq7 HTTP/1.1" 200 1 "http://zq7.example/" "Googlebot/2.1"` + "\n"
	clitest.WriteFile(t, "bare.log", bare)
	audit := []string{"-domains", "list", "-no-cache", "-retries", "0", "-rows", "all", "-sheets", "all", "-format", "csv,jsonl,parquet", "-connect-to", ":80:" + loggedShop(t), "-connect-to", ":443:127.0.0.1:1", "-verbose"}
	var all strings.Builder
	do := func(want int, says string, args ...string) {
		t.Helper()
		code, said := callWith(bare, args...)
		if code != want || !strings.Contains(said, says) {
			t.Errorf("%q: exit code %d, want %d: %s", args, code, want, said)
		}
		all.WriteString(said)
	}
	do(cli.ExitDone, "Googlebot disobeyed", append([]string{"logs", "-rules", "robots.txt", "-site", "http://shop.example", "-out", "out", "-verbose"}, files...)...)
	do(cli.ExitDone, "again.log.gz", append(audit, "-out", "run", "-logs", logs)...)
	do(cli.ExitDone, "Googlebot", "logs", "-run", "run", "-out", "of-run", "-log-format", "json", logs)
	do(cli.ExitUsage, "the log has no host", "logs", "-run", "run", "-out", "none", "bare.log")
	do(cli.ExitUsage, "the log has no host", append(audit, "-out", "none", "-logs", "bare.log")...)
	do(cli.ExitUsage, "log format", append(audit, "-out", "none", "-logs", logs, "-logs-format", "nonsense")...)
	do(cli.ExitUnknown, "no line is a request", "logs", "-rules", "robots.txt", "-site", "shop.example", "-format", "path=nothing,time=nothing", "-out", "wrong", logs)
	if holdsVisitor([]byte(all.String())) {
		t.Errorf("the output has something of a visitor: %s", &all)
	}
	if err := os.RemoveAll(logs); err != nil {
		t.Fatal(err)
	}
	os.Remove("bare.log")
	searchFolder(t, dir, holdsVisitor)
	for _, name := range []string{"out/logs.json", "of-run/logs.json"} { // what was searched has the crawlers
		if text := clitest.Read(t, name); !strings.Contains(text, "/private") || !strings.Contains(text, "Googlebot") {
			t.Errorf("%s: %.300s", name, text)
		}
	}
}

// TestLogsParts reads logs in an audit, then for its run: the templates and segments are those of the run both times.
func TestLogsParts(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.WriteFile(t, "segments", "secret = /private/\n")
	clitest.WriteFile(t, "access.log", strings.Repeat(`66.249.66.1 - - [24/Nov/2026:06:12:00 +0000] "GET /private/b HTTP/1.1" 200 12 "-" "Googlebot/2.1"`+"\n", 2)+
		`66.249.66.1 - - [24/Nov/2026:06:12:00 +0000] "GET /a?x=1 HTTP/1.1" 200 12 "-" "Googlebot/2.1"`+"\n")
	code, said := callWith("http://shop.example\n", "-domains", "-", "-no-cache", "-retries", "0", "-segments", "segments", "-logs", "shop.example=access.log", "-connect-to", ":80:"+loggedShop(t), "-out", "run")
	if code != cli.ExitDone {
		t.Fatal(code, said)
	}
	if code, said = call("logs", "-run", "run", "-out", "of-run", "access.log"); code != cli.ExitDone {
		t.Fatal(code, said)
	}
	run, err := reports.OpenStored("run", cli.Version)
	if err != nil {
		t.Fatal(err)
	}
	var of struct{ Sites []audit.Logs }
	if err := json.Unmarshal([]byte(clitest.Read(t, "of-run/logs.json")), &of); err != nil {
		t.Fatal(err)
	}
	for rec, err := range run.Sites[0].Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Logs != nil {
			of.Sites = append(of.Sites, *rec.Logs)
		}
	}
	if len(of.Sites) != 2 {
		t.Fatalf("%d records of logs", len(of.Sites))
	}
	for _, logs := range of.Sites {
		var parts []string
		for _, part := range append(logs.Crawlers[0].Segments, logs.Crawlers[0].Templates...) {
			parts = append(parts, fmt.Sprint(part.Name, " ", part.Requests))
		}
		if got, want := strings.Join(parts, ", "), "secret 2, (no segment) 1, /private/b 2, /a?x={v} 1"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestLogsFolder reads a folder. Files that are no logs are skipped, which is told. A file that is named is
// never skipped, nor is one that may be a log.
func TestLogsFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("logs", 0o755)
	const line = `66.249.66.1 - - [24/Nov/2026:06:12:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "Googlebot/2.1"` + "\n"
	const license = "Permission is granted\n\nto everybody.\n"
	clitest.WriteFile(t, "robots.txt", "")
	for name, text := range map[string]string{
		"access.log": line, "late.log": strings.Repeat("# a comment of somebody\n", 1000) + line + line, "empty.log": "", "scan.log": strings.Replace(line, "GET /a HTTP/1.1", `\x16\x03\x01`, 1), "LICENSE": license, "LICENSE.copy": license, "README.md": license,
		"cut.gz": string(gzipped(strings.Repeat(license+line, 5000))[:200]),
	} {
		clitest.WriteFile(t, filepath.Join("logs", name), text)
	}
	skipped := "3 files of a folder are no logs and were skipped: LICENSE, LICENSE.copy and README.md."
	early := "1 file ends early, so requests are missing: cut.gz (the gzip file is cut off"
	read := func(args ...string) string {
		t.Helper()
		code, said := call(append([]string{"logs", "-rules", "robots.txt", "-site", "shop.example"}, args...)...)
		if code != cli.ExitDone {
			t.Errorf("%q: exit code %d: %s", args, code, said)
		}
		return said
	}
	said := read("-out", "out", "logs")
	for _, part := range []string{skipped, early, "5 files have "} {
		if !strings.Contains(said, part) {
			t.Errorf("without %q: %s", part, said)
		}
	}
	text := clitest.Read(t, "out/logs.json")
	for _, part := range []string{`{"name":"LICENSE","format":"","lines":3,"requests":0,"skipped":true}`, `{"name":"README.md","format":"","lines":0,"requests":0,"skipped":true}`, `"early":"the gzip file is cut off`, `"limits":["files"]`} {
		if !strings.Contains(text, part) {
			t.Errorf("without %s: %.1500s", part, text)
		}
	}
	if page := clitest.Read(t, "out/index.html"); !strings.Contains(page, skipped) || !strings.Contains(page, early) {
		t.Error("the page does not say what was skipped")
	}
	said = read("-out", "named", "logs", "logs/LICENSE")
	for _, part := range []string{"2 files of a folder are no logs and were skipped: LICENSE.copy and README.md.", "6 files have ", "logs/LICENSE: no line is a request in a known format"} {
		if !strings.Contains(said, part) {
			t.Errorf("without %q: %s", part, said)
		}
	}
	for _, name := range []string{"logs/cut.gz", "logs/LICENSE", "logs/LICENSE.copy", "logs/README.md"} {
		os.Remove(name)
	}
	text = clitest.Read(t, "named/logs.json")
	if strings.Contains(text, "null") || !strings.Contains(text, `"notes":[]`) {
		t.Errorf("%.1500s", text)
	}
	if said := read("-out", "loud", "logs"); !strings.Contains(said, "combined: ") {
		t.Errorf("%s", said)
	}
	t.Setenv("ROBOTS_AUDIT_QUIET", "true")
	if said := read("-out", "silent", "logs"); strings.Contains(said, "combined: ") || !strings.Contains(said, "Reports: ") {
		t.Errorf("not quiet: %s", said)
	}
	if said := read("-quiet=false", "-out", "again", "logs"); !strings.Contains(said, "combined: ") {
		t.Errorf("the flag does not override the environment: %s", said)
	}
	t.Setenv("ROBOTS_AUDIT_QUIET", "perhaps")
	if code, said := call("logs", "-rules", "robots.txt", "-site", "shop.example", "-out", "none", "logs"); code != cli.ExitUsage || !strings.Contains(said, "ROBOTS_AUDIT_QUIET") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestLogsOfOthers: an audit with logs that have nothing of its sites says so.
func TestLogsOfOthers(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.WriteFile(t, "access.log", `66.249.66.1 - - [24/Nov/2026:06:12:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "Googlebot/2.1"`+"\n")
	shop := loggedShop(t)
	for host, want := range map[string]bool{"shop.example": false, "www.shop.example": true} {
		code, said := callWith("http://shop.example\n", "-domains", "-", "-no-cache", "-retries", "0", "-logs", host+"=access.log", "-connect-to", ":80:"+shop, "-out", host)
		if got := strings.Contains(said, "-logs: no request of a crawler is for a site that was audited now. Check the hosts"); code != cli.ExitDone || got != want {
			t.Errorf("%s: exit code %d: %s", host, code, said)
		}
	}
}

// crawlerDNS has addresses of Googlebot in 198.51.100.0/24, and no answer about others.
type crawlerDNS struct{}

func (crawlerDNS) LookupAddr(_ context.Context, addr string) ([]string, error) {
	if strings.HasPrefix(addr, "198.51.100.") {
		return []string{"zq7.googlebot.com."}, nil
	}
	return nil, errors.New("lookup " + addr + ": server misbehaving")
}

func (crawlerDNS) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("198.51.100.77")}, nil
}

// TestLogsDNS: -dns of logs, of an audit, and as a setting.
func TestLogsDNS(t *testing.T) {
	defer func(was agent.Lookups) { audits.Lookups = was }(audits.Lookups)
	audits.Lookups = crawlerDNS{}
	dir := t.TempDir()
	t.Chdir(dir)
	shop := ""
	for _, address := range []string{"66.249.66.77", "198.51.100.77", "203.0.113.77", "127.0.0.1"} {
		shop += "shop.example:80 " + address + ` - - [24/Nov/2026:06:00:00 +0000] "GET /private/b HTTP/1.1" 200 12 "-" "Googlebot/2.1"` + "\n"
	}
	clitest.WriteFile(t, "shop.log", shop)
	clitest.WriteFile(t, "robots.txt", "User-agent: *\nDisallow: /private\n")
	clitest.WriteFile(t, "config.toml", "dns = true\nlogs = [\"shop.log\"]\n")
	audit := []string{"-domains", "-", "-no-cache", "-retries", "0", "-connect-to", ":80:" + loggedShop(t), "-connect-to", ":443:127.0.0.1:1"}
	const some = "1 of 2 addresses could not be looked up"
	for _, test := range []struct {
		args []string
		says string
		page string
	}{
		{[]string{"logs", "-dns", "-rules", "robots.txt", "-site", "http://shop.example", "-out", "out", "shop.log"}, some, "out/index.html"},
		{append(audit, "-dns", "-logs", "shop.log", "-out", "run"), "-logs: " + some, "run/pages/shop.example.html"},
		{append(audit, "-config", "config.toml", "-out", "set"), "-logs: " + some, "set/pages/shop.example.html"},
	} {
		code, said := callWith("http://shop.example\n", test.args...)
		if code != cli.ExitDone || !strings.Contains(said, test.says) || holdsVisitor([]byte(said)) {
			t.Errorf("%q: exit code %d: %s", test.args, code, said)
		}
		if page := clitest.Read(t, test.page); !strings.Contains(page, "It proves that 1 request is genuine.") {
			t.Errorf("%s does not say what DNS proved", test.page)
		}
	}
	os.Remove("shop.log")
	searchFolder(t, dir, holdsVisitor)
}

// TestLogsLongLines reads lines of a megabyte, of which no first line shows the format, and longer ones.
func TestLogsLongLines(t *testing.T) {
	t.Chdir(t.TempDir())
	const line = `66.249.66.1 - - [24/Nov/2026:06:12:00 +0000] "GET /%s HTTP/1.1" 200 12 "-" "Googlebot/2.1"` + "\n"
	clitest.WriteFile(t, "robots.txt", "")
	clitest.WriteFile(t, "long.log", strings.Repeat(fmt.Sprintf(line, strings.Repeat("x", 1_000_000)), 3)+fmt.Sprintf(line, strings.Repeat("x", 3_000_000)))
	code, said := call("logs", "-rules", "robots.txt", "-site", "shop.example", "-out", "out", "long.log")
	for _, part := range []string{"recognised line by line: 1 file, 4 lines", "3 requests are of crawlers or in their name (24 Nov 2026), 0 of visitors.", "1 line could not be read: too long (1), for example long.log:4."} {
		if code != cli.ExitDone || !strings.Contains(said, part) {
			t.Errorf("exit code %d, without %q: %s", code, part, said)
		}
	}
}

// TestLogsHostile reads a log whose crawlers have hostile agents, hosts and paths: control sequences,
// formulas, script, marks of direction, invalid bytes, long texts. No output has them unescaped.
func TestLogsHostile(t *testing.T) {
	t.Chdir(t.TempDir())
	texts := []string{hostile, "=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "'\"><b>", "_x0041_", "\xff\xfe", "\u202e=1+1", "]]>", "\x1b]8;;http://x\x1b\\", strings.Repeat("é", 40_000)}
	var log strings.Builder
	for i, text := range texts {
		for _, host := range []string{"shop.example:80", text} {
			for _, agent := range []string{"Googlebot/2.1", text, text + "Bot/1.0", "Bot" + text + "bot/1.0 (" + text + ")", "Googlebot " + text} {
				for _, path := range []string{"/private/" + text, "/" + text + "/" + text, text, "/?" + text + "=" + text, "http://" + text + "/", "/robots.txt"} {
					fmt.Fprintf(&log, "%s 66.249.66.1 - %s [24/Nov/2026:06:%02d:00 +0000] \"GET %s HTTP/1.1\" 404 1 \"%s\" \"%s\"\n", strings.ReplaceAll(host, " ", ""), strings.ReplaceAll(text, " ", ""), i, path, text, agent)
				}
			}
		}
	}
	name := "access" + strings.ReplaceAll(hostile, "\x9b", "") + ".log"
	clitest.WriteFile(t, name, log.String())
	clitest.WriteFile(t, "robots.txt", "User-agent: *\nDisallow: /private\n")
	for _, args := range [][]string{
		{"logs", "-rules", "robots.txt", "-site", "http://shop.example", "-out", "out", name},
		{"-domains", "-", "-no-cache", "-retries", "0", "-rows", "all", "-sheets", "all", "-format", "csv,jsonl", "-connect-to", ":80:" + loggedShop(t), "-out", "run", "-logs", name},
		{"logs", "-run", "run", "-out", "of-run", name},
	} {
		code, said := callWith("http://shop.example\n", args...)
		if code != cli.ExitDone {
			t.Errorf("%q: exit code %d: %.2000s", args[0], code, said)
		}
		if wrong := harmless(said); wrong != "" || !strings.Contains(said, "Googlebot") && args[0] == "logs" {
			t.Errorf("%q: %q: %.2000s", args, wrong, said)
		}
	}
	pages := 0
	for _, pattern := range []string{"*/*.html", "*/pages/*.html", "*/*.json"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			pages++
			text := clitest.Read(t, name)
			for _, wrong := range []string{"\x1b", "\u009b", "<script>alert", "<img src=x", "\xff", "\u202e"} {
				if strings.Contains(text, wrong) {
					at := strings.Index(text, wrong)
					t.Errorf("%s has %q: %q", name, wrong, text[max(0, at-200):min(len(text), at+100)])
				}
			}
			if !utf8.ValidString(text) {
				t.Errorf("%s is not valid UTF-8", name)
			}
		}
	}
	if !strings.Contains(clitest.Read(t, "out/logs.json"), "alert(1)") {
		t.Error("the report has no hostile path")
	}
	if pages < 5 {
		t.Errorf("%d pages and JSON files", pages)
	}
	books, _ := filepath.Glob("*/*.xlsx")
	for _, name := range books {
		book, err := zip.OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range book.File {
			r, err := part.Open()
			if err != nil {
				t.Fatal(err)
			}
			for d := xml.NewDecoder(r); ; {
				token, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %s: %v", name, part.Name, err)
				}
				if of, ok := token.(xml.StartElement); ok && of.Name.Local == "f" && strings.Contains(part.Name, "worksheets") {
					t.Errorf("%s: %s has a formula", name, part.Name)
					break
				}
			}
			r.Close()
		}
		book.Close()
	}
	if len(books) < 3 {
		t.Errorf("workbooks %q", books)
	}
}

func TestCommonFolder(t *testing.T) {
	for want, names := range map[string][]string{
		"/var/log/": {"/var/log/a.log", "/var/log/b/c.log"},
		"logs/a/":   {"logs/a/1", "logs/a/2"},
		"logs/":     {"logs/a1", "logs/a2"},
		"":          {"a", "b/a"},
		"/":         {"/a", "/b/a"},
		"b/":        {"b/only"},
	} {
		var files []logs.File
		for _, name := range names {
			files = append(files, logs.File{Name: filepath.FromSlash(name)})
		}
		if got := filepath.ToSlash(commonFolder(files)); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}

// TestLogsOldRanges: who reads new logs is told when the address lists are too old for them.
func TestLogsOldRanges(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.WriteFile(t, "robots.txt", "")
	for day, want := range map[string]bool{"24/Oct/2026": false, "24/Nov/2026": true} {
		clitest.WriteFile(t, "access.log", "66.249.66.1 - - ["+day+`:06:12:00 +0000] "GET / HTTP/1.1" 200 12 "-" "Googlebot/2.1"`+"\n")
		code, said := call("logs", "-rules", "robots.txt", "-site", "shop.example", "-out", "out", "access.log")
		if got := strings.Contains(said, "are too old to find impostors. -ranges reads newer ones, -dns asks DNS"); code != cli.ExitDone || got != want {
			t.Errorf("%s: exit code %d: %s", day, code, said)
		}
	}
}
