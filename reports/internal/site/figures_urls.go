package site

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

func (s *Site) knownFigure(d *audit.Done) Figure {
	return Figure{Value: Number(d.URLs), State: stateIf(d.URLs == 0, audit.Undetermined), Why: "found in sitemaps, links or your list"}
}

func (s *Site) blockedFigure(d *audit.Done) Figure {
	f := Figure{State: audit.Undetermined, Why: notTested}
	switch {
	case d.URLs == 0:
	case d.BlockedAny == 0 && d.Unknown == d.URLs:
		f.Why = "not measured: no URL has a clear verdict"
	default:
		f.Value, f.Share, f.State = Number(d.BlockedAny), Share(d.BlockedAny, d.URLs), stateOf(d.BlockedAny, d.Unknown)
		f.Why = s.blockedWhy(d)
		if d.BlockedAny > 0 && d.State == audit.Critical && d.Ground != audit.GroundBody {
			f.State = audit.Critical
		}
	}
	return f
}

// blockedWhy says who refers to the blocked pages.
func (s *Site) blockedWhy(d *audit.Done) string {
	if d.BlockedAny == 0 {
		return "a blocked URL can still be indexed, but its content is not read"
	}
	var parts []string
	if n := s.listed; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "in a sitemap but blocked by robots.txt; fix one or the other"))
	}
	if n := s.linked; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "linked from the site's pages"))
	}
	if n := s.canonical; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "canonical of the site's pages"))
	}
	if n := d.BlockedAny - s.listed - s.linked - s.canonical; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "only in your list"))
	}
	return strings.Join(parts, "; ")
}

// namedWords returns "named", or "12 named" if these are not all.
func namedWords(n, of int64, how string) string {
	if n == of {
		return how
	}
	return wording.Thousands(n) + " " + how
}

// everyOne returns "each of the 4 URLs", or "the only URL".
func everyOne(urls int64) string {
	return wording.Of("each of the", urls, "URL")
}

// crawlerFigure counts the pages blocked for the i-th crawler.
func (s *Site) crawlerFigure(d *audit.Done, i int) Figure {
	how := Read(s.Robots(0), i)
	why := DescribeGroupReason(how.Access, how.GroupReason)
	if how.Access != engine.Parsed {
		why = AccessWords(s.Robots(0), i)
	} else if how.GroupTokens != "" {
		why = fmt.Sprintf("follows the group for %s (line %d): %s", how.GroupTokens, how.GroupLine, why)
	}
	f := Figure{State: audit.Undetermined}
	unclear := d.URLs - s.JudgedFor(d, i)
	switch {
	case d.URLs == 0:
		why = notTested + "; " + why
	case !s.CountedFor(d, i):
		why = "not measured: no URL has a clear verdict; " + why
	default:
		blocked := BlockedFor(d, i)
		f.Value, f.Share, f.State = Number(blocked), Share(blocked, d.URLs), stateOf(blocked, unclear)
		if unclear > 0 {
			why += "; " + wording.URLs(unclear) + wording.Verb(unclear, " has", " have") + " no clear verdict"
		}
	}
	if how.BlocksRoot && Answered(s.Robots(0)) {
		f.State, why = audit.Critical, "the home page is blocked; "+why
	}
	f.Why = why
	return f
}

func (s *Site) unclearFigure(d *audit.Done) Figure {
	if d.URLs == 0 {
		return Figure{State: audit.Undetermined, Why: notTested}
	}
	if d.Unknown == 0 {
		return Figure{Value: Number(0), Share: Share(0, d.URLs), State: audit.OK, Why: "every verdict is clear"}
	}
	return Figure{Value: Number(d.Unknown), Share: Share(d.Unknown, d.URLs), State: audit.Undetermined,
		Why: "robots.txt could not be fetched, or the standard leaves the case open; not counted as allowed"}
}

