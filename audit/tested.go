package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// opensAll reports whether there is nothing on the site's own origin that one of the
// crawlers asked about may not fetch, whatever its URLs are, and nothing went wrong
// in finding that out.
func (c *conclusion) opensAll(o *origin) bool {
	return o.open && len(c.done.LeftOut) == 0 && (c.done.Links == nil || c.done.Links.Pages == 0 || c.done.Links.Read() > 0)
}

// openWords say so.
func (c *conclusion) openWords(o *origin) string {
	if notFound(o.file.Status) {
		return fmt.Sprintf("There is no robots.txt (%s), so nothing is blocked", statusText(o.file.Status))
	}
	return "robots.txt blocks nothing for the crawlers tested"
}

// homeWords tell that the home page may be crawled, where nothing else is known.
func (c *conclusion) homeWords() string {
	if slices.ContainsFunc(c.origins[0].reads, func(r Read) bool { return r.BlocksRoot || r.Access == engine.AccessUnknown }) {
		return ""
	}
	return ". The home page is allowed for every crawler tested"
}

// noSitemapWords tell that there may be more than what is known.
func (c *conclusion) noSitemapWords() string {
	if c.done.SitemapsRead+c.done.SitemapsUnread > 0 || strings.HasPrefix(c.origins[0].name, "ftp:") {
		return ""
	}
	return ". No sitemap was found, so the site may have more URLs"
}

// untested says why no URL was tested though there may be some; "" = there was one,
// or all that there is was looked at.
func (c *conclusion) untested() string {
	d := &c.done
	switch {
	case d.URLs > 0:
		return ""
	case d.SitemapsUnread > 0 && d.SitemapsRead == 0:
		return "no sitemap could be read, so no URL was tested" + c.unrequestedWords()
	case d.SitemapsUnread > 0:
		return c.unreadWords() + wording.Verb(d.SitemapsRead, ". The other one lists", ". The others list") + " no URL that could be tested"
	case d.Bound() != "":
		return "the audit of this site " + d.Bound() + ". No URL was tested"
	}
	return ""
}

// unrequestedWords say which sitemap was not requested because of its host; "" = none.
func (c *conclusion) unrequestedWords() string {
	if c.unrequested == "" {
		return ""
	}
	return ". The host of " + c.unrequested + " is not public: the base address of its generator is wrong"
}

// allElsewhere reports whether all tested URLs are those of another site, by a wrong base address.
func (c *conclusion) allElsewhere() bool {
	return len(c.done.WrongBases) > 0 && !slices.ContainsFunc(c.origins, func(o *origin) bool { return o.pages > 0 && !o.left })
}

// wrongBaseWords say that sitemaps name no URL of this host.
func (c *conclusion) wrongBaseWords() string {
	n := c.wrongBase.sitemaps
	found := " name no URL of this host: the base address of their generator is wrong"
	words := wording.Verb(n, "the sitemap names no URL of this host: the base address of its generator is wrong", wording.Plural(n, "sitemap")+found)
	return words + " (found: " + wording.Some(c.wrongBase.origins) + ")"
}

// allowedWords says how many URLs may be crawled, where nothing is blocked: all of
// them only where nothing that is known was passed over.
func (c *conclusion) allowedWords() string {
	if len(c.done.LeftOut) > 0 || c.done.Bound() != "" || c.done.SitemapsUnread > 0 {
		return fmt.Sprintf("the %s tested %s allowed for every crawler of this audit", wording.Plural(c.done.URLs, "URL"), wording.Verb(c.done.URLs, "is", "are"))
	}
	if c.done.URLs == 1 {
		return "the only URL found is allowed for every crawler tested"
	}
	return fmt.Sprintf("all %s are allowed for every crawler tested", wording.Plural(c.done.URLs, "URL"))
}

// restWords describe what was not tested: URLs that were skipped, and URLs beyond limits.
func (c *conclusion) restWords() (parts []string) {
	left := -c.done.LeftOut[LeftBudget] // of which the limit speaks
	for _, n := range c.done.LeftOut {
		left += n
	}
	if left > 0 {
		parts = append(parts, wording.Plural(left, "URL")+wording.Verb(left, " was skipped", " were skipped"))
	}
	for _, l := range c.done.Limits {
		words := "this audit " + l.String()
		if rest := l.Rest(); rest != "" {
			words += ": " + rest
		}
		parts = append(parts, words)
	}
	return parts
}

// unreadWords says how many sitemaps were not read.
func (c *conclusion) unreadWords() string {
	n, of := c.done.SitemapsUnread, c.done.SitemapsRead+c.done.SitemapsUnread
	if slices.ContainsFunc(c.done.Limits, func(l Limit) bool { return !slices.Contains(linkLimits, l.Name) || l.endsAll() }) {
		return fmt.Sprintf("%d of %s %s not read", n, wording.Plural(of, "sitemap"), wording.Verb(n, "was", "were"))
	}
	return fmt.Sprintf("%d of %s could not be read", n, wording.Plural(of, "sitemap"))
}

// noURLs says why there are no known URLs.
func (c *conclusion) noURLs() string {
	if len(c.done.LeftOut) > 0 {
		return "no URL was tested: all URLs found were skipped"
	}
	why := "no URLs were found: no sitemap lists any"
	switch l := c.done.Links; {
	case l == nil || l.Pages == 0:
		return why
	case l.Read() == 0:
		return why + ", and no page could be read"
	}
	return why + ", and the pages that were read have no links"
}

// noteGravest keeps the finding that changes the verdict on most known URLs.
func (c *conclusion) noteGravest(o *origin, f *Finding) {
	if f.Severity < engine.Warning || f.Flips == 0 || c.gravest != nil && f.Flips <= c.gravest.Flips {
		return
	}
	copied := *f // the loop may change the list
	c.gravest, c.gravestOrigin = &copied, ""
	if o = c.fileOrigin(o); o.index > 0 {
		c.gravestOrigin = o.name
	}
}

// gravestWords tell it.
func (c *conclusion) gravestWords() string {
	f := c.gravest
	words := c.allowedWords()
	switch {
	case c.done.BlockedAny > 0:
		words = fmt.Sprintf("the verdict for %s may be a mistake", wording.Plural(f.Flips, "URL"))
	case f.Flips == c.done.URLs:
		words += wording.Verb(f.Flips, ". It", ". All of them") + " may be allowed by mistake"
	default:
		words += ". " + wording.Thousands(f.Flips) + " of them may be allowed by mistake"
	}
	switch {
	case f.Line > 0 && c.gravestOrigin != "":
		words += fmt.Sprintf(" (line %d of the robots.txt of %s)", f.Line, c.gravestOrigin)
	case f.Line > 0:
		words += fmt.Sprintf(" (line %d)", f.Line)
	}
	return words + ": " + f.What
}
