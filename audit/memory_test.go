package audit

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"robots-audit/crawl"
)

// TestLive checks how many bytes one site keeps in memory at each moment at which hundreds of sites
// may wait: for an answer, or until their records are taken. The site has 60 rules and 100 URLs.
func TestLive(t *testing.T) {
	var body bytes.Buffer
	body.WriteString("User-agent: *\nDisallow: /blocked/\nAllow: /blocked/*.pdf$\nDisallow: /*?session=\n")
	for i := range 60 {
		fmt.Fprintf(&body, "Disallow: /unused-%d/\n", i)
	}
	body.WriteString("Sitemap: https://a.example/sitemap.xml\n")
	a := &Auditor{Client: &crawl.Client{}, Crawlers: crawlersOf(t, "Googlebot,Bingbot,YandexBot")}
	const count = 100
	sites := make([]*site, count)
	// A robots.txt is read by four profiles here: by those of the crawlers, and by RFC 9309 for this program itself.
	moments := []struct {
		name  string
		limit int64
		reach func(*site)
	}{
		{"begun", 3_500, func(*site) {}},
		{"robots.txt read", 15_000, func(s *site) {
			own := &origin{name: "https://a.example"}
			s.origins = []*origin{own}
			s.read(own, &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: bytes.Clone(body.Bytes())})
		}},
		{"URLs read", 23_000, func(s *site) {
			for i := range 100 {
				kind := "page"
				if i%8 == 0 {
					kind = "blocked"
				}
				loc := fmt.Appendf(nil, "https://a.example/%s/some-product-%d.html", kind, i)
				s.addURL(nil, 0, &crawl.SitemapURL{Loc: loc, LastMod: []byte("2026-01-02")})
			}
		}},
		{"URLs judged", 50_000, func(s *site) { s.judgeAll() }},
		{"findings found", 43_000, func(s *site) { s.emitFindings() }},
		{"done", 8_000, func(s *site) { s.finish() }},
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools hold goes with the second time
	runtime.ReadMemStats(&before)
	for _, m := range moments {
		for i := range sites {
			if sites[i] == nil {
				sites[i] = newSite(t.Context(), a, Domain{Name: "a.example", Host: "a.example"}, i, func(Record) bool { return true })
			}
			m.reach(sites[i])
		}
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&now)
		each := (int64(now.HeapAlloc) - int64(before.HeapAlloc)) / count
		t.Logf("%s: %d bytes a site", m.name, each)
		if each > m.limit {
			t.Errorf("%s: %d bytes a site, of %d at most", m.name, each, m.limit)
		}
	}
	runtime.KeepAlive(sites)
}