func (s *Site) differingFigure(d *audit.Done) Figure {
	switch {
	case d.URLs == 0:
		return Figure{State: audit.Undetermined, Why: notTested}
	case !s.Compared(d):
		return Figure{Why: nobodyElse}
	case s.Differing == 0 && d.Unknown == d.URLs:
		return Figure{State: audit.Undetermined, Why: "not measured: no URL has a clear verdict"}
	}
	f := Figure{Value: Number(s.Differing), Share: Share(s.Differing, d.URLs), State: stateIf(s.Differing > 0, audit.Warn),
		Why: "crawlers get different verdicts"}
	if s.Differing == 0 {
		f.State = stateOf(0, d.Unknown)
		f.Why = fmt.Sprintf("all %s crawlers get the same verdict", wording.Thousands(len(s.Crawlers)))
		if d.Unknown > 0 {
			f.Why += fmt.Sprintf(", which is unclear for %s", wording.URLs(d.Unknown))
		}
	}
	return f
}

// clicksFigure counts the clicks of blocked pages, if they are known.
func (s *Site) clicksFigure(d *audit.Done) Figure {
	f := Figure{Why: "not measured: no clicks were given"}
	switch {
	case d.Clicks > 0:
		f.Value, f.Share, f.State = Number(d.BlockedClicks), Share(d.BlockedClicks, d.Clicks), stateOf(d.BlockedClicks, d.Unknown)
		f.Why = fmt.Sprintf("of %s clicks in your list", wording.Thousands(d.Clicks))
	case d.ClicksGiven > 0:
		f.Why = fmt.Sprintf("your list has 0 clicks on %s of this site", everyOne(d.ClicksGiven))
	}
	return f
}

// HitsLabel is the label of the crawler whose hits stand for all; "" = the site has no access logs.
func (s *Site) HitsLabel() string {
	if s.hitter < 0 {
		return ""
	}
	return s.Crawlers[s.hitter].Label
}

// LeadHits returns the requests of the crawler whose hits stand for all, and its label; "" = the site
// has no access logs.
func (s *Site) LeadHits(d *audit.Done) (h Hits, of string) {
	if s.hitter < 0 || s.hitter >= len(d.Hits) || s.hitter >= len(d.HitsBlocked) {
		return h, ""
	}
	return Hits{d.Hits[s.hitter], d.HitsBlocked[s.hitter]}, s.Crawlers[s.hitter].Label
}

// hitsFigure counts the requests for blocked pages, if there are access logs.
func (s *Site) hitsFigure(d *audit.Done) Figure {
	h, of := s.LeadHits(d)
	switch {
	case of == "":
		return Figure{}
	case h.All == 0:
		return Figure{Why: "the access logs have no request by " + of + " for the URLs found"}
	}
	return Figure{Value: Number(h.Blocked), Share: Share(h.Blocked, h.All), State: stateOf(h.Blocked, d.Unknown), Why: fmt.Sprintf("of %s by %s in access logs", wording.Plural(h.All, "request"), of)}
}

// resourcesFigure counts the blocked URLs that are not pages.
func (s *Site) resourcesFigure(d *audit.Done) Figure {
	var urls, blocked, unclear int64
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(d.Kinds)) {
		k := d.Kinds[kind]
		urls += k.URLs
		blocked += k.BlockedAny
		unclear += k.Unknown
		if k.BlockedAny > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", wording.Thousands(k.BlockedAny), kind))
		}
	}
	others := fmt.Sprintf("of %s that are no pages", wording.URLs(urls))
	switch {
	case urls == 0 && d.KindsSkipped > 0:
		return Figure{Why: fmt.Sprintf("not tested: %s skipped", wording.Thousands(d.KindsSkipped))}
	case urls == 0:
		return Figure{Why: "not measured: none found"}
	case blocked == 0 && unclear == urls:
		return Figure{State: audit.Undetermined, Why: "not measured: no clear verdict for any " + others}
	}
	f := Figure{Value: Number(blocked), Share: Share(blocked, urls), State: stateOf(blocked, unclear)}
	if blocked == 0 {
		f.Why = others + ": images, videos, alternates"
	} else {
		f.Why = strings.Join(parts, ", ") + " " + others
	}
	if unclear > 0 {
		f.Why += "; " + wording.Thousands(unclear) + wording.Verb(unclear, " has", " have") + " no clear verdict"
	}
	return f
}
