package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// figure is a key figure.
type figure struct {
	name         string
	value, share xlsx.Cell
	state        string
	why          string
}

// figures are the key figures, in the order of figureRows.links.
func (b *siteBook) figures(d *audit.Done, deciding int) []figure {
	own := b.origin(0)
	first := read(own, 0)
	list := []figure{
		{name: "State", value: xlsx.TopAligned(string(d.State)), state: string(d.State), why: d.Why},
		{name: "Origin audited", value: xlsx.TopAligned(d.Origin), why: "robots.txt holds for one scheme, host and port: other origins that the sitemaps name have their own, see Hosts"},
		{name: "robots.txt, HTTP status", value: xlsx.Number(int64(own.File.Status)), state: accessState(first.Access), why: "For " + firstLabel(b.site) + ": " + accessWords(first)},
		{name: "Known URLs tested", value: xlsx.Number(d.URLs), state: stateIf(d.URLs == 0, audit.Undetermined), why: "distinct URLs that sitemaps, followed links or your own list name; others are not known here"},
		{name: "Blocked for at least one crawler", value: xlsx.Number(d.BlockedAny), share: xlsx.Percent(d.BlockedAny, d.URLs), state: blockedState(d.BlockedAny, d.URLs),
			why: "named in a sitemap, which asks for crawling, and blocked by robots.txt, which forbids it: one of the two is wrong"},
	}
	for i, c := range b.site.Crawlers {
		how := read(own, i)
		why := groupReason(how)
		if how.Access != "parsed" {
			why = accessWords(how)
		} else if how.GroupTokens != "" {
			why = fmt.Sprintf("obeys the group of %s (line %d): %s", how.GroupTokens, how.GroupLine, why)
		}
		state := blockedState(blockedFor(d, i), d.URLs)
		if n := b.unclear[i]; n > 0 {
			why += fmt.Sprintf("; besides, the verdict on %s is unknown or undefined", known(n))
			if state == string(audit.OK) {
				state = string(audit.Undetermined)
			}
		}
		if how.BlocksRoot {
			state, why = string(audit.Critical), "the home page is blocked; "+why
		}
		list = append(list, figure{name: "Blocked for " + c.Label, value: xlsx.Number(blockedFor(d, i)), share: xlsx.Percent(blockedFor(d, i), d.URLs), state: state, why: why})
	}
	rules, idle := b.idleRules()
	return append(list,
		figure{name: "URLs without a clear verdict", value: xlsx.Number(d.Unknown), share: xlsx.Percent(d.Unknown, d.URLs), state: stateIf(d.Unknown > 0, audit.Undetermined),
			why: "the file could not be had, or the standard itself leaves the case open; never counted as fine"},
		figure{name: "URLs whose verdict differs", value: xlsx.Number(b.differing), share: xlsx.Percent(b.differing, d.URLs), state: stateIf(b.differing > 0, audit.Warn),
			why: "the crawlers asked about do not get the same verdict; each with its cause"},
		b.clicksFigure(d),
		b.resourcesFigure(d),
		linksFigure(d),
		b.policyFigure(),
		figure{name: "Rules that decide nothing", value: xlsx.Number(int64(idle)), share: xlsx.Percent(int64(idle), int64(rules)),
			why: idleWords(rules)},
		b.findingsFigure(d),
		figure{name: "Sitemaps read", value: xlsx.Number(int64(d.Sitemaps)), why: "including those that could not be read, which are listed with the reason"},
		figure{name: "URLs left out", value: xlsx.Number(total(d.LeftOut)), state: stateIf(total(d.LeftOut) > 0, audit.Warn), why: "named in a sitemap but not testable, each with its reason"},
		figure{name: "Problems on the way", value: xlsx.Number(int64(d.Problems)), state: stateIf(d.Problems > 0, audit.Warn), why: "what could not be fetched or read, and what that means"},
	)
}

// clicksFigure says what the blocked pages are worth, where that is known.
func (b *siteBook) clicksFigure(d *audit.Done) figure {
	f := figure{name: "Clicks on blocked URLs", why: "not known: no list of URLs with clicks was given"}
	if d.Clicks > 0 {
		f.value, f.share, f.state = xlsx.Number(d.BlockedClicks), xlsx.Percent(d.BlockedClicks, d.Clicks), stateIf(d.BlockedClicks > 0, audit.Warn)
		f.why = fmt.Sprintf("of %s clicks in the list that was given, on known URLs of this site", thousands(d.Clicks))
	}
	return f
}

