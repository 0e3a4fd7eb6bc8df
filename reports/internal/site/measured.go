package site

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Unmeasured replaces a number that could not be counted. The reason is next to it.
const Unmeasured = "–"

// Reasons for a missing number.
const (
	notTested  = "not measured: no URL was tested"
	nobodyElse = "not measured: only one crawler was tested"
	noAnswer   = "not measured: no answer for robots.txt"
	noVerdict  = "not measured: no URL has a clear verdict"

	nothingFound = "not measured: no URL was found"
)

// TestedOn is the number of pages that are tested against the robots.txt of an origin.
func (s *Site) TestedOn(origin int) int64 {
	if origin < 0 || origin >= len(s.tested) {
		return 0
	}
	return s.tested[origin]
}

// countTested counts a page of an origin.
func (s *Site) countTested(origin int) {
	for len(s.tested) <= origin {
		s.tested = append(s.tested, 0)
	}
	s.tested[origin]++
}

// JudgedFor is the number of pages that have a clear verdict for the i-th crawler.
func (s *Site) JudgedFor(d *audit.Done, i int) int64 {
	if i >= len(s.Unclear) {
		return d.URLs
	}
	return d.URLs - s.Unclear[i]
}

// CountedFor reports whether the number of pages that are blocked for the i-th crawler is
// meaningful: at least one page needs a clear verdict for the crawler.
func (s *Site) CountedFor(d *audit.Done, i int) bool {
	return s.JudgedFor(d, i) > 0
}

// Compared reports whether there are verdicts of several crawlers to compare.
func (s *Site) Compared(d *audit.Done) bool { return d.URLs > 0 && len(s.Crawlers) > 1 }

// NotMeasured gives the reasons why some counts in a site's entry of summary.json were not
// measured, by their keys; "blocked.Googlebot" is a key within "blocked". nil = all were measured.
func (s *Site) NotMeasured(d *audit.Done) map[string]string {
	list := map[string]string{}
	if d.URLs == 0 {
		for _, key := range []string{"blocked_urls", "blocked", "unknown_urls", "differing_urls"} {
			list[key] = notTested
		}
	} else if d.BlockedAny == 0 && d.Unknown == d.URLs {
		list["blocked_urls"] = noVerdict
		list["differing_urls"] = noVerdict
	}
	for i, c := range s.Crawlers {
		if d.URLs > 0 && !s.CountedFor(d, i) {
			list["blocked."+c.Label] = noVerdict
		}
	}
	if d.URLs > 0 && !s.Compared(d) {
		list["differing_urls"] = nobodyElse
	}
	if d.URLs+Total(d.LeftOut) == 0 {
		list["left_out"] = nothingFound
	}
	if d.Findings != nil && d.Findings.Total() == 0 && !s.Looked() {
		list["findings"] = noAnswer
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// Answered reports whether the server responded to the request for robots.txt, even with an error,
// or with a redirect to a server that did not respond.
func Answered(r *audit.Robots) bool {
	return r.File.Status != 0 || len(r.File.Hops) > 0 && r.File.Hops[0].Status != 0 || HasRules(r)
}

// HasRules reports whether any crawler uses the lines of a robots.txt.
func HasRules(r *audit.Robots) bool {
	for i := range r.Reads {
		if r.Reads[i].Access == engine.Parsed {
			return true
		}
	}
	return false
}

// FileKnown reports whether the content of a robots.txt is known to a crawler with this access, or
// it is known that there is no file.
func FileKnown(access engine.Access) bool {
	return access == engine.Parsed || access == engine.AllowAll
}

// Looked reports whether there was a robots.txt, or a response instead of it, that could be
// checked.
func (s *Site) Looked() bool {
	for r := range s.AllRobots {
		if Answered(r) {
			return true
		}
	}
	return false
}

// SitemapWasRead reports whether a sitemap could be read at least in part.
func SitemapWasRead(file *audit.Sitemap) bool { return file.Format != "" }

// sitemapCounts returns the numbers of sitemaps that were read at least in part, and of known ones
// that were not.
func (s *Site) sitemapCounts(d *audit.Done) (read, unread int64) {
	if d.SitemapsRead+d.SitemapsUnread > 0 {
		return d.SitemapsRead, d.SitemapsUnread
	}
	return s.sitemapsRead, int64(d.Sitemaps) - s.sitemapsRead - s.sitemapsTried // records of versions that did not count them
}

// Unread lists unread sources of further URLs: limits of the audit, and sitemaps; none = everything
// was read.
func (s *Site) Unread(d *audit.Done) (list []string) {
	for _, l := range d.Limits {
		words := "the audit " + l.String()
		if rest := l.Rest(); rest != "" {
			words += ": " + rest
		}
		list = append(list, words)
	}
	if _, unread := s.sitemapCounts(d); unread > 0 {
		list = append(list, wording.Plural(unread, "sitemap")+wording.Verb(unread, " was", " were")+" not read")
	}
	if l := d.Links; l != nil && l.Pages > 0 && l.Read() == 0 {
		list = append(list, "no page requested could be read")
	}
	return list
}
