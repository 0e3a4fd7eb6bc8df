package crawl

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// webOf serves pages by path; an entry "301 /x" or "404" is a status, the rest HTML.
type webOf struct {
	pages map[string]string
	mu    sync.Mutex
	asked []string
}

func (w *webOf) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, r.Host+r.URL.RequestURI())
	w.mu.Unlock()
	content, ok := w.pages[r.URL.RequestURI()]
	var status int
	var location string
	if n, _ := fmt.Sscanf(content, "%d %s", &status, &location); n == 2 {
		rw.Header().Set("Location", location)
		rw.WriteHeader(status)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	if !ok {
		rw.WriteHeader(404)
		content = "<a href=/from-the-error-page>x</a>"
	}
	io.WriteString(rw, content)
}

func anchors(hrefs ...string) string {
	var b strings.Builder
	for _, h := range hrefs {
		fmt.Fprintf(&b, "<a href=%q>x</a>\n", h)
	}
	return b.String()
}

// walk follows the links of http://example.test/ and returns the pages.
func walk(t *testing.T, w http.Handler, budget LinkBudget, allowed func(string) bool) []Page {
	t.Helper()
	return walkFrom(t, "http://example.test/", w, budget, allowed)
}

func walkFrom(t *testing.T, start string, w http.Handler, budget LinkBudget, allowed func(string) bool) []Page {
	t.Helper()
	s := led(serve(t, w.ServeHTTP)).Site()
	defer s.Close()
	if allowed == nil {
		allowed = func(string) bool { return true }
	}
	return slices.Collect(s.Links(t.Context(), []string{start}, budget, allowed))
}

// list returns the results of a walk in words.
func list(pages []Page) string {
	var b strings.Builder
	for _, p := range pages {
		fmt.Fprintf(&b, "%d %s %d %s %s\n", p.Depth, strings.TrimPrefix(p.URL, "http://example.test"), p.Status, p.Code, p.Location)
	}
	return b.String()
}

func TestLinksBreadthFirst(t *testing.T) {
	w := &webOf{pages: map[string]string{
		"/":            anchors("/a", "/b#part", "b", "http://EXAMPLE.test:80/a", "https://example.test/s", "http://other.test/x", "http://www.example.test/", "mailto:a@b.test", "javascript:void(0)", "#top", "ftp://example.test/", "http://example.test:8080/"),
		"/a":           anchors("/a/1?z=1&a=2", "/missing", "/"),
		"/b":           anchors("/a", "/b/1"),
		"/a/1?z=1&a=2": anchors("/deep"),
		"/b/1":         "",
		"/deep":        anchors("/deeper"),
		"/deeper":      "",
		"/s":           "", // https: the port is closed
	}}
	pages := walk(t, w, LinkBudget{Depth: 3}, nil)
	want := "0 / 200  \n1 /a 200  \n1 /b 200  \n1 https://example.test/s 0 connect_refused \n2 /a/1?z=1&a=2 200  \n2 /missing 404 http_status \n2 /b/1 200  \n3 /deep 200  \n"
	if got := list(pages); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	links := "[http://example.test/a http://example.test/b https://example.test/s http://other.test/x http://www.example.test/ http://example.test:8080/]"
	if fmt.Sprint(pages[0].Links) != links {
		t.Errorf("got links  %v\nwant %s", pages[0].Links, links)
	}
	for _, p := range pages {
		if p.Status == 404 && len(p.Links) != 0 {
			t.Errorf("an error page has links: %v", p.Links)
		}
	}
	for _, u := range w.asked {
		if !strings.HasPrefix(u, "example.test/") {
			t.Errorf("asked for %s", u)
		}
	}
}

func TestLinksBudget(t *testing.T) {
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprintf("/%d", i))
	}
	w := &webOf{pages: map[string]string{"/": anchors(all...)}}
	if pages := walk(t, w, LinkBudget{Pages: 7}, nil); len(pages) != 7 || len(w.asked) != 7 {
		t.Errorf("got %d pages, %d requests", len(pages), len(w.asked))
	}
	if pages := walk(t, w, LinkBudget{Depth: -1}, nil); len(pages) != 1 {
		t.Errorf("start pages alone: got %d pages", len(pages))
	}
	withLongerTimeouts(t, func(timeout time.Duration) string { // on a busy machine the time may be over before the first page
		slow := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			time.Sleep(timeout)
			w.ServeHTTP(rw, r)
		})
		if pages := walk(t, slow, LinkBudget{Time: timeout}, nil); len(pages) != 1 {
			return fmt.Sprintf("a time that is over with the first page: got %d pages", len(pages))
		}
		return ""
	})
	pages := walk(t, &webOf{pages: map[string]string{"/": strings.Repeat("x", 2000) + anchors("/a")}}, LinkBudget{Bytes: 1000}, nil)
	if len(pages) != 1 || pages[0].Code != CodeBodyTooLarge || len(pages[0].Links) != 0 {
		t.Errorf("a page over the limit: got %+v", pages)
	}
}

