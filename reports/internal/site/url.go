package site

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
)

// URL is a tested URL with the conclusions from its verdicts.
type URL struct {
	*audit.URL
	Directory *Directory // nil = it is not a page, or has not been counted
	Page      bool       // false for images, videos and alternates, which are counted separately
	Blocked   bool       // for at least one crawler
	Unclear   bool       // for at least one crawler the verdict is neither allow nor disallow
	Differs   bool       // the crawlers' verdicts differ

	number uint32 // of the URL, in the order of the site's URLs; from 0 again after the last number
}

// IsPage reports whether URLs of a kind are pages, which a site's figures count; images, videos and
// alternates are counted separately.
func IsPage(k audit.Kind) bool {
	return audit.IsPage(k)
}

// KindName is the word for a kind of URLs: "page", or another kind.
func KindName(k audit.Kind) string {
	if IsPage(k) {
		return "page"
	}
	return k.String()
}

// Unlisted says where a URL comes from that is in no sitemap; "" = it is in one.
func Unlisted(u *audit.URL) string {
	switch {
	case u.Kind == audit.KindList:
		return "your list of URLs"
	case u.Sitemap >= 0:
		return ""
	case u.Kind == audit.KindCanonical:
		return "canonical of a page"
	}
	return "link on a page"
}

// NewURL draws the conclusions from a URL's verdicts, without counting it.
func (s *Site) NewURL(u *audit.URL) URL {
	s.number++
	url := URL{URL: u, Page: IsPage(u.Kind), number: s.number}
	for _, v := range u.Verdicts {
		url.Blocked = url.Blocked || v == engine.Disallow
		url.Unclear = url.Unclear || v != engine.Disallow && v != engine.Allow
		url.Differs = url.Differs || v != u.Verdicts[0]
	}
	return url
}

// addURLs counts a batch of tested URLs, and puts the conclusions from their verdicts into s.urls.
func (s *Site) addURLs(batch *audit.URLs) {
	s.urls = slices.Grow(s.urls[:0], len(batch.List))
	for i := range batch.List {
		url := s.NewURL(&batch.List[i])
		if url.Page {
			s.countPage(&url)
		}
		s.urls = append(s.urls, url)
	}
}

// countPage counts a page.
func (s *Site) countPage(u *URL) {
	u.Directory = s.Directories.count(u.Loc, u.Blocked, u.Unclear)
	template, segment := s.Templates.count(u), s.countSegment(u)
	if h := (Hits{All: u.HitsOf(s.hitter)}); h.All > 0 {
		if u.BlockedFor(s.hitter) {
			h.Blocked = h.All
		}
		u.Directory.Hits.add(h)
		template.Hits.add(h)
		if segment >= 0 {
			s.segments.tallies[segment].Hits.add(h)
		}
	}
	if u.Blocked {
		s.countBlocking(u, template, segment)
		switch {
		case u.Sitemap >= 0:
			s.listed++
		case u.Kind == audit.KindLink:
			s.linked++
		case u.Kind == audit.KindCanonical:
			s.canonical++
		}
	}
	if u.Unclear {
		for c, v := range u.Verdicts[:min(len(u.Verdicts), len(s.Unclear))] {
			if v != engine.Disallow && v != engine.Allow {
				s.Unclear[c]++
			}
		}
	}
	if u.Differs {
		s.Differing++
	}
	s.noteIndexed(u)
	if u.Origin < 0 || u.Origin >= len(s.origins) {
		return
	}
	file := s.FileOf(u.Origin).Index
	s.countTested(file)
	if file == 0 {
		s.samplePage(u.Loc)
	}
	s.countCleanParam(u.URL)
}
