package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit/watch/history/urlpast"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/serve/internal/urlindex"
)

// searchView is the result of a search in a run.
type searchView struct {
	Run    string       `json:"run"`
	Query  string       `json:"query"`
	Site   string       `json:"site,omitempty"` // site whose URLs are searched; left out = all sites
	Base   string       `json:"-"`
	Filter searchFilter `json:"filter"`

	Sites    sitesView    `json:"sites"`
	Pick     []siteListed `json:"-"`               // the first sites of the run, to choose from
	Rest     int          `json:"-"`               // number of further sites
	Crawlers []string     `json:"crawlers"`        // labels of the run's crawlers
	Segments []string     `json:"segments"`        // of the run
	Index    *indexing    `json:"index,omitempty"` // progress of the index if it is being built and no URL can be searched yet
	Note     string       `json:"note,omitempty"`  // why URLs are not searched, or not all of them
	URLs     *urlsFound   `json:"urls,omitempty"`
	Link     string       `json:"-"`
}

// urlsFound are the matching URLs.
type urlsFound struct {
	Summary string     `json:"summary"` // what was searched: "1,204 URLs blocked for Googlebot by line 17"
	List    []urlFound `json:"list"`
	From    int64      `json:"from"` // index of the first of List, from 0
	Total   int64      `json:"total"`
	More    bool       `json:"more,omitempty"` // time ran out: there may be more than Total
	Prefix  bool       `json:"prefix"`         // URLs, or their paths, begin with the text
	Took    float64    `json:"took_ms"`
	Before  string     `json:"before,omitempty"` // link to the page before; likewise
	Next    string     `json:"next,omitempty"`
	CSV     string     `json:"csv"`  // link to a file with all of them
	XLSX    string     `json:"xlsx"` // likewise

	Clicks bool `json:"-"` // some URLs of the run have clicks; likewise
	Hits   bool `json:"-"`
}

// Rules are the texts of rules in the list, each once, for the field of the form; Templates likewise.
func (f *urlsFound) Rules() (list []string) {
	for _, u := range f.List {
		for _, v := range u.Verdicts {
			list = append(list, v.Rule)
		}
	}
	return different(list)
}

// Templates are the templates in the list.
func (f *urlsFound) Templates() (list []string) {
	for _, u := range f.List {
		list = append(list, u.Template)
	}
	return different(list)
}

// different are the texts that are not empty, each once.
func different(list []string) []string {
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(s string) bool { return s == "" })
}

// urlFound is a matching URL.
type urlFound struct {
	URL         string         `json:"url"`
	Site        string         `json:"site"`
	Kind        string         `json:"kind"`
	Template    string         `json:"template,omitempty"`
	Segment     string         `json:"segment,omitempty"`
	Listed      bool           `json:"listed,omitempty"` // the user's own list has it
	Sitemap     bool           `json:"in_sitemap"`
	Status      int            `json:"status,omitempty"`      // left out = the run did not request it, or it did not answer
	NoAnswer    bool           `json:"no_answer,omitempty"`   // the run requested it, and it did not answer
	Clicks      *int64         `json:"clicks,omitempty"`      // left out = not given
	Impressions *int64         `json:"impressions,omitempty"` // likewise
	Hits        int64          `json:"hits,omitempty"`        // of the crawler of the filter, or of all
	HitsOf      []requestsView `json:"hits_of,omitempty"`     // those that are not 0
	Link        string         `json:"link"`
	Verdicts    []verdictView  `json:"verdicts"`
	Unjudged    string         `json:"not_judged,omitempty"` // why there are no verdicts
}

// verdictView is a verdict of one or more crawlers.
type verdictView struct {
	verdictWords
	Line     int      `json:"line,omitempty"` // line of the rule; left out = no rule; likewise
	Rule     string   `json:"rule,omitempty"`
	Crawlers []string `json:"crawlers"`
}

// Limits of a search.
const (
	searchLimit = 100
	searchTime  = 5 * time.Second
	maxPick     = 500
	maxQuery    = 2000
)

// viewSearch searches sites and URLs of a run.
func (d *Desk) viewSearch(e *exchange) error {
	v, q, err := d.newSearch(e)
	if err != nil {
		return err
	}
	if q != nil {
		if err := d.searchURLs(e, q, v); err != nil {
			return err
		}
	}
	if v.Index != nil && e.wantsJSON() {
		return e.json(http.StatusAccepted, v)
	}
	return e.show("search.html", "Search", "Search", v)
}

