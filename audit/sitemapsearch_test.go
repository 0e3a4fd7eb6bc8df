package audit

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestUsualPlaces looks for a sitemap that robots.txt does not name: at one
// place after the other, until there is one.
func TestUsualPlaces(t *testing.T) {
	const html = "<!doctype html><html><body>Nothing here, see our sitemap</body></html>"
	var (
		one = urlset("http://a.example/1")
		all = []string{"/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.xml.gz", "/sitemap.txt"}
		say = "sitemap_not_found robots.txt names no sitemap, and there is none at "
	)
	type site = map[string]string
	for name, tt := range map[string]struct {
		site     site
		asked    []string // in order, robots.txt left aside
		found    string   // URL of the sitemap that has the note
		urls     int64
		problems []string
	}{
		"the first":        {site{"/sitemap.xml": one, "/wp-sitemap.xml": one}, all[:1], all[0], 1, nil},
		"the second":       {site{"/sitemap_index.xml": one}, all[:2], all[1], 1, nil},
		"the third":        {site{"/wp-sitemap.xml": one, "/sitemap.txt": "http://a.example/2"}, all[:3], all[2], 1, nil},
		"the fourth":       {site{"/sitemap.xml.gz": one}, all[:4], all[3], 1, nil},
		"the last":         {site{"/sitemap.txt": "http://a.example/1\nhttp://a.example/2\n"}, all, all[4], 2, nil},
		"an index":         {site{"/wp-sitemap.xml": strings.NewReplacer("urlset", "sitemapindex", "url>", "sitemap>").Replace(urlset("http://a.example/p.xml")), "/p.xml": one}, append(all[:3:3], "/p.xml"), all[2], 1, nil},
		"nowhere":          {site{}, all, "", 0, []string{say + "/sitemap.xml, /sitemap_index.xml, /wp-sitemap.xml, /sitemap.xml.gz, /sitemap.txt"}},
		"pages instead":    {site{"*": html}, all, "", 0, []string{"not_a_sitemap neither a sitemap nor a feed nor a list of URLs"}},
		"behind pages":     {site{"*": html, "/sitemap.txt": "http://a.example/1"}, all, all[4], 1, nil},
		"forbidden":        {site{"/sitemap.xml": "status 403"}, all, "", 0, []string{"http_status HTTP 403"}},
		"a busy server":    {site{"/sitemap.xml": "status 503"}, all[:1], "", 0, []string{"http_status HTTP 503"}},
		"too many":         {site{"/sitemap_index.xml": "status 429"}, all[:2], "", 0, []string{"http_status HTTP 429", say + "/sitemap.xml"}},
		"an empty one":     {site{"/sitemap_index.xml": urlset()}, all[:2], all[1], 0, nil},
		"a moved one":      {site{"/sitemap_index.xml": "redirect /x.xml", "/x.xml": one}, append(all[:2:2], "/x.xml"), all[1], 1, nil},
		"closed guesses":   {site{"/robots.txt": "User-agent: *\nDisallow: /wp-\nDisallow: /*.gz$\n"}, []string{all[0], all[1], all[4]}, "", 0, []string{say + "/sitemap.xml, /sitemap_index.xml, /sitemap.txt"}},
		"a closed site":    {site{"/robots.txt": "User-agent: *\nDisallow: /\n"}, all[:1], "", 0, []string{say + "/sitemap.xml"}},
		"named in vain":    {site{"/robots.txt": "Sitemap: http://a.example/sitemap_index.xml\n", "/wp-sitemap.xml": one}, []string{all[1], all[0], all[2]}, all[2], 1, []string{"http_status HTTP 404"}},
		"named, nowhere":   {site{"/robots.txt": "Sitemap: http://a.example/s.xml\n"}, append([]string{"/s.xml"}, all...), "", 0, []string{"http_status HTTP 404", "sitemap_not_found no sitemap in robots.txt could be read, and there is none at " + strings.Join(all, ", ")}},
		"named, pages":     {site{"/robots.txt": "Sitemap: http://a.example/sitemap.xml\n", "*": html}, all, "", 0, []string{"not_a_sitemap neither a sitemap nor a feed nor a list of URLs", "sitemap_not_found no sitemap in robots.txt could be read, and there is none at " + strings.Join(all[1:], ", ")}},
		"relative":         {site{"/robots.txt": "User-agent: *\nDisallow: /x\nSitemap: /s.xml\n"}, all, "", 0, []string{`bad_url not an absolute URL`, `sitemap_line_unread robots.txt names no sitemap that crawlers can use: line 3, "Sitemap: /s.xml", and there is none at ` + strings.Join(all, ", ")}},
		"misspelt":         {site{"/robots.txt": "User-agent: *\nDisallow: /x\nXML Sitemap: http://a.example/s.xml\n"}, all, "", 0, []string{`sitemap_line_unread robots.txt names no sitemap that crawlers can use: line 3, "XML Sitemap: http://a.example/s.xml", and there is none at ` + strings.Join(all, ", ")}},
		"in the lost part": {site{"/robots.txt": "User-agent: *\nDisallow: /x\n#" + strings.Repeat("x", 700_000) + "\nSitemap: http://a.example/s.xml\n"}, all, "", 0, []string{"robots_too_big longer than 512000 bytes: Google ignores the rest, Yandex the whole file", "sitemap_not_found the part of robots.txt that could be read names no sitemap, and there is none at " + strings.Join(all, ", ")}},
		"in the cut part":  {site{"/robots.txt": "User-agent: *\nDisallow: /x\n#" + strings.Repeat("x", 512_000) + "\nSitemap: http://a.example/s.xml\n"}, all, "", 0, []string{"robots_too_big longer than 512000 bytes: Google ignores the rest, Yandex the whole file", `sitemap_line_unread robots.txt names no sitemap that crawlers can use: line 4, "Sitemap: http://a.example/s.xml", and there is none at ` + strings.Join(all, ", ")}},
	} {
		t.Run(name, func(t *testing.T) {
			server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
				page, ok := tt.site[r.URL.Path]
				if !ok && r.URL.Path != "/robots.txt" {
					page, ok = tt.site["*"]
				}
				var status int
				var to string
				switch {
				case !ok:
					http.NotFound(w, r)
				case scan(page, "status %d", &status):
					w.WriteHeader(status)
				case scan(page, "redirect %s", &to):
					http.Redirect(w, r, to, http.StatusFound)
				default:
					io.WriteString(w, page)
				}
			}}
			var problems, found []string
			var done *Done
			for _, rec := range server.run(t, "http://a.example") {
				if rec.Problem != nil {
					problems = append(problems, rec.Problem.Code+" "+rec.Problem.Detail)
				}
				if rec.Sitemap != nil {
					for _, n := range rec.Sitemap.Notes {
						if n.Code == "undeclared" {
							found = append(found, strings.TrimPrefix(rec.Sitemap.URL, "http://a.example"))
						}
					}
				}
				if rec.Done != nil {
					done = rec.Done
				}
			}
			var paths []string
			for _, url := range server.urls {
				if path := strings.TrimPrefix(url, "a.example"); path != "/robots.txt" {
					paths = append(paths, path)
				}
			}
			checkEqual(t, "asked for", paths, tt.asked)
			checkEqual(t, "problems", problems, tt.problems)
			if strings.Join(found, " ") != tt.found || done.URLs != tt.urls {
				t.Errorf("found %q and %d URLs, want %q and %d", found, done.URLs, tt.found, tt.urls)
			}
		})
	}
}

