package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/html"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
	desk "robots-audit/reports/serve"
)

// inbox receives the mails and the webhooks of a schedule.
type inbox struct {
	mu  sync.Mutex
	got []received
}

// received is a message as it came.
type received struct{ kind, body string } // "mail", or the path of a webhook

func (i *inbox) add(kind string, from io.Reader) error {
	body, err := io.ReadAll(from)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.got = append(i.got, received{kind, string(body)})
	return err
}

func (i *inbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) { i.add(r.URL.Path, r.Body) }

func (i *inbox) NewSession(*smtp.Conn) (smtp.Session, error) { return i, nil }

func (*inbox) Mail(string, *smtp.MailOptions) error { return nil }

func (*inbox) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (i *inbox) Data(r io.Reader) error { return i.add("mail", r) }

func (*inbox) Reset() {}

func (*inbox) Logout() error { return nil }

// mailServer serves SMTP for an inbox, and returns its address.
func mailServer(t *testing.T, of *inbox) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(of)
	server.Domain = "mail.test"
	go server.Serve(l)
	t.Cleanup(func() { server.Close(); l.Close() })
	return l.Addr().String()
}

// linkedHistory makes a history of the demo sites and of sites with unusual names, whose messages have
// links below base. Its runs change one site, all sites, and both again.
func linkedHistory(t *testing.T, base string) (dir string, got []received) {
	t.Helper()
	var hour atomic.Int64
	sites := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		own := host == "xn--bcher-kva.example" || host == "ports.example" || strings.HasPrefix(host, "many")
		switch h := hour.Load(); {
		case r.URL.Path == "/robots.txt" && (h == 7 && host == "garden.example" || h == 8 && host != "silent.example"):
			fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
		case r.URL.Path == "/robots.txt" && h == 9 && host == "garden.example":
			w.WriteHeader(http.StatusServiceUnavailable)
		case own && r.URL.Path == "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\nDisallow: /x\nSitemap: http://%s/map.txt\n", r.Host)
		case own && r.URL.Path == "/map.txt":
			fmt.Fprintf(w, "http://%s/1\nhttp://%[1]s/x\n", r.Host)
		default:
			demoServer(w, r)
		}
	}))
	t.Cleanup(sites.Close)
	box := &inbox{}
	hooks := httptest.NewServer(box)
	t.Cleanup(hooks.Close)
	list := demoList + "http://bücher.example\nhttp://ports.example:8081\nhttp://many1.example\nhttp://many2.example\nhttp://many3.example\nhttp://many4.example\n"
	config := fmt.Sprintf(`retries = 0
no-cache = true
quiet = true
connect-to = [":80:%[1]s", ":8081:%[1]s"]
[history]
dir = "history"
base_url = "%[2]s"
[[schedule]]
name = "shops"
cron = "0 * * * *"
domains = "list"
[alerts]
confirm = 1
[[alerts.mail]]
smtp = "%[3]s"
tls = "none"
from = "audit@example.com"
to = "seo@example.com"
`, sites.Listener.Addr(), base, mailServer(t, box))
	for _, format := range []string{"json", "slack", "teams"} {
		config += fmt.Sprintf("[[alerts.webhook]]\nurl = \"%s/%s\"\nformat = \"%[2]s\"\ninternal = true\n", hooks.URL, format)
	}
	folder := t.TempDir()
	clitest.Write(t, folder, map[string]string{"config.toml": config, "list": list})
	before := scheduling.Clock
	t.Cleanup(func() { scheduling.Clock = before })
	for h := int64(6); h < 11; h++ {
		hour.Store(h)
		scheduling.Clock = func() time.Time { return time.Date(2026, 11, 2, int(h), 0, 0, 0, time.UTC) }
		if code, said := call("schedule", "-config", filepath.Join(folder, "config.toml"), "-once"); code != cli.ExitDone && code != cli.ExitUnknown {
			t.Fatalf("exit code %d: %s", code, said)
		}
	}
	return filepath.Join(folder, "history"), box.got
}

// Links as each form writes them.
var (
	textLink  = regexp.MustCompile(`(?m): (https?://127\S+)$`)
	slackLink = regexp.MustCompile(`<([^<>|]+)\|[^<>|]+>`)
	teamsLink = regexp.MustCompile(`\[[^\]]+\]\(([^()]+)\)`)
)

// siteOfFile returns the site of a page's file name.
var siteOfFile = strings.NewReplacer(".html", "", "_", ":", "xn--bcher-kva", "bücher")

// linksIn returns the links of a message.
func linksIn(t *testing.T, m received) (links []string) {
	t.Helper()
	if m.kind == "mail" {
		return linksInMail(t, m.body)
	}
	var body any
	if err := json.Unmarshal([]byte(m.body), &body); err != nil {
		t.Fatal(err)
	}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			markup := v["type"] == "mrkdwn" || v["type"] == "TextBlock"
			for name, value := range v {
				if text, ok := value.(string); ok && markup {
					for _, l := range append(slackLink.FindAllStringSubmatch(text, -1), teamsLink.FindAllStringSubmatch(text, -1)...) {
						links = append(links, strings.ReplaceAll(l[1], "&amp;", "&"))
					}
				}
				walk(name, value)
			}
		case []any:
			for _, value := range v {
				walk(key, value)
			}
		case string:
			if key == "url" || slices.Contains([]string{"page", "workbook", "comparison"}, key) {
				links = append(links, v)
			}
		}
	}
	walk("", body)
	return links
}

