package serve

import (
	"context"
	"iter"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/history/urlpast"
	"robots-audit/engine"
	"robots-audit/reports"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/site"
)

// urlView is everything known about one URL.
type urlView struct {
	Site    string          `json:"site"`
	Run     string          `json:"run"`
	Query   string          `json:"query"`
	URL     string          `json:"url,omitempty"`     // as a crawler requests it
	Origin  string          `json:"origin,omitempty"`  // origin whose robots.txt applies to it
	Trouble string          `json:"trouble,omitempty"` // why it has no verdict
	By      []explainedView `json:"verdicts"`
	Known   []knownView     `json:"known"`               // where the run found it
	Unknown string          `json:"not_known,omitempty"` // text, if Known is empty
	Past    []pastView      `json:"past"`
	NoPast  string          `json:"no_past,omitempty"` // why there is no past
	Edit    string          `json:"edit"`
	Search  string          `json:"-"`
	Link    string          `json:"-"` // link to this view
	Crawler string          `json:"-"` // crawler of the verdict that is shown first
}

// explainedView is a verdict with its reasons, for all crawlers with the same one.
type explainedView struct {
	Crawlers []string `json:"crawlers"`
	verdictWords
	Line     int                    `json:"line,omitempty"` // line of the rule; left out = no rule
	Rule     string                 `json:"rule,omitempty"`
	Why      string                 `json:"why"`
	Profile  string                 `json:"profile,omitempty"`
	Access   string                 `json:"access,omitempty"`   // what the HTTP answer means to the crawlers
	Group    string                 `json:"group,omitempty"`    // group that they obey, and why
	Compared string                 `json:"compared,omitempty"` // part of the URL that is compared with rules, if it is not obvious
	Lines    []engine.ExplainedLine `json:"lines,omitempty"`
	Margin   int                    `json:"margin,omitempty"`  // octets by which the rule is longer than the second-longest
	Deleted  string                 `json:"deleted,omitempty"` // verdict without this line
	Ahead    []string               `json:"ahead,omitempty"`   // how the effect of an error changes with time
}

// knownView is where the run found a URL.
type knownView struct {
	Site   string `json:"site"`
	Kind   string `json:"kind"`
	Listed bool   `json:"listed"` // the user's own list has it

	Logs     *audit.LogPeriod `json:"logs,omitempty"` // access logs with Requests; left out = the run has none of this site
	Requests []requestsView   `json:"requests,omitempty"`
}

// requestsView are a crawler's requests for a URL.
type requestsView struct {
	Crawler  string `json:"crawler"`
	Requests int64  `json:"requests"`
}

// Period is the time of the logs.
func (k *knownView) Period() string { return crawls.Period(k.Logs.From, k.Logs.To) }

// addRequests adds the requests for a URL from the records of a site.
func (k *knownView) addRequests(records iter.Seq2[audit.Record, error], loc string, kind audit.Kind) error {
	var of *audit.Site
	for rec, err := range records {
		switch {
		case err != nil:
			return err
		case rec.Site != nil:
			of = rec.Site
		}
		if of == nil || of.Logs == nil {
			return nil
		}
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			u := &rec.URLs.List[i]
			if u.Loc != loc || u.Kind != kind {
				continue
			}
			k.Logs = of.Logs
			for c := range of.Crawlers {
				if n := u.HitsOf(c); n > 0 {
					k.Requests = append(k.Requests, requestsView{of.Crawlers[c].Label, n})
				}
			}
			return nil
		}
	}
	return nil
}

// pastView is the history of a URL, for all crawlers with the same one.
type pastView struct {
	Crawlers []string      `json:"crawlers"`
	Sentence string        `json:"sentence"`
	Runs     int           `json:"runs"`
	Spans    []stretchView `json:"stretches"` // newest first
	More     int           `json:"stretches_more,omitempty"`
}

