package engine

import (
	"slices"
	"strings"
	"sync"

	"robots-audit/engine/internal/match"
)

// maxCleanParam is the longest Clean-param rule, in bytes (Yandex's help).
const maxCleanParam = 500

// CleanRule is a Clean-param line: parameters that do not change the content of
// a page. It applies to all groups, wherever it is in the file.
type CleanRule struct {
	Line
	Names   []string // parameters, in the order of the line; case counts
	Path    string   // prefix of the paths it applies to, as written; "" = the whole site
	Problem string   // why it is ignored, as part of a sentence; "" = it is valid

	pattern match.Pattern
}

// CleanParams returns all Clean-param lines in the order of the file, whether
// or not the profile obeys them.
func (r *Robots) CleanParams() []CleanRule {
	list := make([]CleanRule, len(r.cleans))
	for i, line := range r.cleans {
		list[i] = parseClean(line)
	}
	return list
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// parseClean reads "p0[&p1&…] [path]".
func parseClean(line Line) CleanRule {
	rule := CleanRule{Line: line}
	if len(line.Value) > maxCleanParam {
		rule.Problem = "longer than 500 characters"
		return rule
	}
	names, path, _ := strings.Cut(line.Value, " ")
	path = trim(path)
	for name := range strings.SplitSeq(strings.Trim(names, "&"), "&") {
		if name == "" {
			rule.Problem = "no parameter"
		} else if strings.Trim(name, alphanumeric+"+-=_%[]{}():.") != "" {
			rule.Problem = `a parameter has an invalid character; join parameters with "&"`
		}
		rule.Names = append(rule.Names, name)
	}
	rule.Path = path
	switch {
	case rule.Problem != "":
	case strings.ContainsAny(path, " \t"):
		rule.Problem = "more than one path"
	case strings.Trim(path, alphanumeric+".-/*_") != "":
		rule.Problem = "the path has an invalid character"
	}
	rule.pattern = match.Pattern{Text: strings.TrimRight(collapse(path), "*")}
	return rule
}

// paramReducer removes parameters from URLs by the valid Clean-param rules of a
// file. It finds rules by parameter name, then by path in a compiled set. So more
// lines hardly make a URL slower. The sets are compiled when the first URL with a
// query is reduced.
type paramReducer struct {
	rules []CleanRule
	once  sync.Once
	names map[string]*paramRules
}

// paramRules are the rules that name a parameter.
type paramRules struct {
	rules []int32 // into paramReducer.rules
	paths *match.Set
}

// paramReducer makes the reducer of a file; nil = the profile does not obey
// Clean-param, or there is none.
func (r *Robots) paramReducer() *paramReducer {
	if r.Profile.CleanParam == CleanIgnored || len(r.cleans) == 0 {
		return nil
	}
	return &paramReducer{rules: slices.DeleteFunc(r.CleanParams(), func(c CleanRule) bool { return c.Problem != "" })}
}

// prepare compiles the paths of the rules for each parameter that they name.
func (p *paramReducer) prepare() {
	p.names = map[string]*paramRules{}
	for i := range p.rules {
		for _, name := range p.rules[i].Names {
			n := p.names[name]
			if n == nil {
				n = new(paramRules)
				p.names[name] = n
			}
			if last := len(n.rules) - 1; last < 0 || n.rules[last] != int32(i) { // a line may repeat a name
				n.rules = append(n.rules, int32(i))
			}
		}
	}
	for _, n := range p.names {
		patterns := make([]match.Pattern, len(n.rules))
		for i, rule := range n.rules {
			patterns[i] = p.rules[rule].pattern
		}
		n.paths = match.Compile(patterns, nil)
	}
}

// Covers reports whether the rule applies to the path of a URL. A rule with a
// Problem applies to none.
func (c *CleanRule) Covers(url string) bool {
	if c.Problem != "" {
		return false
	}
	url, _, _ = strings.Cut(url, "?")
	return c.pattern.Match(cleanPath(url))
}

// cleanPath returns the path that rules are compared with; url has no query.
func cleanPath(url string) string {
	path, slash := pathOf(url)
	if slash {
		return "/" + path
	}
	return path
}

// Canonical returns url without the parameters that Clean-param names for its
// path, the address that all its variants share. It returns url itself if
// nothing is to be removed, or the profile does not obey Clean-param.
func (r *Robots) Canonical(url string) string { return r.reducer.reduce(url) }

// Class is a set of URLs that are one page by Clean-param.
type Class struct {
	Canonical      string   // without the parameters
	Representative string   // the address under which the robot keeps the page
	URLs           []string // in the order given
}

// Classes sorts URLs into classes of one page each, in the order of their first
// URLs. In yandex-2016 a page has its canonical address only if that is one of
// the URLs, else the first of them. Today it always has the canonical one.
func (r *Robots) Classes(urls []string) []Class {
	var list []Class
	index := map[string]int{}
	for _, url := range urls {
		canonical := r.Canonical(url)
		i, known := index[canonical]
		if !known {
			i, index[canonical] = len(list), len(list)
			first := canonical
			if r.Profile.CleanParam == CleanKnown {
				first = url
			}
			list = append(list, Class{Canonical: canonical, Representative: first})
		}
		if url == canonical {
			list[i].Representative = canonical
		}
		list[i].URLs = append(list[i].URLs, url)
	}
	return list
}

// reduce removes the parameters that the rules for the URL's path name.
func (p *paramReducer) reduce(url string) string {
	mark := strings.IndexByte(url, '?')
	if mark < 0 || p == nil {
		return url
	}
	p.once.Do(p.prepare)
	path := cleanPath(url[:mark])
	query, fragment := url[mark+1:], ""
	if i := strings.IndexByte(query, '#'); i >= 0 {
		query, fragment = query[:i], query[i:]
	}
	var kept []string
	total := 0
	for parameter := range strings.SplitSeq(query, "&") {
		total++
		name, _, _ := strings.Cut(parameter, "=")
		if n := p.names[name]; n == nil || n.paths.Best(path) < 0 {
			kept = append(kept, parameter)
		}
	}
	switch len(kept) {
	case total:
		return url
	case 0:
		return url[:mark] + fragment
	}
	return url[:mark+1] + strings.Join(kept, "&") + fragment
}

// cleanScratches are reusable buffers for CleanedBy.
var cleanScratches = sync.Pool{New: func() any { return new(match.Scratch) }}

// CleanedBy returns the rules that remove a parameter from a URL, in the order
// of the file. It returns none if Canonical returns the URL itself.
func (r *Robots) CleanedBy(url string) []*CleanRule {
	reducer := r.reducer
	address, query, found := strings.Cut(url, "?")
	if !found || reducer == nil {
		return nil
	}
	reducer.once.Do(reducer.prepare)
	path := cleanPath(address)
	query, _, _ = strings.Cut(query, "#")
	var rules []int32
	scratch := cleanScratches.Get().(*match.Scratch)
	defer cleanScratches.Put(scratch)
	asked := map[string]bool{}
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		n := reducer.names[name]
		if n == nil || asked[name] {
			continue
		}
		asked[name] = true
		for _, i := range n.paths.All(path, scratch) {
			rules = append(rules, n.rules[i])
		}
	}
	slices.Sort(rules)
	var list []*CleanRule
	for _, i := range slices.Compact(rules) {
		list = append(list, &reducer.rules[i])
	}
	return list
}