// resourcesFigure counts what is blocked and no page.
func (b *siteBook) resourcesFigure(d *audit.Done) figure {
	var urls, blocked int64
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(d.Kinds)) {
		k := d.Kinds[kind]
		urls += k.URLs
		blocked += k.BlockedAny
		if k.BlockedAny > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", thousands(k.BlockedAny), kind))
		}
	}
	f := figure{name: "Resources blocked", value: xlsx.Number(blocked), share: xlsx.Percent(blocked, urls), state: stateIf(blocked > 0, audit.Warn)}
	switch {
	case urls == 0:
		f.why = "no images, videos or alternates of pages are known"
	case blocked == 0:
		f.why = fmt.Sprintf("of %s beside the pages: images, videos, alternates; counted apart from the figures above", known(urls))
	default:
		f.why = strings.Join(parts, ", ") + ": " + fmt.Sprintf("of %s beside the pages; counted apart from the figures above", known(urls))
	}
	return f
}

// linksFigure says how the site's own links and its sitemaps fit together.
func linksFigure(d *audit.Done) figure {
	f := figure{name: "Blocked URLs that pages link to", why: "not known: links on the site's pages were not followed (-crawl)"}
	if l := d.Links; l != nil {
		f.value, f.share, f.state = xlsx.Number(l.Blocked), xlsx.Percent(l.Blocked, l.URLs), stateIf(l.Blocked > 0, audit.Warn)
		f.why = fmt.Sprintf("of %s that %s of the site %s to; of the URLs of the sitemaps, %s linked from none of these pages",
			known(l.URLs), plural(int(l.Pages), "page"), verb(l.Pages, "links", "link"), thousands(l.Orphans)+verb(l.Orphans, " is", " are"))
	}
	return f
}

// policyFigure is the policy towards AI in one line.
func (b *siteBook) policyFigure() figure {
	named := b.policy.named()
	f := figure{name: "AI policy: crawlers named", value: xlsx.Number(int64(named)), share: xlsx.Percent(int64(named), int64(len(b.policy.readers)))}
	f.why = "what they may fetch: " + b.policy.summary()
	return f
}

// findingsFigure counts the findings by their severity.
func (b *siteBook) findingsFigure(d *audit.Done) figure {
	f := figure{name: "Findings", why: "what is wrong with a robots.txt, for whom, and what to do"}
	if d.Findings == nil {
		f.why = "not counted when this site was audited"
		return f
	}
	f.value, f.state, f.why = xlsx.Number(d.Findings.Total()), severityState(*d.Findings), severityWords(*d.Findings)+": "+f.why
	return f
}

// idleWords says what it means that a rule decides nothing.
func idleWords(rules int) string {
	if rules == 0 {
		return "there are no rule lines"
	}
	return fmt.Sprintf("of %s; such a line matches no known URL, or a stronger rule always beats it: check before deleting", plural(rules, "rule line"))
}

func firstLabel(s *audit.Site) string {
	if len(s.Crawlers) == 0 {
		return "no crawler"
	}
	return s.Crawlers[0].Label
}

func stateIf(is bool, s audit.State) string {
	if is {
		return string(s)
	}
	return string(audit.OK)
}

func accessState(access string) string {
	switch access {
	case "parsed", "allow_all":
		return string(audit.OK)
	case "disallow_all":
		return string(audit.Critical)
	}
	return string(audit.Undetermined)
}

func blockedState(blocked, urls int64) string {
	switch {
	case urls == 0:
		return string(audit.Undetermined)
	case blocked > 0:
		return string(audit.Warn)
	}
	return string(audit.OK)
}

// idleRules counts the rule lines, and those that decide nothing for any crawler.
func (b *siteBook) idleRules() (rules, idle int) {
	decides := map[[2]int]bool{}
	for _, group := range b.counts {
		for _, c := range group.Counts {
			if c.Decided > 0 {
				decides[[2]int{group.Origin, c.Line}] = true
			}
		}
	}
	for _, r := range b.robots {
		if r == nil {
			continue
		}
		for _, line := range r.Rules {
			rules++
			if !decides[[2]int{r.Index, line.Line}] {
				idle++
			}
		}
	}
	return rules, idle
}
