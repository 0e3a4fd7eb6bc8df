package logs_test

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/engine"
)

const day = 24 * 60 * 60

// unknown is the bit of a content that no run has seen.
const unknown = 1 << 31

// robotsRead is a request for robots.txt. crawler is logs.Visitor for all who are no known crawler.
type robotsRead struct {
	crawler int
	at      int64
	status  int
}

// opens reports whether the answer says that there is no robots.txt, or has none.
func (r robotsRead) opens() bool {
	return r.status/100 == 4 && r.status != 429 || r.status/100 == 2 && !r.gives()
}

// gives reports whether the answer gives the file.
func (r robotsRead) gives() bool { return r.status == 200 || r.status == 206 || r.status == 304 }

// fails reports whether the file could not be read.
func (r robotsRead) fails() bool { return r.status == 0 || r.status == 429 || r.status/100 == 5 }

// brute judges requests the slow way. It asks what may have been in force in each second of the
// window. It shares no code with the judge.
type brute struct {
	source   audit.LogSource
	runs     []logs.Observation // by time
	told     []int              // version that a run saw; -1 = it does not know
	versions []int              // their contents
	contents []logs.Observation // those that differ
	from     int64              // second of masks[0]
	masks    []uint32           // bit i = content i may be in force in this second
	changes  []int64            // seconds whose mask is not that of the second before
	reads    []robotsRead
	crawlers []engine.Crawler
	user     []bool
	said     map[asked]verdict
}

// asked is a question to the engine.
type asked struct {
	content, crawler int
	url              string
}

// verdict is what a content says to a crawler about a URL.
type verdict struct {
	known, blocks bool
	star          bool // blocks by the group of *, which the crawler does not obey
	line          int
	rule          string
}

// newBrute makes a judge for requests from one second to another.
func newBrute(source audit.LogSource, runs []logs.Observation, reads []robotsRead, crawlers []engine.Crawler, user []bool, from, to int64) *brute {
	b := &brute{source: source, reads: reads, crawlers: crawlers, user: user, from: from, said: map[asked]verdict{}}
	b.runs = slices.Clone(runs)
	slices.SortStableFunc(b.runs, func(x, y logs.Observation) int { return x.At.Compare(y.At) })
	near := map[int64]bool{} // seconds in which what is in force can change
	for _, o := range b.runs {
		b.told = append(b.told, b.version(o))
		near[o.At.Unix()], near[o.At.Unix()+1] = true, true
	}
	b.masks = make([]uint32, to-from+1)
	for i := range b.masks {
		if at := from + int64(i); i > 0 && !near[at] {
			b.masks[i] = b.masks[i-1]
		} else {
			b.masks[i] = b.inForce(at)
			if i > 0 && b.masks[i] != b.masks[i-1] {
				b.changes = append(b.changes, at)
			}
		}
	}
	return b
}

// failed reports whether a run got no content at all.
func failed(o logs.Observation) bool {
	return o.File.Error != "" || o.File.Status == 0 || o.File.Status == 429 || o.File.Status/100 == 5
}

// version returns the number of the version that a run saw, and begins a new one if the content differs.
func (b *brute) version(o logs.Observation) int {
	if !o.Told || failed(o) {
		return -1
	}
	content := slices.IndexFunc(b.contents, func(c logs.Observation) bool { return c.SHA256 == o.SHA256 && c.File.Status == o.File.Status })
	if content < 0 {
		content = len(b.contents)
		b.contents = append(b.contents, o)
	}
	if n := len(b.versions); n == 0 || b.versions[n-1] != content {
		b.versions = append(b.versions, content)
	}
	return len(b.versions) - 1
}

// around returns the versions that runs saw before and after a second, and whether something
// between them is in doubt. A run at its start is both. -1 = there is none.
func (b *brute) around(at int64) (before, after int, doubt bool) {
	before, after = -1, -1
	if b.source == audit.LogFile {
		return 0, 0, false
	}
	for i, o := range b.runs {
		early := o.At.Unix() < at || o.At.Unix() == at && o.At.Nanosecond() == 0
		late := o.At.Unix() >= at
		if b.told[i] < 0 {
			doubt = doubt || !failed(o) && after < 0
			continue
		}
		if early {
			before, doubt = b.told[i], false
		}
		if late && after < 0 {
			after = b.told[i]
		}
	}
	return before, after, doubt
}

// inForce returns the contents that may be in force at a second.
func (b *brute) inForce(at int64) (mask uint32) {
	before, after, doubt := b.around(at)
	for _, version := range []int{before, after} {
		if version < 0 {
			doubt = true
		} else {
			mask |= 1 << b.versions[version]
		}
	}
	if doubt {
		mask |= unknown
	}
	return mask
}

// during returns the contents that may be in force at any second from one to another.
func (b *brute) during(from, to int64) (mask uint32) {
	mask = b.masks[from-b.from]
	for _, at := range b.changes {
		if from < at && at <= to {
			mask |= b.masks[at-b.from]
		}
	}
	return mask
}

// opened reports whether anybody was told in a window that there is no robots.txt. Yandex takes
// errors as that, which runs meet as well.
func (b *brute) opened(crawler int, from, to int64) bool {
	yandex := b.crawlers[crawler].Profile == "yandex"
	for _, r := range b.reads {
		if (r.opens() || yandex && r.fails()) && from <= r.at && r.at <= to {
			return true
		}
	}
	for _, o := range b.runs {
		if yandex && b.source != audit.LogFile && failed(o) && from <= o.At.Unix() && o.At.Unix() <= to {
			return true
		}
	}
	return false
}

