package audit

import (
	"net/http"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// TestGivenUp checks that a site that is given up has normal records, and is unknown.
func TestGivenUp(t *testing.T) {
	a := &Auditor{Client: &crawl.Client{}, Crawlers: crawlersOf(t, "Googlebot,Bingbot")}
	d, _ := ParseDomain("http://a.example:8080")
	records := a.GivenUp(d, 7, "five tries ended without a result")
	if len(records) != 3 || records[0].Site == nil || records[1].Problem == nil || records[2].Done == nil {
		t.Fatalf("%+v", records)
	}
	for _, rec := range records {
		if rec.Domain != d.Name {
			t.Errorf("a record of %q", rec.Domain)
		}
	}
	if s := records[0].Site; s.Ordinal != 7 || len(s.Crawlers) != 2 || s.Started.IsZero() {
		t.Errorf("%+v", s)
	}
	if p := records[1].Problem; p.Stage != StageAudit || p.Code != CodeTriedTooOften || Meaning(p.Code) == "tried too often" || p.Detail != "five tries ended without a result" {
		t.Errorf("%+v", p)
	}
	if done := records[2].Done; done.State != Undetermined || done.Ground != GroundBroken || done.Problems != 1 || len(done.Blocked) != 2 || done.Origin != "http://a.example:8080" || done.Finished.IsZero() {
		t.Errorf("%+v", done)
	}
}

// TestGiven audits a site with a given robots.txt: the records say so, and never claim that the
// server answered.
func TestGiven(t *testing.T) {
	a := served(t, "Googlebot,YandexBot", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			t.Error("robots.txt was asked for")
		}
		http.NotFound(w, r)
	})
	a.Client.Served = map[string][]byte{"a.example": []byte("User-agent: *\nDisallow: /a\n")}
	seen := false
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example\n"))) {
		if rec.Robots == nil {
			continue
		}
		seen = true
		text := string(Encode(nil, rec))
		if !strings.Contains(text, `"given":true`) || strings.Contains(text, `"hops"`) || strings.Contains(text, `"tries"`) || strings.Contains(text, "HTTP 200") {
			t.Errorf("the record tells of an answer: %s", text)
		}
		for i, r := range rec.Robots.Reads {
			if r.Why != "your draft of robots.txt: the rules apply" || !strings.Contains(text, r.Why) {
				t.Errorf("crawler %d: %q", i, r.Why)
			}
		}
		if got := describe(rec.Robots.File); !strings.HasPrefix(got, "your draft of robots.txt with 27 bytes, sha256 ") {
			t.Errorf("described as %q", got)
		}
	}
	if !seen {
		t.Error("no robots.txt in the records")
	}
}
