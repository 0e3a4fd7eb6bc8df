package audit

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// TestWrongHosts reads sitemaps whose entries are on hosts that are not public, and their nearest
// siblings that are as they should be.
func TestWrongHosts(t *testing.T) {
	t.Parallel()
	const robots, closed = "Sitemap: http://shop.de/s.xml\n", "User-agent: *\nDisallow: /\n"
	fix := "Set the base address (site URL) of the sitemap's generator to http://shop.de. Then publish the sitemap again."
	base := func(found string) string {
		return "error SM022 the sitemap names no URL of this host: the base address of its generator is wrong (found: " + found + ")"
	}
	all := func(origin string) string { return urlset(origin+"/", origin+"/a", origin+"/b") }
	for name, test := range map[string]struct {
		pages  map[string]string
		want   []string // findings of SM003, SM019 and SM022
		tested int64
		asked  string // hosts other than the site's
	}{
		"localhost":            {pages: map[string]string{"s.xml": all("http://localhost:3000")}, want: []string{base("http://localhost:3000")}},
		"loopback":             {pages: map[string]string{"s.xml": all("https://127.0.0.1:8080")}, want: []string{base("https://127.0.0.1:8080")}},
		"decimal":              {pages: map[string]string{"s.xml": all("http://2130706433")}, want: []string{base("http://2130706433")}},
		"IPv6":                 {pages: map[string]string{"s.xml": all("http://[::1]:3000")}, want: []string{base("http://[::1]:3000")}},
		"private":              {pages: map[string]string{"s.xml": all("http://192.168.1.4")}, want: []string{base("http://192.168.1.4")}},
		"one label":            {pages: map[string]string{"s.xml": all("http://web:3000")}, want: []string{base("http://web:3000")}},
		"ddev":                 {pages: map[string]string{"s.xml": all("https://shop.ddev.site")}, want: []string{base("https://shop.ddev.site")}},
		"local":                {pages: map[string]string{"s.xml": all("http://shop.local")}, want: []string{base("http://shop.local")}},
		"example.com":          {pages: map[string]string{"s.xml": all("https://www.example.com")}, want: []string{base("https://www.example.com")}},
		"its own other port":   {pages: map[string]string{"s.xml": all("http://shop.de:3000")}, want: []string{base("http://shop.de:3000")}},
		"staging, closed":      {pages: map[string]string{"s.xml": all("http://staging.shop.de"), "staging.shop.de/robots.txt": closed}, want: []string{base("http://staging.shop.de")}, asked: "staging.shop.de"},
		"staging, open":        {pages: map[string]string{"s.xml": all("http://staging.shop.de"), "staging.shop.de/robots.txt": robots}, want: []string{base("http://staging.shop.de")}, asked: "staging.shop.de"},
		"dev, closed":          {pages: map[string]string{"s.xml": all("http://dev.shop.de"), "dev.shop.de/robots.txt": closed}, want: []string{base("http://dev.shop.de")}, asked: "dev.shop.de"},
		"Vercel":               {pages: map[string]string{"s.xml": all("http://shop-1x2.vercel.app")}, want: []string{base("http://shop-1x2.vercel.app")}, asked: "shop-1x2.vercel.app"},
		"another site, closed": {pages: map[string]string{"s.xml": all("http://laden.de"), "laden.de/robots.txt": closed}, want: []string{base("http://laden.de")}, tested: 3, asked: "laden.de"},
		"another site":         {pages: map[string]string{"s.xml": all("http://laden.de")}, want: []string{base("http://laden.de")}, tested: 3, asked: "laden.de"},
		"two wrong hosts":      {pages: map[string]string{"s.xml": urlset("http://localhost/", "http://web/")}, want: []string{base("http://localhost and http://web")}},
		"documentation":        {pages: map[string]string{"s.xml": all("http://192.0.2.7")}, want: []string{base("http://192.0.2.7")}},
		"an index":             {pages: map[string]string{"s.xml": sitemapIndex("http://localhost:3000/a.xml", "http://localhost:3000/b.xml")}, want: []string{base("http://localhost:3000")}},
		"images and text too":  {pages: map[string]string{"s.xml": strings.ReplaceAll(all("http://web"), "</loc>", `</loc><image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><image:loc>http://web/i.png</image:loc></image:image>`)}, want: []string{base("http://web")}},
		"in part": {
			pages:  map[string]string{"s.xml": urlset("http://localhost:3000/x", "http://shop.de/", "http://shop.de/a", "http://shop.de/b")},
			want:   []string{"warning SM019 1 URL is not on the public address of its site: the base address of its generator is wrong, in http://shop.de/s.xml: 25 % of the entries, on http://localhost:3000"},
			tested: 3,
		},
		"another host in part": {
			pages:  map[string]string{"s.xml": urlset("http://shop.de/", "http://laden.de/1", "http://blog.shop.de/", "http://laden.de/2")},
			want:   []string{"warning SM019 3 URLs are on other hosts, whose robots.txt does not name the sitemap, in http://shop.de/s.xml: 75 % of the entries, on http://laden.de and http://blog.shop.de"},
			tested: 4, asked: "blog.shop.de laden.de",
		},
		"another host, unknown": {
			pages:  map[string]string{"s.xml": all("http://laden.de"), "laden.de/robots.txt": "status 503"},
			want:   []string{"info SM019 3 URLs are on other hosts. It is unknown whether their robots.txt names the sitemap, in http://shop.de/s.xml: 100 % of the entries, on http://laden.de"},
			tested: 3, asked: "laden.de",
		},
		"a subdomain": {
			pages:  map[string]string{"s.xml": all("http://blog.shop.de")},
			want:   []string{"warning SM019 3 URLs are on other hosts, whose robots.txt does not name the sitemap, in http://shop.de/s.xml: 100 % of the entries, on http://blog.shop.de"},
			tested: 3, asked: "blog.shop.de",
		},
		"with www.": {
			pages:  map[string]string{"s.xml": all("http://www.shop.de")},
			want:   []string{`warning SM019 3 URLs have "www.", their sitemap does not (Search Console: "Path mismatch: missing www"), in http://shop.de/s.xml: 100 % of the entries, on http://www.shop.de`},
			tested: 3, asked: "www.shop.de",
		},
		"with www., proven": {pages: map[string]string{"s.xml": all("http://www.shop.de"), "www.shop.de/robots.txt": robots}, tested: 3, asked: "www.shop.de"},
		"staging, proven":   {pages: map[string]string{"s.xml": all("http://staging.shop.de"), "staging.shop.de/robots.txt": robots + "User-agent: *\nDisallow: /x\n"}, tested: 3, asked: "staging.shop.de"},
		"dev, with a login": {pages: map[string]string{"s.xml": all("http://dev.shop.de"), "dev.shop.de/robots.txt": "status 401"}, want: []string{base("http://dev.shop.de")}},
		"dev, unknown": {
			pages:  map[string]string{"s.xml": all("http://dev.shop.de"), "dev.shop.de/robots.txt": "status 503"},
			want:   []string{"info SM019 3 URLs are on other hosts. It is unknown whether their robots.txt names the sitemap, in http://shop.de/s.xml: 100 % of the entries, on http://dev.shop.de"},
			tested: 3, asked: "dev.shop.de",
		},
		"dev, nothing there":      {pages: map[string]string{"s.xml": all("https://dev.shop.de")}, want: []string{base("https://dev.shop.de")}},
		"developers":              {pages: map[string]string{"s.xml": urlset("http://dev.shop.de/", "http://shop.de/"), "dev.shop.de/robots.txt": robots + "# of developers\n"}, tested: 2, asked: "dev.shop.de"},
		"another site, proven":    {pages: map[string]string{"s.xml": all("http://laden.de"), "laden.de/robots.txt": robots}, tested: 3, asked: "laden.de"},
		"images elsewhere":        {pages: map[string]string{"s.xml": strings.ReplaceAll(all("http://shop.de"), "</loc>", `</loc><image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><image:loc>http://cdn.de/i.png</image:loc></image:image>`)}, tested: 3, asked: "cdn.de"},
		"a redirect of a sitemap": {pages: map[string]string{"s.xml": "redirect http://www.shop.de/s.xml", "www.shop.de/s.xml": all("http://www.shop.de")}, tested: 3, asked: "www.shop.de"},
		"its own port 80":         {pages: map[string]string{"s.xml": all("http://SHOP.de:80")}, tested: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages := map[string]string{"shop.de/robots.txt": robots}
			for path, page := range test.pages {
				if path == "s.xml" {
					path = "shop.de/s.xml"
				}
				pages[path] = page
			}
			var got, hosts, records []string
			a := world(t, pages)
			var done *Done
			for rec := range a.All(t.Context(), Domains(strings.NewReader("http://shop.de"))) {
				switch {
				case rec.Robots != nil && rec.Robots.Index > 0:
					_, host, _ := strings.Cut(rec.Robots.Origin, "://")
					hosts = append(hosts, host)
				case rec.Problem != nil:
					records = append(records, rec.Problem.Code)
				case rec.Done != nil:
					done = rec.Done
				case rec.Findings != nil:
					for _, f := range rec.Findings.List {
						if f.ID == "SM003" || f.ID == "SM019" || f.ID == "SM022" {
							got = append(got, fmt.Sprintf("%v %s %s", f.Severity, f.ID, f.What))
							if f.Line != 1 || (f.ID == "SM022") != (f.Fix == fix) && name != "in part" || len(f.Samples) == 0 || strings.Contains(strings.Join(f.Samples, " "), ";") {
								t.Errorf("line %d, %q, %q", f.Line, f.Fix, f.Samples)
							}
						} else if f.ID != "SM004" && f.Severity.String() != "info" && f.ID != "FET009" && name != "dev, unknown" {
							t.Errorf("also %s: %s", f.ID, f.What)
						}
					}
				}
			}
			checkEqual(t, "findings", got, test.want)
			slices.Sort(hosts)
			isWrong := len(got) == 1 && strings.Contains(got[0], " SM022 ")
			if wrongBase := isWrong && test.tested == 0; !wrongBase && strings.Join(hosts, " ") != test.asked || wrongBase && len(hosts) > 0 && name != "documentation" {
				t.Errorf("robots.txt of %q", hosts)
			}
			if done.URLs != test.tested {
				t.Errorf("%d URLs tested, %v left out", done.URLs, done.LeftOut)
			}
			if isWrong != (done.State == Warn && done.Ground == GroundSitemaps && strings.Contains(done.Why, "he sitemap names no URL of this host: the base address of its generator is wrong (found: http")) {
				t.Errorf("%v by %s: %s", done.State, done.Ground, done.Why)
			}
			if isWrong && test.tested == 0 && name != "an index" && name != "documentation" && len(records) > 0 {
				t.Errorf("problems: %q", records)
			}
		})
	}
}

