package audit

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestForeignHostsOfPages reads a page that needs files of thousands of other
// hosts: they are judged, by the robots.txt of no more hosts than a site may have.
func TestForeignHostsOfPages(t *testing.T) {
	server := &asked{links: true, answer: func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "a.example" || r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		for i := range 500 {
			fmt.Fprintf(w, "<img src='http://i%d.example/x'><link rel=stylesheet href='http://c%[1]d.example/x.css'><link rel=alternate hreflang=de href='http://d%[1]d.example/'><a href='http://l%[1]d.example/'>x</a>", i)
		}
	}}
	left := int64(0)
	for _, rec := range server.run(t, "http://a.example") {
		if rec.Done != nil {
			left = rec.Done.LeftOut[LeftOrigins]
		}
	}
	if hosts := server.hosts("a.example"); len(hosts) != 15 || left != 3*500-15 {
		t.Errorf("%d other hosts were asked, %d URLs left out", len(hosts), left)
	}
	for _, url := range server.urls {
		if !strings.HasPrefix(url, "a.example/") && !strings.HasSuffix(url, "/robots.txt") {
			t.Errorf("%s was asked for", url)
		}
	}
}

// TestFailingForeignHost has a site name thousands of sitemaps that another host
// does not have: after a hundred it is left alone.
func TestFailingForeignHost(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]string{"Sitemap lines": "http://b.example", "redirects": "http://a.example"} {
		server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Host == "b.example" || strings.Contains(r.URL.Path, "sitemap"):
				http.NotFound(w, r)
			case r.URL.Path == "/robots.txt":
				for i := range 400 {
					fmt.Fprintf(w, "Sitemap: %s/%d.xml\n", way, i)
				}
			default:
				http.Redirect(w, r, "http://b.example"+r.URL.Path, http.StatusFound)
			}
		}}
		left, detail := 0, ""
		for _, rec := range server.run(t, "http://a.example") {
			if rec.Sitemap != nil && rec.Sitemap.Code == "sitemap_fails" {
				left, detail = left+1, rec.Sitemap.Detail
			}
		}
		asked := 0
		for _, url := range server.urls {
			if strings.HasPrefix(url, "b.example/") {
				asked++
			}
		}
		want, each := "300 sitemaps on 1 other host not read: 100 of one host failed in a row (b.example)", 1
		if name == "redirects" {
			want, each = "100 of one host failed in a row", 300
		}
		if asked != 101 || left != each || detail != want {
			t.Errorf("%s: b.example was asked %d times; %d told: %q", name, asked, left, detail)
		}
	}
}

// TestForeignFindings reports all faults in the files of the site's own hosts. For other sites'
// files it reports only the URLs that they block, without a fix.
func TestForeignFindings(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":     "User-agent: *\nDisallow: /none/\nSitemap: http://a.example/s.xml\n",
		"a.example/s.xml":          urlset("http://a.example/", "http://cdn.a.example/1", "http://video.example/1", "http://images.example/p", "http://images.example/q"),
		"cdn.a.example/robots.txt": "status 403",
		"video.example/robots.txt": "status 403",
		"images.example/robots.txt": "Disallow: /x\nUser-agent: *\nNoindex: /x\nDisallow: /p\nDisallow: /none/\nDisallow: q\n\n" +
			"User-agent: Googlebot\nDisallow: /p\nDisallow: /none\n",
	})
	got := map[string][]string{}
	names := map[int]string{}
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.Robots != nil {
			names[rec.Robots.Index] = rec.Robots.Origin
		}
		if rec.Findings == nil {
			continue
		}
		for _, f := range rec.Findings.List {
			name := names[rec.Findings.Origin]
			got[name] = append(got[name], fmt.Sprintf("%s %v", f.ID, f.Severity))
			if notYours := strings.Contains(f.Fix, "to another site"); notYours != (name == "http://images.example") || notYours && (f.Replacement != "" || f.Delete != nil) {
				t.Errorf("%s: %s: %s", name, f.ID, f.Fix)
			}
		}
	}
	want := map[string][]string{
		"http://a.example":      {"RUL008 info", "SM019 warning", "SM019 info"},
		"http://cdn.a.example":  {"FET002 warning"},
		"http://images.example": {"SM005 error", "SM005 error"},
	}
	checkEqual(t, "findings", got, want)
}
