package reports

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
)

// indexPage is index.html while the sites of the journal go through it.
type indexPage struct {
	run    *Run
	rows   rowFiles
	errors bounded[indexError]
}

// pageErrors bounds the errors that index.html lists.
const pageErrors = 500

// indexRows is the folder of the rows of index.html, within pages.
const indexRows = "index.rows"

func (r *Run) newIndexPage() *indexPage {
	return &indexPage{run: r, rows: rowFiles{disk: r.disk, dir: r.temp(indexRows), inline: inlineSites}}
}

// add writes a site's row: name, base of its files ("" = there are none),
// state, why, status, access, trouble, known URLs, blocked for any, [blocked
// for each], unclear, left out, problems, [findings by severity] or null.
func (p *indexPage) add(l *siteLine) {
	for _, e := range l.entry.Errors {
		p.errors.add(indexError{l.Name, e}, pageErrors)
	}
	p.errors.More += l.entry.ErrorsMore
	if !p.rows.next() {
		return
	}
	base := l.Base
	if l.Records == 0 {
		base = ""
	}
	row := append(p.rows.buf, '[')
	for _, s := range []string{l.Name, base, l.State, escape.Cut(l.Why, 500)} {
		row = append(escape.AppendString(row, s), ',')
	}
	row = strconv.AppendInt(row, int64(l.entry.Robots.Status), 10)
	for _, s := range []string{l.entry.Robots.Access, l.entry.Robots.Error} {
		row = escape.AppendString(append(row, ','), s)
	}
	for _, n := range []int64{l.URLs, l.BlockedURLs} {
		row = strconv.AppendInt(append(row, ','), n, 10)
	}
	row = append(row, ",["...)
	for i := range p.run.Crawlers {
		if i > 0 {
			row = append(row, ',')
		}
		n := int64(0)
		if i < len(l.Blocked) {
			n = l.Blocked[i]
		}
		row = strconv.AppendInt(row, n, 10)
	}
	row = append(row, ']')
	for _, n := range []int64{l.Unknown, total(l.LeftOut), int64(l.Problems)} {
		row = strconv.AppendInt(append(row, ','), n, 10)
	}
	if f := l.Findings; f == nil {
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
	p.rows.buf = append(row, ']')
}

// indexView is what index.html shows.
type indexView struct {
	pageHead
	Totals     Totals
	Sentences  [3]string
	States     []viewState
	Shares     viewBars
	Troubles   viewBars
	Crawlers   []audit.Crawler
	Shown      int64
	More       int64
	Errors     bounded[indexError]
	Notes      []audit.Problem
	NotesMore  int
	Remarks    []string // about the run as a whole
	Unfinished int
	LeftOut    int64
	Started    string
	Finished   string
	Version    string
}

// viewState is a state with its sites, and its stretch of the strip.
type viewState struct {
	State, Why    string
	Sites         int
	At, Length    int64
	Share, Plural string
}

// finish writes index.html; what it refers to comes first.
func (p *indexPage) finish(f *fleet, finished time.Time) error {
	r := p.run
	rows := p.rows.end()
	if p.rows.err != nil {
		return p.rows.err
	}
	setup := pageSetup{Kind: "sites", Files: p.rows.files, Rows: p.rows.rows, Inline: inlineSites, Folder: "pages/" + indexRows}
	v := &indexView{
		Totals: r.ledger.totals, Sentences: f.sentences(r.ledger.totals), States: statesOf(r.ledger.totals), Shares: f.viewShares(), Troubles: f.viewTroubles(),
		Crawlers: r.Crawlers, Shown: p.rows.rows, More: p.rows.more, Errors: p.errors, Notes: r.notes[:min(len(r.notes), maxNoted)],
		Unfinished: r.unfinished, LeftOut: f.leftOut, Version: r.Version,
		Started: r.Started.Format("2006-01-02 15:04"), Finished: finished.Format("2006-01-02 15:04"),
	}
	v.NotesMore, v.Remarks = r.noted-len(v.Notes), r.remarks
	for _, c := range r.Crawlers {
		setup.Crawlers = append(setup.Crawlers, c.Label)
	}
	v.pageHead = newPageHead("robots.txt audit of "+plural(r.ledger.totals.Sites, "site"), rows, p.rows.files, setup.json())
	folder := r.path("pages", indexRows)
	if err := r.disk.Remove(folder); err != nil {
		return err
	}
	if p.rows.files > 0 {
		if err := r.disk.Rename(r.temp(indexRows), folder); err != nil {
			return err
		}
	}
	out, err := os.Create(r.temp("index.html"))
	if err != nil {
		return err
	}
	return disk.Commit(out, r.path("index.html"), r.buffers.executePage(out, pageSet().index, v))
}

// statesOf are the states in the order of their gravity.
func statesOf(t Totals) []viewState {
	list := []viewState{
		{State: string(audit.Critical), Sites: t.Critical, Why: "a crawler is shut out from the home page, or the server keeps it away"},
		{State: string(audit.Undetermined), Sites: t.Unknown, Why: "could not be read: never counted as fine"},
		{State: string(audit.Warn), Sites: t.Warn, Why: "something to look at, such as blocked URLs that a sitemap names"},
		{State: string(audit.OK), Sites: t.OK, Why: "read and tested, with nothing to report"},
	}
	at := int64(0)
	for i := range list {
		s := &list[i]
		s.Share, s.Plural = percent(int64(s.Sites), int64(t.Sites)), plural(s.Sites, "site")
		if t.Sites > 0 {
			s.At, s.Length = at, int64(s.Sites)*1000/int64(t.Sites)
			if i == len(list)-1 {
				s.Length = 1000 - at
			}
			at += s.Length
		}
	}
	return list
}

// viewShares are the sites by share of known URLs blocked.
func (f *fleet) viewShares() viewBars {
	var v viewBars
	if f.judged == 0 {
		return v
	}
	v.Title = strconv.Itoa(f.shares[0]) + " of " + plural(f.judged, "site") + " with known URLs " + verb(f.shares[0], "blocks", "block") + " none of them"
	most := int64(slices.Max(f.shares))
	for i, class := range shareClasses {
		n := int64(f.shares[i])
		v.Rows = append(v.Rows, viewBar{Name: class.name, Decided: n, Bar: barLength(n, most), Share: percent(n, int64(f.judged))})
	}
	return v
}

// viewTroubles are the most frequent problems.
func (f *fleet) viewTroubles() viewBars {
	var v viewBars
	var codes []string
	for code := range f.troubles {
		codes = append(codes, code)
	}
	if len(codes) == 0 {
		return v
	}
	slices.SortFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.troubles[b], f.troubles[a]), strings.Compare(a, b))
	})
	v.Title = "Most frequent problem: " + meaning(codes[0]) + ", on " + plural(f.troubles[codes[0]], "site")
	for _, code := range codes[:min(len(codes), runTroubleMax)] {
		n := int64(f.troubles[code])
		v.Rows = append(v.Rows, viewBar{Name: code, Words: meaning(code), Decided: n, Bar: barLength(n, int64(f.troubles[codes[0]]))})
	}
	return v
}

// indexError is a problem of a site.
type indexError struct {
	Domain string
	siteError
}
