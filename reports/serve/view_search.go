package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
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
	Run   string `json:"run"`
	Query string `json:"query"`
	Site  string `json:"site,omitempty"` // site whose URLs are searched; left out = all sites
	Base  string `json:"-"`

	Sites sitesView    `json:"sites"`
	Pick  []siteListed `json:"-"`               // the first sites of the run, to choose from
	Rest  int          `json:"-"`               // number of further sites
	Index *indexing    `json:"index,omitempty"` // progress of the index if it is being built and no URL can be searched yet
	Note  string       `json:"note,omitempty"`  // why URLs are not searched, or not all of them
	URLs  *urlsFound   `json:"urls,omitempty"`
	Link  string       `json:"-"`
}

// urlsFound are the matching URLs.
type urlsFound struct {
	List   []urlFound `json:"list"`
	From   int64      `json:"from"` // index of the first of List, from 0
	Total  int64      `json:"total"`
	More   bool       `json:"more,omitempty"` // time ran out: there may be more than Total
	Prefix bool       `json:"prefix"`         // URLs, or their paths, begin with the text
	Took   float64    `json:"took_ms"`
	Before string     `json:"before,omitempty"` // link to the page before; likewise
	Next   string     `json:"next,omitempty"`
}

// urlFound is a matching URL.
type urlFound struct {
	URL      string        `json:"url"`
	Site     string        `json:"site"`
	Kind     string        `json:"kind"`
	Listed   bool          `json:"listed,omitempty"` // the user's own list has it
	Link     string        `json:"link"`
	Verdicts []verdictView `json:"verdicts"`
	Unjudged string        `json:"not_judged,omitempty"` // why there are no verdicts

	at int32 // index of its site in the run
}

// verdictView is a verdict of one or more crawlers.
type verdictView struct {
	verdictWords
	Line     int      `json:"line,omitempty"` // line of the rule; left out = no rule
	Crawlers []string `json:"crawlers"`
}

// Limits of a search.
const (
	searchLimit = 100
	searchTime  = 5 * time.Second
	judgingTime = 3 * time.Second // of all matches
	maxPick     = 500
	maxQuery    = 2000
)

// viewSearch searches sites and URLs of a run.
func (d *Desk) viewSearch(e *exchange) error {
	r := e.run
	stored, err := r.open()
	if err != nil {
		return err
	}
	v := searchView{Run: r.Key, Query: e.query("q"), Base: e.query("site"), Link: d.o.runLink(r.Key) + "/search"}
	if len(v.Query) > maxQuery {
		return badRequest("the text is too long: at most " + strconv.Itoa(maxQuery) + " bytes")
	}
	v.Sites = d.findSites(r, v.Query)
	sites := r.ordered()
	for _, s := range sites[:min(len(sites), maxPick)] {
		v.Pick = append(v.Pick, siteListed{Site: s.Name, Base: s.Base})
	}
	v.Rest = len(sites) - len(v.Pick)
	var only *int32 // index of the site whose URLs are searched; nil = all
	if v.Base != "" {
		_, site, err := r.site(v.Base)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(stored.Sites, func(s reports.StoredSite) bool { return s.Base == site.Base })
		v.Site, v.Base, only = site.Name, site.Base, new(int32(at))
		if !slices.ContainsFunc(v.Pick, func(s siteListed) bool { return s.Base == v.Base }) {
			v.Pick = append(v.Pick, siteListed{Site: v.Site, Base: v.Base})
		}
	}
	if v.Query != "" || only != nil {
		if err := d.searchURLs(e, r, stored, only, &v); err != nil {
			return err
		}
	}
	if v.Index != nil && e.wantsJSON() {
		return e.json(http.StatusAccepted, v)
	}
	return e.show("search.html", "Search", "Search", v)
}