// stretchView is a series of runs with the same verdict and rule.
type stretchView struct {
	verdictWords
	Since   time.Time `json:"since"`
	Runs    int       `json:"runs"`
	Unclear int       `json:"unclear,omitempty"` // runs of the series without a verdict
	Line    int       `json:"line,omitempty"`
	Rule    string    `json:"rule,omitempty"`
	Why     string    `json:"why,omitempty"`
	SHA256  string    `json:"sha256,omitempty"`
	Day     string    `json:"-"`
	Version string    `json:"-"` // link to it
}

// Limits of the past.
const (
	maxPastRuns     = 1000
	maxPastVersions = 200
	maxStretches    = 100
)

// viewURL shows one URL.
func (d *Desk) viewURL(e *exchange) error {
	r, site := e.run, e.site
	link := d.o.siteLink(r.Key, site.Base)
	v := urlView{Site: site.Name, Run: r.Key, Query: e.query("u"), By: []explainedView{}, Known: []knownView{}, Past: []pastView{}, Edit: link + "/edit?url=" + url.QueryEscape(e.query("u")), Link: link + "/url", Search: d.o.runLink(r.Key) + "/search?site=" + site.Base}
	if len(v.Query) > maxQuery {
		return badRequest("the text is too long: at most " + strconv.Itoa(maxQuery) + " bytes")
	}
	if v.Query != "" {
		if err := d.tellURL(e.r.Context(), r, e.stored, &site, &v); err != nil {
			return err
		}
	}
	return e.show("url.html", "Test a URL", "Test a URL", v)
}

// tellURL fills in the facts about a URL.
func (d *Desk) tellURL(ctx context.Context, r *run, stored *reports.StoredRun, site *reports.StoredSite, v *urlView) error {
	leave, err := d.work.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	j, err := d.judges.of(ctx, r, site)
	if err != nil {
		return err
	}
	if j.own == "" {
		v.Trouble = j.lacking("")
		return nil
	}
	if v.URL, err = urlpast.Asked(v.Query, j.own); err != nil {
		v.Trouble = err.Error()
		return nil
	}
	v.Origin = originOf(v.URL)
	if j, err = d.judges.of(ctx, r, site, v.Origin); err != nil {
		return err
	}
	if v.Trouble = j.lacking(v.Origin); v.Trouble == "" {
		v.By = j.explain(v.URL, v.Origin)
	}
	if err := d.knownURL(ctx, r, stored, v); err != nil {
		return err
	}
	return d.pastURL(ctx, r, site, j, v)
}

// explain explains the verdicts on a URL. Crawlers with the same verdict share one.
func (j *judge) explain(loc, origin string) (list []explainedView) {
	for i, reader := range j.readersOf(origin) {
		c := &j.crawlers[i]
		v := explainedView{verdictWords: wordsOf(engine.Unknown), Why: "this version of robots-audit does not know the profile " + c.Profile}
		if reader != nil {
			v = explained(reader, loc)
			if reader.Robots.Access != engine.Parsed {
				j.mu.Lock()
				ahead := j.answers.Forecast(j.origins[origin].Index, reader.Robots.Profile, reader.Crawler)
				j.mu.Unlock()
				for _, p := range ahead {
					if len(ahead) > 1 {
						v.Ahead = append(v.Ahead, p.String())
					}
				}
			}
		}
		list = addAlike(list, v, func(o *explainedView) *[]string { return &o.Crawlers }, c.Label)
	}
	return list
}

// addAlike adds a crawler to the view in a list that differs only by its crawlers, or adds the view.
func addAlike[V any](list []V, v V, crawlers func(*V) *[]string, crawler string) []V {
	at := slices.IndexFunc(list, func(o V) bool { *crawlers(&o) = nil; return reflect.DeepEqual(o, v) })
	if at < 0 {
		at = len(list)
		list = append(list, v)
	}
	*crawlers(&list[at]) = append(*crawlers(&list[at]), crawler)
	return list
}

