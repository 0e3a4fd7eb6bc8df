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
	Unread  int    // bytes of the body after the profile's limit, which it does not read

	source    source // source of the access result
	body      string // the caller's bytes
	truncated bool   // they are only part of the file
	text      string // the part that is read; all strings here are substrings of it
	agents    []agentLine
	rules     []Rule
	runs      []run
	delays    []delayLine
	sitemaps  []Line
	hosts     []Line
	cleans    []Line
	rereads   []int         // lines of rules whose deletion may change how other lines are read
	reducer   *paramReducer // from the valid cleans; nil = there is nothing to reduce

	sharedWith *Robots // another reading of the same bytes, see Share
	mutex      sync.Mutex
	groups     []*Group          // the groups used so far, each once
	index      map[string]*Group // the same by appendRunsKey, if there are many
	edits      map[int]*Robots   // the file without a line, see edited
	reread     int               // how often it was read again in addition to edits
}

// Share lets readings of one body by several profiles share the memory of equal rules; usually all
// are equal. Call it once, before anything else is done with them.
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

// anew returns the same reading with its own groups. Callers keep the groups of r in memory,
// and these stay unsorted until needed.
func (r *Robots) anew() *Robots {
	return &Robots{
		Profile: r.Profile, Access: r.Access, Why: r.Why, Unread: r.Unread, source: r.source, body: r.body, truncated: r.truncated, text: r.text,
		agents: r.agents, rules: r.rules, runs: r.runs, delays: r.delays, sitemaps: r.sitemaps, hosts: r.hosts, cleans: r.cleans, rereads: r.rereads, reducer: r.reducer,
	}
}

// askedBefore returns the group of runs if it already exists.
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

// fewGroups is the number of groups up to which a linear search is used. Most sites of an
// audit have no more, so they need no map in memory.
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

// appendRunsKey appends a key that is unique for runs.
func appendRunsKey(key []byte, runs []int) []byte {
	for _, i := range runs {
		key = append(strconv.AppendInt(key, int64(i), 36), ' ')
	}
	return key
}

// Line is a line of the file that is not a rule but has a meaning.
type Line struct {
	Line  int    // 1-based
	Value string // as written, comment and surrounding white space removed
}

// Rules returns every rule of every group, in the order of the file, each line
// once.
func (r *Robots) Rules() []Rule { return r.rules }

// Sitemaps returns the Sitemap lines in the order of the file, as written. It
// returns only full URLs, with scheme and host, as sitemaps.org and all readers
// require.
func (r *Robots) Sitemaps() []Line {
	var list []Line
	for _, line := range r.sitemaps {
		if isAbsolute(line.Value) {
			list = append(list, line)
		}
	}
	return list
}

// SitemapLines returns every Sitemap line in the order of the file, as written.
// Unlike Sitemaps, it includes lines that no crawler can use since they are not
// absolute URLs.
func (r *Robots) SitemapLines() []Line { return r.sitemaps }

// isAbsolute reports whether a URL has a host and a scheme that sitemaps may
// have.
func isAbsolute(url string) bool {
	for _, scheme := range [...]string{"https://", "http://", "ftp://"} {
		if hasPrefixFold(url, scheme) {
			rest := url[len(scheme):]
			return rest != "" && rest[0] != '/' && rest[0] != '?' && rest[0] != '#' && rest[0] != ':'
		}
	}
	return false
}

// Reader reads one robots.txt after the other into the same memory. For large files this is
// faster: half a megabyte of rules is neither allocated nor collected, and stays in the
// processor's cache. The zero Reader is ready for use, by one goroutine at a time.
type Reader struct {
	rules  []Rule
	agents []agentLine
	runs   []run
}

// keptRules is the number of rules whose memory a Reader keeps: 2 MB. For user-agent
// lines and groups the limit is lower.
const (
	keptRules  = 1 << 16
	keptAgents = 1 << 14
)

// Read is p.Read. The result and its groups are valid until the next call.
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
