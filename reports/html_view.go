package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/xlsx"
)

// siteView is what the page of a site shows, in the order of the page.
type siteView struct {
	pageHead
	Name, State string
	Sentences   [3]string
	Base        string
	Evidence    string // of the site's own robots.txt; "" = none was read
	Figures     []viewFigure
	Crawlers    []viewCrawler
	Purposes    []viewPurpose
	AIPolicy    string // in one line
	Directories viewBars
	Rules       viewBars
	Files       []viewFile
	LinesMore   int
	Hops        bounded[pageHop]
	Sitemaps    bounded[pageSitemap]
	LeftOut     []leftOutLine
	Problems    bounded[audit.Problem]
	Findings    []pageFinding
	FoundMore   int
	FoundWords  string // "1 critical, 2 errors"; "" = none, or nobody looked
	URLs        int64
	Clicks      bool   // the user's own list says how often URLs are clicked on
	Resources   string // how many of the URLs that are no pages are blocked
	Shown, More int64  // blocked or undecided URLs in the page, and those that are in the workbook alone
	RuleFilter  []viewChoice
	DirFilter   []viewChoice
	Started     string
	Version     string
}

type viewFigure struct{ Name, Value, Share, State, Why string }

// viewCrawler is a crawler with the group that it obeys.
type viewCrawler struct {
	audit.Crawler
	Read     *audit.Read
	Access   string // in words
	Why      string
	State    string
	Blocked  int64
	URLs     int64
	BlocksIt string // share
}

type viewChoice struct{ Value, Name string }

type leftOutLine struct {
	Reason, Words string
	URLs          int64
}

// view puts together what the page shows.
func (p *sitePage) view(d *audit.Done, b *siteBook, evidence map[int]string, body func(index int) []byte, rows []byte) *siteView {
	top, deciding := b.topRules(pageRules)
	v := &siteView{
		Name: b.site.Name, State: string(d.State), Base: p.base, Evidence: evidence[0], Sentences: b.sentences(d, top),
		Crawlers: b.viewCrawlers(d), Hops: p.hops, Sitemaps: p.sitemaps, Problems: p.problems,
		Shown: p.blocked.rows, More: p.blocked.more, URLs: d.URLs, Clicks: d.Clicks > 0, Resources: resourceWords(d),
		Findings: slices.Clone(p.findings.List), FoundMore: p.findings.More,
		Started: b.site.Started.UTC().Format("2006-01-02 15:04"), Version: p.run.Version,
	}
	slices.SortStableFunc(v.Findings, func(a, b pageFinding) int { return cmp.Compare(b.Severity, a.Severity) })
	if d.Findings != nil {
		v.FoundWords = severityWords(*d.Findings)
	}
	for _, f := range b.figures(d, deciding) {
		if toldElsewhere(f.name) {
			continue
		}
		v.Figures = append(v.Figures, viewFigure{f.name, cellWords(f.value), cellWords(f.share), f.state, f.why})
	}
	v.Directories = b.viewDirectories(d)
	v.Rules = b.viewRules(d, top, deciding)
	for _, reason := range slices.Backward(slices.SortedFunc(maps.Keys(d.LeftOut), func(a, c string) int {
		return cmp.Or(cmp.Compare(d.LeftOut[a], d.LeftOut[c]), strings.Compare(c, a))
	})) {
		v.LeftOut = append(v.LeftOut, leftOutLine{reason, meaning(reason), d.LeftOut[reason]})
	}
	v.Files, v.LinesMore = b.viewFiles(d, evidence, body, p.lint)
	v.Purposes = b.viewPurposes()
	if b.policy != nil {
		v.AIPolicy = b.policy.summary()
	}
	v.filters(b)
	setup := pageSetup{Kind: "urls", Inline: inlineRows, Files: p.blocked.files, Rows: p.blocked.rows, Folder: p.base + ".rows", Sitemaps: map[int]string{}, Clicks: v.Clicks}
	for _, c := range b.site.Crawlers {
		setup.Crawlers = append(setup.Crawlers, c.Label)
	}
	for _, r := range b.robots {
		origin := ""
		if r != nil {
			origin = r.Origin
		}
		setup.Origins = append(setup.Origins, origin)
	}
	for _, s := range p.sitemaps.List {
		setup.Sitemaps[s.No-1] = escape.Cut(s.URL, 1000)
	}
	v.pageHead = newPageHead("robots.txt audit of "+escape.Show(b.site.Name), rows, p.blocked.files, setup.json())
	return v
}