// verdict asks the engine.
func (b *brute) verdict(content, crawler int, url string) verdict {
	key := asked{content, crawler, url}
	v, ok := b.said[key]
	if ok {
		return v
	}
	c := b.crawlers[crawler]
	p, _ := engine.ProfileByName(c.Profile)
	robots := p.Read(b.contents[content].File)
	obeysAll := c
	obeysAll.IgnoresGlobal = false
	group := robots.Group(obeysAll)
	d := group.Verdict(url)
	switch {
	case free(url):
		v.known = true
	case c.IgnoresGlobal && group.Reason == engine.Global:
		v = verdict{known: true, star: d.Verdict == engine.Disallow}
	case d.Verdict == engine.Disallow:
		v = verdict{known: true, blocks: true, line: d.Line()}
		if d.Rule != nil {
			v.rule = d.Rule.String()
		}
	default:
		v.known = d.Verdict == engine.Allow
	}
	b.said[key] = v
	return v
}

// free reports whether crawlers may fetch a URL whatever robots.txt says.
func free(url string) bool {
	_, path, _ := strings.Cut(url, "://")
	_, path, _ = strings.Cut(path, "/")
	path, _, _ = strings.Cut(path, "?")
	return path == "robots.txt" || strings.HasPrefix(path, ".well-known/")
}

// all reports whether a condition is true for each content of a mask; an unknown content never is.
func (b *brute) all(mask uint32, crawler int, url string, is func(verdict) bool) bool {
	if mask&unknown != 0 {
		return false
	}
	for i := range b.contents {
		if mask&(1<<i) != 0 && !is(b.verdict(i, crawler, url)) {
			return false
		}
	}
	return true
}

// some reports whether a condition is true for a content of a mask.
func (b *brute) some(mask uint32, crawler int, url string, is func(verdict) bool) bool {
	return !b.all(mask&^unknown, crawler, url, func(v verdict) bool { return !is(v) })
}

func blocks(v verdict) bool { return v.known && v.blocks }
func allows(v verdict) bool { return v.known && !v.blocks }

// lastRead returns the second of the last request for robots.txt that said something to a crawler,
// and what it may have learned; ok = false if there is none.
func (b *brute) lastRead(crawler int, at int64) (last int64, knows uint32, open, ok bool) {
	for _, r := range b.reads {
		if r.crawler == crawler && r.at <= at && (r.gives() || r.opens()) && (!ok || r.at > last) {
			last, ok = r.at, true
		}
	}
	if !ok {
		return 0, 0, false, false
	}
	for _, r := range b.reads {
		if r.crawler != crawler || r.at != last {
			continue
		}
		open = open || r.opens()
		if r.gives() {
			now, served := b.during(last, last), uint32(0)
			for i, c := range b.contents {
				if c.File.Status/100 == 2 {
					served |= now & (1 << i)
				}
			}
			served |= now & unknown
			if served == 0 {
				served = unknown // it got a file that no run has seen
			}
			knows |= served
		}
	}
	return last, knows, open, true
}

// missing reports whether a crawler could not read the file for so long that it may take it as missing.
func (b *brute) missing(crawler int, read int64, hasRead bool, at int64) bool {
	for _, r := range b.reads {
		if r.crawler == crawler && r.fails() && r.at <= at && (!hasRead || r.at > read && at-r.at >= 30*day) {
			return true
		}
	}
	return false
}

// class judges a request.
func (b *brute) class(crawler int, url string, at int64, genuine bool) logs.Class {
	now := b.during(at, at)
	star := func(v verdict) bool { return v.star }
	if b.user[crawler] || free(url) || b.some(now, crawler, url, star) {
		return logs.Exempt
	}
	read, knows, open, ok := b.lastRead(crawler, at)
	start := at - day
	if ok {
		start = min(start, read)
	} else {
		knows = b.during(at-day, at-day)
	}
	window := b.during(start, at)
	if b.all(window, crawler, url, blocks) && !b.opened(crawler, start, at) && !b.missing(crawler, read, ok, at) {
		if genuine {
			return logs.Disobeyed
		}
		return logs.Blocked
	}
	knew := b.all(knows, crawler, url, allows) && (knows != 0 || open)
	if knew && b.all(now, crawler, url, allows) && (ok || b.all(window, crawler, url, allows)) {
		return logs.Obeyed
	}
	if knew && b.some(now, crawler, url, blocks) {
		if b.all(b.during(at-day, at), crawler, url, blocks) && !b.opened(crawler, at-day, at) {
			return logs.Stale
		}
		return logs.Grace
	}
	return logs.Unclear
}

// where returns the version that blocks a URL for a request of a class, and its rule: for an accusation the version
// that the crawler knew, else the one in force if it blocks. inForce reports whether that one does.
func (b *brute) where(class logs.Class, crawler int, url string, at int64) (version, line int, rule string, inForce bool) {
	before, after, _ := b.around(at)
	if class == logs.Disobeyed || class == logs.Blocked {
		_, _, _, inForce = b.where(logs.Unclear, crawler, url, at)
		knew := at - day
		if read, _, _, ok := b.lastRead(crawler, at); ok {
			knew = read
		}
		version, line, rule, _ = b.where(logs.Unclear, crawler, url, knew)
		return version, line, rule, inForce
	}
	for _, version := range []int{before, after} {
		if version < 0 {
			continue
		}
		if v := b.verdict(b.versions[version], crawler, url); v.blocks {
			return version, v.line, v.rule, version == before
		}
	}
	return before, 0, "", false
}
