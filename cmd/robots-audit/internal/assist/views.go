package assist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// addRunTools adds the tools over runs.
func (s *Server) addRunTools() {
	add(s, tool{
		name: "site_summary", title: "Summary of a run or a site", list: "sites",
		about: "Without site: the counts of a run, and its sites, most severe first. With site: its state, figures, and what to do.",
	}, s.siteSummary)
	add(s, tool{
		name: "search_urls", title: "Search the URLs of a run", list: "urls",
		about:  "Searches the URLs of a run by a part of their text and by filters, with the verdict for each crawler.",
		values: map[string][]string{"sort": {"url", "-clicks", "-hits", "-impressions"}},
	}, s.searchURLs)
	add(s, tool{
		name: "simulate", title: "Try another robots.txt",
		about: "Tests a robots.txt on all URLs that a run found on a site: which URLs it newly blocks and newly allows, for which crawler, and by which line.",
	}, s.simulate)
	add(s, tool{
		name: "smallest_change", title: "Find the smallest change of a robots.txt",
		about:  "Finds the smallest edit of a robots.txt that allows or blocks URLs and changes no other URL of the run. It only proposes the edit.",
		values: map[string][]string{"want": {"allow", "disallow"}},
	}, s.smallestChange)
	add(s, tool{
		name: "compare_runs", title: "Compare two runs", list: "sites",
		about: "Shows what changed between two runs: newly blocked and newly allowed URLs, the lines that did it, and other changes. Without old and new, it compares the newest run with the run before. With site, it has the details of this site.",
	}, s.compareRuns)
}

// explainArguments are the arguments of explain.
type explainArguments struct {
	URL      string   `json:"url" jsonschema:"the URL to explain. A path such as /shop/a is enough with robots or site"`
	Robots   *string  `json:"robots,omitempty" jsonschema:"the text of a robots.txt to explain with. Without it, a run is used"`
	Crawlers []string `json:"crawlers,omitempty" jsonschema:"with robots: names of crawlers, as for check"`
	Run      string   `json:"run,omitempty" jsonschema:"name of the run. Without it: the newest finished run"`
	Site     string   `json:"site,omitempty" jsonschema:"name of the site. Without it: the site of the URL's host"`
}

// explainAnswer is the answer of explain.
type explainAnswer struct {
	Summary  string `json:"summary" jsonschema:"the answer in words"`
	Run      string `json:"run,omitempty"`
	Site     string `json:"site,omitempty"`
	URL      string `json:"url"`
	Origin   string `json:"origin,omitempty" jsonschema:"origin whose robots.txt applies"`
	Verdicts []any  `json:"verdicts" jsonschema:"the verdicts with their reasons. Crawlers with the same one share it"`
	Known    []any  `json:"known,omitempty" jsonschema:"where the run found the URL"`
	NotKnown string `json:"not_known,omitempty" jsonschema:"why known is empty"`
	Past     []any  `json:"past,omitempty" jsonschema:"verdicts of earlier runs, newest first"`
	Rest     any    `json:"details,omitempty" jsonschema:"what else the run knows about the URL"`
}

// ofURLView are members of the view of a URL that have their own place in the answer, or are links of the dashboard.
var ofURLView = []string{"run", "site", "query", "url", "origin", "trouble", "verdicts", "known", "not_known", "past", "no_past", "edit", "unblock", "block"}

