package book

import (
	"cmp"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// maxClicked is the number of URLs with most clicks whose rows come before all others. Twice as
// many are in memory while the records arrive.
const maxClicked = 10000

// clickedURLs are the URLs of a sheet with the most clicks.
type clickedURLs struct {
	list []clickedURL
	last clickedURL // the last of the first rows; rows of later URLs keep the order of the records
	cut  bool       // more URLs with clicks exist than are kept
}

// clickedURL is a URL with clicks.
type clickedURL struct {
	clicks, number int64 // number: in the order in which the site's URLs came
	url            *audit.URL
}

// compare orders URLs by clicks, then by their order in the records.
func (c clickedURL) compare(other clickedURL) int {
	return cmp.Or(cmp.Compare(other.clicks, c.clicks), cmp.Compare(c.number, other.number))
}

// add keeps a copy of a URL with clicks, if it is among those with the most.
func (c *clickedURLs) add(u *audit.URL, number int64) {
	of := clickedURL{clicks: u.Clicks, number: number}
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

// standsFirst reports whether the row of a URL comes first: add kept it to the end.
func (c *clickedURLs) standsFirst(u *audit.URL, number int64) bool {
	return u.Clicks > 0 && (!c.cut || clickedURL{clicks: u.Clicks, number: number}.compare(c.last) <= 0)
}

// rowsByClicks are the hooks of a sheet on verdicts of pages. Rows are written as records arrive.
// At the first page with clicks these rows are dropped, and all rows are written at the end, from
// the site's records. So a site without clicks has no extra cost.
func rowsByClicks(has func(*site.URL) bool, wanted func(engine.Verdict) bool) hooks[verdictRow] {
	return hooks[verdictRow]{
		url: func(s *sheet[verdictRow], row *urlRow) {
			u := row.url
			if !has(u) {
				return
			}
			if u.Clicks > 0 && s.clicked == nil {
				s.clicked = new(clickedURLs)
				if s.shown != nil {
					s.late = true
				}
				s.Restart()
			}
			if s.clicked == nil || s.shown != nil {
				writeVerdicts(s, row, wanted)
			}
			if u.Clicks > 0 {
				s.clicked.add(u.URL, s.workbook.number)
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
				if number++; !first.standsFirst(u.URL, number) {
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
