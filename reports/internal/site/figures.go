package site

import (
	"cmp"
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
	bounded        bool // it counts known URLs: only at least so many where a limit of the audit was reached
	compute        func(*Site, *audit.Done) Figure
	perCrawler     func(*Site, *audit.Done, int) Figure // instead of compute: a figure for each crawler, whose label is put behind the name
}

// figures are the key figures in their order. To add one takes a line here, and
// the function that it names.
var figures = []figure{
	{name: "State", sheet: "To do", shownElsewhere: true, compute: (*Site).stateFigure},
	{name: "Origin audited", sheet: "Hosts", shownElsewhere: true, compute: (*Site).originFigure},
	{name: "robots.txt, HTTP status", sheet: "Hosts", compute: (*Site).statusFigure},
	{name: "Known URLs tested", sheet: "Sitemaps", bounded: true, compute: (*Site).knownFigure},
	{name: "Blocked for at least one crawler", sheet: "Blocked", bounded: true, compute: (*Site).blockedFigure},
	{name: "Blocked for ", sheet: "Blocked", shownElsewhere: true, perCrawler: (*Site).crawlerFigure},
	{name: "URLs without a clear verdict", sheet: "Agents", bounded: true, compute: (*Site).unclearFigure},
	{name: "URLs whose verdict differs", sheet: "Disagreements", bounded: true, compute: (*Site).differingFigure},
	{name: "Clicks on blocked URLs", sheet: "Blocked", bounded: true, compute: (*Site).clicksFigure},
	{name: "Blocked URLs that are indexed", sheet: "Blocked", bounded: true, compute: (*Site).indexedFigure},
	{name: "Resources blocked", sheet: "Resources", bounded: true, compute: (*Site).resourcesFigure},
	{name: "Blocked URLs that pages link to", sheet: "Blocked", compute: (*Site).linksFigure},
	{name: "Blocked, so its noindex is never seen", sheet: "Pages", compute: (*Site).unseenFigure},
	{name: "In a sitemap but noindex", sheet: "Pages", compute: (*Site).listedFigure},
	{name: "AI policy: crawlers named", sheet: "AI policy", compute: (*Site).policyFigure},
	{name: "Rules that decide nothing", sheet: "Rules", compute: (*Site).idleFigure},
	{name: "Findings", sheet: "Lint", compute: (*Site).findingsFigure},
	{name: "Sitemaps read", sheet: "Sitemaps", compute: (*Site).sitemapsFigure},
	{name: "URLs left out", sheet: "Left out", bounded: true, compute: (*Site).leftOutFigure},
	{name: "Problems on the way", sheet: "Problems", compute: (*Site).problemsFigure},
}

// Figures are the key figures of a site at its end. They are not to be changed: workbook
// and page get the same.
func (s *Site) Figures(d *audit.Done) []Figure {
	if s.figures == nil || s.figuresOf != d {
		s.figures, s.figuresOf = s.newFigures(d), d
	}
	return s.figures
}

func (s *Site) newFigures(d *audit.Done) []Figure {
	list := make([]Figure, 0, len(figures)+2*len(s.Crawlers))
	for i := range figures {
		def := &figures[i]
		if def.perCrawler == nil {
			f := def.compute(s, d)
			f.judge(d)
			if def.bounded {
				f.AtLeast(d.Bound())
			}
			f.Name, f.Sheet, f.ShownElsewhere = def.name, def.sheet, def.shownElsewhere
			list = append(list, f)
			continue
		}
		for c := range s.Crawlers {
			f := def.perCrawler(s, d, c)
			f.judge(d)
			f.AtLeast(d.Bound())
			f.Name, f.Sheet, f.ShownElsewhere = def.name+s.Crawlers[c].Label, def.sheet, def.shownElsewhere
			list = append(list, f)
		}
	}
	return list
}

