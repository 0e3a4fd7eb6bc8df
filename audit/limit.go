package audit

import (
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// Limit is a bound of this audit that a site came to. What lies beyond it was not
// looked at, so that what is counted of it is a lower bound: "at least 608: stopped
// at 500 pages".
type Limit struct {
	Name  string `json:"name"`           // one of the constants below; where there is a flag, its name
	Bound string `json:"bound"`          // as people write it: "500 pages", "2h0m0s"
	Left  int64  `json:"left,omitempty"` // what was found beyond it, at least, in the unit of the limit; 0 = nobody knows
}

// Names of limits. They are stable, like codes.
const (
	LimitPages        = "crawl-pages"       // pages asked for; Left are pages
	LimitDepth        = "crawl-depth"       // clicks from the home page; Left are pages
	LimitTime         = "crawl-time"        // time for following links; Left are pages
	LimitPageBytes    = "page-bytes"        // bytes of a page; Left are pages that were longer
	LimitPageParts    = "page-parts"        // links, alternates and resources taken from one page; Left are pages that have more
	LimitLinks        = "links"             // links that are told apart; what LinkCount counts ends there
	LimitURLs         = "max-urls"          // URLs read of sitemaps
	LimitSitemaps     = "max-sitemaps"      // sitemaps asked for; Left are sitemaps
	LimitSitemapBytes = "max-sitemap-bytes" // bytes of a sitemap; Left are sitemaps that were longer
	LimitSitemapDepth = "sitemap-depth"     // indexes within indexes; Left are sitemaps
	LimitSitemapFails = "sitemap-fails"     // sitemaps that failed one after the other; Left are sitemaps
	LimitOrigins      = "max-origins"       // origins that are asked; Left are sitemaps on others
	LimitSiteTime     = "site-timeout"      // time for the site
	LimitWaiting      = "waiting"           // time spent waiting for the site for too little
)

// linkLimits are the limits of following links.
var linkLimits = []string{LimitPages, LimitDepth, LimitTime, LimitPageBytes, LimitPageParts, LimitLinks, LimitSiteTime, LimitWaiting}

// leftUnits are what Limit.Left counts.
var leftUnits = map[string]string{
	LimitPages: "page", LimitDepth: "page", LimitTime: "page",
	LimitSitemaps: "sitemap", LimitSitemapDepth: "sitemap", LimitSitemapFails: "sitemap", LimitOrigins: "sitemap",
}

// String says where the audit stopped, as a sentence goes on: "stopped at 500 pages".
func (l Limit) String() string {
	switch l.Name {
	case LimitSitemapFails:
		return "gave sitemaps up after " + l.Bound
	case LimitSiteTime, LimitTime:
		return "stopped after " + l.Bound
	case LimitWaiting:
		return "stopped since the site kept us waiting"
	}
	return "stopped at " + l.Bound
}

// Rest says what is known of what lies beyond the limit: "387 pages found were not read"; "" = nothing.
func (l Limit) Rest() string {
	unit := leftUnits[l.Name]
	if unit == "" || l.Left == 0 {
		return ""
	}
	return wording.Plural(l.Left, unit) + wording.Verb(l.Left, " that was found was", " that were found were") + " not read"
}

// Bound says what makes the number of known URLs a lower bound: "stopped at 500
// pages"; "" = no limit of this audit does.
func (d *Done) Bound() string {
	return bounds(d.Limits, func(l Limit) bool { return l.Name != LimitLinks })
}

// LinksBound says the same of LinkCount.
func (d *Done) LinksBound() string {
	return bounds(d.Limits, func(l Limit) bool { return slices.Contains(linkLimits, l.Name) })
}

func bounds(limits []Limit, concerned func(Limit) bool) string {
	var parts []string
	for _, l := range limits {
		if words := l.String(); concerned(l) && !slices.Contains(parts, words) {
			parts = append(parts, words)
		}
	}
	return strings.Join(parts, ", ")
}
