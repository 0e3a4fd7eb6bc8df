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

// Figure is a key figure, of a site or of a run.
type Figure struct {
	Name           string
	Value          Value
	Share          Value       // of the whole that Why names; none where Value is no part of a whole
	State          audit.State // "" = it is neither good nor bad
	Why            string      // why it matters
	Sheet          string      // of the workbook that has its rows
	ShownElsewhere bool        // the HTML page shows it in its headline or its table of crawlers
}

// figure defines a key figure.
type figure struct {
	name           string
	sheet          string
	shownElsewhere bool
	compute        func(*Site, *audit.Done) Figure
	perCrawler     func(*Site, *audit.Done, int) Figure // instead of compute: a figure for each crawler, whose label is put behind the name
}

// figures are the key figures in their order. To add one takes a line here, and
// the function that it names.
var figures = []figure{
	{name: "State", sheet: "Problems", shownElsewhere: true, compute: (*Site).stateFigure},
	{name: "Origin audited", sheet: "Hosts", shownElsewhere: true, compute: (*Site).originFigure},
	{name: "robots.txt, HTTP status", sheet: "Hosts", compute: (*Site).statusFigure},
	{name: "Known URLs tested", sheet: "Sitemaps", compute: (*Site).knownFigure},
	{name: "Blocked for at least one crawler", sheet: "Blocked", compute: (*Site).blockedFigure},
	{name: "Blocked for ", sheet: "Blocked", shownElsewhere: true, perCrawler: (*Site).crawlerFigure},
	{name: "URLs without a clear verdict", sheet: "Agents", compute: (*Site).unclearFigure},
	{name: "URLs whose verdict differs", sheet: "Disagreements", compute: (*Site).differingFigure},
	{name: "Clicks on blocked URLs", sheet: "Blocked", compute: (*Site).clicksFigure},
	{name: "Resources blocked", sheet: "Resources", compute: (*Site).resourcesFigure},
	{name: "Blocked URLs that pages link to", sheet: "Blocked", compute: (*Site).linksFigure},
	{name: "AI policy: crawlers named", sheet: "AI policy", compute: (*Site).policyFigure},
	{name: "Rules that decide nothing", sheet: "Rules", compute: (*Site).idleFigure},
	{name: "Findings", sheet: "Lint", compute: (*Site).findingsFigure},
	{name: "Sitemaps read", sheet: "Sitemaps", compute: (*Site).sitemapsFigure},
	{name: "URLs left out", sheet: "Left out", compute: (*Site).leftOutFigure},
	{name: "Problems on the way", sheet: "Problems", compute: (*Site).problemsFigure},
}

// Figures are the key figures of a site at its end.
func (s *Site) Figures(d *audit.Done) (list []Figure) {
	for i := range figures {
		def := &figures[i]
		if def.perCrawler == nil {
			f := def.compute(s, d)
			f.Name, f.Sheet, f.ShownElsewhere = def.name, def.sheet, def.shownElsewhere
			list = append(list, f)
			continue
		}
		for c := range s.Crawlers {
			f := def.perCrawler(s, d, c)
			f.Name, f.Sheet, f.ShownElsewhere = def.name+s.Crawlers[c].Label, def.sheet, def.shownElsewhere
			list = append(list, f)
		}
	}
	return list
}

// FigureSheets are the sheets of the key figures of a site, in their order, for that
// number of crawlers.
func FigureSheets(crawlers int) (list []string) {
	for i := range figures {
		def := &figures[i]
		if def.perCrawler == nil {
			list = append(list, def.sheet)
			continue
		}
		for range crawlers {
			list = append(list, def.sheet)
		}
	}
	return list
}

func (s *Site) stateFigure(d *audit.Done) Figure {
	return Figure{Value: Text(string(d.State)), State: d.State, Why: d.Why}
}

func (s *Site) originFigure(d *audit.Done) Figure {
	return Figure{Value: Text(d.Origin), Why: "robots.txt holds for one scheme, host and port: other origins that the sitemaps name have their own, see Hosts"}
}