// TestRobotsElsewhere reads the sitemaps of a site whose robots.txt redirects
// to a host that does not answer: the site does, and Google stays away from it. Where
// we did not ask, what may be crawled is unknown.
func TestRobotsElsewhere(t *testing.T) {
	for to, want := range map[string]string{
		"http://dead.example:81/robots.txt": "critical access: robots.txt redirects to http://dead.example:81 and could not be fetched: the server refused the connection. Until this is fixed, everything on this site is blocked for Googlebot (2 URLs found).",
		"http://10.0.0.1/robots.txt":        "unknown unread: robots.txt could not be read: a private or special address, which needs permission. What crawlers may fetch is unknown.",
	} {
		server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Host == "a.example" && r.URL.Path == "/robots.txt":
				http.Redirect(w, r, to, http.StatusMovedPermanently)
			case r.URL.Path == "/sitemap_index.xml":
				io.WriteString(w, urlset("http://a.example/1", "http://a.example/2"))
			default:
				http.NotFound(w, r)
			}
		}}
		records := server.run(t, "http://a.example")
		done := records[len(records)-1].Done
		if got := fmt.Sprintf("%s %s: %s", done.State, done.Ground, done.Why); done.URLs != 2 || got != want || !slices.Contains(server.urls, "a.example/sitemap_index.xml") {
			t.Errorf("%s: %d URLs, %s; asked for %v", to, done.URLs, got, server.urls)
		}
	}
	// A host that does not answer gets no further requests.
	server := &asked{answer: http.NotFound}
	if records := server.run(t, "http://dead.example:81"); len(records) == 0 || len(server.urls) > 0 || records[len(records)-1].Done.Sitemaps != 0 {
		t.Errorf("%d records, asked for %v", len(records), server.urls)
	}
}
