package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

var demoHelp = cli.Help{
	Use: `robots-audit demo audits eight small built-in sites. It serves them on this machine,
so it needs no network.

Examples:
  robots-audit demo
  robots-audit demo -out demo -rows all
`,
	More: `The sites show typical problems: a rule without effect, a prefix that blocks too much,
a crawler with its own group, and a blocked sitemap. Others have an HTTP error 503,
a redirect to another host, a policy for AI crawlers, or a file from staging.
One site does not answer, and one is in order.

By default the crawlers are Googlebot, Bingbot, YandexBot and GPTBot. Audits of your own
sites end with exit code 3 if a site does not answer.
`,
	Of: "audit",
	Exit: `Exit codes: 0 the reports are written, also if one demo site does not answer; 1 a site
fails -fail-on or -fail-on-blocked; 2 wrong usage; 4 the demo failed.
`,
}

// demoSites are the pages of the demo sites, a folder for each host.
//
//go:embed demo
var demoSites embed.FS

// demoList is the list of sites that the demo audits.
const demoList = `# The demo sites
http://www.bookshop.example
http://news.example
http://magazine.example
http://relaunched.example
http://fragile.example
http://moved.example
http://garden.example
http://silent.example
`

// demoServer answers as the demo sites do.
func demoServer(w http.ResponseWriter, r *http.Request) {
	robots := r.URL.Path == "/robots.txt"
	switch {
	case r.Host == "silent.example":
		panic(http.ErrAbortHandler) // hangs up without an answer
	case r.Host == "fragile.example" && robots:
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	case r.Host == "moved.example" && robots:
		http.Redirect(w, r, "/en/robots.txt", http.StatusFound)
		return
	case r.Host == "moved.example" && r.URL.Path == "/en/robots.txt":
		http.Redirect(w, r, "http://www.moved.example/robots.txt", http.StatusMovedPermanently)
		return
	}
	body, err := fs.ReadFile(demoSites, path.Join("demo", path.Base(r.Host), path.Clean("/"+r.URL.Path)))
	if err != nil && path.Ext(r.URL.Path) == "" {
		writeDemoPage(w, r)
		return
	}
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(r.URL.Path)))
	w.Write(body)
}

// demoLinks is the number of pages to which every page of a demo site links.
const demoLinks = 20

// writeDemoPage answers with a page that links to the first pages of the site's sitemaps, so that
// -crawl finds something.
func writeDemoPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title>", html.EscapeString(r.Host+r.URL.Path))
	sitemaps, _ := fs.Glob(demoSites, path.Join("demo", path.Base(r.Host), "*.xml"))
	left := demoLinks
	for _, name := range slices.Backward(sitemaps) {
		text, err := fs.ReadFile(demoSites, name)
		for _, entry := range strings.Split(string(text), "<loc>")[1:] {
			if loc, _, ok := strings.Cut(entry, "</loc>"); err == nil && ok && left > 0 && path.Ext(loc) != ".xml" {
				left--
				fmt.Fprintf(w, "<a href=%q>%s</a> ", loc, loc)
			}
		}
	}
}

func runDemo(args []string, std cli.Streams) int {
	s := audits.Settings{}
	f := s.Flags("demo")
	crawlers := f.Lookup("crawlers")
	crawlers.DefValue = "Googlebot,Bingbot,YandexBot,GPTBot"
	crawlers.Value.Set(crawlers.DefValue)
	if code, ok := audits.Parse(&s, f, args, demoHelp, std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return cli.Usage(std, fmt.Errorf("demo audits only its own sites. For other sites: robots-audit %s", strings.Join(f.Args(), " ")))
	}
	if s.Domains != "" {
		return cli.Usage(std, errors.New("demo audits only its own sites. For other sites: robots-audit -domains "+s.Domains))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return cli.Failed(std, fmt.Errorf("serving the demo sites: %w", err))
	}
	server := &http.Server{Handler: http.HandlerFunc(demoServer)}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		server.Shutdown(context.Background())
		<-served
	}()

	s.ConnectTo = append(s.ConnectTo, ":80:"+listener.Addr().String())
	s.Cache, s.NoCache = "", true
	s.Retries = 0
	code := audits.RunOver(&s, strings.NewReader(demoList), std)
	if code != cli.ExitDone && code != cli.ExitUnknown && code != cli.ExitFindings {
		return code
	}
	open := filepath.Join(s.Out, "summary.md")
	if reports.WritesAll(audits.Names(s.Reports)) {
		open = filepath.Join(s.Out, "index.html") + " in a browser. It links to a page and a workbook for each site."
	}
	fmt.Fprintf(std.Out, "\nFound: %s of %s are blocked, and %s are critical.\nOpen: %s\nTry next: robots-audit example.com, with your own site.\n",
		wording.Thousands(s.Totals.Blocked), wording.URLs(s.Totals.URLs), wording.Plural(s.Totals.Critical, "site"), cli.OnOneLine(open))
	if code == cli.ExitUnknown && s.Totals.Unknown == 1 && s.Totals.Failed == 0 {
		code = cli.ExitDone // one of the sites never answers
	}
	return code
}