// TestWrongHostRequests requests the robots.txt of test hosts once, and nothing from hosts that are
// not public.
func TestWrongHostRequests(t *testing.T) {
	var locs []string
	for i := range 300 {
		locs = append(locs, fmt.Sprintf("http://localhost/%d", i), fmt.Sprintf("http://10.0.0.%d/", i%250), fmt.Sprintf("http://staging.shop.de/%d", i), fmt.Sprintf("http://x%d.vercel.app/", i))
	}
	server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.Path {
		case "shop.de/robots.txt":
			fmt.Fprint(w, "Sitemap: http://shop.de/s.xml\nSitemap: http://localhost/t.xml\nSitemap: http://web/s.xml\n")
		case "shop.de/s.xml":
			fmt.Fprint(w, urlset(locs...))
		default:
			fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
		}
	}}
	left := int64(0)
	for _, rec := range server.run(t, "http://shop.de") {
		if rec.Done != nil {
			left = rec.Done.LeftOut[LeftWrongHost]
		}
		if rec.Robots != nil && rec.Robots.Index > 0 {
			t.Errorf("a record of %s", rec.Robots.Origin)
		}
	}
	seen := map[string]int{}
	for _, url := range server.urls {
		host, _, _ := strings.Cut(url, "/")
		seen[host]++
	}
	if delete(seen, "shop.de"); left != int64(len(locs)) || len(seen) > maxTestHosts || seen["staging.shop.de"] != 1 || seen["localhost"]+seen["web"]+seen["10.0.0.1"] > 0 {
		t.Errorf("%d of %d URLs left out; requests %v", left, len(locs), seen)
	}
}

