package audit

import (
	"cmp"
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

	Workers       int                 // sites at work at a time, not counting those that wait [DefaultWorkers]; as many more may be looking up their names [64]
	Waiting       int                 // additional sites that may wait for an answer or a delay [10,000]; -1 = none
	SiteTimeout   time.Duration       // longest time for one site [2h]
	Origins       int                 // maximum of origins for one site's URLs and sitemaps, each with its own robots.txt [16]
	Sitemaps      crawl.SitemapBudget // bounds of sitemap reading
	SecondLook    *crawl.Variants     // request robots.txt again to find answers that differ; nil = don't
	AskAs         *AskAs              // request some URLs in the names of crawlers; nil = don't
	Links         *crawl.LinkBudget   // follow links on the site's pages within these bounds; nil = don't
	Known         *Known              // the user's own list of URLs; nil = none
	Hits          Hits                // requests of crawlers in access logs; nil = no logs
	Kinds         []crawl.Kind        // kinds of sitemap URLs to test besides loc entries; nil = all
	CriticalShare float64             // a site is critical if this share of its known URLs, or of their clicks, is blocked for a crawler that leads [0.5]
	Skip          func(d Domain) bool // sites to skip, such as those that an earlier run finished; nil = none
	Now           func() time.Time    // the clock [time.Now]
}

// All audits the domains and yields its results, record by record. Records of one site come in
// order; those of different sites are interleaved.
//
// It starts one goroutine to read the domains, and one for each site that works or waits. Leaving
// the loop, or the end of ctx, stops all of them before All returns. Packages engine, crawl and
// reports start none. Apart from the HTTP client's, only the command has other goroutines (for
// signals, the demo's server and the writers of reports). Nothing is queued: a worker with a record
// waits, with its socket, until the loop takes it.
//
// An invalid line of the list becomes a Problem of stage "list" without a Domain. An error within a
// site, even a panic, becomes that site's Problem, and its Done follows. Only a site that ctx
// interrupts has no Done.
func (a *Auditor) All(ctx context.Context, domains iter.Seq2[Domain, error]) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		ctx, cancel := context.WithCancel(ctx)
		records := make(chan Record)
		defer func() {
			cancel()
			for rec := range records { // records that workers still have
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

// Site audits one domain in the goroutine of the loop, and yields its records in order, as All
// does. It yields nothing for a domain that Skip skips, and no Done if ctx interrupts it. ordinal
// is the domain's 0-based place in its list. The slot may belong to another auditor's pool. The
// caller releases it after all work that the slot is to bound. Leaving the loop early interrupts
// the site. The sequence can be ranged over once.
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

// site audits one domain in the calling goroutine, and occupies slot while it works. A panic
// becomes a record of the site, except one in the loop of Site.
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

// Self returns this program as a crawler, with the profile that it obeys when it requests pages.
// Other packages that request pages obey the same profile.
func Self() (engine.Crawler, *engine.Profile) { return self, rfc9309 }

// CodeTriedTooOften marks a site whose audit started several times and never finished, for any
// reason.
const CodeTriedTooOften = "tried_too_often"

// GivenUp returns the records of a site that is no longer audited, because all tries failed for a
// reason outside its answers and records. Its state is unknown, and its one problem says why. The
// site gets no request.
func (a *Auditor) GivenUp(d Domain, ordinal int, why string) (records []Record) {
	s := newSite(context.Background(), a, d, ordinal, func(rec Record) bool {
		records = append(records, rec)
		return true
	})
	defer s.fetch.Close()
	s.emit(Record{Site: &Site{Name: d.Name, Line: d.Line, Ordinal: ordinal, Crawlers: a.Crawlers, Started: s.now()}})
	s.done.Origin = d.Origin(cmp.Or(d.Scheme, "https"))
	s.problem(StageAudit, CodeTriedTooOften, "", why)
	s.finish()
	return records
}
