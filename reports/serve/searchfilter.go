package serve

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/serve/internal/urlindex"
)

// searchFilter is what a search asks for besides a text and a site, as in its URL.
type searchFilter struct {
	Blocked  string `json:"blocked,omitempty"`  // any, none or unknown
	Crawler  string `json:"crawler,omitempty"`  // label of a crawler: Blocked, Rule and Hits are about it only
	Rule     string `json:"rule,omitempty"`     // number of a line, or text of a rule
	Template string `json:"template,omitempty"` // as reports name it
	Segment  string `json:"segment,omitempty"`
	Status   string `json:"status,omitempty"`  // 404, 4xx, none or failed
	Sitemap  string `json:"sitemap,omitempty"` // yes or no
	Kind     string `json:"kind,omitempty"`    // page, image, …
	Clicks   string `json:"clicks,omitempty"`  // at least
	Hits     string `json:"hits,omitempty"`    // at least
	Sort     string `json:"sort,omitempty"`    // -clicks, -hits or -impressions; left out = url
}

// newSearchFilter reads a filter.
func newSearchFilter(get func(string) string) searchFilter {
	f := searchFilter{get("blocked"), get("crawler"), get("rule"), get("template"), get("segment"), get("status"), get("sitemap"), get("kind"), get("clicks"), get("hits"), get("sort")}
	for _, p := range []struct {
		value *string
		same  string // as if it was not set
	}{{&f.Sort, "url"}, {&f.Clicks, "0"}, {&f.Hits, "0"}} {
		if *p.value == p.same {
			*p.value = ""
		}
	}
	return f
}

// named is a parameter of a search with its value, "" = not set, and its words in a sentence.
type named struct{ Name, Value, Words, Quoted string }

// all are the parameters of a filter.
func (f *searchFilter) all() []named {
	return []named{
		{"blocked", f.Blocked, f.blockedWords(), f.Crawler}, {"crawler", f.Crawler, "", ""}, {"rule", f.Rule, f.ruleWords(), f.Rule},
		{"template", f.Template, "with the template", f.Template}, {"segment", f.Segment, "in the segment", f.Segment}, {"status", f.Status, f.statusWords(), ""},
		{"sitemap", f.Sitemap, map[string]string{"yes": "in a sitemap", "no": "in no sitemap"}[f.Sitemap], ""}, {"kind", f.Kind, "of the kind", f.Kind},
		{"clicks", f.Clicks, "with at least " + plural(f.Clicks, "click"), ""}, {"hits", f.Hits, "with at least " + plural(f.Hits, "hit"), ""}, {"sort", f.Sort, "", ""},
	}
}

func (f *searchFilter) blockedWords() string {
	words, every := map[string]string{"any": "blocked", "none": "allowed", "unknown": "with an unknown verdict"}[f.Blocked], " for at least one crawler"
	switch {
	case f.Crawler != "":
		return cmp.Or(words, "tested") + " for"
	case f.Blocked == "none":
		every = " for all crawlers"
	}
	return words + every
}

func (f *searchFilter) ruleWords() string {
	words := "by the rule"
	if _, err := strconv.Atoi(f.Rule); err == nil {
		words = "by line"
	}
	if f.Blocked == "" {
		return "decided " + words
	}
	return words
}

func plural(number, noun string) string {
	n, _ := strconv.ParseInt(number, 10, 64)
	return wording.Plural(n, noun)
}

func (f *searchFilter) statusWords() string {
	switch f.Status {
	case "none":
		return "that the run did not request"
	case "failed":
		return "that did not answer"
	}
	return "with the status " + f.Status
}

// Active reports whether anything is asked for; Further, anything that the form folds.
func (f *searchFilter) Active() bool {
	return slices.ContainsFunc(f.all(), func(p named) bool { return p.Value != "" })
}

// Further reports whether a filter is set that the form folds.
func (f *searchFilter) Further() bool {
	return slices.ContainsFunc(f.all()[2:10], func(p named) bool { return p.Value != "" })
}