// TestSitesWithoutPublicHosts audits sites that are not public themselves: their other hosts are as
// public as they are.
func TestSitesWithoutPublicHosts(t *testing.T) {
	for site, other := range map[string]string{
		"shop.local": "files.local", "localhost": "web", "shop.example": "example.com", "staging.shop.de": "staging.blog.shop.de", "a.vercel.app": "b.vercel.app",
	} {
		a := world(t, map[string]string{
			site + "/robots.txt": "Sitemap: http://" + site + "/s.xml\n",
			site + "/s.xml":      urlset("http://"+site+"/", "http://"+other+"/"),
		})
		for rec := range a.All(t.Context(), Domains(strings.NewReader("http://"+site))) {
			if rec.Done != nil && rec.Done.URLs != 2 {
				t.Errorf("%s: %d URLs, %v left out", site, rec.Done.URLs, rec.Done.LeftOut)
			}
		}
	}
}

// TestWrongHostHreflang audits a sitemap whose entries, their alternates and images are all on a test host: none
// is tested, and its hreflang has no faults of its own.
func TestWrongHostHreflang(t *testing.T) {
	entry := func(loc string) string {
		return "<url><loc>http://staging.shop.de" + loc + `</loc><xhtml:link rel="alternate" hreflang="de" href="http://staging.shop.de/de"/><xhtml:link rel="alternate" hreflang="en" href="http://staging.shop.de/en"/><image:image><image:loc>http://staging.shop.de` + loc + `.png</image:loc></image:image></url>`
	}
	a := world(t, map[string]string{
		"shop.de/robots.txt":         "Sitemap: http://shop.de/s.xml\n",
		"shop.de/s.xml":              strings.Replace(urlset(), "</urlset>", entry("/de")+entry("/en")+"</urlset>", 1),
		"staging.shop.de/robots.txt": "User-agent: *\nDisallow: /\n",
	})
	got, done := said(t, a, "http://shop.de", "SM019", "SM022", "HRL001", "HRL002", "HRL003", "HRL005")
	if len(got) != 1 || !strings.HasPrefix(got[0], "SM022 ") || done.URLs != 0 || done.LeftOut[LeftWrongHost] != 8 {
		t.Errorf("%d URLs, %v left out, %q", done.URLs, done.LeftOut, got)
	}
}

