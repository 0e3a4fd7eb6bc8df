package audit

import (
	"slices"

	"robots-audit/audit/internal/hreflang"
	"robots-audit/crawl"
	"robots-audit/engine/wording"
)

// languages returns the checker of hreflang.
func (s *site) languages() *hreflang.Checker {
	if s.hreflang == nil {
		s.hreflang = hreflang.New()
	}
	return s.hreflang
}

// addHreflang adds a URL, which addURL has just taken, to the entry whose hreflang is checked.
func (s *site) addHreflang(u *crawl.SitemapURL) {
	if u.Kind != crawl.KindLoc && u.Lang == nil {
		return
	}
	url := hreflang.URL{Hash: s.lastHash, Text: u.Loc, Own: s.lastOwn}
	if url.Hash == 0 { // it is not tested, but other entries list it in the same words
		url.Hash = s.distinct.Hash(-1, u.Loc)
	}
	if u.Kind == crawl.KindLoc {
		s.languages().SetLoc(url)
	} else {
		s.languages().Add(url, u.Lang)
	}
}

// endHreflang checks the last entry of a sitemap or page, and adds what is wrong with all of them.
func (s *site) endHreflang(from hreflang.Source) {
	if s.hreflang != nil {
		s.addNotes(from, s.hreflang.End(from))
	}
}

// addNotes adds notes on a sitemap or page to the findings about the site.
func (s *site) addNotes(from hreflang.Source, notes []crawl.Note) {
	switch own := s.origins[0].findings; {
	case own == nil || len(notes) == 0:
	case from.Page:
		own.AddPage(from.URL, notes)
	default:
		own.AddSitemap(from.Line, from.URL, 0, notes)
	}
}

// checkPageHreflang checks the language versions of a page. Those of a page whose canonical URL is
// another do not count.
func (s *site) checkPageHreflang(p *crawl.Page) {
	url := p.URL
	if p.Location != "" {
		url = p.Location
	}
	if !p.Parsed || p.Code != "" || p.Status/100 != 2 {
		return
	}
	s.languages().Begin()
	s.languages().SetLoc(s.hreflangURL(url))
	if p.Canonical != "" && p.Canonical != url || p.Cut["alternates"] {
		s.languages().Skip()
	}
	for _, a := range p.Alternates {
		s.languages().Add(s.hreflangURL(a.URL), []byte(a.Lang))
	}
	s.endHreflang(hreflang.Source{URL: url, Page: true})
}

// hreflangURL returns a URL of a page as addHreflang does.
func (s *site) hreflangURL(url string) hreflang.URL {
	hash, ok := s.pageHash(url)
	if !ok {
		hash = s.distinct.Hash(-1, []byte(url))
	}
	return hreflang.URL{Hash: hash, Text: []byte(url)}
}

// checkReturnLinks checks that the URLs that list a URL as another version are also listed by it.
func (s *site) checkReturnLinks() {
	if s.hreflang == nil {
		return
	}
	listed := func(hash uint64) bool {
		return s.distinct.HasHash(hash) && (s.unlisted == nil || !s.unlisted.HasHash(hash))
	}
	cut := func(l Limit) bool { return !slices.Contains(linkLimits, l.Name) }
	if s.done.SitemapsUnread > 0 || slices.ContainsFunc(s.done.Limits, cut) || s.ctx.Err() != nil {
		listed = nil
	}
	for from, notes := range s.hreflang.Links(listed) {
		s.addNotes(from, notes)
	}
	if left, checked := s.hreflang.Unchecked(); left > 0 {
		bound := wording.Thousands(checked) + " entries were checked"
		s.addNotes(hreflang.Source{URL: s.origins[0].name}, []crawl.Note{{Code: hreflang.NoteUnchecked, Count: left, Detail: bound}})
	}
	s.hreflang = nil
}