// judge takes back that a figure is unknown where the site is fine without a known URL: its
// robots.txt keeps nobody from anything, whatever its URLs are.
func (f *Figure) judge(d *audit.Done) {
	if d.URLs == 0 && d.State == audit.OK && f.State == audit.Undetermined {
		f.State = ""
	}
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
	return Figure{Value: Text(string(d.State)), State: d.State, Why: cmp.Or(grounds[d.Ground], "see the first sentence above")}
}

// grounds say in words what gives a site its state; the lead says it of the site itself.
var grounds = map[string]string{
	audit.GroundBroken:   "the audit of the site broke off before robots.txt was read",
	audit.GroundUnread:   "robots.txt could not be read: never counted as fine",
	audit.GroundAccess:   "the answer to the request for robots.txt shuts out a crawler that is there to have pages found",
	audit.GroundHome:     "a crawler may not fetch the home page",
	audit.GroundShare:    "a large part of the known URLs, or of the clicks on them, is blocked for a crawler that is there to have pages found",
	audit.GroundBody:     "what answers in the place of robots.txt is something else",
	audit.GroundBlocked:  "known URLs are blocked from crawling",
	audit.GroundUnclear:  "known URLs have no clear verdict: never counted as fine",
	audit.GroundFinding:  "a fault of robots.txt changes the verdict on known URLs",
	audit.GroundSitemaps: "sitemaps could not be read, or are blocked: what they name may not be known",
	audit.GroundNoURLs:   "no known URL was tested: never counted as fine",
	audit.GroundProblem:  "something went wrong on the way; see the problems",
	audit.GroundNone:     "read, with nothing to report",
}

// AtLeast makes a number a lower bound where a limit of the audit ended the count:
// "stopped at 500 pages"; "" = none did. No bound is green: what was not looked at is
// never counted as fine.
func (f *Figure) AtLeast(bound string) {
	if bound == "" || f.Value.Kind != NumberValue {
		return
	}
	f.Value, f.Why = AtLeast(int64(f.Value.Num)), bound+"; "+f.Why
	if f.State == audit.OK {
		f.State = ""
	}
}

func (s *Site) originFigure(d *audit.Done) Figure {
	return Figure{Value: Text(d.Origin), Why: "robots.txt holds for one scheme, host and port: other origins that the sitemaps name have their own, see Hosts"}
}

func (s *Site) statusFigure(*audit.Done) Figure {
	own := s.Robots(0)
	first := Read(own, 0)
	f := Figure{State: AccessState(first.Access), Why: "For " + s.firstLabel() + ": " + DescribeAccess(first)}
	if own.File.Given {
		f.Value, f.Why = Text("not asked"), f.Why+", as if it were served ("+checksum(own)+")"
	} else if own.File.Status != 0 {
		f.Value = Number(int64(own.File.Status))
	} else if !Answered(own) {
		f.State, f.Why = audit.Undetermined, "no answer. "+f.Why
	}
	return f
}

func (s *Site) knownFigure(d *audit.Done) Figure {
	return Figure{Value: Number(d.URLs), State: stateIf(d.URLs == 0, audit.Undetermined), Why: "distinct URLs that sitemaps, followed links or your own list name; others are not known here"}
}

func (s *Site) blockedFigure(d *audit.Done) Figure {
	f := Figure{State: audit.Undetermined, Why: notTested}
	switch {
	case d.URLs == 0:
	case d.BlockedAny == 0 && d.Unknown == d.URLs:
		f.Why = "not measured: the verdict on " + everyOne(d.URLs) + " is unknown or undefined"
	default:
		f.Value, f.Share, f.State = Number(d.BlockedAny), Share(d.BlockedAny, d.URLs), stateOf(d.BlockedAny, d.Unknown)
		f.Why = s.blockedWhy(d)
		if d.BlockedAny > 0 && d.State == audit.Critical && d.Ground != audit.GroundBody {
			f.State = audit.Critical
		}
	}
	return f
}

