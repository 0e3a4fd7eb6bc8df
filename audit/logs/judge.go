package logs

import "math"

// monthOfFailures is how long robots.txt must be unreachable until crawlers may take it as
// missing (RFC 9309 2.3.1.4), in seconds.
const monthOfFailures = 30 * day

// knowledge is what a crawler had last read of robots.txt at some time.
type knowledge struct {
	at     int64 // second of the request
	read   bool  // there is such a request
	got    bool  // it got a file; else it learned that there is none
	failed bool  // it may take the file as missing since it could not read it: see Judge.Class
}

// known returns what a crawler knew at a time.
func (r *Reads) known(crawler int, at int64) (k knowledge) {
	c := r.of[crawler]
	if c == nil {
		return k
	}
	since := int64(math.MinInt64)
	if i := notBefore(c.learned, at*2+2); i > 0 {
		k.at, k.read, k.got = c.learned[i-1]>>1, true, c.learned[i-1]&1 != 0
		since = k.at + 1
	}
	if i := notBefore(c.failed, since); i < len(c.failed) {
		k.failed = c.failed[i] <= at && !k.read || c.failed[i] <= at-monthOfFailures
	}
	return k
}

// open reports whether the answers from a to b may have told a crawler that there are no
// restrictions. The times are at least a day apart.
func (j *Judge) open(r *Reads, crawler int, a, b int64) bool {
	if r.opens.within(a, b) {
		return true
	}
	c := j.crawler(crawler)
	return c != nil && c.errorsOpen && (r.errors.within(a, b) || j.time.errors.within(a, b))
}

// Class judges a request of a crawler at a time, in Unix seconds, by what the crawler could know
// then. Call it after all calls of Reads.Add. genuine: the address proves who sent the request.
// It also returns the index of the version that blocks the URL, and its rule with line; line 0 and
// no rule if the answer for robots.txt decides. For Disobeyed and Blocked it is the version that the
// crawler had read, or could know a day before; else the one in force if it blocks. If no version
// that may be in force blocks, it is the version in force, without a rule; -1 = not known.
//
// Let read be the crawler's last request for robots.txt until then that said something, and let the
// window be the time from read to the request, but at least a day. The candidates of a time are
// those of [Timeline].
//
//   - [Exempt]: the crawler is user-triggered; the URL is robots.txt or in /.well-known/; or a
//     candidate at the time of the request blocks the URL by the * group only, which the crawler
//     does not obey.
//   - [Disobeyed], or [Blocked] without genuine: each candidate of the window is known and blocks. If
//     any client got an answer in the window that there is no robots.txt, this does not apply. To a
//     reader like Yandex, which takes an error as no restrictions, this answer may be an error. Nor does
//     it apply if the crawler may take the file as missing since it could not read it: its requests after
//     read failed for 30 days, or one failed and there is no read.
//   - [Obeyed]: each candidate at read (those that were served, if it got a file) and at the request is
//     known and allows. Without read, each candidate of the window does.
//   - [Grace]: each candidate at read allows, or a day before if there is none, and one at the request
//     blocks. [Stale] if each candidate of the last day before the request blocks.
//   - [Unclear]: all others, and those of a crawler with too many requests for robots.txt.
func (j *Judge) Class(r *Reads, crawler int, v VectorID, at int64, genuine bool) (c Class, version, line int, rule string) {
	r.sort()
	x := j.vector(v)
	now := j.time.during(at, at)
	c = j.class(r, crawler, v, x, now, at, genuine)
	if c == Disobeyed || c == Blocked {
		if k := r.known(crawler, at); k.read {
			at = k.at
		} else {
			at -= day
		}
		now = j.time.during(at, at)
	}
	version, line, rule = x.blocker(now, j.time.seenUntil(at))
	return c, version, line, rule
}

// class is Class with the vector and the candidates at the time of the request.
func (j *Judge) class(r *Reads, crawler int, v VectorID, x *vector, now candidates, at int64, genuine bool) Class {
	switch {
	case v == exemptPath || j.exempts(crawler) || x.any(now, exemptState):
		return Exempt
	case v == unjudged || r.Full(crawler):
		return Unclear
	}
	k := r.known(crawler, at)
	start := at - day
	if k.read {
		start = min(start, k.at)
	}
	window := j.time.during(start, at)
	if x.block(window) && !k.failed && !j.open(r, crawler, start, at) {
		if genuine {
			return Disobeyed
		}
		return Blocked
	}
	switch {
	case !j.knewAllowed(x, k, at):
		return Unclear
	case x.any(now, blocked):
		if x.block(j.time.during(at-day, at)) && !j.open(r, crawler, at-day, at) {
			return Stale
		}
		return Grace
	case x.allow(now) && (k.read || x.allow(window)):
		return Obeyed
	}
	return Unclear
}

// knewAllowed reports whether all that the crawler may have read last allows the URL. Without a
// request for robots.txt, it is what may have been in force a day before.
func (j *Judge) knewAllowed(x *vector, k knowledge, at int64) bool {
	switch {
	case !k.read:
		return x.allow(j.time.during(at-day, at-day))
	case !k.got:
		return true // no file means no restrictions, to every profile
	}
	read := 0
	c := j.time.during(k.at, k.at)
	for i := c.from; i <= c.to; i++ {
		if !j.time.versions[i].served() {
			continue
		}
		if read++; x.states[i] != allowed && x.states[i] != exemptState {
			return false
		}
	}
	return read > 0 && !c.unknown
}