func TestLinksAsksBeforeEveryRequest(t *testing.T) {
	w := &webOf{pages: map[string]string{
		"/":           anchors("/private/1", "/open", "/to-private", "/p?z=1&a=2"),
		"/open":       "",
		"/to-private": "302 /private/2",
	}}
	allowed := func(u string) bool { return !strings.Contains(u, "/private/") && !strings.Contains(u, "/p?z=") }
	pages := walk(t, w, LinkBudget{}, allowed)
	want := "0 / 200  \n1 /open 200  \n1 /to-private 302 disallowed http://example.test/private/2\n"
	if got := list(pages); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(w.asked) != 3 {
		t.Errorf("asked for %v", w.asked)
	}
	if pages := walk(t, w, LinkBudget{}, func(string) bool { return false }); len(pages) != 1 || pages[0].Code != CodeDisallowed || pages[0].Status != 0 {
		t.Errorf("a start page that is disallowed: got %+v", pages)
	}
}

func TestLinksRedirects(t *testing.T) {
	w := &webOf{pages: map[string]string{
		"/":      anchors("/moved", "/away", "/loop", "/inward", "/scheme", "/broken", "/nowhere"),
		"/moved": "301 /target", "/target": anchors("next"), "/next": "",
		"/away":   "301 http://other.test/x",
		"/loop":   "302 /loop",
		"/inward": "302 http://169.254.169.254/",
		"/scheme": "302 ftp://example.test/",
		"/broken": "302 http://[::1",
	}}
	want := `0 / 200  
1 /moved 200  http://example.test/target
1 /away 301 off_site http://other.test/x
1 /loop 302 redirect_loop http://example.test/loop
1 /inward 302 off_site http://169.254.169.254/
1 /scheme 302 bad_redirect ftp://example.test/
1 /broken 0 bad_redirect 
1 /nowhere 404 http_status 
2 /next 200  
`
	if got := list(walk(t, w, LinkBudget{}, nil)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	chain := &webOf{pages: map[string]string{}}
	for i := range 20 {
		chain.pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("302 /%d", i+1)
	}
	chain.pages["/"] = "302 /0"
	pages := walk(t, chain, LinkBudget{}, nil)
	if len(pages) != 1 || pages[0].Code != CodeTooManyRedirects || len(chain.asked) != pageHops+1 {
		t.Errorf("a chain of 20: %d requests, %+v", len(chain.asked), pages)
	}
}

// TestLinksAreResolved checks that links, redirects and other URLs of a page are
// resolved and requested as by a crawler.
func TestLinksAreResolved(t *testing.T) {
	page := `<link rel=canonical href="\.\c"><link rel=alternate hreflang=de href="/de/%2e%2E/d"><link rel=stylesheet href="/./s.css">` +
		`<a href="/./a">a</a><a href="\b\.\x">b</a>` + anchors("/./a#top", "HTTP://EXAMPLE.test:80/a", " /%2e/a ", "/r", "/q|r?s't", "http:///n", "#top", "mailto:a@b.test")
	w := &webOf{pages: map[string]string{"/": page, "/a": "x", "/b/x": "x", "/r": `302 \t\..\u`, "/u": "x", "/q%7Cr?s%27t": "x"}}
	pages := walk(t, w, LinkBudget{}, nil)
	want := []string{"http://example.test/a", "http://example.test/b/x", "http://example.test/r", "http://example.test/q|r?s%27t"}
	if p := pages[0]; !slices.Equal(p.Links, want) || p.Canonical != "http://example.test/c" || p.Alternates[0].URL != "http://example.test/d" || p.Resources[0].URL != "http://example.test/s.css" {
		t.Errorf("got %+v, want links %q", p, want)
	}
	asked := []string{"example.test/", "example.test/a", "example.test/b/x", "example.test/r", "example.test/u", "example.test/q%7Cr?s%27t"}
	if !slices.Equal(w.asked, asked) {
		t.Errorf("asked for %q, want %q", w.asked, asked)
	}
}

// If a home page redirects to the host with or without "www.", the walk follows
// it to the site. It does not follow other pages, other hosts or disallowed
// URLs.
func TestLinksOfATwin(t *testing.T) {
	pages := map[string]string{"/a": anchors("/b", "http://www.other.test/", "http://sub.example.test/"), "/b": "301 http://www.www.example.test/"}
	home := func(from, to string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host == from {
				http.Redirect(w, r, "http://"+to+r.URL.Path, http.StatusMovedPermanently)
				return
			}
			if r.URL.Path == "/" {
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, anchors("/a", "http://"+from+"/c"))
				return
			}
			(&webOf{pages: pages}).ServeHTTP(w, r)
		})
	}
	for _, tt := range []struct {
		name, from, to string
		allowed        func(string) bool
		want           string
	}{
		{"to www.", "example.test", "www.example.test", nil,
			"0 / 200  http://www.example.test/\n1 http://www.example.test/a 200  \n1 /c 404 http_status http://www.example.test/c\n2 http://www.example.test/b 301 off_site http://www.www.example.test/\n"},
		{"from www.", "www.example.test", "example.test", nil,
			"0 http://www.example.test/ 200  http://example.test/\n1 /a 200  \n1 http://www.example.test/c 404 http_status http://example.test/c\n2 /b 301 off_site http://www.www.example.test/\n"},
		{"to another host", "example.test", "sub.example.test", nil, "0 / 301 off_site http://sub.example.test/\n"},
		{"to where all is disallowed", "example.test", "www.example.test", func(u string) bool { return !strings.Contains(u, "www.") }, "0 / 301 disallowed http://www.example.test/\n"},
	} {
		if got := list(walkFrom(t, "http://"+tt.from+"/", home(tt.from, tt.to), LinkBudget{}, tt.allowed)); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestPageContent(t *testing.T) {
	p := pageOf(t, nil, `<base href="http://example.test/base/"><link rel="alternate canonical" href="c"><link rel=canonical href=/second><a href="x y">1</a><area href=é><a>none</a><a href=" /trim ">2</a>`)
	if p.Canonical != "http://example.test/base/c" || fmt.Sprint(p.Links) != "[http://example.test/base/x%20y http://example.test/base/%C3%A9 http://example.test/trim]" || p.NoIndex {
		t.Errorf("got canonical %q, links %v, noindex %v", p.Canonical, p.Links, p.NoIndex)
	}
	p = pageOf(t, nil, `<noscript><link rel=stylesheet href=no.css></noscript><body><noscript><p><a href=/next>2</a><img src=no.gif><template><a href=/no></a></template></p></noscript><noscript></noscript><a href=/next>again</a>`)
	if fmt.Sprint(p.Links) != "[http://example.test/next]" || len(p.Resources) != 0 {
		t.Errorf("noscript: got links %v, resources %v", p.Links, p.Resources)
	}
	if p := pageOf(t, http.Header{"Content-Type": {"application/pdf"}}, anchors("/a")); p.Code != "" || p.Status != 200 || len(p.Links) != 0 {
		t.Errorf("a PDF: got %+v", p)
	}
	if p := pageOf(t, http.Header{"Content-Encoding": {"gzip"}}, gzipped(anchors("/a"))); p.Code != "" || len(p.Links) != 1 {
		t.Errorf("gzip: got %+v", p)
	}
	if p := pageOf(t, http.Header{"Content-Encoding": {"gzip"}}, anchors("/a")); p.Code != CodeBadEncoding {
		t.Errorf("no gzip: got %+v", p)
	}
	if p := pageOf(t, nil, strings.Repeat("<div>", 100_000)+anchors("/a")); p.Status != 200 || p.Code != CodeBadHTML || p.Detail == "" {
		t.Errorf("100,000 levels: got code %q (%s)", p.Code, p.Detail)
	}
	var many []string
	for i := range MaxLinks + 10 {
		many = append(many, fmt.Sprint("/", i))
	}
	if p := pageOf(t, nil, anchors(many...)); len(p.Links) != MaxLinks {
		t.Errorf("got %d links", len(p.Links))
	}
}

// A path is always UTF-8, whatever the encoding of the page (WHATWG URL).
func TestPageCharset(t *testing.T) {
	const link = "\xef\xf0\xe8" // "при" in windows-1251
	for name, tt := range map[string]struct{ contentType, html string }{
		"a meta element":   {"text/html", `<meta charset=windows-1251><a href="/` + link + `">`},
		"its older form":   {"text/html", `<meta http-equiv=Content-Type content="text/html; charset=windows-1251"><a href="/` + link + `">`},
		"the header":       {"text/html; charset=windows-1251", `<a href="/` + link + `">`},
		"the header first": {"text/html; charset=windows-1251", `<meta charset=iso-8859-5><a href="/` + link + `">`},
		"a mark":           {"text/html", "\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00/\x00\x3f\x04\x40\x04\x38\x04>\x00"},
		"UTF-8":            {"text/html", `<meta charset=utf-8><a href="/при">`},
		"nothing":          {"text/html", strings.Repeat(" ", 2000) + `<a href="/при">`},
		"a lie":            {"text/html", `<meta charset=nonsense><a href="/при">`},
	} {
		if got := fmt.Sprint(pageOf(t, http.Header{"Content-Type": {tt.contentType}}, tt.html).Links); got != "[http://example.test/%D0%BF%D1%80%D0%B8]" {
			t.Errorf("%s: got links %s", name, got)
		}
	}
}

func TestNoIndex(t *testing.T) {
	for header, want := range map[string]bool{
		"noindex": true, "NoIndex, nofollow": true, "nofollow, none": true, "none": true, "": false, "nofollow": false,
		"googlebot: noindex": false, "max-snippet: 5, noindex": true, "noindex, max-snippet: 5": true, "unavailable_after: 25 Jun 2030 15:00:00 GMT": false, "noindexing": false,
	} {
		var p Page
		if p.robotsHeader(http.Header{"X-Robots-Tag": {header}}); p.NoIndex != want {
			t.Errorf("X-Robots-Tag: %s: got %v", header, p.NoIndex)
		}
		pages := walk(t, &webOf{pages: map[string]string{"/": `<meta name="Robots" content="` + header + `">`}}, LinkBudget{}, nil)
		if !strings.Contains(header, ":") && pages[0].NoIndex != want {
			t.Errorf("meta robots %s: got %v", header, pages[0].NoIndex)
		}
	}
}

// A page with an unavailable_after in the past must not be indexed either, in each
// of the formats that Google names.
func TestUnavailableAfter(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for directives, want := range map[string]bool{
		"unavailable_after: 25 Jun 2010 15:00:00 PST":                   true,
		"noarchive, Unavailable_After: 25-Aug-2007 15:00:00 EST":        true,
		"unavailable_after: Saturday, 25-Aug-07 15:00:00 GMT, nofollow": true,
		"unavailable_after: Sat, 25 Aug 2007 15:00:00 GMT":              true,
		"unavailable_after: 2026-11-21":                                 true,
		"unavailable_after: 2026-11-21T10:00:00+01:00":                  true,
		"unavailable_after: 25 Jun 2030 15:00:00 GMT":                   false,
		"unavailable_after: Tuesday, 25-Jun-30 15:00:00 GMT, noindex":   true,
		"unavailable_after: Tuesday, 25-Jun-30 15:00:00 GMT":            false,
		"unavailable_after: 2026-12-01, nofollow":                       false,
		"unavailable_after: soon":                                       false, "unavailable_after:": false, "unavailable_after": false,
	} {
		if saysNoIndex(directives, now) != want {
			t.Errorf("%s: %v", directives, !want)
		}
	}
}

// The environment must not configure the walk: colly reads COLLY_… variables.
func TestLinksIgnoreTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"COLLY_ALLOWED_DOMAINS": "elsewhere.test", "COLLY_MAX_BODY_SIZE": "10", "COLLY_MAX_DEPTH": "1", "COLLY_MAX_REQUESTS": "1", "COLLY_USER_AGENT": "colly",
		"COLLY_CACHE_DIR": t.TempDir(), "COLLY_IGNORE_ROBOTSTXT": "n", "COLLY_FOLLOW_REDIRECTS": "n", "COLLY_DISALLOWED_DOMAINS": "example.test", "COLLY_DETECT_CHARSET": "y",
	} {
		t.Setenv(name, value)
	}
	w := &webOf{pages: map[string]string{"/": anchors("/a", "/b"), "/a": "301 /c", "/b": "", "/c": ""}}
	if pages := walk(t, w, LinkBudget{}, nil); list(pages) != "0 / 200  \n1 /a 200  http://example.test/c\n1 /b 200  \n" {
		t.Errorf("got\n%s", list(pages))
	}
}

