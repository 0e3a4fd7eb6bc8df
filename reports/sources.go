package reports

import (
	"robots-audit/audit"
)

// sourceKey is where a URL was found.
type sourceKey struct {
	sitemap int
	kind    audit.Kind
}

// sources are the texts that say where URLs were found. A sitemap's own record
// follows its URLs, so its name is filled in when that comes.
type sources struct {
	cells   map[sourceKey]cell
	last    sourceKey
	current cell
	any     bool
}

// cell returns what stands in the column Source.
func (s *sources) cell(w *words, u *audit.URL) cell {
	key := sourceKey{u.Sitemap, u.Kind}
	if s.any && key == s.last {
		return s.current
	}
	c, ok := s.cells[key]
	switch {
	case ok:
	case u.Kind == audit.KindList:
		c = w.cell("your list of URLs")
	case u.Sitemap < 0:
		c = w.cell("link on a page")
	case w.full():
		c = text("sitemap no. " + itoa(u.Sitemap+1) + kindNote(u.Kind)) // of the sheet Sitemaps
	default:
		if s.cells == nil {
			s.cells = map[sourceKey]cell{}
		}
		c = w.reserve("sitemap no. " + itoa(u.Sitemap+1) + kindNote(u.Kind))
		s.cells[key] = c
	}
	s.last, s.current, s.any = key, c, true
	return c
}

// name fills in the name of a sitemap.
func (s *sources) name(w *words, file *audit.Sitemap) {
	for kind := audit.KindLoc; kind <= audit.KindLink; kind++ {
		key := sourceKey{file.Index, kind}
		if c, ok := s.cells[key]; ok && w.set(c, file.URL+kindNote(kind)) {
			delete(s.cells, key)
		}
	}
}

func kindNote(k audit.Kind) string {
	if k == audit.KindLoc {
		return ""
	}
	return " (" + k.String() + ")"
}
