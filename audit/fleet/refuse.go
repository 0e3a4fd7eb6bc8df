package fleet

import (
	"context"
	"errors"
	"fmt"

	"robots-audit/audit"
	"robots-audit/audit/fleet/store"
	"robots-audit/engine/wording"
)

// refuse removes what lies in the place of a site's result: whoever finds it would take the site for
// done. The site is done again, or given up and merged where that has not helped; so one bad object
// costs one site, and not its run.
func (f *fold) refuse(ctx context.Context, ordinal int, key string, why error) (givenUp bool, err error) {
	if err := f.c.Conn.Bucket.Delete(ctx, key); err != nil {
		return false, err
	}
	f.refused[ordinal]++
	if f.refused[ordinal] < maxRefused {
		f.known.clear(ordinal)
		f.c.log("warn", fmt.Sprintf("run %s: %s is removed, and site %d of the list is done again: %v", f.job.ID, key, ordinal+1, why))
		return false, nil
	}
	f.c.log("warn", fmt.Sprintf("run %s: site %d of the list is given up: %s is refused for the %d. time: %v", f.job.ID, ordinal+1, key, maxRefused, why))
	if err := f.giveUp(ctx, ordinal, key, fmt.Sprintf("%d results of workers were refused, the last one since %v", maxRefused, why)); err != nil {
		return false, fmt.Errorf("giving up site %d of the list: %w", ordinal+1, err)
	}
	return true, nil
}

// giveUp merges a result that says why the site has none. It is stored like any other, for the next
// who puts the run together.
func (f *fold) giveUp(ctx context.Context, ordinal int, key, why string) error {
	domain, err := f.site(ctx, ordinal)
	if err != nil {
		return err
	}
	result, err := f.merged.GiveUp(ctx, &Job{Run: f.job.ID, Ordinal: ordinal, Site: domain}, why)
	if err != nil {
		return err
	}
	if err := f.lease.Check(); err != nil {
		return err
	}
	if err := f.c.Conn.Bucket.PutBytes(ctx, key, result); err != nil {
		// A folder that has the name stays: the next coordinator gives the site up again.
		if _, there := f.c.Conn.Bucket.Get(ctx, key, maxResult); !errors.Is(there, store.ErrNotPlain) {
			return err
		}
	}
	return f.merged.Add(ordinal, key, result)
}

// readSites reads which site each ordinal of the list is. What a worker says of it is not believed.
func (f *fold) readSites(ctx context.Context) error {
	f.sites = make([]hash, 0, min(f.job.Sites, 1<<20))
	return f.list(ctx, func(d audit.Domain) bool {
		f.sites = append(f.sites, hashOf(d.Name))
		return true
	})
}

// site is that of an ordinal.
func (f *fold) site(ctx context.Context, ordinal int) (site audit.Domain, err error) {
	n := 0
	err = f.list(ctx, func(d audit.Domain) bool {
		site = d
		n++
		return n <= ordinal
	})
	return site, err
}

// list goes through the sites of the list, until its end or as long as more are wanted.
func (f *fold) list(ctx context.Context, more func(audit.Domain) bool) error {
	list, err := f.c.Conn.Bucket.Reader(ctx, ListKey(f.job.ID))
	if err != nil {
		return fmt.Errorf("the list of run %s: %w", f.job.ID, listFault(err))
	}
	defer list.Close()
	n := 0
	for d, err := range audit.Domains(list) {
		var bad *audit.ListError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return fmt.Errorf("the list of run %s: %w", f.job.ID, err)
		}
		n++
		if !more(d) {
			return nil
		}
	}
	if n != f.job.Sites {
		return fmt.Errorf("%w: the list of run %s has %s; when it was submitted it had %d", ErrHopeless, f.job.ID, wording.Plural(n, "site"), f.job.Sites)
	}
	return nil
}