func TestLinksEndWithTheLoopAndTheContext(t *testing.T) {
	w := &webOf{pages: map[string]string{"/": anchors("/a", "/b"), "/a": "", "/b": ""}}
	s := led(serve(t, w.ServeHTTP)).Site()
	defer s.Close()
	all := func(string) bool { return true }
	for range s.Links(t.Context(), []string{"http://example.test/"}, LinkBudget{}, all) {
		break
	}
	if len(w.asked) != 1 {
		t.Errorf("asked for %v", w.asked)
	}
	hang := led(serveRaw(t, silent))
	withLongerTimeouts(t, func(timeout time.Duration) string {
		hang.Timeout = timeout
		h := hang.Site()
		defer h.Close()
		start := time.Now()
		pages := slices.Collect(h.Links(t.Context(), []string{"http://example.test/", "nonsense"}, LinkBudget{}, all))
		if took := time.Since(start); len(pages) != 2 || pages[0].Code != CodeBadURL || pages[1].Code != CodeTimeout || took > 5*timeout {
			return fmt.Sprintf("got %+v after %v", pages, took)
		}
		return ""
	})
}

// colly resolves dot segments before it requests: a URL that is allowed as written may
// then be disallowed.
func TestLinksAsksForWhatIsRequested(t *testing.T) {
	w := &webOf{pages: map[string]string{}}
	allowed := func(u string) bool { return !strings.HasPrefix(u, "http://example.test/private/") }
	pages := walkFrom(t, "http://example.test/open/../private/", w, LinkBudget{}, allowed)
	if len(pages) != 1 || pages[0].Code != CodeDisallowed || len(w.asked) != 0 {
		t.Errorf("got %+v after requests for %v", pages, w.asked)
	}
}

