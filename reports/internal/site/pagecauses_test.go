package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Facts on pages are among the causes to decide on, with their number and five examples.
func TestPageCauses(t *testing.T) {
	crawlers, err := audit.ParseCrawlers("Googlebot,GPTBot")
	if err != nil {
		t.Fatal(err)
	}
	s := New(&audit.Site{Name: "a.example", Crawlers: crawlers}, func(int) []byte { return nil })
	d := &audit.Done{Origin: "http://a.example", Counts: audit.Counts{URLs: 20, BlockedAny: 10, Blocked: []int64{10, 0}}, Links: &audit.LinkCount{Pages: 9, Home: &audit.HomeFailure{URL: "http://a.example/", Status: 500, Code: "http_status"}}}
	for i := range 7 {
		p := &audit.Page{URL: fmt.Sprint("http://a.example/", i), Status: 200, NoIndex: true, NoIndexFor: []int{0}, Listed: i < 2, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow}}
		s.AddRecord(audit.Record{Page: p})
		d.Links.NoIndexUnseen++
		if p.ListedNoIndex() {
			d.Links.ListedNoIndex++
		}
	}
	d.Indexed = &audit.IndexedCount{URLs: 4, Blocked: 3}
	todo := s.ToDo(d)
	var got []string
	for _, c := range todo.List {
		if text, err := json.Marshal(c); err != nil || !bytes.Contains(text, []byte(`"crawlers":[`)) {
			t.Errorf("%s, %v", text, err)
		}
		got = append(got, fmt.Sprintf("%s: %s (%s) %v %d %v", c.Kind, c.What, c.ForWhom(), c.URLs.Num, len(c.Examples), c.Leads))
	}
	want := []string{
		"home: The home page http://a.example/ answers with HTTP 500 Internal Server Error () 0 1 true",
		"noindex: 7 pages have a noindex that Googlebot never sees, because robots.txt blocks them (Googlebot) 7 5 true",
		"indexed: 3 blocked URLs are indexed () 3 0 true",
		"noindex: 2 pages in a sitemap have noindex (Googlebot) 2 2 true",
	}
	if !slices.Equal(got, want) || todo.More != 0 {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