func (s *Site) statusFigure(*audit.Done) Figure {
	own := s.Robots(0)
	first := Read(own, 0)
	return Figure{Value: Number(int64(own.File.Status)), State: AccessState(first.Access), Why: "For " + s.firstLabel() + ": " + DescribeAccess(first)}
}

func (s *Site) knownFigure(d *audit.Done) Figure {
	return Figure{Value: Number(d.URLs), State: stateIf(d.URLs == 0, audit.Undetermined), Why: "distinct URLs that sitemaps, followed links or your own list name; others are not known here"}
}

func (s *Site) blockedFigure(d *audit.Done) Figure {
	return Figure{Value: Number(d.BlockedAny), Share: Share(d.BlockedAny, d.URLs), State: blockedState(d.BlockedAny, d.URLs),
		Why: "named in a sitemap, which asks for crawling, and blocked by robots.txt, which forbids it: one of the two is wrong"}
}

// crawlerFigure counts what is blocked for the i-th crawler.
func (s *Site) crawlerFigure(d *audit.Done, i int) Figure {
	how := Read(s.Robots(0), i)
	why := DescribeGroupReason(how.Access, how.GroupReason)
	if how.Access != engine.Parsed {
		why = DescribeAccess(how)
	} else if how.GroupTokens != "" {
		why = fmt.Sprintf("obeys the group of %s (line %d): %s", how.GroupTokens, how.GroupLine, why)
	}
	blocked := BlockedFor(d, i)
	state := blockedState(blocked, d.URLs)
	if n := s.Unclear[i]; n > 0 {
		why += fmt.Sprintf("; besides, the verdict on %s is unknown or undefined", wording.Known(n))
		if state == audit.OK {
			state = audit.Undetermined
		}
	}
	if how.BlocksRoot {
		state, why = audit.Critical, "the home page is blocked; "+why
	}
	return Figure{Value: Number(blocked), Share: Share(blocked, d.URLs), State: state, Why: why}
}

func (s *Site) unclearFigure(d *audit.Done) Figure {
	return Figure{Value: Number(d.Unknown), Share: Share(d.Unknown, d.URLs), State: stateIf(d.Unknown > 0, audit.Undetermined),
		Why: "the file could not be had, or the standard itself leaves the case open; never counted as fine"}
}

func (s *Site) differingFigure(d *audit.Done) Figure {
	return Figure{Value: Number(s.Differing), Share: Share(s.Differing, d.URLs), State: stateIf(s.Differing > 0, audit.Warn),
		Why: "the crawlers asked about do not get the same verdict; each with its cause"}
}

// clicksFigure says what the blocked pages are worth, where that is known.
func (s *Site) clicksFigure(d *audit.Done) Figure {
	f := Figure{Why: "not known: no list of URLs with clicks was given"}
	if d.Clicks > 0 {
		f.Value, f.Share, f.State = Number(d.BlockedClicks), Share(d.BlockedClicks, d.Clicks), stateIf(d.BlockedClicks > 0, audit.Warn)
		f.Why = fmt.Sprintf("of %s clicks in the list that was given, on known URLs of this site", wording.Thousands(d.Clicks))
	}
	return f
}

// resourcesFigure counts what is blocked and no page.
func (s *Site) resourcesFigure(d *audit.Done) Figure {
	var urls, blocked int64
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(d.Kinds)) {
		k := d.Kinds[kind]
		urls += k.URLs
		blocked += k.BlockedAny
		if k.BlockedAny > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", wording.Thousands(k.BlockedAny), kind))
		}
	}
	f := Figure{Value: Number(blocked), Share: Share(blocked, urls), State: stateIf(blocked > 0, audit.Warn)}
	switch {
	case urls == 0:
		f.Why = "no images, videos or alternates of pages are known"
	case blocked == 0:
		f.Why = fmt.Sprintf("of %s beside the pages: images, videos, alternates; counted apart from the figures above", wording.Known(urls))
	default:
		f.Why = strings.Join(parts, ", ") + ": " + fmt.Sprintf("of %s beside the pages; counted apart from the figures above", wording.Known(urls))
	}
	return f
}