// Errors of allowed or colly on one page stay there.
func TestLinksSurvivePanics(t *testing.T) {
	w := &webOf{pages: map[string]string{"/": anchors("/a", "/b"), "/a": "302 /panic", "/b": ""}}
	pages := walk(t, w, LinkBudget{}, func(u string) bool {
		if strings.HasSuffix(u, "/panic") {
			panic("a fault of ours")
		}
		return true
	})
	if got := list(pages); got != "0 / 200  \n1 /a 302 internal http://example.test/panic\n1 /b 200  \n" {
		t.Errorf("got\n%s", got)
	}
}

// Pages beyond a limit are counted, each once.
func TestLinksLeft(t *testing.T) {
	has := map[string]string{
		"/":  anchors("/a", "/b", "/c", "/private/x", "http://other.test/"),
		"/a": anchors("/a/1", "/a/2", "/b", "/private/x", "/private/y"),
		"/b": anchors("/a/1", "/b/1"), "/c": "301 /a/2", "/a/1": anchors("/deep"),
	}
	open := func(u string) bool { return !strings.Contains(u, "/private/") }
	for name, tt := range map[string]struct {
		budget LinkBudget
		want   LinksLeft
	}{
		"no bound":          {LinkBudget{}, LinksLeft{Disallowed: 2}},
		"two pages":         {LinkBudget{Pages: 2}, LinksLeft{Pages: 4, Disallowed: 2}},           // /b, /c, /a/1, /a/2
		"one click":         {LinkBudget{Depth: 1}, LinksLeft{Depth: 2, Disallowed: 2}},           // /a/1, /b/1; /c leads to /a/2
		"the home page":     {LinkBudget{Depth: -1}, LinksLeft{Depth: 3, Disallowed: 1}},          // /a, /b, /c
		"pages, then depth": {LinkBudget{Pages: 4, Depth: 1}, LinksLeft{Pages: 2, Disallowed: 2}}, // as with one click
		"no time":           {LinkBudget{Time: time.Nanosecond}, LinksLeft{Time: 1}},              // the home page
		"five pages":        {LinkBudget{Pages: 5, Depth: 2}, LinksLeft{Pages: 2, Disallowed: 2}}, // /b/1, /deep; /a/1 is the fifth
	} {
		var got LinksLeft
		tt.budget.Left = &got
		walk(t, &webOf{pages: has}, tt.budget, open)
		if got != tt.want {
			t.Errorf("%s: %+v left, want %+v", name, got, tt.want)
		}
	}
}

// The followed redirects are reported one by one, and the pages that allowed
// refuses when they are found.
func TestLinksTellRedirectsAndRefused(t *testing.T) {
	w := &webOf{pages: map[string]string{
		"/": anchors("/1", "/private/x", "/private/x"), "/1": "301 /2", "/2": "302 /3", "/3": anchors("/private/y"),
	}}
	var refused []string
	pages := walk(t, w, LinkBudget{Refused: func(url string, depth int) { refused = append(refused, fmt.Sprint(depth, " ", short(url))) }},
		func(u string) bool { return !strings.Contains(u, "/private/") })
	if got := fmt.Sprint(refused); got != "[1 /private/x 2 /private/y]" {
		t.Errorf("refused: %s", got)
	}
	want := []Redirect{{"http://example.test/1", 301, "http://example.test/2"}, {"http://example.test/2", 302, "http://example.test/3"}}
	if len(pages) != 2 || !slices.Equal(pages[1].Redirects, want) {
		t.Errorf("got %+v", pages)
	}
}
