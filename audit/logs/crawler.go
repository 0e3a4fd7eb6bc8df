package logs

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
	"robots-audit/audit/pattern"
)

// crawlerCount are the counts of one crawler on one site.
type crawlerCount struct {
	site     *siteCount
	tallies  [3]audit.LogTally // by agent.Identity
	urls     *distinct
	listed   int64 // different URLs of sitemaps that it requested
	statuses map[string]int64
	robots   map[string]int64
	waste    audit.LogWaste
	days     map[int64]*audit.LogDay // by day since 1970
	rules    map[ruleKey]*audit.LogRule
	parts    [3]map[string]*audit.LogPart   // directories, segments, types
	forms    pattern.Groups[*audit.LogPart] // templates
	ruleURLs *distinct                      // URLs of rules, each with its rule
	orphans  int64
	orphan   []string
}

// ruleKey is a line of a version.
type ruleKey struct{ origin, version, line int }

func newCrawlerCount(s *siteCount) *crawlerCount {
	c := &crawlerCount{
		site: s, urls: newDistinct(s.room), statuses: map[string]int64{}, robots: map[string]int64{}, days: map[int64]*audit.LogDay{},
		rules: map[ruleKey]*audit.LogRule{}, ruleURLs: newDistinct(s.room),
		forms: pattern.Groups[*audit.LogPart]{
			New:   func() *audit.LogPart { return &audit.LogPart{} },
			Merge: mergePart,
			Size:  func(p *audit.LogPart) int64 { return max(p.URLs, 1) },
		},
	}
	for i := range c.parts {
		c.parts[i] = map[string]*audit.LogPart{}
	}
	return c
}

// add counts a request.
func (c *crawlerCount) add(s *sight) {
	count(&c.tallies[s.who], s.class, s.n)
	if s.who == agent.Claimed { // somebody else: nothing more is said of it
		return
	}
	c.statuses[statusClass(s.status)] += s.n
	day := c.day(s.at)
	day.Requests += s.n
	if s.status >= 400 {
		day.Errors += s.n
	}
	switch s.class {
	case Disobeyed:
		day.Disobeyed += s.n
	case Grace, Stale:
		day.Grace += s.n
	}
	if s.robots {
		c.robots[statusText(s.status)] += s.n
		day.Robots += s.n
		if s.status < 200 || s.status >= 400 {
			day.RobotsBad += s.n
		}
		return
	}
	if s.loc == nil {
		return
	}
	isNew, _ := c.urls.add(s.hash)
	c.addWaste(s)
	c.addParts(s, isNew)
	if s.version >= 0 && (s.blocked || s.class == Disobeyed || s.class == Blocked || s.class == Grace || s.class == Stale) {
		c.addRule(s)
	}
	if isNew && s.listed {
		c.listed++
	}
	if isNew && !s.inRun && s.status == 200 && c.site.known.found > 0 {
		c.orphans++
		if len(c.orphan) < maxSamples {
			c.orphan = append(c.orphan, plainURL(string(s.loc)))
		}
	}
}

// count counts n requests of a class.
func count(t *audit.LogTally, class Class, n int64) {
	t.Requests += n
	switch class {
	case Obeyed:
		t.Obeyed += n
	case Disobeyed:
		t.Disobeyed += n
	case Grace:
		t.Grace += n
	case Stale:
		t.Grace += n
		t.Stale += n
	case Exempt:
		t.Exempt += n
	case Blocked:
		t.Blocked += n
	default:
		t.Unclear += n
	}
}

// day returns the counts of a day. Days past the limit are counted together.
func (c *crawlerCount) day(at int64) *audit.LogDay {
	n := at / 86400
	if at%86400 < 0 {
		n--
	}
	day := c.days[n]
	if day == nil {
		if len(c.days) == maxDays {
			return &audit.LogDay{}
		}
		day = &audit.LogDay{Day: utc(at).Format(time.DateOnly)}
		c.days[n] = day
	}
	return day
}

func (c *crawlerCount) addWaste(s *sight) {
	w := &c.waste
	switch {
	case redirects(s.status):
		w.Redirects += s.n
	case s.status >= 400:
		w.Errors += s.n
	}
	if !s.listed && slices.Contains(s.loc, '?') {
		w.Parameters += s.n
	}
	if s.blocked {
		w.Blocked += s.n
	}
}

// addParts counts a request for the parts of the site that its URL is in.
func (c *crawlerCount) addParts(s *sight, isNew bool) {
	loc := string(s.loc)
	addPart(c.forms.Of(loc), s, isNew)
	names := [len(c.parts)]string{audit.TopDirectory(loc), "", fileType(loc)}
	if segment := c.site.of.Segment; segment != nil {
		names[1] = segment(loc)
	}
	for i, name := range names {
		if name == "" {
			continue
		}
		part := c.parts[i][name]
		if part == nil {
			if len(c.parts[i]) >= maxParts {
				name = otherParts
			}
			if part = c.parts[i][name]; part == nil {
				part = &audit.LogPart{Name: name}
				c.parts[i][name] = part
			}
		}
		addPart(part, s, isNew)
	}
}

// otherParts is the name of all parts past the limit.
const otherParts = "…"

// mergePart adds the requests of another part.
func mergePart(into, from *audit.LogPart) {
	into.Requests += from.Requests
	into.URLs += from.URLs
	into.OK += from.OK
	into.Redirects += from.Redirects
	into.Errors += from.Errors
	into.Blocked += from.Blocked
}

