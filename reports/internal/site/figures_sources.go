package site

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// linksFigure says how the site's own links and its sitemaps fit together.
func (s *Site) linksFigure(d *audit.Done) Figure {
	l := d.Links
	switch {
	case l == nil:
		return Figure{Why: "not known: links on the site's pages were not followed (-crawl)"}
	case l.Pages == 0:
		return Figure{State: audit.Undetermined, Why: "not measured: no page of the site was asked for"}
	case l.Read() == 0:
		return Figure{State: audit.Undetermined, Why: fmt.Sprintf("not measured: no link could be read from %s", askedFor(l.Pages))}
	case l.URLs == 0:
		return Figure{State: audit.Undetermined, Why: fmt.Sprintf("not measured: no link to a URL of the site was found on %s", wording.Plural(l.Read(), "page"))}
	}
	f := Figure{Value: Number(l.Blocked), Share: Share(l.Blocked, l.URLs), State: stateIf(l.Blocked > 0, audit.Warn)}
	f.Why = fmt.Sprintf("of %s that %s of the site %s to; of the URLs of the sitemaps, %s linked from none of these pages",
		wording.Known(l.URLs), wording.Plural(l.Read(), "page"), wording.Verb(l.Read(), "links", "link"), wording.Thousands(l.Orphans)+wording.Verb(l.Orphans, " is", " are"))
	if l.Unread > 0 {
		f.Why += fmt.Sprintf("; from %s more no link could be read", wording.Plural(l.Unread, "page"))
	}
	if l.Kept > 0 {
		f.Why += fmt.Sprintf("; robots.txt keeps this audit from %s more", wording.Plural(l.Kept, "page"))
	}
	f.AtLeast(d.LinksBound())
	return f
}

// askedFor says "the one page that was asked for", "the 12 pages that were asked for".
func askedFor(pages int64) string {
	if pages == 1 {
		return "the one page that was asked for"
	}
	return "any of the " + wording.Plural(pages, "page") + " that were asked for"
}

// sitemapsFigure counts the sitemaps of which something was read.
func (s *Site) sitemapsFigure(d *audit.Done) Figure {
	read, unread := s.sitemapCounts(d)
	switch {
	case read+unread == 0 && d.Sitemaps > 0:
		return Figure{Why: "no sitemap is named, and none could be read at the usual places"}
	case read+unread == 0:
		return Figure{Why: "no sitemap was asked for"}
	}
	f := Figure{Value: Number(read), Why: "all that were asked for"}
	if unread > 0 {
		f.State, f.Why = audit.Warn, fmt.Sprintf("%s more %s not read; see the reasons", wording.Thousands(unread), wording.Verb(unread, "was", "were"))
	}
	if read == 0 {
		f.Why = fmt.Sprintf("none of %s could be read; see the reasons", wording.Plural(unread, "sitemap"))
		if unread == 1 {
			f.Why = "the one sitemap could not be read; see the reason"
		}
	}
	return f
}

// LeftOutWhy says which URLs were left out, be they of a sitemap or of the user's own list.
const LeftOutWhy = "named but not testable, each with its reason"

func (s *Site) leftOutFigure(d *audit.Done) Figure {
	n := Total(d.LeftOut)
	if n+d.URLs == 0 {
		return Figure{State: audit.Undetermined, Why: nothingFound}
	}
	f := Figure{Value: Number(n), State: stateIf(n > 0, audit.Warn), Why: LeftOutWhy}
	if n == 0 {
		f.Why = "what was read names no URL that could not be tested"
	}
	if _, unread := s.sitemapCounts(d); unread > 0 {
		f.AtLeast(wording.Plural(unread, "sitemap") + wording.Verb(unread, " was", " were") + " not read")
	}
	return f
}

func (s *Site) problemsFigure(d *audit.Done) Figure {
	if d.Problems == 0 && s.OriginCount() == 0 {
		return Figure{State: audit.Undetermined, Why: "not measured: nothing was asked for"}
	}
	f := Figure{Value: Number(int64(d.Problems)), State: stateIf(d.Problems > 0, audit.Warn), Why: "what could not be fetched or read, and what that means"}
	if d.Problems == 0 {
		f.Why = "what was asked for could be fetched and read"
	}
	return f
}
