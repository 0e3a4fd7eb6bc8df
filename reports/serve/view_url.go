package serve

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history/urlpast"
	"robots-audit/engine"
	"robots-audit/reports"
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
	AsIf    *asIfView       `json:"as_if,omitempty"`      // verdicts of another robots.txt, because the run has not that of Origin
	Known   []knownView     `json:"known"`                // where the run found it
	Unknown string          `json:"not_known,omitempty"`  // text, if Known is empty
	Slow    bool            `json:"incomplete,omitempty"` // the records of the site are long and were not read to the end: add wait=1
	Past    []pastView      `json:"past"`
	PastOf  string          `json:"past_of,omitempty"` // robots.txt of Past, if it is not that of Origin
	NoPast  string          `json:"no_past,omitempty"` // why there is no past
	Edit    string          `json:"edit"`
	Unblock string          `json:"unblock,omitempty"` // link to the editor with the smallest change that allows it; left out = it is not blocked
	Block   string          `json:"block,omitempty"`   // link to the editor with the smallest change that blocks it; left out = it is not allowed

	NotStored string `json:"not_stored,omitempty"` // what the run does not know about its source
	Search    string `json:"-"`
	Link      string `json:"-"` // link to this view
	Wait      string `json:"-"` // link to this view with everything
}

// asIfView are the verdicts on a URL as if the robots.txt of another origin applied to it.
type asIfView struct {
	Robots   string          `json:"robots"` // URL of the robots.txt
	URL      string          `json:"url"`    // on its origin
	Verdicts []explainedView `json:"verdicts"`
}

// explainedView is a verdict with its reasons, for all crawlers with the same one.
type explainedView struct {
	Crawlers []string `json:"crawlers"`
	verdictWords
	Line     int                    `json:"line,omitempty"` // line of the rule; left out = no rule
	Rule     string                 `json:"rule,omitempty"`
	Why      string                 `json:"why"`
	Profile  string                 `json:"profile,omitempty"`  // several are separated by "; "
	Access   string                 `json:"access,omitempty"`   // what the HTTP answer means to the crawlers
	Group    string                 `json:"group,omitempty"`    // group that they obey, and why
	Compared string                 `json:"compared,omitempty"` // part of the URL that is compared with rules, if it is not obvious
	Lines    []engine.ExplainedLine `json:"lines,omitempty"`
	Margin   int                    `json:"margin,omitempty"`  // octets by which the rule is longer than the second-longest
	Deleted  string                 `json:"deleted,omitempty"` // verdict without this line
	Ahead    []string               `json:"ahead,omitempty"`   // how the effect of an error changes with time
}

// Short are the verdicts in a line each: crawlers with the same verdict and rule share one, whatever their reasons.
func (v urlView) Short() (list []explainedView) {
	for _, by := range v.By {
		list = addAlike(list, explainedView{verdictWords: by.verdictWords, Line: by.Line, Rule: by.Rule}, crawlersOf, by.Crawlers...)
	}
	return list
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
	Served  string    `json:"version_name,omitempty"` // name of the version
	Day     string    `json:"-"`
	Version string    `json:"-"` // link to it
}

// maxStretches limits the stretches of a past.
const maxStretches = 100

// viewURL shows one URL.
func (d *Desk) viewURL(e *exchange) error {
	query := e.query("u")
	if len(query) > maxQuery {
		return badRequest("the text is too long: at most " + strconv.Itoa(maxQuery) + " bytes")
	}
	if u, hasHost := address(query); hasHost && siteOf([]reports.StoredSite{e.site}, u) == nil {
		if other := siteOf(e.stored.Sites, u); other != nil {
			e.site = *other
			return e.showPasted(query)
		}
	}
	link := e.siteLink()
	v := urlView{Site: e.site.Name, Run: e.run.Key, Query: query, By: []explainedView{}, Known: []knownView{}, Past: []pastView{}, Edit: link + "/edit?url=" + url.QueryEscape(query), Link: link + "/url", Search: d.o.runLink(e.run.Key) + "/search?site=" + e.site.Base}
	v.Wait = v.Link + "?wait=1&u=" + url.QueryEscape(query)
	if query != "" {
		if err := e.tellURL(&v); err != nil {
			return err
		}
	}
	return e.show("url.html", "Test a URL", "", v)
}

// tellURL fills in the facts about a URL.
func (e *exchange) tellURL(v *urlView) error {
	ctx, d := e.r.Context(), e.desk
	leave, err := d.work.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	j, err := d.judges.of(ctx, e.run, &e.site)
	if err != nil {
		return err
	}
	if j.own == "" {
		v.Trouble = j.lacking("")
		return nil
	}
	asked := v.Query
	if u, hasHost := address(asked); hasHost && !strings.Contains(asked, "://") && !strings.HasPrefix(asked, "/") {
		scheme, host, _ := strings.Cut(j.own, "://")
		if plainHost(host) != plainHost(u.Host) {
			scheme = u.Scheme
		}
		asked = scheme + "://" + asked
	}
	if v.URL, err = urlpast.Asked(asked, j.own); err != nil {
		v.Trouble = err.Error()
		return nil
	}
	v.Origin = originOf(v.URL)
	quick := ctx
	if e.query("wait") == "" {
		var end context.CancelFunc
		quick, end = context.WithTimeout(ctx, quickly)
		defer end()
	}
	if j, err = e.judgeURL(quick, j, v); err != nil {
		return err
	}
	if err := e.knownURL(quick, v); err != nil {
		return err
	}
	v.offer(e.siteLink()+"/edit", j)
	return e.pastURL(j, v)
}

