package audit

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// pageLine writes the data of a page record, after a round trip through the wire format.
func pageLine(t *testing.T, rec Record, crawlers []Crawler) string {
	t.Helper()
	checkEqual(t, "page", rewritten(t, rec).Page, rec.Page)
	p := rec.Page
	names := func(list []int) string {
		var labels []string
		for _, i := range list {
			labels = append(labels, crawlers[i].Label)
		}
		return strings.Join(labels, "+")
	}
	line := fmt.Sprintf("%d %s %d", p.Depth, strings.TrimPrefix(p.URL, "http://a.example"), p.Status)
	add := func(what, value string) {
		if value != "" && value != "[]" && value != "false" {
			line += " " + what + "=" + value
		}
	}
	add("code", p.Code)
	add("to", p.Location)
	add("meta", fmt.Sprint(p.Meta))
	add("header", fmt.Sprint(p.Header))
	add("for", names(p.NoIndexFor))
	add("blocked", names(p.BlockedFor()))
	add("unseen", names(p.NoIndexUnseen()))
	add("canonical-blocked", names(p.CanonicalBlocked))
	add("undefined", fmt.Sprint(p.Undefined))
	add("listed", fmt.Sprint(p.Listed))
	add("listed-noindex", fmt.Sprint(p.ListedNoIndex()))
	return line
}

// TestPages has one record for each requested URL, including redirects. It has the indexing
// directives of the page and its header, the crawlers that they are for, and those that never see
// them.
func TestPages(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"/":         `<a href="/both"><a href="/bing"><a href="/none"><a href="/kept"><a href="/old"><a href="/old2"><a href="/away"><a href="/gone"><a href="/file"><a href="/plain"><a href="/comma">`,
		"/both":     `<meta name="Robots" content="NOINDEX, follow"><meta name=GoogleBot content=none>`,
		"/bing":     `<meta name=bingbot content=noindex>`,
		"/none":     `<meta name=robots content="none"><link rel=canonical href="/kept">`,
		"/kept":     `<meta name=robots content=noindex>`,
		"/new":      `<meta name=robots content=noindex>`,
		"/plain":    `<meta name=robots content="index, nofollow"><meta name=description content=noindex><link rel=canonical href="/plain">`,
		"/comma":    `<meta name=robots content="noindex nofollow">`,
		"/redirect": "",
	}
	moved := map[string]string{"/old": "/hop", "/hop": "/new", "/old2": "/new", "/away": "http://b.example/x"}
	a := served(t, "Googlebot,Bingbot,GPTBot", func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		switch {
		case r.Host != "a.example":
			http.NotFound(w, r)
		case path == "/robots.txt":
			io.WriteString(w, "User-agent: Googlebot\nDisallow: /both\nDisallow: /bing\nDisallow: /new\n\nUser-agent: Bingbot\nDisallow: /none\n\nUser-agent: *\nDisallow: /kept\n")
		case path == "/sitemap.xml":
			io.WriteString(w, urlset("http://a.example/", "http://a.example/both", "http://a.example/file", "http://a.example/gone", "http://a.example/kept", "http://a.example/new", "http://a.example/orphan"))
		case moved[path] != "":
			http.Redirect(w, r, moved[path], http.StatusMovedPermanently)
		case path == "/file":
			w.Header()["X-Robots-Tag"] = []string{"noarchive", "Googlebot: NoIndex, nofollow", "otherbot: none"}
			w.Header().Set("Content-Type", "application/pdf")
			io.WriteString(w, "%PDF")
		case path == "/gone":
			w.Header().Set("X-Robots-Tag", "noindex")
			http.NotFound(w, r)
		case path == "/both":
			w.Header().Set("X-Robots-Tag", "noindex")
			fallthrough
		default:
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!doctype html>"+pages[path])
		}
	})
	a.Links = &crawl.LinkBudget{}
	var got []string
	var links LinkCount
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.Page != nil {
			got = append(got, pageLine(t, rec, a.Crawlers))
		}
		if rec.Done != nil {
			links = *rec.Done.Links
		}
	}
	want := []string{
		"0 / 200 listed=true",
		"1 /kept 0 code=disallowed blocked=GPTBot listed=true", // no one has seen its noindex
		"1 /both 200 meta=[robots googlebot] header=[robots] for=Googlebot+Bingbot blocked=Googlebot unseen=Googlebot listed=true listed-noindex=true",
		"1 /bing 200 meta=[bingbot] for=Bingbot blocked=Googlebot",
		"1 /none 200 meta=[robots] for=Googlebot+Bingbot blocked=Bingbot unseen=Bingbot canonical-blocked=GPTBot",
		"1 /old 301 to=http://a.example/hop",
		"1 /hop 301 to=http://a.example/new",
		"1 /new 200 meta=[robots] for=Googlebot+Bingbot blocked=Googlebot unseen=Googlebot listed=true listed-noindex=true",
		"1 /old2 301 to=http://a.example/new", // which was emitted before
		"1 /away 301 code=off_site to=http://b.example/x",
		"1 /gone 404 code=http_status listed=true", // directives of an error page do not count
		"1 /file 200 header=[googlebot otherbot] for=Googlebot listed=true listed-noindex=true",
		"1 /plain 200",
		"1 /comma 200 undefined=[noindex nofollow]",
	}
	checkEqual(t, "pages", got, want)
	if links.NoIndexUnseen != 3 || links.ListedNoIndex != 3 || links.Home != nil {
		t.Errorf("%+v", links)
	}
}

// A failed home page is the first fact reported about a site, which is then never OK.
func TestHomeFailure(t *testing.T) {
	for answer, want := range map[string]string{
		"500":   "The home page http://a.example/ answers with HTTP 500 Internal Server Error. The only URL found is allowed",
		"reset": "The home page http://a.example/ could not be read: " + Meaning(crawl.CodeConnectionReset) + ". The only URL found is allowed",
		"loop":  "The home page http://a.example/ could not be read: " + Meaning(crawl.CodeRedirectLoop) + ".",
		"200":   "The only URL found is allowed for every crawler tested.",
	} {
		a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/robots.txt":
			case r.URL.Path == "/sitemap.xml":
				io.WriteString(w, urlset("http://a.example/x"))
			case answer == "500":
				w.WriteHeader(500)
			case answer == "reset":
				panic(http.ErrAbortHandler)
			case answer == "loop":
				http.Redirect(w, r, "/", http.StatusFound)
			default:
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, `<!doctype html><a href="/x">x</a>`)
			}
		})
		a.Links = &crawl.LinkBudget{}
		d := finished(t, a, "http://a.example")
		if !strings.HasPrefix(d.Why, want) || (answer == "200") != (d.State == OK) || (answer == "200") != (d.Links.Home == nil) {
			t.Errorf("%s: %s %s: %s", answer, d.State, d.Ground, d.Why)
		}
	}
}
