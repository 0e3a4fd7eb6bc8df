package site

import (
	"strings"
	"testing"

	"robots-audit/audit"
)

// Unchecked pages never count as OK.
func TestPageFigures(t *testing.T) {
	s := New(&audit.Site{Name: "a.example"}, func(int) []byte { return nil })
	for words, d := range map[string]*audit.Done{
		"not measured: no pages were requested":                      {},
		"not measured: no page was requested":                        {Links: &audit.LinkCount{}},
		"not measured: no page could be read":                        {Links: &audit.LinkCount{Pages: 1, Unread: 1}},
		"; 3 more pages are unknown, because robots.txt blocks them": {Links: &audit.LinkCount{Pages: 1, Kept: 3}},
		"of 2 pages requested; ":                                     {Links: &audit.LinkCount{Pages: 2, NoIndexUnseen: 1, ListedNoIndex: 1}},
		"stopped at 2 pages":                                         {Links: &audit.LinkCount{Pages: 2}, Limits: []audit.Limit{{Name: audit.LimitPages, Bound: "2 pages", Left: 1}}},
	} {
		for _, f := range []Figure{s.unseenFigure(d), s.listedFigure(d)} {
			if !strings.Contains(f.Why, words) || f.State == audit.OK {
				t.Errorf("%s: %+v", words, f)
			}
		}
	}
	for words, d := range map[string]*audit.Done{
		"not measured: no list of indexed URLs was given":                                         {Counts: audit.Counts{BlockedAny: 3}},
		"not measured: your list has no indexed URL of this site":                                 {Indexed: &audit.IndexedCount{}},
		"2 of the 3 blocked URLs are in your list of indexed URLs, which has 5 URLs of this site": {Counts: audit.Counts{BlockedAny: 3}, Indexed: &audit.IndexedCount{URLs: 5, Blocked: 2}},
	} {
		if f := s.indexedFigure(d); !strings.HasPrefix(f.Why, words) || f.State == audit.OK {
			t.Errorf("%s: %+v", words, f)
		}
	}
}
