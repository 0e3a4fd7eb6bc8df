package fleet

import (
	"cmp"
	"os"
	"slices"
	"sync"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
)

// Recorder collects what a process reports of itself. It is the [Watcher] of its worker and returns a
// [Member]. Several goroutines may use it. A process has one:
//
//	r := NewRecorder("worker-1", "default", version, 16, 1)
//	r.Runs = func() []Coordinating { … }   // runs of its coordinator
//	w := &Worker{…, Watch: r}
//	stop, err := r.Answer(nc)
//	end := r.Begin(job, try); …; end(result)   // as Worker does; nil = given back
//	r.Trouble("the bucket is full"); …; r.Trouble("")
type Recorder struct {
	Runs func() []Coordinating // runs that the process coordinates; nil = none. Set it before Answer.

	now     func() time.Time
	begun   time.Time // as now returned it: UTC drops the monotonic clock's reading
	mu      sync.Mutex
	member  Member
	working map[*Working]bool
	waiting map[*Working]bool // sites that wait for another worker's lease to end
	putOff  map[int64]int     // delayed sites, by the slot of the time when they may be tried; see putOffSlot
	seconds [rateSeconds]struct {
		second int64
		done   int
	}
}

// rateSeconds is the period of the rates.
const rateSeconds = 5 * 60

// NewRecorder returns the recorder of a process that takes sites of a region, with so many at a time, and
// coordinates so many runs at a time.
func NewRecorder(name, region, version string, sites, runs int) *Recorder {
	host, _ := os.Hostname()
	return newRecorder(Member{Name: name, Region: region, Version: version, Host: host, Slots: sites, RunSlots: runs}, time.Now)
}

func newRecorder(m Member, now func() time.Time) *Recorder {
	begun := now()
	m.Started = begun.UTC()
	return &Recorder{now: now, begun: begun, member: m, working: map[*Working]bool{}, waiting: map[*Working]bool{}, putOff: map[int64]int{}}
}

// Begin records that a site is in work. The function it returns records the end, with the result, or nil if
// the site was given back or lost. Further calls of it change nothing.
func (r *Recorder) Begin(job *Job, try int) (end func(result *Result)) {
	w := &Working{Site: told(job.Site.Name), Run: job.Run, Since: r.now().UTC(), Try: try}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.working[w] = true
	return func(result *Result) { r.end(w, result) }
}

func (r *Recorder) end(w *Working, result *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.working[w] {
		return
	}
	delete(r.working, w)
	if result == nil {
		r.member.GivenBack++
		return
	}
	now := r.now().UTC()
	f := Finished{Site: w.Site, Run: w.Run, Ended: now, Millis: now.Sub(w.Since).Milliseconds(), Try: w.Try, URLs: result.URLs}
	m := &r.member
	m.Done++
	switch {
	case result.Failed != "":
		m.Failed++
		f.Why = told(result.Failed)
	case result.State == string(audit.Undetermined):
		m.Unknown++
		f.Why = told(cmp.Or(result.Why, "unknown"))
	}
	if f.Why != "" {
		m.Failures = slices.Insert(m.Failures, 0, f)
		m.Failures = m.Failures[:min(len(m.Failures), maxFailures)]
	}
	at, _ := slices.BinarySearchFunc(m.Slowest, f, func(a, b Finished) int { return int(max(-1, min(1, b.Millis-a.Millis))) })
	if at < maxSlowest {
		m.Slowest = slices.Insert(m.Slowest, at, f)
		m.Slowest = m.Slowest[:min(len(m.Slowest), maxSlowest)]
	}
	second := r.since(r.now())
	s := &r.seconds[second%rateSeconds]
	if s.second != second {
		s.second, s.done = second, 0
	}
	s.done++
}

// Wait records that a site waits until no other worker can have it. The function it returns records the end
// of the wait.
func (r *Recorder) Wait(job *Job, delivered int) (end func()) {
	w := &Working{Site: told(job.Site.Name), Run: job.Run, Since: r.now().UTC(), Try: delivered}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[w] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, w)
	}
}

// putOffSlot and maxPutOff limit the record of delayed sites: slots of some seconds.
const (
	putOffSlot = 5 // seconds
	maxPutOff  = 24 * 3600 / putOffSlot
)

// PutOff records that a site was given back and may not be tried before a time.
func (r *Recorder) PutOff(_ *Job, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	slot := (r.since(until) + putOffSlot - 1) / putOffSlot
	if now := r.since(r.now()) / putOffSlot; slot > now+maxPutOff {
		slot = now + maxPutOff
	}
	r.putOff[slot]++
	if len(r.putOff) > maxPutOff {
		r.due()
	}
}

// due drops the slots that may be tried by now, and returns the rest; r.mu is locked.
func (r *Recorder) due() (p PutOff) {
	clock := r.now()
	now := r.since(clock)
	for slot, n := range r.putOff {
		if slot*putOffSlot <= now {
			delete(r.putOff, slot)
			continue
		}
		p.Sites += n
		at := clock.UTC().Add(time.Duration(slot*putOffSlot-now) * time.Second)
		if p.Next.IsZero() || at.Before(p.Next) {
			p.Next = at
		}
		if at.After(p.Last) {
			p.Last = at
		}
	}
	return p
}

// Trouble records why the process takes no sites; "" = it does.
func (r *Recorder) Trouble(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.member.Problem = told(text)
}

// Member returns the present state.
func (r *Recorder) Member() Member {
	var runs []Coordinating
	if r.Runs != nil {
		runs = r.Runs()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.member
	m.Slowest, m.Failures = slices.Clone(m.Slowest), slices.Clone(m.Failures)
	m.Runs = runs[:min(len(runs), maxRunsTold)]
	m.Working, m.Oldest = len(r.working), oldestOf(r.working)
	m.Waiting, m.WaitingSites = len(r.waiting), oldestOf(r.waiting)
	m.PutOff = r.due()
	m.PerMinute = [2]float64{r.rate(60), r.rate(rateSeconds)}
	return m
}

// oldestOf returns some of the sites that began first.
func oldestOf(all map[*Working]bool) (oldest []Working) {
	for w := range all {
		oldest = append(oldest, *w)
	}
	slices.SortFunc(oldest, func(a, b Working) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Site, b.Site)) })
	return oldest[:min(len(oldest), maxOldest)]
}

// since is the number of seconds since the start by the monotonic clock: the wall clock may be set.
func (r *Recorder) since(t time.Time) int64 { return max(0, int64(t.Sub(r.begun)/time.Second)) }

// rate is how many sites were done per minute in the last seconds, or since the start; r.mu is locked.
func (r *Recorder) rate(seconds int64) float64 {
	now, done := r.now(), 0
	for _, s := range r.seconds {
		if s.second > r.since(now)-seconds {
			done += s.done
		}
	}
	span := min(now.Sub(r.begun).Seconds(), float64(seconds))
	return float64(done) / max(span, 1) * 60
}

func told(text string) string { return escape.Cut(text, maxTextTold) }
