package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
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

	"robots-audit/audit/logs/agent"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
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
	for _, part := range []string{"recognised line by line: 1 file, 4 lines", "3 requests are of crawlers, 0 of visitors.", "1 line could not be read: too long (1), for example long.log:4."} {
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