// blockedWhy says who asks for the pages that are blocked.
func (s *Site) blockedWhy(d *audit.Done) string {
	if d.BlockedAny == 0 {
		return "a blocked URL can still be indexed, but what stands on it is not read"
	}
	var parts []string
	if n := s.listed; n > 0 {
		parts = append(parts, fmt.Sprintf("%s in a sitemap, which asks for crawling, and blocked by robots.txt, which forbids it: one of the two is wrong", namedWords(n, d.BlockedAny, "named")))
	}
	if n := s.linked; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "linked from the site's pages"))
	}
	if n := s.canonical; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "named as canonical by the site's pages"))
	}
	if n := d.BlockedAny - s.listed - s.linked - s.canonical; n > 0 {
		parts = append(parts, namedWords(n, d.BlockedAny, "named in your own list alone"))
	}
	return strings.Join(parts, "; ")
}

// namedWords say "named", or "12 named" where these are not all.
func namedWords(n, of int64, how string) string {
	if n == of {
		return how
	}
	return wording.Thousands(n) + " " + how
}

// everyOne says "each of the 4 known URLs", or "the one known URL".
func everyOne(urls int64) string {
	return wording.Of("each of the", urls, "known URL")
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
	f := Figure{State: audit.Undetermined}
	unclear := d.URLs - s.JudgedFor(d, i)
	switch {
	case d.URLs == 0:
		why = notTested + "; " + why
	case !s.CountedFor(d, i):
		why = "not measured: the verdict on " + everyOne(d.URLs) + " is unknown or undefined; " + why
	default:
		blocked := BlockedFor(d, i)
		f.Value, f.Share, f.State = Number(blocked), Share(blocked, d.URLs), stateOf(blocked, unclear)
		if unclear > 0 {
			why += fmt.Sprintf("; besides, the verdict on %s is unknown or undefined", wording.Known(unclear))
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
		return Figure{Value: Number(0), Share: Share(0, d.URLs), State: audit.OK, Why: "all verdicts are clear: allow or disallow"}
	}
	return Figure{Value: Number(d.Unknown), Share: Share(d.Unknown, d.URLs), State: audit.Undetermined,
		Why: "the file could not be had, or the standard itself leaves the case open; never counted as fine"}
}

func (s *Site) differingFigure(d *audit.Done) Figure {
	switch {
	case d.URLs == 0:
		return Figure{State: audit.Undetermined, Why: notTested}
	case !s.Compared(d):
		return Figure{Why: nobodyElse}
	case s.Differing == 0 && d.Unknown == d.URLs:
		return Figure{State: audit.Undetermined, Why: "not measured: no known URL has a clear verdict for any of the crawlers"}
	}
	f := Figure{Value: Number(s.Differing), Share: Share(s.Differing, d.URLs), State: stateIf(s.Differing > 0, audit.Warn),
		Why: "the crawlers asked about do not get the same verdict; each with its cause"}
	if s.Differing == 0 {
		f.State = stateOf(0, d.Unknown)
		f.Why = fmt.Sprintf("the %s crawlers asked about get the same verdict", wording.Thousands(len(s.Crawlers)))
		if d.Unknown > 0 {
			f.Why += fmt.Sprintf(", which is unknown or undefined for %s", wording.Known(d.Unknown))
		}
	}
	return f
}

// clicksFigure says what the blocked pages are worth, where that is known.
func (s *Site) clicksFigure(d *audit.Done) Figure {
	f := Figure{Why: "not known: no list of URLs with clicks was given"}
	switch {
	case d.Clicks > 0:
		f.Value, f.Share, f.State = Number(d.BlockedClicks), Share(d.BlockedClicks, d.Clicks), stateOf(d.BlockedClicks, d.Unknown)
		f.Why = fmt.Sprintf("of %s clicks in the list that was given, on known URLs of this site", wording.Thousands(d.Clicks))
	case d.ClicksGiven > 0:
		f.Why = fmt.Sprintf("none to lose: the list that was given has 0 clicks on %s of this site", everyOne(d.ClicksGiven))
	}
	return f
}

// resourcesFigure counts what is blocked and no page.
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
	beside := fmt.Sprintf("of %s beside the pages", wording.Known(urls))
	switch {
	case urls == 0 && d.KindsSkipped > 0:
		return Figure{Why: fmt.Sprintf("not tested: -kinds leaves %s out", wording.Thousands(d.KindsSkipped))}
	case urls == 0:
		return Figure{Why: "not measured: no images, videos, alternates, styles or scripts of pages are known"}
	case blocked == 0 && unclear == urls:
		return Figure{State: audit.Undetermined, Why: "not measured: no clear verdict on any " + beside}
	}
	f := Figure{Value: Number(blocked), Share: Share(blocked, urls), State: stateOf(blocked, unclear)}
	if blocked == 0 {
		f.Why = beside + ": images, videos, alternates; counted apart from the figures above"
	} else {
		f.Why = strings.Join(parts, ", ") + ": " + beside + "; counted apart from the figures above"
	}
	if unclear > 0 {
		f.Why += fmt.Sprintf("; besides, the verdict on %s is unknown or undefined", wording.Thousands(unclear))
	}
	return f
}

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

