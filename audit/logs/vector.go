package logs

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"robots-audit/engine"
)

// VectorID names what each version says about a URL for a crawler. Equal ones have one number.
type VectorID uint16

const (
	allowedByAll VectorID = iota
	exemptPath            // robots.txt itself and well-known URLs
	unjudged              // there are too many vectors, or the crawler is not known
	firstVector
)

// maxVectors bounds the vectors of a Judge.
const maxVectors = 1<<16 - 1

// What a version says about a URL.
const (
	allowed      byte = 'a'
	blocked      byte = 'b'
	exemptState  byte = 'e' // the * group blocks it, which the crawler does not obey
	unknownState byte = 'u' // the profile does not say
)

// vector is what each version says.
type vector struct {
	states string // a byte for each version
	lines  []int32
	rules  []string
}

// of returns the states of the candidates that are versions.
func (x *vector) of(c candidates) string { return x.states[c.from:max(c.from, c.to+1)] }

// block reports whether all candidates are known and block.
func (x *vector) block(c candidates) bool { return x.all(c, blocked, blocked) }

// allow reports whether all candidates are known and allow.
func (x *vector) allow(c candidates) bool { return x.all(c, allowed, exemptState) }

// all reports whether all candidates are known and in one of two states.
func (x *vector) all(c candidates, a, b byte) bool {
	for i := c.from; i <= c.to; i++ {
		if s := x.states[i]; s != a && s != b {
			return false
		}
	}
	return !c.unknown && c.from <= c.to
}

// any reports whether a candidate is in a state.
func (x *vector) any(c candidates, state byte) bool { return strings.IndexByte(x.of(c), state) >= 0 }

// Judge says what the versions of a timeline block for crawlers, and which requests kept to it.
// Several goroutines can use it.
type Judge struct {
	time *Timeline

	mutex    sync.RWMutex
	ids      map[string]VectorID
	vectors  []vector
	crawlers atomic.Pointer[[]*judged]
	readings map[string][]*engine.Robots // by profile
	distinct [][]engine.Rule             // the lists of rules that differ in more than their lines
	numbers  map[ruleList]int            // indexes into distinct
	hashed   map[uint64][]int            // the same by the hash of the rules
}

// judged is a crawler and its groups.
type judged struct {
	engine.Crawler
	user   bool // user-triggered
	once   sync.Once
	groups []*engine.Group // by version
	star   []bool          // by version: the group is that of *, which it does not obey
	same   []int           // by version: the first version whose rules for it are the same but for their lines

	errorsOpen bool // it takes a server error as no restrictions
}

// ruleList is a list of rules in memory.
type ruleList struct {
	first *engine.Rule
	size  int
}

// NewJudge makes the judge of the requests of crawlers to an origin. Methods take the index of
// the crawler. userTriggered says which of them fetch for a person; nil = none.
func NewJudge(t *Timeline, crawlers []engine.Crawler, userTriggered []bool) *Judge {
	j := &Judge{time: t, ids: map[string]VectorID{}, readings: map[string][]*engine.Robots{}, numbers: map[ruleList]int{}, hashed: map[uint64][]int{}}
	for _, state := range [firstVector]byte{allowedByAll: allowed, exemptPath: allowed, unjudged: unknownState} {
		j.vectors = append(j.vectors, vector{states: strings.Repeat(string(state), len(t.versions))})
	}
	list := make([]*judged, len(crawlers))
	for i, c := range crawlers {
		list[i] = &judged{Crawler: c, user: i < len(userTriggered) && userTriggered[i]}
	}
	j.crawlers.Store(&list)
	return j
}

// Add adds a crawler and returns its index.
func (j *Judge) Add(c engine.Crawler, userTriggered bool) int {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	list := append(slices.Clone(*j.crawlers.Load()), &judged{Crawler: c, user: userTriggered})
	j.crawlers.Store(&list)
	return len(list) - 1
}

// crawler returns a crawler with its groups, nil = there is none with this number.
func (j *Judge) crawler(i int) *judged {
	list := *j.crawlers.Load()
	if i < 0 || i >= len(list) || len(list[i].Tokens) == 0 {
		return nil
	}
	c := list[i]
	c.once.Do(func() { j.prepare(c) })
	return c
}

// exempts reports whether a crawler is user-triggered.
func (j *Judge) exempts(i int) bool {
	list := *j.crawlers.Load()
	return i >= 0 && i < len(list) && list[i].user
}

// prepare finds the group of each version that a crawler obeys, or would if it obeyed *.
func (j *Judge) prepare(c *judged) {
	obeying := c.Crawler
	obeying.IgnoresGlobal = false
	var numbers []int
	p := profileOf(c.Profile)
	c.errorsOpen = p.Read(engine.File{Status: 503}).Access == engine.AllowAll
	for i, r := range j.readingsOf(p) {
		g := r.Group(obeying)
		number := -1 - i // the answer decides, without rules
		if r.Access == engine.Parsed {
			number = j.number(g.Rules)
		}
		numbers = append(numbers, number)
		c.groups, c.same = append(c.groups, g), append(c.same, slices.Index(numbers, number))
		c.star = append(c.star, c.IgnoresGlobal && g.Reason == engine.Global)
	}
}

