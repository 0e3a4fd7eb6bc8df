package audit

import (
	"context"
	"iter"
	"sync"
	"time"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Auditor audits sites. Its fields are settings; Client and Crawlers must be
// set, the others have useful zero values.
type Auditor struct {
	Client   *crawl.Client
	Crawlers []Crawler // columns of the audit, see ParseCrawlers

	Workers       int                 // sites at work at a time, those that wait aside [DefaultWorkers]; as many more may be looking up their names [64]
	Waiting       int                 // sites more that may be waiting for an answer, or for a delay to pass [10,000]; -1 = none
	SiteTimeout   time.Duration       // longest time for one site [2h]
	Origins       int                 // origins one site's URLs and sitemaps may be on, each with its own robots.txt [16]
	Sitemaps      crawl.SitemapBudget // bounds of sitemap reading
	SecondLook    *crawl.Variants     // ask again for robots.txt, to find answers that differ; nil = don't
	Links         *crawl.LinkBudget   // follow links on the site's pages within these bounds; nil = don't
	Known         *Known              // URLs that the user knows from elsewhere; nil = none
	Kinds         []crawl.Kind        // what of a sitemap is tested besides loc entries; nil = all kinds there are
	CriticalShare float64             // part of the known URLs, or of their clicks, that makes a site critical where it is blocked for a crawler that leads [0.5]
	Skip          func(d Domain) bool // sites to pass over, such as those that an earlier run finished; nil = none
	Now           func() time.Time    // the clock [time.Now]
}

// All audits the domains and yields what it learns, record by record. Records
// of one site come in order; those of different sites are interleaved.
//
// It starts one goroutine that reads the domains and one for each site at work
// or waiting, and leaving the loop, or the end of ctx, stops and drains them all
// before All returns. Packages engine, crawl and reports start none of their
// own; besides those of the HTTP client only the command has others (for signals,
// the demo's server and the writers of reports). Nothing is queued: a worker
// that has a record waits until the loop takes it, and its socket with it.
//
// A line of the list that names no site is a Problem of stage "list" without
// a Domain. Whatever goes wrong within a site, a panic included, is that
// site's Problem, and its Done follows. Only a site that ctx interrupts has
// no Done.
func (a *Auditor) All(ctx context.Context, domains iter.Seq2[Domain, error]) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		ctx, cancel := context.WithCancel(ctx)
		records := make(chan Record)
		defer func() {
			cancel()
			for rec := range records { // what the workers still hold
				rec.release()
			}
		}()
		send := func(rec Record) bool {
			select {
			case records <- rec:
				return true
			case <-ctx.Done():
				return false
			}
		}
		go a.feed(ctx, domains, records, send)

		for rec := range records {
			if !yield(rec) {
				return
			}
			rec.release()
		}
	}
}

// feed starts a worker for each domain as soon as there is a slot, and closes
// records when the last has finished.
func (a *Auditor) feed(ctx context.Context, domains iter.Seq2[Domain, error], records chan<- Record, send func(Record) bool) {
	defer close(records)
	var workers sync.WaitGroup
	defer workers.Wait()
	pool := a.Pool()
	ordinal := -1
	for d, err := range domains {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			if !send(Record{Problem: &Problem{Stage: StageList, Code: CodeBadDomain, Detail: err.Error()}}) {
				return
			}
			continue
		}
		ordinal++
		if a.Skip != nil && a.Skip(d) {
			continue
		}
		slot, err := pool.Start(ctx)
		if err != nil {
			return
		}
		n := ordinal
		workers.Go(func() {
			defer slot.Release()
			a.site(ctx, slot, d, n, send)
		})
	}
}

// Site audits one domain in the goroutine of the loop, and yields its records in
// order, as All does: nothing of a domain that Skip passes over, and no Done of one
// that ctx interrupts. ordinal is the domain's place in its list, from 0. The slot
// may be of another auditor's pool; who has started it releases it, when all is done that
// is to be bounded. Leaving the loop early interrupts the site. The sequence can be
// ranged over once.
func (a *Auditor) Site(ctx context.Context, slot *Slot, d Domain, ordinal int) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		if a.Skip != nil && a.Skip(d) {
			return
		}
		ctx, leave := context.WithCancel(ctx)
		defer leave()
		a.site(ctx, slot, d, ordinal, func(rec Record) bool {
			if ctx.Err() != nil {
				return false
			}
			slot.inLoop = true
			more := yield(rec)
			slot.inLoop = false
			if more {
				rec.release()
			} else {
				leave()
			}
			return true
		})
	}
}

// site audits one domain in the goroutine that calls it. A panic becomes a record
// of the site, but for one of the loop of Site. It holds slot while it works.
func (a *Auditor) site(parent context.Context, slot *Slot, d Domain, ordinal int, send func(Record) bool) {
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	late := time.AfterFunc(orDefault(a.SiteTimeout, 2*time.Hour), func() { stop(context.DeadlineExceeded) })
	defer late.Stop()
	s := newSite(ctx, a, d, ordinal, send)
	s.judging, s.inLoop = slot.pool.judging, &slot.inLoop
	defer s.fetch.Close()
	s.fetch.OnStall(func() { stop(errStalled) })
	if slot.pool.aside {
		s.fetch.OnWait(slot.standAside, func() { slot.resume(ctx) })
	}
	s.guarded(s.run)
	if parent.Err() != nil {
		return // interrupted: the site is not finished
	}
	s.guarded(s.emitFindings)
	s.finish()
}

func orDefault[T int | int64 | time.Duration](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// Self returns this program as a crawler, and the profile it reads by: what it
// obeys where it asks for pages. Packages besides this one that ask for pages
// obey the same.
func Self() (engine.Crawler, *engine.Profile) { return self, rfc9309 }