// policyFigure is the policy towards AI in one line.
func (s *Site) policyFigure(d *audit.Done) Figure {
	policy := s.Policy(d)
	if !slices.ContainsFunc(policy.Crawlers, func(c PolicyCrawler) bool { return FileKnown(c.Read.Access) }) {
		return Figure{State: audit.Undetermined, Why: "not measured: no robots.txt could be had; what they may fetch: " + policy.Summary()}
	}
	named := policy.Named()
	f := Figure{Value: Number(int64(named)), Share: Share(int64(named), int64(len(policy.Crawlers)))}
	f.Why = "what they may fetch: " + policy.Summary()
	return f
}

// findingsFigure counts the findings by their severity.
func (s *Site) findingsFigure(d *audit.Done) Figure {
	const what = "what is wrong with a robots.txt, for whom, and what to do"
	switch {
	case d.Findings == nil:
		return Figure{Why: "not counted when this site was audited"}
	case d.Findings.Total() == 0 && !s.Looked():
		return Figure{State: audit.Undetermined, Why: noAnswer}
	}
	f := Figure{Value: Number(d.Findings.Total()), State: SeverityState(*d.Findings), Why: DescribeSeverities(*d.Findings) + ": " + what}
	if d.Findings.Total() == 0 {
		f.Why = "nothing was found in robots.txt that is worth a word"
	}
	if f.State == audit.OK && !Answered(s.Robots(0)) {
		f.State = audit.Undetermined
	}
	return f
}

// idleFigure counts the rules that decide nothing.
func (s *Site) idleFigure(d *audit.Done) Figure {
	of := s.RuleTotals()
	switch {
	case of.Lines == 0 && !HasRules(s.Robots(0)):
		return Figure{Why: "no rules were read: " + DescribeAccess(Read(s.Robots(0), 0))}
	case of.Lines == 0:
		return Figure{Why: "there are no rule lines"}
	case of.Tested == 0:
		return Figure{Why: "not measured: " + of.untested()}
	}
	f := Figure{Value: Number(int64(of.Idle)), Share: Share(int64(of.Idle), int64(of.Tested))}
	f.Why = fmt.Sprintf("of %s; such a line matches no known URL, or a stronger rule always beats it: check before deleting", wording.Plural(of.Tested, "rule line"))
	if of.Idle == 0 {
		f.Why = fmt.Sprintf("of %s that crawlers asked about obey", wording.Plural(of.Tested, "rule line"))
	}
	if of.Tested < of.Lines {
		f.Why += "; " + of.untested()
	}
	if bound := d.Bound(); bound != "" {
		f.Value, f.Why = AtMost(int64(of.Idle)), bound+", and URLs beyond that may be decided by more of them; "+f.Why
	}
	return f
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

// stateOf is the state by a number of blocked URLs; unclear are those without a
// clear verdict, which are never counted as fine.
func stateOf(blocked, unclear int64) audit.State {
	switch {
	case blocked > 0:
		return audit.Warn
	case unclear > 0:
		return audit.Undetermined
	}
	return audit.OK
}