// number returns the number of a list of rules. It finds it by its place in memory, since most
// crawlers obey the same group, or else by its content.
func (j *Judge) number(rules []engine.Rule) int {
	if len(rules) == 0 {
		return math.MaxInt
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	place := ruleList{&rules[0], len(rules)}
	if n, ok := j.numbers[place]; ok {
		return n
	}
	var hash maphash.Hash
	hash.SetSeed(seed)
	for i := range rules {
		hash.WriteString(rules[i].Value)
		hash.WriteByte('\n')
	}
	sum := hash.Sum64()
	same := slices.IndexFunc(j.hashed[sum], func(n int) bool {
		return slices.EqualFunc(rules, j.distinct[n], func(a, b engine.Rule) bool { return a.Allow == b.Allow && a.Value == b.Value })
	})
	if same < 0 {
		same = len(j.hashed[sum])
		j.hashed[sum] = append(j.hashed[sum], len(j.distinct))
		j.distinct = append(j.distinct, rules)
	}
	j.numbers[place] = j.hashed[sum][same]
	return j.numbers[place]
}

// seed is that of the hashes of rules.
var seed = maphash.MakeSeed()

// profileOf returns the profile of a name; rfc9309 if there is none.
func profileOf(name string) *engine.Profile {
	p, ok := engine.ProfileByName(name)
	if !ok {
		p, _ = engine.ProfileByName("rfc9309")
	}
	return p
}

// readingsOf returns the versions as a profile reads them.
func (j *Judge) readingsOf(p *engine.Profile) []*engine.Robots {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	list, ok := j.readings[p.Name]
	if !ok {
		for i := range j.time.versions {
			list = append(list, p.Read(j.time.versions[i].file))
		}
		j.readings[p.Name] = list
	}
	return list
}

// Vector returns what each version says about an absolute URL for a crawler; 0 = all allow it.
func (j *Judge) Vector(crawler int, url string) VectorID {
	path := pathOf(url)
	if path == "/robots.txt" || strings.HasPrefix(path, "/.well-known/") {
		return exemptPath
	}
	c := j.crawler(crawler)
	if c == nil {
		return unjudged
	}
	var room [256]byte
	key, plain := append(room[:0], c.Profile...), true
	var few [32]engine.Decision
	decisions := few[:0]
	for i, g := range c.groups {
		var d engine.Decision
		if same := c.same[i]; same < i {
			d = decisions[same]
			if d.Rule != nil {
				n, _ := slices.BinarySearchFunc(c.groups[same].Rules, d.Rule.Line, func(r engine.Rule, line int) int { return r.Line - line })
				d.Rule = &g.Rules[n]
			}
		} else {
			d = g.Verdict(url)
		}
		decisions = append(decisions, d)
		state := stateOf(d.Verdict, c.star[i])
		plain = plain && state == allowed
		key = append(key, state)
		if state == blocked {
			key = binary.AppendUvarint(key, uint64(d.Line()))
		}
	}
	if plain {
		return allowedByAll
	}
	j.mutex.RLock()
	id, ok := j.ids[string(key)]
	j.mutex.RUnlock()
	if ok {
		return id
	}
	return j.intern(string(key), c, decisions)
}

// stateOf is what a verdict means to a crawler. star: it is of the * group, which the crawler
// does not obey.
func stateOf(v engine.Verdict, star bool) byte {
	switch {
	case v == engine.Allow:
		return allowed
	case v == engine.Disallow && star:
		return exemptState
	case v == engine.Disallow:
		return blocked
	}
	return unknownState
}

// full reports whether there is no number for another vector.
func (j *Judge) full() bool {
	j.mutex.RLock()
	defer j.mutex.RUnlock()
	return len(j.vectors) >= maxVectors
}

// intern gives a vector its number.
func (j *Judge) intern(key string, c *judged, decisions []engine.Decision) VectorID {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if id, ok := j.ids[key]; ok {
		return id
	}
	if len(j.vectors) >= maxVectors {
		return unjudged
	}
	x := vector{lines: make([]int32, len(decisions)), rules: make([]string, len(decisions))}
	states := make([]byte, len(decisions))
	for i, d := range decisions {
		if states[i] = stateOf(d.Verdict, c.star[i]); states[i] == blocked && d.Rule != nil {
			x.lines[i], x.rules[i] = int32(d.Rule.Line), d.Rule.String()
		}
	}
	x.states = string(states)
	id := VectorID(len(j.vectors))
	j.vectors = append(j.vectors, x)
	j.ids[key] = id
	return id
}

// vector returns the vector of a number.
func (j *Judge) vector(v VectorID) *vector {
	j.mutex.RLock()
	defer j.mutex.RUnlock()
	if int(v) >= len(j.vectors) {
		v = unjudged
	}
	return &j.vectors[v]
}

// Blocks reports whether the version that a run saw last at or before a time blocks the URL, by a
// rule that applies to the crawler.
func (j *Judge) Blocks(v VectorID, at int64) bool {
	i := j.time.seenUntil(at)
	return i >= 0 && j.vector(v).states[i] == blocked
}

// BlocksNow reports whether the newest version blocks the URL, by a rule that applies to the crawler.
func (j *Judge) BlocksNow(v VectorID) bool {
	states := j.vector(v).states
	return states != "" && states[len(states)-1] == blocked
}

// blocker returns the version that blocks a URL, and its rule with line: the one seen until then
// if it does, else the candidate that does; without one, the version seen until then.
func (x *vector) blocker(now candidates, seen int) (version, line int, rule string) {
	if seen >= 0 && x.states[seen] == blocked {
		version = seen
	} else if version = seen; x.any(now, blocked) {
		version = now.from + strings.IndexByte(x.of(now), blocked)
	}
	if version < 0 || x.lines == nil {
		return version, 0, ""
	}
	return version, int(x.lines[version]), x.rules[version]
}

// pathOf returns the path of an absolute URL, without its query.
func pathOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok && url[0] != '/' {
		url = rest
		if i := strings.IndexAny(url, "/?#"); i >= 0 {
			url = url[i:]
		} else {
			url = ""
		}
	}
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	return url
}