// TestUnreachable tells hosts that the public cannot reach from those of the site that only our own network
// resolves to a private address.
func TestUnreachable(t *testing.T) {
	own := &origin{name: "https://shop.de"}
	for _, c := range []struct {
		name, code string
		want       bool
	}{
		{"http://laden.de", crawl.CodeBlockedAddress, true},
		{"http://laden.de", crawl.CodeDNSNotFound, true},
		{"http://laden.de", crawl.CodeTimeout, false},
		{"http://intern.shop.de", crawl.CodeBlockedAddress, false},
		{"http://intern.shop.de", crawl.CodeDNSNotFound, true},
		{"https://www.shop.de", crawl.CodeDNSNotFound, false},
	} {
		o := &origin{index: 1, name: c.name}
		o.file.Code = c.code
		if got := o.unreachable(own); got != c.want {
			t.Errorf("%s, %s: %v", c.name, c.code, got)
		}
	}
}

// TestPreviewOfSite audits sites that are not public and whose sitemaps have the addresses of the public
// site, as they should: that is no wrong base address.
func TestPreviewOfSite(t *testing.T) {
	for _, site := range []string{"shop-git-main.vercel.app", "localhost", "staging.agency.de", "shop.test"} {
		a := world(t, map[string]string{
			site + "/robots.txt":     "Sitemap: http://" + site + "/s.xml\n",
			site + "/s.xml":          urlset("http://www.shop.de/", "http://www.shop.de/a"),
			"www.shop.de/robots.txt": "Sitemap: http://www.shop.de/s.xml\n",
		})
		if got, _ := said(t, a, "http://"+site, "SM019", "SM022"); got != nil {
			t.Errorf("%s: %q", site, got)
		}
	}
}