// linksInMail returns the links of both parts of a mail, which must be the same.
func linksInMail(t *testing.T, body string) []string {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]map[string]bool{"text/plain": {}, "text/html": {}}
	var read func(kind string, from io.Reader)
	read = func(kind string, from io.Reader) {
		media, params, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(media, "multipart/") {
			parts := multipart.NewReader(from, params["boundary"])
			for part, err := parts.NextRawPart(); err != io.EOF; part, err = parts.NextRawPart() {
				if err != nil {
					t.Fatal(err)
				}
				read(part.Header.Get("Content-Type"), part)
			}
			return
		}
		if of[media] == nil { // a workbook
			return
		}
		text, err := io.ReadAll(quotedprintable.NewReader(from))
		if err != nil {
			t.Fatal(err)
		}
		if media == "text/plain" {
			for _, link := range textLink.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\r\n", "\n"), -1) {
				of[media][link[1]] = true
			}
			return
		}
		for _, link := range linksOfPage(t, text, "a") {
			of[media][link] = true
		}
	}
	read(m.Header.Get("Content-Type"), m.Body)
	plain, page := slices.Sorted(maps.Keys(of["text/plain"])), slices.Sorted(maps.Keys(of["text/html"]))
	if !slices.Equal(plain, page) {
		t.Errorf("the parts of a mail have different links:\n%q\n%q", plain, page)
	}
	return page
}

// linksOfPage returns the links of the elements of a page that have one of these names.
func linksOfPage(t *testing.T, text []byte, elements ...string) (links []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if (a.Key == "href" || a.Key == "src") && slices.Contains(elements, n.Data) {
				links = append(links, a.Val)
			}
		}
	}
	return links
}

// opened opens a link as a browser does, and checks what comes.
func opened(t *testing.T, link string) (at *url.URL, body []byte) {
	t.Helper()
	answer, err := http.Get(link)
	if err != nil {
		t.Errorf("%s: %v", link, err)
		return nil, nil
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s is dead: %s, %v", link, answer.Status, err)
		return nil, nil
	}
	return answer.Request.URL, body
}

// TestMessageLinks opens every link of the mails and chats of five runs, and every link of the pages that
// these open: in the dashboard, and in the folder of the history as a web server publishes it.
func TestMessageLinks(t *testing.T) {
	var show atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { show.Load().(http.HandlerFunc)(w, r) }))
	t.Cleanup(server.Close)
	const below = "/tools/audit"
	base := server.URL + below + "/"
	dir, got := linkedHistory(t, strings.TrimSuffix(base, "/"))

	links, kinds := map[string]int{}, map[string]int{}
	for _, m := range got {
		found := linksIn(t, m)
		if len(found) == 0 {
			t.Errorf("%s has no link: %s", m.kind, m.body)
		}
		for _, link := range found {
			if !strings.HasPrefix(link, base) {
				t.Errorf("%s links to %q", m.kind, link)
			}
			links[link]++
		}
		kinds[m.kind]++
	}
	if len(got) < 10 || kinds["mail"] < 3 || kinds["/slack"] < 3 || kinds["/teams"] < 3 || kinds["/json"] < 3 {
		t.Fatalf("messages: %v", kinds)
	}
	for _, want := range []string{"/pages/garden.example.html", "/pages/xn--bcher-kva.example.html", "/comparisons/20261102T080000Z/index.html", "/runs/20261102T080000Z/index.html", "/summary.xlsx"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(links)), func(link string) bool { return strings.HasSuffix(link, want) }) {
			t.Errorf("no message links to %s: %q", want, slices.Sorted(maps.Keys(links)))
		}
	}

	d, err := desk.New(desk.Options{History: dir, BasePath: below, Version: cli.Version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	for name, handler := range map[string]http.Handler{"the dashboard": d, "a published folder": http.StripPrefix(below, http.FileServer(http.Dir(dir)))} {
		show.Store(http.HandlerFunc(handler.ServeHTTP))
		further := map[string]bool{}
		for link := range links {
			at, body := opened(t, link)
			if at == nil {
				continue
			}
			switch path.Ext(link) {
			case ".xlsx":
				if !bytes.HasPrefix(body, []byte("PK")) {
					t.Errorf("%s, %s: no workbook", name, link)
				}
				continue
			case ".html":
			default:
				t.Errorf("%s, %s: neither a page nor a workbook", name, link)
			}
			_, file, ofSite := strings.Cut(link, "/pages/")
			if site := siteOfFile.Replace(file); ofSite && !bytes.Contains(body, []byte("<title>robots.txt audit of "+site)) {
				t.Errorf("%s, %s: the page of another site than %s", name, link, site)
			}
			for _, next := range linksOfPage(t, body, "a", "link", "script") {
				to, err := at.Parse(next)
				if err != nil {
					t.Errorf("%s, %s: %v", name, link, err)
				} else if to.Host == at.Host {
					if to.Path == at.Path && to.Fragment != "" && !bytes.Contains(body, []byte(`id="`+to.Fragment+`"`)) {
						t.Errorf("%s, %s: no %s in the page", name, link, to.Fragment)
					}
					to.Fragment = ""
					further[to.String()] = true
				}
			}
		}
		for link := range further {
			opened(t, link)
		}
		t.Logf("%s: %d links of %d messages, and %d of their pages", name, len(links), len(got), len(further))
		if len(further) == 0 {
			t.Errorf("%s: the pages have no links", name)
		}
	}
}