// newSearch reads what is searched; q = nil: no URLs are.
func (d *Desk) newSearch(e *exchange) (v *searchView, q *urlindex.Query, err error) {
	r := e.run
	if e.stored, err = r.open(); err != nil {
		return nil, nil, err
	}
	v = &searchView{Run: r.Key, Query: e.query("q"), Base: e.query("site"), Filter: newSearchFilter(e.query), Crawlers: []string{}, Segments: []string{}, Link: d.o.runLink(r.Key) + "/search"}
	if len(v.Query) > maxQuery {
		return nil, nil, badRequest("the text is too long: at most " + strconv.Itoa(maxQuery) + " bytes")
	}
	for _, c := range e.stored.Crawlers {
		v.Crawlers = append(v.Crawlers, strings.ToValidUTF8(c.Label, "\uFFFD"))
	}
	v.Segments = append(v.Segments, e.stored.Segments()...)
	v.Sites = d.findSites(r, v.Query)
	sites := r.ordered()
	for _, s := range sites[:min(len(sites), maxPick)] {
		v.Pick = append(v.Pick, siteListed{Site: s.Name, Base: s.Base})
	}
	v.Rest = len(sites) - len(v.Pick)
	of, err := v.Filter.query(v.Crawlers, v.Segments)
	if err != nil {
		return nil, nil, err
	}
	of.Text, of.Limit = v.Query, searchLimit
	if of.Offset, err = atLeast("from", e.query("from")); err != nil {
		return nil, nil, err
	}
	if of.Sort != urlindex.ByURL && of.Offset > urlindex.MaxSorted-searchLimit {
		return nil, nil, badRequest("from: in this order a list has " + wording.Thousands(urlindex.MaxSorted) + " URLs at most. Choose more filters, or sort=url")
	}
	if v.Base != "" {
		_, site, err := r.site(v.Base)
		if err != nil {
			return nil, nil, err
		}
		v.Site, v.Base = site.Name, site.Base
		of.Site = new(int32(slices.IndexFunc(e.stored.Sites, func(s reports.StoredSite) bool { return s.Base == site.Base })))
		if !slices.ContainsFunc(v.Pick, func(s siteListed) bool { return s.Base == v.Base }) {
			v.Pick = append(v.Pick, siteListed{Site: v.Site, Base: v.Base})
		}
	}
	if v.Query == "" && v.Base == "" && !v.Filter.Active() {
		return v, nil, nil
	}
	return v, &of, nil
}

// openIndex opens the index of the run, which the caller closes; nil = the view says why there is none.
func (d *Desk) openIndex(e *exchange, v *searchView) (index *urlindex.Index, err error) {
	if e.stored.Finished.IsZero() && readProgress(e.run.dir) != nil {
		v.Note = "This run has not finished. You can search its URLs afterwards."
		return nil, nil
	}
	index, v.Index, err = d.indexes.find(e.r.Context(), e.run, e.stored, true)
	return index, err
}

// dropDamaged removes a damaged index, and says so in place of its error. Other errors stay.
func (d *Desk) dropDamaged(err error, r *run, index *urlindex.Index) error {
	if !errors.Is(err, urlindex.ErrDamaged) {
		return err
	}
	index.Close()
	d.indexes.remove(r)
	return &failure{http.StatusServiceUnavailable, "the index of URLs was damaged and is being built again. Try again in a moment"}
}

// searchURLs searches URLs.
func (d *Desk) searchURLs(e *exchange, q *urlindex.Query, v *searchView) error {
	index, err := d.openIndex(e, v)
	if err != nil || index == nil {
		return err
	}
	defer index.Close()
	leave, err := d.searching.enter(e.r.Context())
	if err != nil {
		return err
	}
	defer leave()
	give, err := d.takeSorted(e.r.Context(), index, q, sortedBytes)
	if err != nil {
		return err
	}
	defer give()
	ctx, cancel := context.WithTimeout(e.r.Context(), searchTime)
	defer cancel()
	found, err := index.Search(ctx, *q)
	if err != nil {
		return d.dropDamaged(err, e.run, index)
	}
	v.URLs = &urlsFound{List: []urlFound{}, From: q.Offset, Total: found.Total, More: found.More, Prefix: found.Prefix, Took: millis(found.Took)}
	v.URLs.Clicks, v.URLs.Hits = index.Numbers()
	if q.Offset > 0 {
		v.URLs.Before = v.from(q.Offset - searchLimit)
	}
	if next := q.Offset + int64(len(found.URLs)); next < found.Total && len(found.URLs) > 0 && (q.Sort == urlindex.ByURL || next <= urlindex.MaxSorted-searchLimit) {
		v.URLs.Next = v.from(next)
	}
	query := v.values("").Encode()
	v.URLs.CSV, v.URLs.XLSX = v.Link+".csv?"+query, v.Link+".xlsx?"+query
	for i := range found.URLs {
		if u := &found.URLs[i]; int(u.Site) < len(e.stored.Sites) { // otherwise the run has just changed
			v.URLs.List = append(v.URLs.List, d.urlFound(e.run, &e.stored.Sites[u.Site], u, v.Filter.Crawler))
		}
	}
	v.URLs.Summary = v.summary()
	v.Note = searchNote(e.stored, index.Lost())
	return nil
}

// Bytes that each URL up to the last one takes in another order than that of the index: of a list, and of a file.
const (
	sortedBytes     = 48
	sortedFileBytes = 128
)