// judgeURL adds the verdicts by the robots.txt of the URL's own origin. If the run has not fetched it, and the origin
// differs from the site's only by the scheme or "www.", it adds those of the site's file, as what they are.
func (e *exchange) judgeURL(quick context.Context, own *judge, v *urlView) (*judge, error) {
	j, err := e.desk.judges.of(quick, e.run, &e.site, v.Origin)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && e.r.Context().Err() == nil:
		j, v.Slow = own, true
		v.Trouble = "the records of this large site were not searched for " + v.Origin + "/robots.txt"
	case err != nil:
		return nil, err
	default:
		v.Trouble = j.lacking(v.Origin)
	}
	if v.Trouble == "" {
		v.By = j.explain(v.URL, v.Origin)
		return j, nil
	}
	if at, ok := v.on(j.own); ok && j.lacking(j.own) == "" {
		v.AsIf = &asIfView{Robots: j.own + "/robots.txt", URL: at, Verdicts: j.explain(at, j.own)}
		for i := range v.AsIf.Verdicts {
			w := &v.AsIf.Verdicts[i].verdictWords
			w.Words, w.Class = "would be "+w.Words, wordsOf(engine.Unknown).Class
		}
	}
	return j, nil
}

// on is the URL on another origin, if that differs only by the scheme or "www.".
func (v *urlView) on(origin string) (at string, ok bool) {
	_, host, _ := strings.Cut(v.Origin, "://")
	_, other, _ := strings.Cut(origin, "://")
	return origin + strings.TrimPrefix(v.URL, v.Origin), plainHost(host) == plainHost(other)
}

// offer links to the editor with the changes that would unblock or block the URL. The editor has the site's own file.
func (v *urlView) offer(edit string, j *judge) {
	if v.Origin != j.own && !j.same(v.Origin) {
		return
	}
	for _, by := range v.By {
		switch by.Verdict {
		case engine.Disallow.String():
			v.Unblock = edit + "?wish=allow&url=" + url.QueryEscape(v.URL)
		case engine.Allow.String():
			v.Block = edit + "?wish=disallow&url=" + url.QueryEscape(v.URL)
		}
	}
}

// Change are the verdicts that the deletion of a line changes, each line once.
func (v urlView) Change() (list []explainedView) {
	for _, by := range v.By {
		if by.Line > 0 && by.Deleted != "" {
			by = explainedView{verdictWords: by.verdictWords, Crawlers: by.Crawlers, Line: by.Line, Rule: by.Rule, Deleted: by.Deleted}
			if i := slices.IndexFunc(list, func(o explainedView) bool { return o.Line == by.Line && o.Deleted == by.Deleted }); i >= 0 {
				list[i].Crawlers = slices.Concat(list[i].Crawlers, by.Crawlers)
			} else {
				list = append(list, by)
			}
		}
	}
	return list
}

// explain explains the verdicts on a URL. Crawlers with the same verdict share one, whatever their profiles.
func (j *judge) explain(loc, origin string) (list []explainedView) {
	readers := j.readersOf(origin)
	for i, reader := range readers {
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
		list = addAlike(list, v, crawlersOf, c.Label)
	}
	for i := range list {
		var titles []string
		for k, reader := range readers {
			if reader != nil && slices.Contains(list[i].Crawlers, j.crawlers[k].Label) {
				p := reader.Robots.Profile
				titles = append(titles, p.Title+" ("+p.Name+")")
			}
		}
		list[i].Profile = strings.Join(slices.Compact(titles), "; ")
	}
	return list
}

func crawlersOf(v *explainedView) *[]string { return &v.Crawlers }

// addAlike adds crawlers to the view in a list that differs only by its crawlers, or adds the view.
func addAlike[V any](list []V, v V, crawlers func(*V) *[]string, names ...string) []V {
	at := slices.IndexFunc(list, func(o V) bool { *crawlers(&o) = nil; return reflect.DeepEqual(o, v) })
	if at < 0 {
		at = len(list)
		list = append(list, v)
	}
	*crawlers(&list[at]) = append(*crawlers(&list[at]), names...)
	return list
}

// explained is the verdict of one crawler.
func explained(reader *engine.Explainer, loc string) explainedView {
	e := reader.Explain(loc)
	v := explainedView{
		verdictWords: wordsOf(e.Verdict), Why: e.Why, Line: e.Line(),
		Access: reader.Robots.Access.String() + " (" + audit.ReadWhy(reader.Robots.Why) + ")", Lines: e.Lines, Deleted: e.Deleted,
	}
	if reader.Robots.Access == engine.Parsed {
		v.Group = reader.GroupWords()
		if !strings.HasSuffix(loc, e.Path) {
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

// pastURL adds the URL's verdicts over the runs of the history.
func (e *exchange) pastURL(j *judge, v *urlView) error {
	if e.desk.o.History == "" {
		v.NoPast = "There is no history here. Start the dashboard with the folder of robots-audit schedule to see earlier verdicts."
		return nil
	}
	runs, known, err := e.desk.past.served(e.r.Context(), e.site.Name)
	if err != nil {
		return err
	}
	at := v.URL
	if on, ok := v.on(j.own); ok && v.Origin != j.own && (v.AsIf != nil || j.same(v.Origin)) {
		at, v.PastOf = on, j.own+"/robots.txt"
	}
	pasts, err := urlpast.Of(at, j.own, j.crawlers, runs, known)
	if err != nil {
		v.NoPast = err.Error()
		return nil
	}
	served := newVersions(runs, known)
	for i := range pasts {
		p := newPast(&pasts[i], e.siteLink()+"/versions?new=")
		for k := range p.Spans {
			if of := served.find(p.Spans[k].SHA256); of != nil {
				p.Spans[k].Served = of.Name
			}
		}
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