// searchURLs searches URLs.
func (d *Desk) searchURLs(e *exchange, r *run, stored *reports.StoredRun, only *int32, v *searchView) error {
	if stored.Finished.IsZero() && readProgress(r.dir) != nil {
		v.Note = "This run has not finished. You can search its URLs afterwards."
		return nil
	}
	index, told, err := d.indexes.find(e.r.Context(), r, stored, true)
	if err != nil || index == nil {
		v.Index = told
		return err
	}
	defer index.Close()
	from, err := strconv.ParseInt(e.query("from"), 10, 64)
	if err != nil || from < 0 || from > 1<<40 {
		from = 0
	}
	ctx, cancel := context.WithTimeout(e.r.Context(), searchTime)
	defer cancel()
	found, err := index.Search(ctx, urlindex.Query{Text: v.Query, Site: only, Offset: from, Limit: searchLimit})
	if errors.Is(err, urlindex.ErrDamaged) {
		index.Close()
		d.indexes.remove(r)
		return &failure{http.StatusServiceUnavailable, "the index of URLs was damaged and is being built again. Try again in a moment"}
	}
	if err != nil {
		return err
	}
	v.URLs = &urlsFound{List: []urlFound{}, From: from, Total: found.Total, More: found.More, Prefix: found.Prefix, Took: float64(found.Took.Microseconds()) / 1000}
	link := func(from int64) string {
		return v.Link + "?" + url.Values{"q": {v.Query}, "site": {v.Base}, "from": {strconv.FormatInt(from, 10)}}.Encode()
	}
	if from > 0 {
		v.URLs.Before = link(max(0, from-searchLimit))
	}
	if from+int64(len(found.URLs)) < found.Total && len(found.URLs) > 0 {
		v.URLs.Next = link(from + int64(len(found.URLs)))
	}
	for _, u := range found.URLs {
		if int(u.Site) >= len(stored.Sites) {
			continue // the run has just changed
		}
		s := &stored.Sites[u.Site]
		v.URLs.List = append(v.URLs.List, urlFound{URL: u.Loc, Site: s.Name, Kind: site.KindName(u.Kind), Listed: u.Listed, Link: d.o.siteLink(r.Key, s.Base) + "/url?u=" + url.QueryEscape(u.Loc), Verdicts: []verdictView{}, at: u.Site})
	}
	damaged := 0
	for i := range stored.Sites {
		if stored.Sites[i].Damage != nil {
			damaged++
		}
	}
	if damaged > 0 {
		v.Note = "The records of " + wording.Plural(damaged, "site") + " could not be read. Their URLs are missing here."
	}
	return d.judgeFound(e.r.Context(), r, stored, v.URLs.List)
}

// judgeFound adds the verdicts for the matches while time allows, each site once.
func (d *Desk) judgeFound(ctx context.Context, r *run, stored *reports.StoredRun, list []urlFound) error {
	leave, err := d.work.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	within, cancel := context.WithTimeout(ctx, judgingTime)
	defer cancel()
	bySite := map[int32][]*urlFound{}
	var sites []int32
	for i := range list {
		u := &list[i]
		if bySite[u.at] == nil {
			sites = append(sites, u.at)
		}
		bySite[u.at] = append(bySite[u.at], u)
	}
	for _, at := range sites {
		site := &stored.Sites[at]
		var origins []string
		for _, u := range bySite[at] {
			if origin := originOf(u.URL); !slices.Contains(origins, origin) {
				origins = append(origins, origin)
			}
		}
		j, err := d.judges.of(within, r, site, origins...)
		for _, u := range bySite[at] {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case within.Err() != nil:
				u.Unjudged = "not tested within the time limit. Open the URL to test it"
			case err != nil:
				u.Unjudged = err.Error()
			default:
				u.Verdicts, u.Unjudged = j.verdicts(u.URL)
			}
		}
	}
	return nil
}

// verdicts are the verdicts for a URL. Crawlers with the same verdict share one; blocking verdicts come
// first.
func (j *judge) verdicts(loc string) (list []verdictView, lacking string) {
	origin := originOf(loc)
	if lacking = j.lacking(origin); lacking != "" {
		return []verdictView{}, lacking
	}
	for i, reader := range j.readersOf(origin) {
		v := verdictView{verdictWords: wordsOf(engine.Unknown)}
		if reader != nil {
			d := reader.Group.Verdict(loc)
			v.verdictWords, v.Line = wordsOf(d.Verdict), d.Line()
		}
		at := slices.IndexFunc(list, func(o verdictView) bool { return o.Verdict == v.Verdict && o.Line == v.Line })
		if at < 0 {
			at = len(list)
			list = append(list, v)
		}
		list[at].Crawlers = append(list[at].Crawlers, j.crawlers[i].Label)
	}
	rank := func(v verdictView) int { return slices.Index([]string{"critical", "unknown", "ok"}, v.Class) }
	slices.SortStableFunc(list, func(a, b verdictView) int { return rank(a) - rank(b) })
	return list, ""
}

// verdictWords are a verdict for programs, for people, and its style.
type verdictWords struct {
	Verdict string `json:"verdict"` // allow, disallow, undefined, unknown
	Words   string `json:"-"`
	Class   string `json:"-"`
}

func wordsOf(v engine.Verdict) verdictWords {
	return verdictWords{v.String(), urlpast.VerdictWords(v), verdictClass(v)}
}

// verdictClass is the style of a verdict.
func verdictClass(v engine.Verdict) string {
	switch v {
	case engine.Allow:
		return "ok"
	case engine.Disallow:
		return "critical"
	}
	return "unknown"
}