func (s *Server) explain(ctx context.Context, in *explainArguments) (*explainAnswer, error) {
	if in.Robots != nil {
		a, err := s.check(ctx, &checkArguments{URL: in.URL, Robots: in.Robots, Crawlers: in.Crawlers})
		if err != nil {
			return nil, err
		}
		return &explainAnswer{Summary: a.Summary, URL: a.URL, Verdicts: a.Verdicts}, nil
	}
	switch {
	case s.o.Desk == nil:
		return nil, errors.New("this server has no run. Give the text of a robots.txt in robots")
	case in.Crawlers != nil:
		return nil, errors.New("crawlers needs robots. A run explains for the crawlers that it tested")
	}
	run, err := s.runOr(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	named := in.Site
	if named == "" && !strings.HasPrefix(in.URL, "/") {
		named = in.URL
	}
	site, err := s.oneSite(ctx, run, named)
	if err != nil {
		return nil, err
	}
	var v map[string]any
	if _, err := s.read(ctx, sitePath(run, site.Site)+"/url", url.Values{"u": {in.URL}}, nil, &v); err != nil {
		return nil, err
	}
	a := &explainAnswer{Run: run, Site: site.Site, URL: cmp.Or(text(v["url"]), in.URL), Origin: text(v["origin"]), Verdicts: list(v["verdicts"]), Known: list(v["known"]), NotKnown: text(v["not_known"]), Past: list(v["past"])}
	var words verdictWords
	for _, of := range a.Verdicts {
		of, _ := of.(map[string]any)
		why := text(of["why"])
		if access := text(of["access"]); !strings.HasPrefix(access, engine.Parsed.String()) {
			why = cmp.Or(access, why)
		}
		for _, c := range list(of["crawlers"]) {
			words.add(text(c), of, why)
		}
	}
	if a.Summary = words.about(a.URL); len(a.Verdicts) == 0 {
		a.Summary = shortened(a.URL) + ": unknown. " + cmp.Or(text(v["trouble"]), "The run has no verdict for it") + "."
	}
	for _, name := range ofURLView {
		delete(v, name)
	}
	if len(v) > 0 {
		a.Rest = v
	}
	return a, nil
}

// text is a text of a tree; anything else is "".
func text(of any) string {
	text, _ := of.(string)
	return text
}

// list is a list of a tree; anything else is empty.
func list(of any) []any {
	if list, ok := of.([]any); ok {
		return list
	}
	return []any{}
}

// searchArguments are the arguments of search_urls.
type searchArguments struct {
	Run     string   `json:"run,omitempty" jsonschema:"name of the run. Without it: the newest finished run"`
	Query   string   `json:"query,omitempty" jsonschema:"a part of the URL, such as /shop/"`
	Site    string   `json:"site,omitempty" jsonschema:"only URLs of this site"`
	Filters *filters `json:"filters,omitempty" jsonschema:"further conditions. All of them apply"`
	Sort    string   `json:"sort,omitempty" jsonschema:"order of the URLs: by url, or by most clicks, hits of crawlers, or impressions"`
	From    int64    `json:"from,omitempty" jsonschema:"number of URLs to skip, for the next part of the list"`
}

// filters are the filters of the dashboard's search, as texts.
type filters struct {
	Blocked  string `json:"blocked,omitempty" jsonschema:"any = blocked for a crawler, none = for no crawler, unknown = a verdict is unknown"`
	Crawler  string `json:"crawler,omitempty" jsonschema:"name of the crawler that blocked, rule and hits are about, such as Googlebot"`
	Rule     string `json:"rule,omitempty" jsonschema:"the rule that decides: a line such as 17, or its text"`
	Template string `json:"template,omitempty" jsonschema:"template of the URL, such as /shop/{n}"`
	Segment  string `json:"segment,omitempty" jsonschema:"name of a segment of the run"`
	Status   string `json:"status,omitempty" jsonschema:"HTTP status of the page, such as 404, 4xx, or none = it was not requested"`
	Sitemap  string `json:"sitemap,omitempty" jsonschema:"yes = the URL is in a sitemap, no = it is not"`
	Kind     string `json:"kind,omitempty" jsonschema:"kind of the URL, such as page or image"`
	Clicks   string `json:"clicks,omitempty" jsonschema:"at least this number of clicks"`
	Hits     string `json:"hits,omitempty" jsonschema:"at least this number of crawlers' requests in access logs"`
}

// values are the filters as parameters of the search.
func (f *filters) values() map[string]string {
	return map[string]string{"blocked": f.Blocked, "crawler": f.Crawler, "rule": f.Rule, "template": f.Template, "segment": f.Segment,
		"status": f.Status, "sitemap": f.Sitemap, "kind": f.Kind, "clicks": f.Clicks, "hits": f.Hits}
}

// searchAnswer is the answer of search_urls.
type searchAnswer struct {
	Summary string `json:"summary" jsonschema:"the answer in words"`
	Run     string `json:"run"`
	Site    string `json:"site,omitempty"`
	URLs    []any  `json:"urls" jsonschema:"the URLs with their site and the verdicts for all crawlers"`
	From    int64  `json:"from"`
	Total   int64  `json:"total" jsonschema:"number of URLs that match"`
	AtLeast bool   `json:"at_least,omitempty" jsonschema:"time ran out: there may be more than total"`
	Next    *int64 `json:"next,omitempty" jsonschema:"value of from for the next part; missing = this is the last"`
	Sites   any    `json:"sites,omitempty" jsonschema:"sites whose names contain the query"`
	Index   any    `json:"index,omitempty" jsonschema:"progress of the index, if it is being built and there is no result yet"`
	Note    string `json:"note,omitempty" jsonschema:"why URLs were not searched, or not all of them"`
}

// found is the view of a search.
type found struct {
	Site  string
	Sites struct {
		Sites []struct{ Site string }
		Total int
	}
	Index any
	Note  string
	URLs  *struct {
		List  []any
		From  int64
		Total int64
		More  bool
	}
}

// indexTime is the time that a search waits for the index of a run.
const indexTime = 20 * time.Second

func (s *Server) searchURLs(ctx context.Context, in *searchArguments) (*searchAnswer, error) {
	run, err := s.runOr(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	given := map[string]string{}
	if in.Filters != nil {
		given = in.Filters.values()
	}
	given["q"], given["sort"] = in.Query, in.Sort
	if in.From > 0 {
		given["from"] = strconv.FormatInt(in.From, 10)
	}
	if in.Site != "" {
		site, err := s.site(ctx, run, in.Site)
		if err != nil {
			return nil, err
		}
		given["site"] = site.Site
	}
	query := url.Values{}
	for name, value := range given {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return nil, errors.New("name what to search: query, site or filters")
	}
	for end := time.Now().Add(indexTime); ; {
		v := &found{}
		status, err := s.read(ctx, runPath(run)+"/search", query, nil, v)
		if err != nil {
			return nil, err
		}
		if status != http.StatusAccepted || time.Now().After(end) {
			return v.answer(run, in.From), nil
		}
		select { // the index is being built
		case <-time.After(300 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// answer is the tool's answer.
func (v *found) answer(run string, from int64) *searchAnswer {
	a := &searchAnswer{Run: run, Site: v.Site, URLs: []any{}, From: from, Index: v.Index, Note: v.Note}
	if len(v.Sites.Sites) > 0 && v.Site == "" {
		a.Sites = v.Sites.Sites[:min(len(v.Sites.Sites), 10)]
	}
	switch {
	case v.URLs != nil:
		a.From, a.Total, a.AtLeast = v.URLs.From, v.URLs.Total, v.URLs.More
		for _, of := range v.URLs.List {
			if of, ok := of.(map[string]any); ok {
				delete(of, "link")
				a.URLs = append(a.URLs, of)
			}
		}
		a.Summary = wording.URLs(a.Total) + " match."
		if a.AtLeast {
			a.Summary = "At least " + a.Summary
		}
		if a.Total == 1 {
			a.Summary = "1 URL matches."
		}
	case v.Index != nil:
		a.Summary = "The index of the run's URLs is being built. Ask again in a moment."
	default:
		a.Summary = cmp.Or(v.Note, "No URLs were searched.")
	}
	return a
}

// simulateArguments are the arguments of simulate.
type simulateArguments struct {
	Run    string `json:"run,omitempty" jsonschema:"name of the run. Without it: the newest finished run"`
	Site   string `json:"site,omitempty" jsonschema:"name of the site. Without it: the only site of the run"`
	Robots string `json:"robots" jsonschema:"the whole text of the robots.txt to try"`
}

// simulateAnswer is the answer of simulate.
type simulateAnswer struct {
	Summary string `json:"summary" jsonschema:"the answer in words"`
	Run     string `json:"run"`
	Site    string `json:"site"`
	Known   int64  `json:"known_urls" jsonschema:"URLs of all kinds that were tested"`
	Same    bool   `json:"same,omitempty" jsonschema:"it is the same file as in the run"`
	Changes any    `json:"comparison" jsonschema:"totals, verdicts by crawler (flips), the lines of the file that differ with the URLs they change (robots.diff), and examples (samples)"`
}

func (s *Server) simulate(ctx context.Context, in *simulateArguments) (*simulateAnswer, error) {
	run, err := s.runOr(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	site, err := s.oneSite(ctx, run, in.Site)
	if err != nil {
		return nil, err
	}
	var v struct {
		Known int64 `json:"known_urls"`
		Same  bool
		Told  map[string]any
	}
	if _, err := s.read(ctx, sitePath(run, site.Site)+"/try", nil, map[string]string{"robots": in.Robots}, &v); err != nil {
		return nil, err
	}
	return &simulateAnswer{Summary: cmp.Or(text(v.Told["lead"]), "Nothing changes."), Run: run, Site: site.Site, Known: v.Known, Same: v.Same, Changes: v.Told}, nil
}

// changeArguments are the arguments of smallest_change.
type changeArguments struct {
	Run      string   `json:"run,omitempty" jsonschema:"name of the run. Without it: the newest finished run"`
	Site     string   `json:"site,omitempty" jsonschema:"name of the site. Without it: the only site of the run, or that of the first URL"`
	URLs     []string `json:"urls" jsonschema:"1 to 1,000 URLs or paths of the site"`
	Want     string   `json:"want" jsonschema:"allow = unblock the URLs, disallow = block them"`
	Crawlers []string `json:"crawlers,omitempty" jsonschema:"names of crawlers of the run. Without it: all"`
	Below    bool     `json:"below,omitempty" jsonschema:"also all URLs of the run that begin with one of urls"`
	Robots   *string  `json:"robots,omitempty" jsonschema:"the text to change. Without it: the robots.txt of the run"`
}

// changeAnswer is the answer of smallest_change.
type changeAnswer struct {
	Summary string `json:"summary" jsonschema:"the change in words"`
	Run     string `json:"run"`
	Site    string `json:"site"`
	Changed bool   `json:"changed" jsonschema:"an edit is needed"`
	Met     bool   `json:"met" jsonschema:"the edit does what was asked, and changes no other verdict"`
	Edits   []any  `json:"edits" jsonschema:"the lines to delete, replace or insert"`
	Robots  string `json:"robots,omitempty" jsonschema:"the text after the edit. Missing if it is long: then make the edits"`
}

// maxShownRobots limits the edited text in an answer, in bytes. A text that is cut must not be taken for the file.
const maxShownRobots = 1500

func (s *Server) smallestChange(ctx context.Context, in *changeArguments) (*changeAnswer, error) {
	run, err := s.runOr(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	if len(in.URLs) == 0 {
		return nil, errors.New("urls is empty. Name at least one URL")
	}
	named := in.Site
	if named == "" && !strings.HasPrefix(in.URLs[0], "/") {
		named = in.URLs[0]
	}
	site, err := s.oneSite(ctx, run, named)
	if err != nil {
		return nil, err
	}
	path := sitePath(run, site.Site)
	var of struct{ Robots string }
	if in.Robots != nil {
		of.Robots = *in.Robots
	} else if _, err := s.read(ctx, path+"/edit", nil, nil, &of); err != nil {
		return nil, err
	}
	var v struct {
		Robots, Words string
		Edits         []any
		Changed, Met  bool
	}
	wish := map[string]any{"robots": of.Robots, "want": in.Want, "urls": in.URLs, "crawlers": in.Crawlers, "below": in.Below}
	if _, err := s.read(ctx, path+"/wish", nil, wish, &v); err != nil {
		return nil, err
	}
	a := &changeAnswer{Summary: strings.Join(strings.FieldsFunc(v.Words, func(r rune) bool { return r == '\n' }), "; "), Run: run, Site: site.Site, Changed: v.Changed, Met: v.Met, Edits: v.Edits}
	if v.Changed && len(v.Robots) <= maxShownRobots {
		a.Robots = v.Robots
	}
	if a.Edits == nil {
		a.Edits = []any{}
	}
	if a.Summary == "" {
		a.Summary = fmt.Sprintf("No edit is needed for %s.", wording.Plural(len(in.URLs), "URL"))
	}
	return a, nil
}
