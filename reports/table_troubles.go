package reports

import (
	"maps"
	"slices"

	"robots-audit/audit"
)

// leftOutRow is a number of URLs that were not tested, for one reason.
type leftOutRow struct {
	where  string
	reason string
	urls   int64
}

func leftOutTable() *table[leftOutRow] {
	return newTable("Left out", []column[leftOutRow]{
		{"Sitemap", 70, func(r *leftOutRow) cell { return text(r.where) }},
		{"Reason", 18, func(r *leftOutRow) cell { return text(r.reason) }},
		{"In words", 60, func(r *leftOutRow) cell { return text(meaning(r.reason)) }},
		{"URLs", 12, func(r *leftOutRow) cell { return number(r.urls) }},
	})
}

// addLeftOut writes the URLs that one sitemap names and that were not tested.
func (b *siteBook) addLeftOut(s *audit.Sitemap) {
	for _, reason := range slices.Sorted(maps.Keys(s.LeftOut)) {
		b.leftOut.add(&b.book, &leftOutRow{s.URL, reason, s.LeftOut[reason]})
		if b.left == nil {
			b.left = map[string]int64{}
		}
		b.left[reason] += s.LeftOut[reason]
	}
}

// addRemainder writes the URLs left out that no sitemap accounts for.
func (b *siteBook) addRemainder(d *audit.Done) {
	for _, reason := range slices.Sorted(maps.Keys(d.LeftOut)) {
		if n := d.LeftOut[reason] - b.left[reason]; n > 0 {
			b.leftOut.add(&b.book, &leftOutRow{"", reason, n})
		}
	}
}

func problemTable() *table[audit.Problem] {
	return newTable("Problems", []column[audit.Problem]{
		{"Stage", 10, func(p *audit.Problem) cell { return text(p.Stage) }},
		{"Code", 22, func(p *audit.Problem) cell { return text(p.Code) }},
		{"In words", 56, func(p *audit.Problem) cell { return text(meaning(p.Code)) }},
		{"URL", 60, func(p *audit.Problem) cell { return text(p.URL) }},
		{"Detail", 70, func(p *audit.Problem) cell { return text(p.Detail) }},
	})
}
