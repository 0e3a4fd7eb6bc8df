package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// usualPlaces are where sitemaps lie that no robots.txt names, in the order in
// which they are tried: the protocol's example, the index of Yoast and other
// plugins, WordPress's own, and the forms that the protocol allows beside plain XML.
var usualPlaces = []string{"/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.xml.gz", "/sitemap.txt"}

// NoteUndeclared is the code of a note on a sitemap that robots.txt does not
// name, and that was found at one of the usual places.
const NoteUndeclared = "undeclared"

// CodeSitemapUnread marks a site whose robots.txt names sitemaps only in lines
// that crawlers do not take, and that has none at the usual places.
const CodeSitemapUnread = "sitemap_line_unread"

// search is the look at the usual places.
type search struct {
	on    bool               // it goes on
	first *crawl.SitemapFile // the first that is not there
	tried []string           // the paths of all that are not
	ended bool               // there was something: a sitemap, or trouble
}

// searchSitemap asks the usual places, one after the other, until one of them
// has a sitemap, or trouble that asking on would add to. A place that
// robots.txt closes to this program is not guessed at, but for the first one, which
// everybody asks for.
func (s *site) searchSitemap() {
	own := s.origins[0]
	s.search.on = true
	for i, path := range usualPlaces {
		place := own.name + path
		if slices.ContainsFunc(own.sitemaps, func(l SitemapLine) bool { return sameURL(l.URL, place) }) {
			continue // it was asked for
		}
		if d := own.self.Verdict(place); i > 0 && d.Verdict == engine.Disallow && d.Line() > 0 {
			continue
		}
		s.walk([]crawl.DeclaredSitemap{{URL: place}})
		if s.search.ended || s.ctx.Err() != nil {
			break
		}
	}
	s.search.on = false
	if first := s.search.first; first != nil && s.readable == 0 {
		s.judgeSitemap(first)
	}
}

// absent takes the end of a sitemap at one of the usual places, and reports
// whether there is none. What was found instead ends the search.
func (s *site) absent(file *crawl.SitemapFile) bool {
	if !s.search.on || file.Parent >= 0 || s.search.ended {
		return false
	}
	gone := file.Code == crawl.CodeHTTPStatus && file.Status/100 == 4 && file.Status != 429
	if !gone && file.Code != crawl.CodeNotASitemap { // such as the site's own page about what is not found
		s.search.ended = true
		if file.Format != "" {
			file.Notes = append(file.Notes, crawl.Note{Code: NoteUndeclared, Count: 1, Detail: "robots.txt names no sitemap that could be read"})
		}
		return false
	}
	s.search.tried = append(s.search.tried, strings.TrimPrefix(file.URL, s.origins[0].name))
	return true
}

// noSitemap says why a site has no sitemap that could be read.
func (s *site) noSitemap() (code, detail string) {
	own := s.origins[0]
	code, detail = crawl.CodeSitemapNotFound, "robots.txt names no sitemap"
	if own.file.Truncated {
		detail = "what could be read of robots.txt names no sitemap"
	}
	whole := func(l SitemapLine) bool { _, _, reason := split([]byte(l.URL)); return reason == "" }
	if slices.ContainsFunc(own.sitemaps, whole) {
		detail = "no sitemap that robots.txt names could be read"
	} else if found := own.evidence.unreadSitemap(); found != nil {
		code = CodeSitemapUnread
		detail = fmt.Sprintf("robots.txt names no sitemap that crawlers can use: line %d, %q", found.Line, escape.ShowInvalid(found.Text[:min(len(found.Text), 80)]))
	}
	return code, detail + ", and there is none at " + strings.Join(s.search.tried, ", ")
}

// unreadSitemap is the first finding about a line that names a sitemap in
// vain; nil = there is none.
func (e *evidence) unreadSitemap() *engine.Finding {
	var first *engine.Finding
	for i := range e.lint {
		f := &e.lint[i]
		if (f.ID == "SM001" || f.ID == "SM020" || f.ID == "SM021") && (first == nil || f.Line < first.Line) {
			first = f
		}
	}
	return first
}
