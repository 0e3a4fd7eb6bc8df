package sitemap

import (
	"bytes"
	"fmt"
	"strings"
)

// checkLink notes a link of an entry that crawlers ignore, because it lacks an attribute of an alternate. It reports
// whether the link has a URL to read. A link for small screens has media in place of hreflang, and one to
// an app has neither.
func (s *Scanner) checkLink(attrs []byte, alternate bool) bool {
	rel, lang, href := valueOf(attrs, "rel"), valueOf(attrs, "hreflang"), valueOf(attrs, "href")
	media := valueOf(attrs, "media") != nil
	app := bytes.HasPrefix(href, []byte("android-app:")) || bytes.HasPrefix(href, []byte("ios-app:"))
	if !alternate && lang == nil && !media && (rel != nil || href == nil) {
		return false // another relation, such as canonical
	}
	unlabelled := lang == nil && !media && !app
	if !alternate || unlabelled || len(href) == 0 {
		var faults []string
		about := href
		if !s.Notes.full(NoteIncompleteLink) {
			switch {
			case rel == nil:
				faults = append(faults, "no rel")
			case !alternate:
				faults = append(faults, fmt.Sprintf("rel is %q", rel[:min(len(rel), maxLang)]))
			}
			if unlabelled {
				faults = append(faults, "no hreflang")
			}
			if about = bytes.ReplaceAll(href, []byte("&amp;"), []byte("&")); len(href) == 0 {
				faults = append(faults, "no href")
				about = s.entryLoc()
			}
		}
		s.Notes.CountIn(NoteIncompleteLink, about, []byte(strings.Join(faults, ", ")))
		s.locateField()
	}
	return alternate && len(href) > 0 && !app
}
