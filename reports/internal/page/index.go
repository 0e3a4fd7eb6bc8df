package page

import (
	"strconv"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Index is index.html while finished sites are added to it.
type Index struct {
	Options
	folder   *disk.Folder
	crawlers []audit.Crawler
	rows     rowFiles
	pages    sitePages
	finder   finder
	errors   bounded[indexError]
	clicks   bool // some URLs of a site have clicks
	logs     bool // some site has access logs
}

// pageErrors bounds the errors that index.html lists.
const pageErrors = 500

// indexRows is the folder of the rows of index.html, within pages.
const indexRows = "index.rows"

// NewIndex returns the page of a run with this number of sites and these crawlers.
func NewIndex(folder *disk.Folder, crawlers []audit.Crawler, sites int) *Index {
	p := &Index{folder: folder, crawlers: crawlers, rows: rowFiles{disk: folder.FS, dir: folder.TempPath(indexRows), inline: inlineSites}}
	if sites > inlineSites {
		p.rows.inline, p.rows.limit, p.finder.on = firstSites, maxSites, true
	}
	return p
}

// AddSite writes a site's row: name, base of its files ("" = there are none), state, why, status, access, trouble, URLs found,
// [blocked for each crawler], [findings by severity] or null, why the numbers of URLs are lower bounds, and the place on its page
// with the reason for its state. Then it writes the crawler by which sites are ordered: its name, its URLs and their share in
// words, and the clicks. A number that was not measured is null. With access logs, the requests of crawlers follow, and how many
// of them disobeyed.
func (p *Index) AddSite(l *summary.Site) error {
	for _, e := range l.Entry.Errors {
		p.errors.append(indexError{audit.DisplayName(l.Name), e}, pageErrors)
	}
	p.errors.More += l.Entry.ErrorsMore
	p.pages.add(p, l)
	if p.SingleFile {
		p.rows.inOne(inlineSites)
		p.finder.on = false
	}
	if !p.rows.next() {
		p.finder.add(l, -1)
		return p.rows.err
	}
	p.finder.add(l, p.rows.rows-1)
	base := l.Base
	if l.Page == 0 {
		base = ""
	}
	row := append(p.rows.buf, '[')
	for _, s := range []string{audit.DisplayName(l.Name), base, string(l.State), escape.Cut(l.Why, 500)} {
		row = append(escape.AppendString(row, s), ',')
	}
	if l.Entry.Robots.Given {
		row = append(row, "-1"...)
	} else {
		row = strconv.AppendInt(row, int64(l.Entry.Robots.Status), 10)
	}
	for _, s := range []string{l.Entry.Robots.Access, site.FormatProblem(l.Entry.Robots.Error, "")} {
		row = escape.AppendString(append(row, ','), s)
	}
	count := func(n int64, measured bool) {
		if !measured {
			row = append(row, "null"...)
			return
		}
		row = strconv.AppendInt(row, n, 10)
	}
	row = append(row, ',')
	count(l.URLs, l.Entry.Measured("urls"))
	row = append(row, ',')
	row = append(row, '[')
	for i, c := range p.crawlers {
		if i > 0 {
			row = append(row, ',')
		}
		n := int64(0)
		if i < len(l.Blocked) {
			n = l.Blocked[i]
		}
		count(n, l.Entry.MeasuredFor(c.Label))
	}
	row = append(row, ']')
	if f := l.Findings; f == nil || !l.Entry.Measured("findings") {
		row = append(row, ",null"...)
	} else {
		row = append(row, ",["...)
		for i, n := range []int64{f.Critical, f.Error, f.Warning, f.Info} {
			if i > 0 {
				row = append(row, ',')
			}
			row = strconv.AppendInt(row, n, 10)
		}
		row = append(row, ']')
	}
	for _, s := range []string{l.Entry.AtLeast, site.GroundLink(l.Ground), l.Worst.Crawler} {
		row = escape.AppendString(append(row, ','), s)
	}
	measured, share := l.URLs > 0 && l.Entry.Measured("blocked_urls"), ""
	if measured {
		share = wording.Percent(l.Worst.URLs, l.URLs)
	}
	row = append(row, ',')
	count(l.Worst.URLs, measured)
	row = append(escape.AppendString(append(row, ','), share), ',')
	count(l.Worst.Clicks, l.Clicks > 0)
	p.clicks = p.clicks || l.Clicks > 0
	if l.Logs != nil {
		p.logs = true
		row = strconv.AppendInt(append(row, ','), l.Logs.Requests, 10)
		row = strconv.AppendInt(append(row, ','), l.Logs.Disobeyed, 10)
	}
	p.rows.buf = append(row, ']')
	return p.rows.err
}

// indexView is the content of index.html.
type indexView struct {
	layout.Head
	Totals           summary.Totals
	Sentences        [3]string
	States           []viewState
	Shares           viewBars
	Problems         viewBars
	Asked            MatrixData
	Crawlers         []audit.Crawler
	Clicks           bool // some URLs of a site have clicks
	Logs             bool // some site has access logs
	Shown            int64
	More             int64
	Errors           bounded[indexError]
	ListProblems     []audit.Problem
	ListProblemsMore int
	Untested         []audit.Problem // of the user's own list of URLs
	Remarks          []string        // about the run as a whole
	Unfinished       int
	LeftOut          int64
	NoWorkbooks      bool
	OnDemand         bool
	Finder           bool  // sites can be found by their names
	Searched         int64 // number of rows that filters and sorting use, if there are more
	SingleFile       bool
	Pages            []sitePage // pages of sites that the file contains
	PagesMore        int        // number of pages that it does not contain
	Started          string
	Finished         string
	Version          string
}

// viewState is a state with its sites, and its part of the bar of all sites.
type viewState struct {
	State         audit.State
	Why           string
	Sites         int
	At, Length    int64
	Share, Plural string
}

// Finish writes index.html, after the files that it refers to.
func (p *Index) Finish(run *summary.Run) error {
	rows := p.rows.end()
	if p.rows.err != nil {
		return p.rows.err
	}
	setup := pageSetup{Kind: "sites", Files: p.rows.files, Rows: p.rows.rows, Inline: p.rows.inline, Searched: p.searched(), Folder: "pages/" + indexRows, Crawlers: audit.Labels(p.crawlers), Clicks: p.clicks, Logs: p.logs, NoWorkbooks: p.NoWorkbooks, SingleFile: p.SingleFile}
	kind := pages().index
	if p.finder.on && p.rows.files > 0 { // its folder exists
		kind = pages().large
		var err error
		if setup.Names, err = p.finder.write(p.folder.FS, p.folder.TempPath(indexRows)); err != nil {
			return err
		}
	}
	of := &run.Overview
	v := &indexView{
		Totals: run.Totals, Sentences: of.Sentences(run.Totals), States: statesOf(run.Totals), Shares: viewShares(of), Problems: viewFrequentProblems(of),
		Crawlers: p.crawlers, Clicks: p.clicks, Logs: p.logs, Shown: p.rows.rows, More: p.rows.more, Errors: p.errors, ListProblems: run.BadLines[:min(len(run.BadLines), summary.MaxNamed)], Untested: run.Untested,
		NoWorkbooks: p.NoWorkbooks, OnDemand: p.OnDemand, SingleFile: p.SingleFile, Unfinished: run.Unfinished, LeftOut: of.LeftOut, Version: run.Version, Remarks: run.Remarks,
		Started: run.Started.Format("2006-01-02 15:04"), Finished: run.Finished.Format("2006-01-02 15:04"),
	}
	v.Asked = newMatrix(run, p.Options, indexMatrix, "")
	v.Pages, v.PagesMore = p.pages.list, p.pages.more
	v.ListProblemsMore = run.BadLineCount() - len(v.ListProblems)
	v.Finder, v.Searched = setup.Names != nil, p.rows.rows
	if setup.Searched > 0 {
		v.Searched = int64(setup.Inline) + int64(setup.Searched)*rowsPerFile
	}
	v.Head = kind.Head("robots.txt audit of "+wording.Plural(run.Totals.Sites, "site"), rows, setup.appendJSON(nil), p.rows.files > 0)
	folder := p.folder.Path("pages", indexRows)
	if err := p.folder.FS.Remove(folder); err != nil {
		return err
	}
	if p.rows.files > 0 {
		if err := p.folder.FS.Mkdir(p.folder.Path("pages")); err != nil { // the run may have no pages of sites
			return err
		}
		if err := p.folder.FS.Rename(p.folder.TempPath(indexRows), folder); err != nil {
			return err
		}
	}
	temp := p.folder.TempPath("index.html")
	out, err := p.folder.FS.Create(temp)
	if err != nil {
		return err
	}
	return disk.Commit(p.folder.FS, out, p.folder.Path("index.html"), temp, kind.Execute(out, v))
}

// searched is the number of files of rows for filters and sorting; 0 = all.
func (p *Index) searched() int {
	if p.rows.files > searchedFiles {
		return searchedFiles
	}
	return 0
}

// statesOf returns the states in the order of all summaries.
func statesOf(t summary.Totals) []viewState {
	list := []viewState{
		{State: audit.Critical, Sites: t.Critical},
		{State: audit.Warn, Sites: t.Warn},
		{State: audit.Undetermined, Sites: t.Unknown},
		{State: audit.OK, Sites: t.OK},
	}
	at := int64(0)
	for i := range list {
		s := &list[i]
		s.Why = summary.StateMeaning(s.State)
		s.Plural = wording.Plural(s.Sites, "site")
		if t.Sites > 0 {
			s.Share = wording.Percent(int64(s.Sites), int64(t.Sites))
			s.At, s.Length = at, int64(s.Sites)*1000/int64(t.Sites)
			if i == len(list)-1 {
				s.Length = 1000 - at
			}
			at += s.Length
		}
	}
	return list
}

// viewShares are the sites by share of URLs blocked.
func viewShares(of *summary.Overview) viewBars {
	var v viewBars
	classes, judged := of.Shares()
	if judged == 0 {
		return v
	}
	v.Title = of.SharesTitle()
	most := 0
	for _, class := range classes {
		most = max(most, class.Count)
	}
	for _, class := range classes {
		n := int64(class.Count)
		v.Rows = append(v.Rows, viewBar{Name: class.Name, Decided: n, Bar: layout.BarLength(n, int64(most)), Share: wording.Percent(n, int64(judged))})
	}
	return v
}

// viewFrequentProblems are the most frequent problems.
func viewFrequentProblems(of *summary.Overview) viewBars {
	var v viewBars
	for _, trouble := range of.FrequentProblems() {
		if v.Title == "" {
			v.Title = "Most frequent error: " + site.Meaning(trouble.Name) + ", on " + wording.Plural(trouble.Count, "site")
		}
		n := int64(trouble.Count)
		v.Rows = append(v.Rows, viewBar{Name: site.Meaning(trouble.Name), Explanation: trouble.Name, Decided: n, Bar: layout.BarLength(n, int64(of.FrequentProblems()[0].Count))})
	}
	return v
}

// indexError is a problem of a site.
type indexError struct {
	Domain string
	summary.Error
}
