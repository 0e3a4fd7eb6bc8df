package page

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/site"
)

// siteView is the content of a site's page, in the order of the page.
type siteView struct {
	layout.Head
	Name            string
	State           audit.State
	Sentences       []string
	ToDo            viewToDo
	Base            string
	NoWorkbooks     bool
	SingleFile      bool         // the page has no other files to link to
	Given           bool         // the file was given, not requested
	Evidence        string       // of the site's own robots.txt; "" = none was read
	FirstFigures    []viewFigure // on the first screen
	Figures         []viewFigure
	Timeline        *viewTimeline
	Crawlers        []viewCrawler
	Enforced        *enforced.Site // nil = there is nothing to show
	Purposes        []viewPurpose
	Logs            *crawls.Site // nil = no access logs were given
	AIPolicy        string       // in one line
	PolicyKnown     bool
	Sampled         bool // URLs found were tested for the AI crawlers
	Directories     viewBars
	Rules           viewBars
	Files           []viewFile
	LinesMore       int
	Hops            bounded[hop]
	Sitemaps        bounded[sitemap]
	LeftOut         []leftOutLine
	Problems        bounded[audit.Problem]
	Findings        []finding
	FindingsMore    int
	FindingsSummary string // "1 critical, 2 errors"; "" = none, or not checked
	URLs            int64
	Blocked         int64  // for at least one crawler
	Unclear         int64  // without a clear verdict for at least one crawler, but not blocked for any
	Clicks          bool   // the user's own list has clicks of URLs
	Resources       string // number of blocked URLs that are not pages, in words
	Past            bounded[pastURL]
	Shown, More     int64 // blocked or undecided URLs on the page, and those that only the workbook has
	RuleFilter      []viewChoice
	DirFilter       []viewChoice
	Started         string
	Version         string
}

type viewFigure struct {
	Name, Value, Share string
	State              audit.State
	Why                string
}

// viewCrawler is a crawler with its group.
type viewCrawler struct {
	audit.Crawler
	Read         *audit.Read
	Access       string // in words
	Parsed       bool   // the crawler obeys the rules of the file
	Why          string
	State        audit.State
	Blocked      int64
	Counted      bool // some of the URLs have a clear verdict
	URLs         int64
	BlockedShare string // share
}

type leftOutLine struct {
	Reason, Meaning string
	URLs            int64
}

// mostFirstFigures bounds the figures of the first screen.
const mostFirstFigures = 4

