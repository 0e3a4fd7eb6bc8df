package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// sourceKey is where a URL was found.
type sourceKey struct {
	sitemap int
	kind    audit.Kind
}

// sources are the cells that say where URLs were found. The record of a sitemap comes after its
// URLs, so its address is filled in later.
type sources struct {
	cells   map[sourceKey]xlsx.Cell
	last    sourceKey
	current xlsx.Cell
	any     bool
}

// cell returns the cell of the column Source.
func (s *sources) cell(w *xlsx.SharedStrings, of *site.Site, u *audit.URL) xlsx.Cell {
	key := sourceKey{u.Sitemap, u.Kind}
	if s.any && key == s.last {
		return s.current
	}
	c, ok := s.cells[key]
	switch {
	case ok:
	case site.Unlisted(u) != "":
		c = w.Cell(site.Unlisted(u))
	case of.SitemapName(u.Sitemap) != site.SitemapNumber(u.Sitemap): // its record is there: the rows are written a second time
		c = w.Cell(of.SitemapName(u.Sitemap) + kindSuffix(u.Kind))
	case w.Full():
		c = xlsx.Text(site.SitemapNumber(u.Sitemap) + kindSuffix(u.Kind)) // of the sheet Sitemaps
	default:
		if s.cells == nil {
			s.cells = map[sourceKey]xlsx.Cell{}
		}
		c = w.Reserve(site.SitemapNumber(u.Sitemap) + kindSuffix(u.Kind))
		s.cells[key] = c
	}
	s.last, s.current, s.any = key, c, true
	return c
}

// setName fills in the name of a sitemap.
func (s *sources) setName(w *xlsx.SharedStrings, file *audit.Sitemap) {
	for kind := audit.KindLoc; kind <= audit.KindLink; kind++ {
		key := sourceKey{file.Index, kind}
		if c, ok := s.cells[key]; ok && w.Set(c, file.URL+kindSuffix(kind)) {
			delete(s.cells, key)
		}
	}
}

func kindSuffix(k audit.Kind) string {
	if k == audit.KindLoc {
		return ""
	}
	return " (" + k.String() + ")"
}
