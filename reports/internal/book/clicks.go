package book

import (
	"cmp"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// maxClicked is the number of URLs with most clicks or hits whose rows come before all others. Twice as
// many are in memory while the records arrive.
const maxClicked = 10000

// clickedURLs are the URLs of a sheet with the most clicks, then with the most hits.
type clickedURLs struct {
	list []clickedURL
	last clickedURL // the last of the first rows; rows of later URLs keep the order of the records
	cut  bool       // more URLs with clicks or hits exist than are kept
}

// clickedURL is a URL with clicks or hits.
type clickedURL struct {
	clicks, hits, number int64 // number: in the order in which the site's URLs came
	url                  *audit.URL
}

// compare orders URLs by clicks, then by hits, then by their order in the records.
func (c clickedURL) compare(other clickedURL) int {
	return cmp.Or(cmp.Compare(other.clicks, c.clicks), cmp.Compare(other.hits, c.hits), cmp.Compare(c.number, other.number))
}

// weigh returns a URL with its hits of a crawler; false = it has neither clicks nor hits.
func weigh(u *audit.URL, hitter int, number int64) (of clickedURL, weighs bool) {
	of = clickedURL{clicks: u.Clicks, hits: u.HitsOf(hitter), number: number}
	return of, of.clicks > 0 || of.hits > 0
}

// add keeps a copy of a URL, if it is among those with the most.
func (c *clickedURLs) add(u *audit.URL, of clickedURL) {
	if c.cut && of.compare(c.last) > 0 {
		return
	}
	of.url = &(&audit.URLs{List: []audit.URL{*u}}).Clone().List[0] // the batch belongs to the auditor
	c.list = append(c.list, of)
	if len(c.list) == 2*maxClicked {
		c.sort()
	}
}

// sort sorts the URLs, and drops those beyond maxClicked.
func (c *clickedURLs) sort() {
	slices.SortFunc(c.list, clickedURL.compare)
	if len(c.list) > maxClicked {
		clear(c.list[maxClicked:])
		c.list, c.cut = c.list[:maxClicked], true
	}
	if c.cut {
		c.last = c.list[len(c.list)-1]
	}
}

// standsFirst reports whether the row of a URL that weighs comes first: add kept it to the end.
func (c *clickedURLs) standsFirst(of clickedURL) bool { return !c.cut || of.compare(c.last) <= 0 }

// rowsByClicks are the hooks of a sheet on verdicts of pages. Rows are written as records arrive.
// At the first page with clicks or hits of hitter these rows are dropped, and all rows are written at
// the end, from the site's records. So a site without clicks and hits has no extra cost.
func rowsByClicks(hitter int, has func(*site.URL) bool, wanted func(engine.Verdict) bool) hooks[verdictRow] {
	return hooks[verdictRow]{
		url: func(s *sheet[verdictRow], row *urlRow) {
			u := row.url
			if !has(u) {
				return
			}
			of, weighs := weigh(u.URL, hitter, s.workbook.number)
			if weighs && s.clicked == nil {
				s.clicked = new(clickedURLs)
				if s.shown != nil {
					s.late = true
				}
				s.Restart()
			}
			if s.clicked == nil || s.shown != nil {
				writeVerdicts(s, row, wanted)
			}
			if weighs {
				s.clicked.add(u.URL, of)
			}
		},
		end: func(s *sheet[verdictRow], _ *audit.Done) {
			if s.clicked == nil && !s.late {
				return
			}
			if s.shown != nil {
				s.narrow(s.shown)
				s.shown, s.late = nil, false
			}
			first := cmp.Or(s.clicked, new(clickedURLs))
			first.sort()
			b := s.workbook
			write := func(u *site.URL) {
				if has(u) {
					writeVerdicts(s, b.urlRow(u), wanted)
				}
			}
			for _, at := range first.list {
				u := b.site.NewURL(at.url)
				write(&u)
			}
			number := int64(0)
			b.again(func(u *site.URL) {
				number++
				if of, weighs := weigh(u.URL, hitter, number); !weighs || !first.standsFirst(of) {
					write(u)
				}
			})
		},
	}
}

// again yields all URLs of the site once more, from its records.
func (b *Site) again(yield func(*site.URL)) {
	for rec, err := range b.records() {
		if err != nil {
			b.recordsErr = err
			return
		}
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			u := b.site.NewURL(&rec.URLs.List[i])
			yield(&u)
		}
	}
	b.row.url = nil
}