// view collects the content of the page.
func (p *Site) view(d *audit.Done, rows []byte) *siteView {
	of := p.site
	rules, deciding := of.TopRules(math.MaxInt)
	v := &siteView{
		Name: audit.DisplayName(of.Name), State: d.State, Base: p.base, NoWorkbooks: p.NoWorkbooks, SingleFile: p.SingleFile, Evidence: of.Evidence[0], Given: of.Robots(0).File.Given, Sentences: of.Sentences(d),
		Crawlers: p.viewCrawlers(d), Hops: p.hops, Sitemaps: p.sitemaps, Problems: p.problems,
		Past: p.past, Shown: p.blocked.rows, More: p.blocked.more, URLs: d.URLs, Blocked: d.BlockedAny, Unclear: d.Unknown, Clicks: d.Clicks > 0, Resources: resourceWords(d),
		Findings: p.findings.List, FindingsMore: p.findings.More,
		Started: of.Started.UTC().Format("2006-01-02 15:04"), Version: p.version,
	}
	slices.SortStableFunc(v.Findings, func(a, b finding) int { return site.CompareEffect(&a.Finding, &b.Finding) })
	if d.Findings != nil && (d.Findings.Total() > 0 || of.Looked()) {
		v.FindingsSummary = site.DescribeSeverities(*d.Findings)
	}
	for _, f := range of.Figures(d) {
		shown := viewFigure{f.Name, f.Value.String(), f.Share.String(), f.State, f.Why}
		if f.ShownElsewhere || shown.Value == "" && shown.State == "" { // the latter: it was not requested
			continue
		}
		v.Figures = append(v.Figures, shown)
		if f.First && len(v.FirstFigures) < mostFirstFigures {
			v.FirstFigures = append(v.FirstFigures, shown)
		}
	}
	v.Timeline = p.viewTimeline(of.Timeline(d))
	v.Directories = p.viewDirectories(d)
	v.Rules = p.viewRules(d, rules, deciding)
	for _, reason := range slices.Backward(slices.SortedFunc(maps.Keys(d.LeftOut), func(a, c string) int {
		return cmp.Or(cmp.Compare(d.LeftOut[a], d.LeftOut[c]), strings.Compare(c, a))
	})) {
		v.LeftOut = append(v.LeftOut, leftOutLine{reason, site.Meaning(reason), d.LeftOut[reason]})
	}
	v.Files, v.LinesMore = p.viewFiles(d)
	v.Purposes = viewPurposes(of.Policy(d))
	v.Enforced = enforced.New(of, d)
	if of.Crawls != nil {
		v.Logs = crawls.New(of.Crawls)
	}
	v.AIPolicy, v.PolicyKnown, v.Sampled = of.Policy(d).Summary(), of.Policy(d).Known(), of.Policy(d).Pages > 0
	p.filters(v, rules)
	v.ToDo = viewCauses(of.ToDo(d), v.RuleFilter, of.HitsLabel())
	for i := range v.ToDo.Causes {
		if c := &v.ToDo.Causes[i]; c.Origin == of.Robots(0).Origin {
			c.Edit = p.editLink(c.Fix, c.Line)
		}
	}
	setup := pageSetup{Rows: p.blocked.rows, Crawlers: audit.Labels(of.Crawlers), Clicks: v.Clicks, Hits: of.HitsLabel(), Rules: v.RuleFilter, Dirs: v.DirFilter}
	if p.blocked.files > 0 {
		setup.Files, setup.Inline, setup.Folder = p.blocked.files, inlineRows, p.base+".rows"
	}
	v.Head = p.head("robots.txt audit of "+audit.DisplayName(of.Name), rows, setup.appendJSON(nil))
	return v
}

// resourceWords says how many URLs other than pages are blocked.
func resourceWords(d *audit.Done) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(d.Kinds)) {
		if k := d.Kinds[kind]; k != nil && k.BlockedAny > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s URLs of kind %s", wording.Thousands(k.BlockedAny), wording.Thousands(k.URLs), kind))
		}
	}
	return strings.Join(parts, ", ")
}

func (p *Site) viewCrawlers(d *audit.Done) []viewCrawler {
	own := p.site.Robots(0)
	var list []viewCrawler
	for i, c := range p.site.Crawlers {
		how := site.Read(own, i)
		v := viewCrawler{Crawler: c, Read: how, Blocked: site.BlockedFor(d, i), Counted: p.site.CountedFor(d, i), URLs: d.URLs, State: site.AccessState(how.Access)}
		switch how.Access {
		case engine.Parsed:
			v.Parsed, v.Access, v.Why = true, "the rules apply", site.DescribeGroupReason(how.Access, how.GroupReason)
		case engine.AllowAll:
			v.Access, v.Why = "everything is allowed", how.Why
		case engine.DisallowAll:
			v.Access, v.Why = "everything is blocked", how.Why
		default:
			v.Access, v.Why = "unknown", how.Why
		}
		if !site.Answered(own) {
			v.State = audit.Undetermined
			if how.Access != engine.AccessUnknown {
				v.Access = "if it cannot read robots.txt either, " + v.Access
			}
		} else if how.BlocksRoot {
			v.State, v.Access = audit.Critical, v.Access+"; the home page is blocked"
		} else if !v.Counted && v.State == audit.OK {
			v.State = "" // the response is known, but its effect was not tested on any URL
		} else if v.State == audit.OK && v.Blocked > 0 {
			v.State = audit.Warn
		}
		if v.Counted {
			v.BlockedShare = wording.Percent(v.Blocked, d.URLs)
		}
		list = append(list, v)
	}
	return list
}