// linksFigure says how the site's own links and its sitemaps fit together.
func (s *Site) linksFigure(d *audit.Done) Figure {
	f := Figure{Why: "not known: links on the site's pages were not followed (-crawl)"}
	if l := d.Links; l != nil {
		f.Value, f.Share, f.State = Number(l.Blocked), Share(l.Blocked, l.URLs), stateIf(l.Blocked > 0, audit.Warn)
		f.Why = fmt.Sprintf("of %s that %s of the site %s to; of the URLs of the sitemaps, %s linked from none of these pages",
			wording.Known(l.URLs), wording.Plural(int(l.Pages), "page"), wording.Verb(l.Pages, "links", "link"), wording.Thousands(l.Orphans)+wording.Verb(l.Orphans, " is", " are"))
	}
	return f
}

// policyFigure is the policy towards AI in one line.
func (s *Site) policyFigure(d *audit.Done) Figure {
	policy := s.Policy(d)
	named := policy.Named()
	f := Figure{Value: Number(int64(named)), Share: Share(int64(named), int64(len(policy.Crawlers)))}
	f.Why = "what they may fetch: " + policy.Summary()
	return f
}

// findingsFigure counts the findings by their severity.
func (s *Site) findingsFigure(d *audit.Done) Figure {
	f := Figure{Why: "what is wrong with a robots.txt, for whom, and what to do"}
	if d.Findings == nil {
		f.Why = "not counted when this site was audited"
		return f
	}
	f.Value, f.State, f.Why = Number(d.Findings.Total()), SeverityState(*d.Findings), DescribeSeverities(*d.Findings)+": "+f.Why
	return f
}

// idleFigure counts the rules that decide nothing.
func (s *Site) idleFigure(*audit.Done) Figure {
	rules, idle := s.RuleLines()
	f := Figure{Value: Number(int64(idle)), Share: Share(int64(idle), int64(rules)), Why: "there are no rule lines"}
	if rules > 0 {
		f.Why = fmt.Sprintf("of %s; such a line matches no known URL, or a stronger rule always beats it: check before deleting", wording.Plural(rules, "rule line"))
	}
	return f
}

func (s *Site) sitemapsFigure(d *audit.Done) Figure {
	return Figure{Value: Number(int64(d.Sitemaps)), Why: "including those that could not be read, which are listed with the reason"}
}

func (s *Site) leftOutFigure(d *audit.Done) Figure {
	n := Total(d.LeftOut)
	return Figure{Value: Number(n), State: stateIf(n > 0, audit.Warn), Why: "named in a sitemap but not testable, each with its reason"}
}

func (s *Site) problemsFigure(d *audit.Done) Figure {
	return Figure{Value: Number(int64(d.Problems)), State: stateIf(d.Problems > 0, audit.Warn), Why: "what could not be fetched or read, and what that means"}
}

// firstLabel is the label of the first crawler.
func (s *Site) firstLabel() string {
	if len(s.Crawlers) == 0 {
		return "no crawler"
	}
	return s.Crawlers[0].Label
}

func stateIf(is bool, s audit.State) audit.State {
	if is {
		return s
	}
	return audit.OK
}

// AccessState is the state that a site would have by what a crawler makes of its
// answer alone.
func AccessState(access engine.Access) audit.State {
	switch access {
	case engine.Parsed, engine.AllowAll:
		return audit.OK
	case engine.DisallowAll:
		return audit.Critical
	}
	return audit.Undetermined
}

func blockedState(blocked, urls int64) audit.State {
	switch {
	case urls == 0:
		return audit.Undetermined
	case blocked > 0:
		return audit.Warn
	}
	return audit.OK
}
