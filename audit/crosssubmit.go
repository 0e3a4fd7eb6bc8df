package audit

import (
	"slices"
	"strings"

	"robots-audit/crawl"
)

// NoteCrossSubmitted is the code of a note on a sitemap with URLs on other hosts that all consent:
// their robots.txt names the sitemap, or an index that leads to it (sitemaps.org, "Sitemaps & Cross
// Submits"). It replaces crawl.NoteOtherHost.
const NoteCrossSubmitted = "cross_submitted"

// submission remembers which sitemaps of a site may list URLs of which hosts.
type submission struct {
	indexes map[int]*crawl.SitemapFile // sitemap indexes that were read, by Index
	of      int                        // the sitemap that named a URL last
	origins []*origin                  // the origins of its URLs
}

// addOrigin notes that a sitemap names a URL on an origin.
func (c *submission) addOrigin(sitemap int, o *origin) {
	if c.of != sitemap {
		c.of, c.origins = sitemap, c.origins[:0]
	}
	if n := len(c.origins); n > 0 && c.origins[n-1] == o || slices.Contains(c.origins, o) {
		return
	}
	c.origins = append(c.origins, o)
}

// completeNote completes the note about other hosts of a sitemap that was read. unasked counts its
// URLs on origins whose robots.txt was not requested.
func (c *submission) completeNote(file *crawl.SitemapFile, unasked int64) {
	origins := c.origins
	if c.of != file.Index {
		origins = nil
	}
	c.origins = c.origins[:0]
	if file.Format == "index" {
		if c.indexes == nil {
			c.indexes = map[int]*crawl.SitemapFile{}
		}
		c.indexes[file.Index] = file
		return
	}
	at := slices.IndexFunc(file.Notes, func(n crawl.Note) bool { return n.Code == crawl.NoteOtherHost })
	if at < 0 {
		return
	}
	own := []string{hostOf(file.URL)}
	if n := len(file.Hops); n > 0 {
		own = append(own, hostOf(file.Hops[n-1].URL))
	}
	var consent, none []string
	for _, o := range origins {
		switch {
		case slices.Contains(own, hostOf(o.name)):
		case c.consents(o, file):
			consent = append(consent, o.name)
		case o.file.Code == "" || notFound(o.file.Status):
			none = append(none, o.name)
		default:
			unasked++
		}
	}
	note := &file.Notes[at]
	switch {
	case len(none) > 0:
		note.Detail += "; the robots.txt of " + some(none) + " does not name this sitemap"
	case len(consent) > 0 && unasked == 0:
		note.Code = NoteCrossSubmitted
		note.Detail += "; the robots.txt of " + some(consent) + " names this sitemap"
	}
}

// dropOutsideNote removes the note about URLs outside a sitemap's directory if the host's
// robots.txt names the sitemap, or an index that leads to it. That proves ownership. own is the
// site's robots.txt.
func (c *submission) dropOutsideNote(file *crawl.SitemapFile, own *origin) {
	at := slices.IndexFunc(file.Notes, func(n crawl.Note) bool { return n.Code == crawl.NoteOutside })
	if at < 0 {
		return
	}
	hosts := []*origin{own}
	if c.of == file.Index {
		hosts = append(hosts, c.origins...)
	}
	for _, o := range hosts {
		if hostOf(o.name) == hostOf(file.URL) && c.consents(o, file) {
			file.Notes = slices.Delete(file.Notes, at, at+1)
			return
		}
	}
}

// consents reports whether the robots.txt of an origin names a sitemap, or an
// index that leads to it.
func (c *submission) consents(o *origin, file *crawl.SitemapFile) bool {
	for ; file != nil; file = c.indexes[file.Parent] {
		if slices.ContainsFunc(o.sitemaps, func(l SitemapLine) bool { return sameURL(l.URL, file.URL) }) {
			return true
		}
	}
	return false
}

// sameURL reports whether two URLs are the same to a crawler, even if written differently.
func sameURL(a, b string) bool {
	return a == b || canonical(a) == canonical(b) && canonical(a) != ""
}

func canonical(url string) string {
	url, err := crawl.ResolveURL(url)
	if err != nil {
		return ""
	}
	head, path, reason := split([]byte(url))
	if reason != "" {
		return ""
	}
	origin := originName(head)
	if origin == "" {
		return ""
	}
	return origin + string(path)
}

// some lists the first names, and says whether there are others.
func some(names []string) string {
	if len(names) > 3 {
		names = append(slices.Clone(names[:3]), "others")
	}
	return strings.Join(names, ", ")
}
