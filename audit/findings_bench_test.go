package audit

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// BenchmarkFindings measures the cost of findings per URL, in addition to its verdicts: on a
// typical site, and on one where every URL causes a finding.
func BenchmarkFindings(b *testing.B) {
	plain := "User-agent: *\n"
	for i := range 100 {
		plain += fmt.Sprintf("Disallow: /section-%d/\n", i)
	}
	idle := plain
	for i := range 100 {
		idle += fmt.Sprintf("Disallow: /section-%d/page\n", i)
	}
	for _, c := range []struct{ name, crawlers, robots, url string }{
		{"lines that change nothing", "Googlebot,Bingbot,YandexBot", idle, "http://a.example/section-%d/page-of-some-length-%d.html"},
		{"plain", "Googlebot,Bingbot,YandexBot", plain + "Disallow: /*?sort=\n", "http://a.example/section-%d/page-of-some-length-%d.html"},
		{"every URL a case", "Googlebot,Bingbot,YandexBot,Googlebot@google-2019",
			"User-agent: googlebot\nDisallow: /Section\n\nUser-agent: *\nDisallow: /section\nDisallow: /*?Sort=\nAllow: /*9\n", "http://a.example/sections-%d/Page?x=1&sort=%d"},
	} {
		b.Run(c.name, func(b *testing.B) {
			crawlers := crawlersOf(b, c.crawlers)
			s := newSite(b.Context(), &Auditor{Client: &crawl.Client{}, Crawlers: crawlers}, Domain{Name: "a.example", Host: "a.example"}, 0, func(Record) bool { return true })
			o := &origin{name: "http://a.example"}
			s.origins = []*origin{o}
			s.read(o, &crawl.RobotsFile{Outcome: crawl.Outcome{Status: http.StatusOK}, Body: []byte(c.robots)})
			s.makeMatrix(o)
			const n = 1000
			urls, decisions := make([]URL, n), make([][]engine.Decision, n)
			for i := range urls {
				u := &urls[i]
				u.Loc = strings.Clone(fmt.Sprintf(c.url, i%300, i))
				u.Verdicts, u.Lines = make([]engine.Verdict, len(crawlers)), make([]int32, len(crawlers))
				decisions[i] = make([]engine.Decision, len(s.decisions))
				o.matrix.Verdicts(u.Loc, decisions[i])
				u.setVerdicts(decisions[i][:len(crawlers)], make([]int64, len(crawlers)))
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := range urls {
					o.findings.AddURL(urls[i].Loc, true, decisions[i])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/URL")
		})
	}
}
