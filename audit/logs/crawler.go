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
	audited  int               // its index in Site.Audited; -1 = none
	tallies  [3]audit.LogTally // by agent.Identity
	urls     *distinct
	listed   int64 // different URLs of sitemaps that it requested
	blocked  int64 // of them, blocked as the audit says
	statuses map[string]int64
	codes    map[string]int64 // of errors
	robots   map[string]int64
	waste    audit.LogWaste
	days     map[int64]*audit.LogDay // by day since 1970
	rules    map[ruleKey]*audit.LogRule
	parts    [3]map[string]*audit.LogPart // directories, segments, types
	pages    int                          // directories that are pages
	networks map[uint64]int64             // requests that only claim the name, by networkOf
	known    map[*knownTemplate]*audit.LogPart
	forms    pattern.Groups[*audit.LogPart] // templates of URLs that are in no template of the run
	ruleURLs *distinct                      // URLs of rules, each with its rule
	orphans  *distinct                      // URLs answered with 200 that the run did not find
	orphan   []string
}

// ruleKey is a line of a version.
type ruleKey struct{ origin, version, line int }

func newCrawlerCount(s *siteCount, audited int) *crawlerCount {
	c := &crawlerCount{
		site: s, audited: audited, urls: newDistinct(s.room), statuses: map[string]int64{}, codes: map[string]int64{}, networks: map[uint64]int64{}, robots: map[string]int64{}, days: map[int64]*audit.LogDay{},
		rules: map[ruleKey]*audit.LogRule{}, known: map[*knownTemplate]*audit.LogPart{}, ruleURLs: newDistinct(s.room), orphans: newDistinct(s.room),
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
		c.addNetwork(s)
		return
	}
	c.statuses[statusClass(s.status)] += s.n
	if s.status >= 400 {
		c.codes[statusText(s.status)] += s.n
	}
	day := c.day(s.at)
	day.Requests += s.n
	if s.status >= 400 && !s.robots {
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
		if c.site.known.blocks(s.hash, c.audited) {
			c.blocked++
		}
	}
	if !s.inRun && s.status == 200 && c.site.known.found > 0 {
		if isNew, _ := c.orphans.add(s.hash); isNew {
			addSample(&c.orphan, s.loc)
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

// day returns the counts of a day. Those of days past the limit are lost.
func (c *crawlerCount) day(at int64) *audit.LogDay {
	n := at / 86400
	if at%86400 < 0 {
		n--
	}
	day := c.days[n]
	if day == nil {
		if len(c.days) == maxDays {
			c.site.limit(audit.LogLimitDays)
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
	if s.blockedNow {
		w.Blocked += s.n
	}
}

// addParts counts a request for the parts of the site that its URL is in.
func (c *crawlerCount) addParts(s *sight, isNew bool) {
	loc := string(s.loc[:min(len(s.loc), longestURL)]) // clients choose it, and names stay in memory
	addPart(c.template(loc), s, isNew)
	names := [len(c.parts)]string{c.directory(loc), "", fileType(loc)}
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
				c.site.limit(audit.LogLimitParts)
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

// maxPages bounds the pages of one crawler that count as directories.
const maxPages = 200

// directory is the part of a site that one rule can block: the first directory of a URL, or a page with parameters
// such as "/search".
func (c *crawlerCount) directory(loc string) string {
	dir := audit.TopDirectory(loc)
	if dir != "/" || !strings.Contains(loc, "?") {
		return dir
	}
	page := pathOf(loc)
	switch {
	case page == dir || c.parts[0][page] != nil:
		return page
	case c.pages == maxPages || len(c.parts[0]) >= maxParts:
		return dir
	}
	c.pages++
	return page
}

// template returns the counts of a URL's template: that of the run, so that both have the same names.
func (c *crawlerCount) template(loc string) *audit.LogPart {
	t := c.site.known.template(loc)
	if t == nil {
		return c.forms.Of(plainURL(loc)) // a parameter without a value may be one
	}
	part := c.known[t]
	if part == nil {
		part = &audit.LogPart{Name: t.name}
		c.known[t] = part
	}
	return part
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
	if s.blockedNow {
		part.Blocked += s.n
	}
}

// addRule counts a request for the rule that blocks it.
func (c *crawlerCount) addRule(s *sight) {
	key := ruleKey{s.origin, s.version, s.line}
	rule := c.rules[key]
	if rule == nil {
		if len(c.rules) == maxRules {
			c.site.limit(audit.LogLimitRules)
			return
		}
		rule = &audit.LogRule{Version: c.site.versions(s.origin)[s.version].Name, Line: s.line, Rule: s.rule, Samples: []string{}}
		c.rules[key] = rule
	}
	rule.Requests += s.n
	if isNew, _ := c.ruleURLs.add(s.hash ^ uint64(s.version+1)*0x9E3779B97F4A7C15 ^ uint64(s.line+1)*0xC2B2AE3D27D4EB4F); isNew {
		rule.URLs++
		addSample(&rule.Samples, s.loc)
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
		Statuses: ranked(c.statuses, 10), Codes: ranked(c.codes, 10), Waste: c.waste, Orphan: c.orphan, Robots: c.site.robots(id), Rules: []audit.LogRule{}, Days: []audit.LogDay{},
	}
	out.Robots.Statuses = ranked(c.robots, 20)
	names := map[string]int64{}
	for network, n := range c.networks {
		names[networkName(network)] += n
	}
	out.Networks = ranked(names, mostNetworks)
	for _, status := range out.Robots.Statuses {
		out.Robots.Requests += status.Requests
	}
	out.URLs, out.AboutURLs = c.urls.count()
	var about bool
	out.Orphans, about = c.orphans.count()
	if about || out.AboutURLs || c.ruleURLs.about != nil {
		c.site.limit(audit.LogLimitURLs)
	}
	if !out.AboutURLs && c.site.known != nil {
		out.NeverFetched = c.site.known.inSitemaps - c.listed
		if all := c.site.known.blocked; c.audited >= 0 && c.audited < len(all) {
			out.NeverBlocked = all[c.audited] - c.blocked
		}
	}
	for _, day := range slices.Sorted(maps.Keys(c.days)) {
		out.Days = append(out.Days, *c.days[day])
	}
	for _, key := range slices.SortedFunc(maps.Keys(c.rules), func(a, b ruleKey) int {
		return cmp.Or(cmp.Compare(a.origin, b.origin), cmp.Compare(a.version, b.version), cmp.Compare(a.line, b.line))
	}) {
		out.Rules = append(out.Rules, *c.rules[key])
	}
	slices.SortStableFunc(out.Rules, func(a, b audit.LogRule) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Version, b.Version), cmp.Compare(a.Line, b.Line))
	})
	templates := map[string]*audit.LogPart{}
	for _, part := range c.known {
		templates[part.Name] = part
	}
	for name, part := range c.forms.All() {
		part.Name = cmp.Or(name, otherParts)
		if of := templates[part.Name]; of != nil {
			mergePart(of, part)
		} else {
			templates[part.Name] = part
		}
	}
	out.Directories, out.Templates, out.Segments, out.Types = c.ranked(c.parts[0]), c.ranked(templates), c.ranked(c.parts[1]), c.ranked(c.parts[2])
	return out
}

// ranked returns the parts with most requests.
func (c *crawlerCount) ranked(parts map[string]*audit.LogPart) []audit.LogPart {
	list := []audit.LogPart{}
	for _, part := range parts {
		list = append(list, *part)
	}
	slices.SortFunc(list, func(a, b audit.LogPart) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Name, b.Name))
	})
	if len(list) > maxListed {
		c.site.limit(audit.LogLimitParts)
		list = list[:maxListed]
	}
	return list
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
	if status <= 0 {
		return "none"
	}
	return strconv.Itoa(status)
}

// longestURL bounds the URLs that name a part of the site or are an example, in bytes.
const longestURL = 500

// addSample adds a URL to a list of examples. Those that differ only by the values of parameters are one.
func addSample(list *[]string, loc []byte) {
	if len(*list) == maxSamples || len(loc) > longestURL {
		return
	}
	if plain := plainURL(string(loc)); !slices.Contains(*list, plain) {
		*list = append(*list, plain)
	}
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