// explained is the verdict of one crawler.
func explained(reader *engine.Explainer, loc string) explainedView {
	p, e := reader.Robots.Profile, reader.Explain(loc)
	v := explainedView{
		verdictWords: wordsOf(e.Verdict), Why: e.Why, Line: e.Line(), Profile: p.Name + ": " + p.Title + ", " + p.Dated,
		Access: reader.Robots.Access.String() + " (" + audit.ReadWhy(reader.Robots.Why) + ")", Lines: e.Lines, Deleted: e.Deleted,
	}
	if reader.Robots.Access == engine.Parsed {
		v.Group = reader.GroupWords()
		if e.Path != loc {
			v.Compared = e.Path
		}
	}
	if e.Rule != nil {
		v.Rule = e.Rule.String()
	}
	if e.RunnerUp != nil {
		v.Margin = e.Margin
	}
	return v
}

// knownURL looks the URL up in the run's index, if there is one.
func (d *Desk) knownURL(ctx context.Context, r *run, stored *reports.StoredRun, v *urlView) error {
	index, told, err := d.indexes.find(ctx, r, stored, false)
	switch {
	case told != nil:
		v.Unknown = "Not checked yet: the index of URLs is being built. Open this page again in a moment."
		return nil
	case err != nil || index == nil:
		v.Unknown = "Not checked yet. Search the URLs of this site once, then open this page again."
		return nil
	}
	defer index.Close()
	found, err := index.Find(v.URL)
	if err != nil {
		return err
	}
	for _, u := range found {
		if int(u.Site) >= len(stored.Sites) {
			continue // the run has just changed
		}
		of := stored.Sites[u.Site]
		known := knownView{Site: of.Name, Kind: site.KindName(u.Kind), Listed: u.Listed}
		if of.Logged {
			s, err := d.editing(ctx, r, of)
			if err == nil {
				err = known.addRequests(s.records(), u.Loc, u.Kind)
			}
			if err != nil {
				return err
			}
		}
		v.Known = append(v.Known, known)
	}
	if len(v.Known) == 0 {
		v.Unknown = "Not found in this run: no sitemap, link or list contains this URL."
	}
	return nil
}

// pastURL adds the URL's verdicts over the runs of the history.
func (d *Desk) pastURL(ctx context.Context, r *run, site *reports.StoredSite, j *judge, v *urlView) error {
	if d.o.History == "" {
		v.NoPast = "There is no history here. Start the dashboard with the folder of robots-audit schedule to see earlier verdicts."
		return nil
	}
	var runs []history.SiteRun
	var versions []history.Version
	err := d.past.read(func(db *history.DB) (err error) {
		if runs, err = db.SiteRuns(ctx, site.Name, maxPastRuns); err != nil {
			return err
		}
		versions, err = db.Versions(ctx, site.Name, maxPastVersions)
		return err
	})
	if err != nil {
		return err
	}
	pasts, err := urlpast.Of(v.URL, j.own, j.crawlers, runs, versions)
	if err != nil {
		v.NoPast = err.Error()
		return nil
	}
	for i := range pasts {
		p := newPast(&pasts[i], d.o.siteLink(r.Key, site.Base)+"/versions?new=")
		v.Past = addAlike(v.Past, p, func(o *pastView) *[]string { return &o.Crawlers }, pasts[i].Crawler)
	}
	return nil
}

// newPast is the page's data about a URL's past.
func newPast(p *urlpast.Past, versions string) pastView {
	v := pastView{Sentence: p.Sentence(), Runs: p.Runs, Spans: []stretchView{}}
	for _, s := range slices.Backward(p.Stretches) {
		for i, reason := range slices.Backward(s.Reasons) {
			if len(v.Spans) == maxStretches {
				v.More++
				continue
			}
			row := stretchView{verdictWords: wordsOf(s.Verdict), Since: reason.Since.Started, Runs: reason.Runs, Line: reason.Rule.Line, Why: reason.Why, SHA256: reason.SHA256, Day: p.Day(reason.Since.Started)}
			if row.Line > 0 {
				row.Rule = reason.Rule.String()
			}
			if i == 0 {
				row.Unclear = s.Unclear
			}
			if row.SHA256 != "" {
				row.Version = versions + row.SHA256
			}
			v.Spans = append(v.Spans, row)
		}
	}
	return v
}
