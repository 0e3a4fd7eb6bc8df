package audit

import (
	"testing"

	"robots-audit/crawl"
)

// TestGivenUp holds that a site that is given up has records as any other, and is unknown.
func TestGivenUp(t *testing.T) {
	crawlers, err := ParseCrawlers("Googlebot,Bingbot")
	if err != nil {
		t.Fatal(err)
	}
	a := &Auditor{Client: &crawl.Client{}, Crawlers: crawlers}
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
