package site

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Unmeasured replaces a number that could not be counted. The reason is beside it.
const Unmeasured = "–"

// Reasons why there is no number.
const (
	notTested  = "not measured: no URL was tested"
	nobodyElse = "not measured: only one crawler was tested"
	noAnswer   = "not measured: no answer for robots.txt"
	noVerdict  = "not measured: no URL has a clear verdict"

	nothingFound = "not measured: no URL was found"
)

// TestedOn is the number of pages whose verdicts the robots.txt of an origin gives.
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

// CountedFor reports whether the number of pages that are blocked for the i-th
// crawler says anything: a crawler for which no page has a clear verdict has none.
func (s *Site) CountedFor(d *audit.Done, i int) bool {
	return s.JudgedFor(d, i) > 0
}

// Compared reports whether there are verdicts of several crawlers to compare.
func (s *Site) Compared(d *audit.Done) bool { return d.URLs > 0 && len(s.Crawlers) > 1 }

// NotMeasured says of counts in a site's entry of summary.json why they are no
// counts, by their keys; "blocked.Googlebot" is one within "blocked". nil = all are.
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

// Answered reports whether the server gave an answer to the request for robots.txt,
// be it a bad one, or a redirect to a server that gave none.
func Answered(r *audit.Robots) bool {
	return r.File.Status != 0 || len(r.File.Hops) > 0 && r.File.Hops[0].Status != 0 || HasRules(r)
}

// HasRules reports whether the lines of a robots.txt matter to any crawler.
func HasRules(r *audit.Robots) bool {
	for i := range r.Reads {
		if r.Reads[i].Access == engine.Parsed {
			return true
		}
	}
	return false
}

// FileKnown reports whether it is known what stands in a robots.txt to which a
// crawler has this access, be it that there is none.
func FileKnown(access engine.Access) bool {
	return access == engine.Parsed || access == engine.AllowAll
}

// Looked reports whether there was a robots.txt, or an answer in its place, in which
// something could be found.
func (s *Site) Looked() bool {
	for r := range s.AllRobots {
		if Answered(r) {
			return true
		}
	}
	return false
}

// SitemapWasRead reports whether something of a sitemap could be read.
func SitemapWasRead(file *audit.Sitemap) bool { return file.Format != "" }

// sitemapCounts are the sitemaps of which something was read, and the known ones of
// which nothing was.
func (s *Site) sitemapCounts(d *audit.Done) (read, unread int64) {
	if d.SitemapsRead+d.SitemapsUnread > 0 {
		return d.SitemapsRead, d.SitemapsUnread
	}
	return s.sitemapsRead, int64(d.Sitemaps) - s.sitemapsRead - s.sitemapsTried // records of before they were counted
}

// Unread says what may name further URLs and was not read: limits of the audit, and
// sitemaps; none where all was.
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
