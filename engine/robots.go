package engine

import (
	"slices"
	"strconv"
	"sync"
)

// Robots is a robots.txt as one profile reads it. It is immutable and may be
// used by several goroutines.
type Robots struct {
	Profile *Profile
	Access  Access
	Why     string // the reason of the access result, in words
	Unread  int    // bytes of the body that the profile does not read, being over its limit

	source    source // where the access result came from
	body      string // the caller's bytes
	truncated bool   // they are not all of the file
	text      string // what is read of them; all strings here are parts of it
	agents    []agentLine
	rules     []Rule
	runs      []run
	delays    []delayLine
	sitemaps  []Line
	hosts     []Line
	cleans    []Line
	rereads   []int         // lines of rules whose deletion may change how other lines are read
	reducer   *paramReducer // by the valid ones of them; nil = there is nothing to reduce

	sharedWith *Robots // another reading of the same bytes, see Share
	mutex      sync.Mutex
	groups     []*Group          // the groups that were asked for, each once
	index      map[string]*Group // the same by appendRunsKey, where there are many
	edits      map[int]*Robots   // the file without a line, see edited
	reread     int               // how often it was read again besides these
}

// Share lets readings of one body by several profiles hold the rules that they
// have read alike in memory once: mostly that is all of them. It is called once, before anything else is asked of
// them.
func Share(readings ...*Robots) {
	for i, r := range readings {
		if slices.Contains(readings[:i], r) {
			continue
		}
		for _, other := range readings[:i] {
			if other.Access == Parsed && r.Access == Parsed && slices.Equal(r.rules, other.rules) {
				r.rules, r.sharedWith = other.rules, other
				break
			}
		}
	}
}

// anew returns the same reading with its own groups: those of r are kept by who asked for them,
// without the order of their rules while that is not needed.
func (r *Robots) anew() *Robots {
	return &Robots{
		Profile: r.Profile, Access: r.Access, Why: r.Why, Unread: r.Unread, source: r.source, body: r.body, truncated: r.truncated, text: r.text,
		agents: r.agents, rules: r.rules, runs: r.runs, delays: r.delays, sitemaps: r.sitemaps, hosts: r.hosts, cleans: r.cleans, rereads: r.rereads, reducer: r.reducer,
	}
}

// askedBefore returns the group of runs if it was asked for before.
func (r *Robots) askedBefore(runs []int) *Group {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.index != nil {
		var room [64]byte
		return r.index[string(appendRunsKey(room[:0], runs))]
	}
	for _, g := range r.groups {
		if slices.Equal(g.runs, runs) {
			return g
		}
	}
	return nil
}

// fewGroups is the number of groups up to which they are searched one after the other: of an
// audit's sites most have no more, and wait in memory.
const fewGroups = 8

// keep remembers the group of runs.
func (r *Robots) keep(g *Group) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.groups = append(r.groups, g)
	switch {
	case r.index != nil:
		r.index[string(appendRunsKey(nil, g.runs))] = g
	case len(r.groups) > fewGroups:
		r.index = map[string]*Group{}
		for _, g := range r.groups {
			r.index[string(appendRunsKey(nil, g.runs))] = g
		}
	}
}

// appendRunsKey appends what tells the groups of some runs from those of others.
func appendRunsKey(key []byte, runs []int) []byte {
	for _, i := range runs {
		key = append(strconv.AppendInt(key, int64(i), 36), ' ')
	}
	return key
}

// Line is a line of the file that is no rule but means something.
type Line struct {
	Line  int    // 1-based
	Value string // as written, comment and surrounding white space removed
}

// Rules returns every rule of every group, in the order of the file, each line
// once.
func (r *Robots) Rules() []Rule { return r.rules }

// Sitemaps returns the Sitemap lines in the order of the file, as written:
// those that hold a whole URL, with scheme and host, as sitemaps.org and all
// readers ask for.
func (r *Robots) Sitemaps() []Line {
	var list []Line
	for _, line := range r.sitemaps {
		if isAbsolute(line.Value) {
			list = append(list, line)
		}
	}
	return list
}

// SitemapLines returns every Sitemap line in the order of the file, as
// written, those too that no crawler can use since they are no absolute URLs.
// Sitemaps leaves the latter out.
func (r *Robots) SitemapLines() []Line { return r.sitemaps }

// isAbsolute reports whether a URL has a scheme that sitemaps come by, and a
// host.
func isAbsolute(url string) bool {
	for _, scheme := range [...]string{"https://", "http://", "ftp://"} {
		if hasPrefixFold(url, scheme) {
			rest := url[len(scheme):]
			return rest != "" && rest[0] != '/' && rest[0] != '?' && rest[0] != '#' && rest[0] != ':'
		}
	}
	return false
}

// Reader reads one robots.txt after the other into the same memory. For large files that
// takes less time: half a megabyte of rules is neither made nor collected, and stays in
// the processor's near cache. The zero Reader is ready for use, by one goroutine at a time.
type Reader struct {
	rules  []Rule
	agents []agentLine
	runs   []run
}

// keptRules is how many rules a Reader keeps the memory of: 2 MB. It keeps that of fewer
// user-agent lines and groups.
const (
	keptRules  = 1 << 16
	keptAgents = 1 << 14
)

// Read is p.Read. What it gives, and all groups of it, may be used until the next call.
func (r *Reader) Read(p *Profile, f File) *Robots {
	robots := p.access(f)
	if robots.Access != Parsed {
		return robots
	}
	robots.rules, robots.agents, robots.runs = r.rules[:0], r.agents[:0], r.runs[:0]
	robots.parse()
	if r.rules = robots.rules; cap(r.rules) > keptRules {
		r.rules = nil
	}
	if r.agents = robots.agents; cap(r.agents) > keptAgents {
		r.agents = nil
	}
	if r.runs = robots.runs; cap(r.runs) > keptAgents {
		r.runs = nil
	}
	return robots
}