// resourceWords says how many URLs other than pages are blocked.
func resourceWords(d *audit.Done) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(d.Kinds)) {
		if k := d.Kinds[kind]; k != nil && k.BlockedAny > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s URLs of kind %s", thousands(k.BlockedAny), thousands(k.URLs), kind))
		}
	}
	return strings.Join(parts, ", ")
}

// toldElsewhere reports whether a key figure is the page's headline, or in the
// table of crawlers that follows.
func toldElsewhere(name string) bool {
	return name == "State" || name == "Origin audited" || strings.HasPrefix(name, "Blocked for ") && name != "Blocked for at least one crawler"
}

// pageSetup is what the script of a page needs to know.
type pageSetup struct {
	Kind     string         `json:"kind"` // what the rows of the large table are: "urls" or "sites"
	Files    int            `json:"files"`
	Rows     int64          `json:"rows"`
	Inline   int            `json:"inline"`  // rows in the page itself
	PerFile  int            `json:"perFile"` // rows in each file but the last
	Folder   string         `json:"folder"`
	Crawlers []string       `json:"crawlers"`
	Origins  []string       `json:"origins,omitempty"`
	Sitemaps map[int]string `json:"sitemaps,omitempty"`
	Clicks   bool           `json:"clicks,omitempty"`
}

func (s pageSetup) json() []byte {
	s.PerFile = rowsPerFile
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings and numbers
	}
	return escape.JSON(text)
}

// cellWords writes a cell as people read it.
func cellWords(c xlsx.Cell) string {
	if c.Kind != xlsx.KindNumber {
		return c.Text
	}
	switch c.Style {
	case xlsx.StylePercent:
		return strconv.FormatFloat(100*c.Number, 'f', 1, 64) + " %"
	case xlsx.StyleFloat:
		return strconv.FormatFloat(c.Number, 'f', 1, 64)
	case xlsx.StyleIdentifier:
		return strconv.FormatFloat(c.Number, 'f', 0, 64)
	case xlsx.StyleTime:
		return time.Unix(int64(c.Number*86400+0.5)-xlsx.UnixDay*86400, 0).UTC().Format("2006-01-02 15:04:05")
	}
	return thousands(int64(c.Number))
}

func (b *siteBook) viewCrawlers(d *audit.Done) []viewCrawler {
	own := b.origin(0)
	var list []viewCrawler
	for i, c := range b.site.Crawlers {
		how := read(own, i)
		v := viewCrawler{Crawler: c, Read: how, Blocked: blockedFor(d, i), URLs: d.URLs, State: accessState(how.Access)}
		switch how.Access {
		case "parsed":
			v.Access, v.Why = "the rules apply", groupReason(how)
		case "allow_all":
			v.Access, v.Why = "everything may be crawled", how.Why
		case "disallow_all":
			v.Access, v.Why = "everything is blocked", how.Why
		default:
			v.Access, v.Why = "unknown", how.Why
		}
		if how.BlocksRoot {
			v.State = string(audit.Critical)
		} else if v.State == string(audit.OK) && v.Blocked > 0 {
			v.State = string(audit.Warn)
		}
		if d.URLs > 0 {
			v.BlocksIt = percent(v.Blocked, d.URLs)
		}
		list = append(list, v)
	}
	return list
}
