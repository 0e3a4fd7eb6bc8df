package site

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// linksFigure compares the site's own links with its sitemaps.
func (s *Site) linksFigure(d *audit.Done) Figure {
	l := d.Links
	switch {
	case l == nil:
		return Figure{Why: "not measured: links were not followed"}
	case l.Pages == 0:
		return Figure{State: audit.Undetermined, Why: "not measured: no page was requested"}
	case l.Read() == 0:
		return Figure{State: audit.Undetermined, Why: fmt.Sprintf("not measured: no link could be read on %s", askedFor(l.Pages))}
	case l.URLs == 0:
		return Figure{State: audit.Undetermined, Why: fmt.Sprintf("not measured: no internal link was found on %s", wording.Plural(l.Read(), "page"))}
	}
	f := Figure{Value: Number(l.Blocked), Share: Share(l.Blocked, l.URLs), State: stateIf(l.Blocked > 0, audit.Warn)}
	f.Why = fmt.Sprintf("of %s that %s %s to; %s in a sitemap without a link from these pages",
		wording.URLs(l.URLs), wording.Plural(l.Read(), "page"), wording.Verb(l.Read(), "links", "link"), wording.Thousands(l.Orphans)+wording.Verb(l.Orphans, " is", " are"))
	if l.Unread > 0 {
		f.Why += fmt.Sprintf("; %s could not be read", wording.Plural(l.Unread, "page"))
	}
	if l.Kept > 0 {
		f.Why += fmt.Sprintf("; %s blocked for this audit", wording.Plural(l.Kept, "page"))
	}
	f.AtLeast(d.LinksBound())
	return f
}

// askedFor says "the page requested", "the 12 pages requested".
func askedFor(pages int64) string {
	if pages == 1 {
		return "the page requested"
	}
	return "the " + wording.Plural(pages, "page") + " requested"
}

// sitemapsFigure counts the sitemaps that were read at least in part.
func (s *Site) sitemapsFigure(d *audit.Done) Figure {
	read, unread := s.sitemapCounts(d)
	switch {
	case read+unread == 0 && d.Sitemaps > 0:
		return Figure{Why: "no sitemap is named, and there is none at the usual addresses"}
	case read+unread == 0:
		return Figure{Why: "no sitemap was requested"}
	}
	f := Figure{Value: Number(read), Why: "all sitemaps found"}
	if unread > 0 {
		f.State, f.Why = audit.Warn, fmt.Sprintf("%s more %s not read", wording.Thousands(unread), wording.Verb(unread, "was", "were"))
	}
	if read == 0 {
		f.Why = fmt.Sprintf("none of %s could be read", wording.Plural(unread, "sitemap"))
		if unread == 1 {
			f.Why = "the only sitemap could not be read"
		}
	}
	return f
}

// LeftOutWhy explains the URLs left out, of a sitemap or of the user's own list.
const LeftOutWhy = "found but not tested, each with its reason"

func (s *Site) leftOutFigure(d *audit.Done) Figure {
	n := Total(d.LeftOut)
	if n+d.URLs == 0 {
		return Figure{State: audit.Undetermined, Why: nothingFound}
	}
	f := Figure{Value: Number(n), State: stateIf(n > 0, audit.Warn), Why: LeftOutWhy}
	if n == 0 {
		f.Why = "all URLs found were tested"
	}
	if _, unread := s.sitemapCounts(d); unread > 0 {
		f.AtLeast(wording.Plural(unread, "sitemap") + wording.Verb(unread, " was", " were") + " not read")
	}
	return f
}

func (s *Site) problemsFigure(d *audit.Done) Figure {
	if d.Problems == 0 && s.OriginCount() == 0 {
		return Figure{State: audit.Undetermined, Why: "not measured: nothing was requested"}
	}
	f := Figure{Value: Number(int64(d.Problems)), State: stateIf(d.Problems > 0, audit.Warn), Why: "what could not be fetched or read"}
	if d.Problems == 0 {
		f.Why = "everything could be fetched and read"
	}
	return f
}