// takeSorted takes the memory for a search in another order than that of the index.
func (d *Desk) takeSorted(ctx context.Context, index *urlindex.Index, q *urlindex.Query, bytes int64) (give func(), err error) {
	if q.Sort == urlindex.ByURL {
		return func() {}, nil
	}
	return d.held.take(ctx, bytes*min(index.Len(), q.Offset+int64(q.Limit)))
}

// summary says what was found, as a text.
func (v *searchView) summary() string {
	words := []string{wording.URLs(v.URLs.Total)}
	switch {
	case v.URLs.Total == 0 && v.URLs.More:
		words[0] = "Unfinished search: no URL so far"
	case v.URLs.Total == 0:
		words[0] = "No URL"
	}
	for _, p := range v.Phrases() {
		words = append(words, p.Words)
		if p.Quoted != "" {
			words = append(words, p.Quoted)
		}
	}
	return strings.Join(words, " ")
}

// searchNote says which URLs a search cannot find; "" = it can find all.
func searchNote(stored *reports.StoredRun, lost urlindex.Lost) string {
	var notes []string
	damaged := 0
	for i := range stored.Sites {
		if stored.Sites[i].Damage != nil {
			damaged++
		}
	}
	if damaged > 0 {
		notes = append(notes, "The records of "+wording.Plural(damaged, "site")+" could not be read. Their URLs are missing here.")
	}
	if lost.Verdicts > 0 {
		notes = append(notes, "The run has too many different verdicts. Those of "+wording.URLs(lost.Verdicts)+" count as unknown here.")
	}
	if lost.Templates > 0 {
		notes = append(notes, "The run has too many templates. A search by template does not find "+wording.URLs(lost.Templates)+".")
	}
	return strings.Join(notes, " ")
}

// urlFound is a URL of the index as the view shows it. Hits are those of a crawler, or of all.
func (d *Desk) urlFound(r *run, s *reports.StoredSite, u *urlindex.URL, crawler string) urlFound {
	of := urlFound{
		URL: u.Loc, Site: s.Name, Kind: site.KindName(u.Kind), Template: u.Template, Segment: u.Segment, Listed: u.Listed, Sitemap: u.Sitemap, Status: u.Status,
		Hits: hitsOf(u, crawler), Link: d.o.urlLink(r.Key, s.Base, u.Loc), Verdicts: []verdictView{},
	}
	if u.Status == urlindex.NoAnswer {
		of.Status, of.NoAnswer = 0, true
	}
	if u.Clicks >= 0 {
		of.Clicks = &u.Clicks
	}
	if u.Impressions >= 0 {
		of.Impressions = &u.Impressions
	}
	for i, n := range u.Hits {
		if n > 0 && i < len(u.Outcome.Crawlers) {
			of.HitsOf = append(of.HitsOf, requestsView{u.Outcome.Crawlers[i], n})
		}
	}
	if u.Outcome.Verdicts == nil {
		of.Unjudged = "not kept in the index, because the run has too many different verdicts. Open the URL to see them"
	} else {
		of.Verdicts = verdictsOf(u.Outcome)
	}
	return of
}

// hitsOf are the requests of a crawler for a URL; "" = of all crawlers.
func hitsOf(u *urlindex.URL, crawler string) int64 {
	if crawler == "" {
		return u.AllHits()
	}
	if at := slices.Index(u.Outcome.Crawlers, crawler); at >= 0 && at < len(u.Hits) {
		return u.Hits[at]
	}
	return 0
}

// verdictsOf are the verdicts for a URL. Crawlers with the same verdict share one; blocking verdicts come
// first.
func verdictsOf(o *urlindex.Outcome) []verdictView {
	list := []verdictView{}
	for i, label := range o.Crawlers {
		v := verdictView{verdictWords: wordsOf(o.Verdict(i)), Line: int(o.Lines[i]), Rule: o.Rule(i)}
		at := slices.IndexFunc(list, func(o verdictView) bool { return o.Verdict == v.Verdict && o.Line == v.Line && o.Rule == v.Rule })
		if at < 0 {
			at = len(list)
			list = append(list, v)
		}
		list[at].Crawlers = append(list[at].Crawlers, label)
	}
	rank := func(v verdictView) int { return slices.Index([]string{"critical", "unknown", "ok"}, v.Class) }
	slices.SortStableFunc(list, func(a, b verdictView) int { return rank(a) - rank(b) })
	return list
}

// verdictWords are a verdict for programs, for people, and its style.
type verdictWords struct {
	Verdict string `json:"verdict"` // allow, disallow, undefined, unknown
	Words   string `json:"-"`
	Class   string `json:"-"`
}

// verdictClasses are the styles of verdicts. Others are unknown.
var verdictClasses = map[engine.Verdict]string{engine.Allow: "ok", engine.Disallow: "critical"}

func wordsOf(v engine.Verdict) verdictWords {
	return verdictWords{v.String(), urlpast.VerdictWords(v), cmp.Or(verdictClasses[v], "unknown")}
}