// Blocks are the choices of Blocked.
func (f searchFilter) Blocks() []choice {
	return chosen([]choice{{Name: "any"}, {Value: "any", Name: "blocked"}, {Value: "none", Name: "allowed"}, {Value: "unknown", Name: "unknown"}}, f.Blocked)
}

// Sitemaps are the choices of Sitemap.
func (f searchFilter) Sitemaps() []choice { return chosen(orAny("yes", "no"), f.Sitemap) }

// Kinds are the choices of Kind.
func (f searchFilter) Kinds() []choice { return chosen(orAny(kindNames()...), f.Kind) }

// orAny are choices whose values are their names, and "any".
func orAny(names ...string) []choice {
	list := []choice{{Name: "any"}}
	for _, name := range names {
		list = append(list, choice{Value: name, Name: name})
	}
	return list
}

// kindNames are the names of kinds, each once.
func kindNames() (names []string) {
	for k := audit.Kind(0); k <= audit.KindCanonical; k++ {
		if name := site.KindName(k); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

var statusPattern = regexp.MustCompile(`^([1-9])(xx|[0-9]{2})$`)

// searchOrders are the orders by the values of Sort.
var searchOrders = map[string]urlindex.Sort{"": urlindex.ByURL, "-clicks": urlindex.ByClicks, "-hits": urlindex.ByHits, "-impressions": urlindex.ByImpressions}

// blockedFilters are the filters by the values of Blocked.
var blockedFilters = map[string]urlindex.Blocked{"": urlindex.Whatever, "any": urlindex.BlockedAny, "none": urlindex.BlockedNone, "unknown": urlindex.BlockedUnknown}

// query is the filter for the index, for a run with these crawlers and segments. The error names the values that are possible.
func (f *searchFilter) query(crawlers, segments []string) (q urlindex.Query, err error) {
	var ok bool
	of := &q.Filter
	if of.Blocked, ok = blockedFilters[f.Blocked]; !ok {
		return q, badRequest("blocked: expected any, none or unknown")
	}
	if q.Sort, ok = searchOrders[f.Sort]; !ok {
		return q, badRequest("sort: expected url, -clicks, -hits or -impressions")
	}
	for _, p := range []struct {
		name, value string
		among       []string
	}{{"crawler", f.Crawler, crawlers}, {"segment", f.Segment, segments}, {"sitemap", f.Sitemap, []string{"yes", "no"}}, {"kind", f.Kind, kindNames()}} {
		switch n := len(p.among); {
		case p.value == "" || slices.Contains(p.among, p.value):
		case n == 0:
			return q, badRequest(p.name + ": this run has none")
		case n > maxNames:
			return q, badRequest(p.name + ": expected one of " + strings.Join(p.among[:maxNames], ", ") + " and others")
		default:
			return q, badRequest(p.name + ": expected one of " + strings.Join(p.among, ", "))
		}
	}
	of.Crawler, of.Template, of.Segment, of.Rule = f.Crawler, f.Template, f.Segment, f.Rule
	if line, err := strconv.Atoi(f.Rule); err == nil {
		if of.Line, of.Rule = line, ""; line < 1 {
			return q, badRequest("rule: expected the number of a line from 1 on, or a part of a rule")
		}
	}
	if len(f.Rule) > maxQuery || len(f.Template) > maxQuery {
		return q, badRequest("rule and template: at most " + strconv.Itoa(maxQuery) + " bytes")
	}
	if f.Sitemap != "" {
		of.Sitemap = new(f.Sitemap == "yes")
	}
	for k := audit.Kind(0); f.Kind != "" && k <= audit.KindCanonical; k++ {
		if site.KindName(k) == f.Kind {
			of.Kinds = append(of.Kinds, k)
		}
	}
	if of.Status, err = f.status(); err != nil {
		return q, err
	}
	if of.Clicks, err = atLeast("clicks", f.Clicks); err == nil {
		of.Hits, err = atLeast("hits", f.Hits)
	}
	return q, err
}

// status is the span of statuses; nil = any.
func (f *searchFilter) status() (*urlindex.Span, error) {
	switch parts := statusPattern.FindStringSubmatch(f.Status); {
	case f.Status == "":
		return nil, nil
	case f.Status == "none":
		return &urlindex.Span{}, nil
	case f.Status == "failed":
		return &urlindex.Span{From: urlindex.NoAnswer, To: urlindex.NoAnswer}, nil
	case parts == nil:
		return nil, badRequest("status: expected a status such as 404, a class such as 4xx, none (not requested) or failed (no answer)")
	case parts[2] == "xx":
		class, _ := strconv.Atoi(parts[1])
		return &urlindex.Span{From: 100 * class, To: 100*class + 99}, nil
	}
	status, _ := strconv.Atoi(f.Status)
	return &urlindex.Span{From: status, To: status}, nil
}

// atLeast reads a lower limit; 0 = none.
func atLeast(name, value string) (int64, error) {
	n, err := strconv.ParseInt(cmp.Or(value, "0"), 10, 64)
	if err != nil || n < 0 {
		return 0, badRequest(name + ": expected a whole number from 0 on")
	}
	return n, nil
}

// values are the parameters of a search's URL that are set, but not the named one.
func (v *searchView) values(but string) url.Values {
	values := url.Values{}
	for _, p := range append([]named{{Name: "q", Value: v.Query}, {Name: "site", Value: v.Base}}, v.Filter.all()...) {
		if p.Value != "" && p.Name != but {
			values.Set(p.Name, p.Value)
		}
	}
	return values
}

// link is the URL of the search with another value of a parameter; "" = without it.
func (v *searchView) link(name, value string) string {
	values := v.values(name)
	if value != "" {
		values.Set(name, value)
	}
	return v.Link + "?" + values.Encode()
}

// from is the URL of the search from a match on.
func (v *searchView) from(match int64) string {
	if match <= 0 {
		return v.link("from", "")
	}
	return v.link("from", strconv.FormatInt(match, 10))
}

// By is the URL of the search in another order.
func (v *searchView) By(sort string) string { return v.link("sort", sort) }

// phrase is a part of a sentence, and a text of others at its end.
type phrase struct{ Words, Quoted string }

// Phrases say what is searched.
func (v *searchView) Phrases() (list []phrase) {
	add := func(words, quoted string) { list = append(list, phrase{words, quoted}) }
	for _, p := range v.Filter.all() {
		switch {
		case p.Name == "sort", p.Name == "crawler":
		case p.Value != "", p.Name == "blocked" && v.Filter.Crawler != "":
			add(p.Words, p.Quoted)
		}
	}
	one := v.URLs != nil && v.URLs.Total < 2
	switch {
	case v.Query == "":
	case v.URLs != nil && v.URLs.Prefix:
		add("that "+map[bool]string{true: "begins", false: "begin"}[one]+" with", v.Query)
	default:
		add("that "+map[bool]string{true: "contains", false: "contain"}[one], v.Query)
	}
	if v.Site != "" {
		add("on", v.Site)
	}
	return list
}

// Relaxed are searches without one of the conditions, for a search that finds nothing.
func (v *searchView) Relaxed() (list []place) {
	add := func(words, name string) { list = append(list, place{Name: words, Path: v.link(name, "")}) }
	if v.Query != "" {
		add("the text "+v.Query, "q")
	}
	for _, p := range v.Filter.all() {
		if p.Value != "" && p.Name != "sort" {
			add(strings.TrimSpace(cmp.Or(p.Words, p.Name+" "+p.Value)+" "+p.Quoted), p.Name)
		}
	}
	if v.Base != "" {
		add("on "+v.Site, "site")
	}
	return list
}
