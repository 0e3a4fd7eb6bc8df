package logs

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Visitor is the crawler number of a client that is no crawler, for Reads.Add.
const Visitor = -1

// Reads are the requests for the robots.txt of an origin, in any order. The zero Reads has none.
//
// An answer 200, 206 or 304 gives a crawler the file. One of 400 to 499, but not 429, says that
// there is none, and so does a success without the file, such as 204. After one of 500 to 599, after
// 429, and after no answer (0) the file could not be read. Other answers, such as redirects, say
// nothing.
//
// Several goroutines can call Add. Judge.Class can be called by several after all calls of Add.
type Reads struct {
	mutex  sync.Mutex
	sorted atomic.Bool
	of     map[int]*crawlerReads
	opens  moments // anybody learned that there is no file
	errors moments // anybody could not read the file
}

// crawlerReads are the requests of one crawler.
type crawlerReads struct {
	learned []int64 // the second, doubled; plus one if it got the file
	failed  []int64 // seconds in which it could not be read
	full    bool
}

// keptReads bounds the requests of a crawler that are kept, each second once. They take 8 MB.
const keptReads = 1 << 20

// day is how long a crawler may use a copy of robots.txt (RFC 9309 2.4), in seconds.
const day = 24 * 60 * 60

// Add adds a request for robots.txt and the status of its answer. The crawler is an index as in
// [NewJudge], or Visitor. If the operator publishes addresses, add requests from other addresses as
// Visitor. Or else the file that an impostor read would count as known to the crawler.
func (r *Reads) Add(crawler int, at int64, status int) {
	got, failed := gives(status), fails(status)
	missing := !got && informs(status)
	if !missing && !failed && (crawler == Visitor || !got) {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.sorted.Store(false)
	switch {
	case missing:
		r.opens.add(at)
	case failed:
		r.errors.add(at)
	}
	if crawler == Visitor {
		return
	}
	if r.of == nil {
		r.of = map[int]*crawlerReads{}
	}
	c := r.of[crawler]
	if c == nil {
		c = &crawlerReads{}
		r.of[crawler] = c
	}
	switch {
	case c.full:
	case failed:
		c.failed = c.keep(c.failed, at)
	case got:
		c.learned = c.keep(c.learned, at*2+1)
	default:
		c.learned = c.keep(c.learned, at*2)
	}
}

// gives reports whether an answer for robots.txt gives a crawler the file.
func gives(status int) bool { return status == 200 || status == 206 || status == 304 }

// fails reports whether an answer for robots.txt says that the file could not be read.
func fails(status int) bool { return status <= 0 || status == 429 || status >= 500 && status <= 599 }

// informs reports whether an answer for robots.txt tells a crawler what it may fetch.
func informs(status int) bool {
	return gives(status) || !fails(status) && (status/100 == 2 || status/100 == 4)
}

// keep adds to a list of the crawler, unless it has too many.
func (c *crawlerReads) keep(list []int64, x int64) []int64 {
	list = append(list, x)
	if len(list) >= keptReads {
		if list = unique(list); len(list) > keptReads/2 {
			*c, list = crawlerReads{full: true}, nil
		}
	}
	return list
}

// unique sorts a list and drops equal values.
func unique(list []int64) []int64 {
	slices.Sort(list)
	return slices.Compact(list)
}

// moments are seconds, of which some are dropped: see thin.
type moments struct {
	list  []int64
	limit int // number of them at which some are dropped again
}

func (m *moments) add(at int64) {
	if m.list = append(m.list, at); len(m.list) > m.limit {
		m.list = thin(m.list)
		m.limit = 2*len(m.list) + 1000
	}
}

// within reports whether one is in the time from a to b, which are at least a day apart.
func (m *moments) within(a, b int64) bool {
	i := notBefore(m.list, a)
	return i < len(m.list) && m.list[i] <= b
}

// thin sorts seconds and drops those that no question about a day or more depends on: the one
// before and the one after are at most a day apart, so one of them is in each such period.
func thin(list []int64) []int64 {
	list = unique(list)
	kept := list[:0]
	for i, x := range list {
		if len(kept) > 0 && i+1 < len(list) && list[i+1]-kept[len(kept)-1] <= day {
			continue
		}
		kept = append(kept, x)
	}
	return kept
}

// Full reports whether a crawler has more requests for robots.txt than are kept. Its requests
// are then unclear.
func (r *Reads) Full(crawler int) bool {
	c := r.of[crawler]
	return c != nil && c.full
}

// sort prepares the lists for searches.
func (r *Reads) sort() {
	if r.sorted.Load() {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.sorted.Load() {
		return
	}
	for _, c := range r.of {
		c.learned, c.failed = unique(c.learned), unique(c.failed)
	}
	r.opens.list, r.errors.list = thin(r.opens.list), thin(r.errors.list)
	r.sorted.Store(true)
}