func addPart(part *audit.LogPart, s *sight, isNew bool) {
	part.Requests += s.n
	if isNew {
		part.URLs++
	}
	switch {
	case redirects(s.status):
		part.Redirects += s.n
	case s.status >= 400:
		part.Errors += s.n
	case s.status >= 200:
		part.OK += s.n
	}
	if s.blocked {
		part.Blocked += s.n
	}
}

// addRule counts a request for the rule that blocks it.
func (c *crawlerCount) addRule(s *sight) {
	key := ruleKey{s.origin, s.version, s.line}
	rule := c.rules[key]
	if rule == nil {
		if len(c.rules) == maxRules {
			return
		}
		rule = &audit.LogRule{Version: c.site.versions(s.origin)[s.version].Name, Line: s.line, Rule: s.rule}
		c.rules[key] = rule
	}
	rule.Requests += s.n
	if isNew, _ := c.ruleURLs.add(s.hash ^ uint64(s.version+1)*0x9E3779B97F4A7C15 ^ uint64(s.line+1)*0xC2B2AE3D27D4EB4F); isNew {
		rule.URLs++
		if len(rule.Samples) < maxSamples {
			rule.Samples = append(rule.Samples, plainURL(string(s.loc)))
		}
	}
	switch s.class {
	case Disobeyed:
		rule.Disobeyed += s.n
		if at := utc(s.at); rule.First.IsZero() || at.Before(rule.First) {
			rule.First = at
		}
		if at := utc(s.at); at.After(rule.Last) {
			rule.Last = at
		}
	case Grace, Stale:
		rule.Grace += s.n
	}
}

// logs returns the counts.
func (c *crawlerCount) logs(id int) audit.LogCrawler {
	of := &c.site.crawlers[id]
	out := audit.LogCrawler{
		Name: of.Name, Operator: of.Operator, Purpose: of.Purpose,
		Genuine: c.tallies[agent.Genuine], Unknown: c.tallies[agent.Unknown], Claimed: c.tallies[agent.Claimed],
		Statuses: ranked(c.statuses, 10), Waste: c.waste, Orphans: c.orphans, Orphan: c.orphan, Robots: c.site.robots(id),
	}
	out.Robots.Statuses = ranked(c.robots, 20)
	for _, status := range out.Robots.Statuses {
		out.Robots.Requests += status.Requests
	}
	out.URLs, out.AboutURLs = c.urls.count()
	if !out.AboutURLs && c.site.known != nil {
		out.NeverFetched = c.site.known.inSitemaps - c.listed
	}
	for _, day := range slices.Sorted(maps.Keys(c.days)) {
		out.Days = append(out.Days, *c.days[day])
	}
	for _, rule := range c.rules {
		out.Rules = append(out.Rules, *rule)
	}
	slices.SortFunc(out.Rules, func(a, b audit.LogRule) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Version, b.Version), cmp.Compare(a.Line, b.Line))
	})
	templates := map[string]*audit.LogPart{}
	for name, part := range c.forms.All() {
		part.Name = cmp.Or(name, otherParts)
		templates[part.Name] = part
	}
	out.Directories, out.Templates, out.Segments, out.Types = listed(c.parts[0]), listed(templates), listed(c.parts[1]), listed(c.parts[2])
	return out
}

// listed returns the parts with most requests.
func listed(parts map[string]*audit.LogPart) (list []audit.LogPart) {
	for _, part := range parts {
		list = append(list, *part)
	}
	slices.SortFunc(list, func(a, b audit.LogPart) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), maxListed)]
}

func redirects(status int) bool { return status >= 300 && status < 400 && status != 304 }

// statusClass is the class of a status: "2xx".
func statusClass(status int) string {
	if status >= 200 && status <= 599 {
		return strconv.Itoa(status/100) + "xx"
	}
	return "other"
}

// statusText is a status as a name.
func statusText(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status)
}

// plainURL is a URL without the values of its parameters, which may be personal.
func plainURL(loc string) string {
	path, query, ok := strings.Cut(loc, "?")
	if !ok {
		return loc
	}
	params := strings.Split(query, "&")
	for i, param := range params {
		if name, _, ok := strings.Cut(param, "="); ok {
			params[i] = name + "=…"
		} else if len(param) > 20 {
			params[i] = "…"
		}
	}
	return path + "?" + strings.Join(params, "&")
}

// fileTypes are the kinds of files by the extension of their name.
var fileTypes = map[string]string{
	"css": "style", "js": "script", "mjs": "script", "json": "data", "xml": "data", "txt": "text", "pdf": "document", "doc": "document", "docx": "document",
	"jpg": "image", "jpeg": "image", "png": "image", "gif": "image", "webp": "image", "avif": "image", "svg": "image", "ico": "image",
	"mp4": "video", "webm": "video", "woff": "font", "woff2": "font", "ttf": "font",
}

// fileType is the kind of file that a URL names: "page", "image".
func fileType(loc string) string {
	path, _, _ := strings.Cut(loc, "?")
	name := path[strings.LastIndexByte(path, '/')+1:]
	if _, extension, ok := strings.Cut(name, "."); ok {
		if kind := fileTypes[strings.ToLower(extension[strings.LastIndexByte(extension, '.')+1:])]; kind != "" {
			return kind
		}
	}
	return "page"
}
