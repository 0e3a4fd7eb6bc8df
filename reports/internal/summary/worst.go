package summary

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// Worst is the leading crawler (audit.Leading) for which most is blocked, by clicks, then by URLs.
// It decides the place of a site among others.
type Worst struct {
	Crawler string `json:"crawler"`        // its label; "" = nothing is blocked for any leading crawler
	URLs    int64  `json:"blocked_urls"`   // number of tested URLs blocked for it
	Clicks  int64  `json:"blocked_clicks"` // of these URLs, if they are in the user's own list
	Line    int    `json:"line,omitempty"` // line that blocks most of them; 0 = none, the response for robots.txt blocks them
	Rule    string `json:"rule,omitempty"` // rule of the line, "disallow: /a"
	Origin  string `json:"origin,omitempty"`
}

// WorstOf returns a site's Worst. of is nil if the report is lost.
func WorstOf(crawlers []audit.Crawler, d *audit.Done, of *site.Site) (w Worst) {
	worst := -1
	for _, i := range audit.Leading(crawlers) {
		n, clicks := site.BlockedFor(d, i), int64(0)
		if i < len(d.ClicksBlocked) {
			clicks = d.ClicksBlocked[i]
		}
		if clicks > w.Clicks || clicks == w.Clicks && n > w.URLs {
			worst, w = i, Worst{Crawler: crawlers[i].Label, URLs: n, Clicks: clicks}
		}
	}
	if worst >= 0 && of != nil {
		w.Origin, w.Line, w.Rule = of.Blocker(worst)
	}
	return w
}

// Brief says how many URLs of a site are blocked and by which line, the most important first. It is
// for places that are too narrow for Why and may cut its end: "87 % blocked for Googlebot, line 17
// `Disallow: /post*` (24,626 of 28,359 known URLs)". If nothing is blocked it is Why.
func (l *Line) Brief() string {
	w := &l.Worst
	if w.URLs == 0 {
		return l.Why
	}
	words := wording.Percent(w.URLs, l.URLs)
	if l.Clicks > 0 {
		words += fmt.Sprintf(", %s of clicks,", wording.Percent(w.Clicks, l.Clicks))
	}
	words += " blocked for " + w.Crawler
	if w.Line > 0 && w.Rule != "" {
		words += fmt.Sprintf(", line %d `%s`", w.Line, escape.Cut(escape.Printable(strings.ToUpper(w.Rule[:1])+w.Rule[1:]), 80))
	}
	return words + fmt.Sprintf(" (%s of %s)", wording.Thousands(w.URLs), wording.URLs(l.URLs))
}
