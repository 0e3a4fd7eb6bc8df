package urlpast

import (
	"fmt"
	"testing"

	"robots-audit/audit/watch/history"
)

// The output of a history fits Of: runs are entered, read and used.
func TestFromHistory(t *testing.T) {
	ctx := t.Context()
	db, err := history.Open(ctx, t.TempDir())
	noError(t, err)
	defer db.Close()
	runs, versions := answers(freed, "503", shut, "", "404", shut, later)
	bodies := map[string][]byte{}
	for _, v := range versions {
		bodies[v.SHA256] = v.Body
	}
	for i := len(runs) - 1; i >= 0; i-- {
		tx, err := db.Begin(ctx)
		noError(t, err)
		r := &runs[i]
		site := history.Site{Name: "example.com", State: "ok", Answer: r.Answer, Status: r.Status, Code: r.Code, SHA256: r.SHA256}
		if body := bodies[r.SHA256]; len(body) > 0 { // records have none of an empty file
			site.Body, site.Bytes = body, int64(len(body))
		}
		for _, err := range []error{tx.AddRun(r.Run), tx.AddSite(ctx, history.Entry{Site: site, Settled: r.Settled}), tx.Commit()} {
			noError(t, err)
		}
	}
	read, err := db.SiteRuns(ctx, "example.com", 100)
	noError(t, err)
	kept, err := db.Versions(ctx, "example.com", 100)
	noError(t, err)
	pasts, err := Of(origin+"/x/y", origin, mustCrawlers(t, "Googlebot"), read, kept)
	noError(t, err)
	const want = "Blocked from crawling since 6 October 2026, by line 3 `Disallow: /x` since 7 October 2026; before 6 October 2026 allowed: HTTP 404: a client error counts as no robots.txt: no restrictions. The verdict has changed 3 times since 1 October 2026."
	if got := pasts[0].Sentence(); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// BenchmarkOf measures a URL in a history of 400 runs with 100 versions of 200 rules, for ten
// crawlers.
func BenchmarkOf(b *testing.B) {
	var list []string
	for n := range 100 {
		text := "User-agent: *\n"
		for i := range 200 {
			text += fmt.Sprintf("Disallow: /path%d/%03d\n", i, n)
		}
		list = append(list, text, text, text, text)
	}
	runs, versions := answers(list...)
	crawlers := mustCrawlers(b, "Googlebot,Bingbot,YandexBot,GPTBot,ClaudeBot,CCBot,Applebot,DuckDuckBot,Baiduspider,AdsBot-Google")
	b.ReportAllocs()
	for b.Loop() {
		pasts, err := Of("/path199/099", origin, crawlers, runs, versions)
		if err != nil || len(pasts[0].Stretches) != 2 {
			b.Fatal(err)
		}
	}
}
