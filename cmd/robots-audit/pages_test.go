package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// With -crawl the sheet Pages has a row for each requested URL. The two usual mistakes with noindex
// are counted in the sheet and in summary.json.
func TestPagesSheet(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: Googlebot\nDisallow: /hidden\nDisallow: /members\n\nUser-agent: *\nDisallow: /members\n")
		case "/sitemap.xml":
			io.WriteString(w, "http://a.example/\nhttp://a.example/listed\nhttp://a.example/moved\n")
		case "/moved":
			http.Redirect(w, r, "http://b.example/new", http.StatusMovedPermanently)
		case "/listed":
			w.Header().Set("X-Robots-Tag", "googlebot: noindex")
			fallthrough
		case "/", "/hidden":
			w.Header().Set("Content-Type", "text/html")
			page := map[string]string{
				"/":       `<a href="/listed"><a href="/hidden"><a href="/members"><a href="/moved"><a href="/gone">`,
				"/hidden": `<meta name=robots content=noindex>`,
				"/listed": `<link rel=canonical href="/members">`,
			}[r.URL.Path]
			io.WriteString(w, "<!doctype html>"+page)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	out := filepath.Join(t.TempDir(), "run")
	audited := func(args ...string) {
		t.Helper()
		if code, said := callWith("http://a.example\n", args...); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
	}
	audited("-domains", "-", "-out", out, "-sheets", "all", "-quiet", "-no-cache", "-retries", "0", "-crawl", "-crawlers", "Googlebot,Bingbot", "-connect-to", ":80:"+server.Listener.Addr().String())
	book := openBook(t, out, "a.example.xlsx")
	rows, err := book.GetRows("Pages")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, strings.ReplaceAll(strings.Join(row, "|"), "http://a.example", ""))
	}
	want := []string{
		"URL|Status|In words|Worth knowing|Blocked for|By line|Noindex by meta|Noindex by X-Robots-Tag|Canonical|Canonical is|Redirects to|Clicks from home|In a sitemap|Links",
		"/|200|||||no|no||||0|yes|5",
		"/members|–|not fetched: robots.txt blocks this audit, too|noindex unknown: not fetched|Googlebot, Bingbot|3, 6|not fetched|not fetched||||1|no|–",
		"/listed|200||in a sitemap but noindex; its canonical is blocked (Googlebot, Bingbot)|||no|googlebot|/members|another page, blocked for Googlebot, Bingbot||1|yes|0",
		"/hidden|200||blocked, so its noindex is never seen (Googlebot)|Googlebot|2|robots|no||||1|no|0",
		"/moved|301|redirects to another host: b.example|in a sitemap but redirects|||–|–|||http://b.example/new|1|yes|–",
		"/gone|404|Not Found||||–|–||||1|no|–",
	}
	if text := cmp.Diff(want, got); text != "" {
		t.Error(text)
	}
	figures := map[string]string{}
	sheet, err := book.GetRows("Summary")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range sheet {
		if len(row) > 3 {
			figures[row[0]] = row[1] + " " + row[3]
		}
	}
	for _, name := range []string{"Blocked, so its noindex is never seen", "In a sitemap but noindex"} {
		if figures[name] != "1 Warning" {
			t.Errorf("%s: %q", name, figures[name])
		}
	}
	read := func(name string) string {
		text := clitest.Read(t, out, name)
		return text
	}
	var summary struct {
		Sites []struct {
			Unseen *int `json:"noindex_unseen"`
			Listed *int `json:"noindex_in_sitemap"`
		}
	}
	if err := json.Unmarshal([]byte(read("summary.json")), &summary); err != nil {
		t.Fatal(err)
	}
	if s := summary.Sites[0]; s.Unseen == nil || *s.Unseen != 1 || s.Listed == nil || *s.Listed != 1 {
		t.Errorf("summary.json: %s", read("summary.json"))
	}
	// Made again from the records, it is equal.
	before := read("a.example.xlsx")
	audited("report", out)
	if read("a.example.xlsx") != before {
		t.Error("the workbook made again has other bytes")
	}
}
