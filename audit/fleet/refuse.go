package fleet

import (
	"context"
	"errors"
	"fmt"

	"robots-audit/audit"
	"robots-audit/audit/fleet/store"
	"robots-audit/engine/wording"
)

// refuse removes an invalid object from the key of a site's result, because its existence means
// that the site is done. The site is done again, or given up after some tries. So one bad object
// costs one site, and not its run.
func (f *fold) refuse(ctx context.Context, ordinal int, key string, why error) (givenUp bool, err error) {
	if err := f.c.Conn.Bucket.Delete(ctx, key); err != nil {
		return false, err
	}
	f.refused[ordinal]++
	if f.refused[ordinal] < maxRefused {
		f.known.clear(ordinal)
		f.c.log("warn", fmt.Sprintf("run %s: %s is removed, and site %d of the list is audited again: %v", f.job.ID, key, ordinal+1, why))
		return false, nil
	}
	f.c.log("warn", fmt.Sprintf("run %s: site %d of the list is given up: %s is refused %d times: %v", f.job.ID, ordinal+1, key, maxRefused, why))
	if err := f.giveUp(ctx, ordinal, key, fmt.Sprintf("%d results of workers were refused, the last one since %v", maxRefused, why)); err != nil {
		return false, fmt.Errorf("giving up site %d of the list: %w", ordinal+1, err)
	}
	return true, nil
}

// giveUp merges a result that says why the site has none. It is stored like any other result, for the next
// coordinator of the run.
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
		// A folder under this name stays: the next coordinator gives the site up again.
		if _, there := f.c.Conn.Bucket.Get(ctx, key, maxResult); !errors.Is(there, store.ErrNotPlain) {
			return err
		}
	}
	return f.merged.Add(ordinal, key, result)
}

// readSites reads which site each ordinal of the list is. A worker's own statement is not trusted.
func (f *fold) readSites(ctx context.Context) error {
	f.sites = make([]hash, 0, min(f.job.Sites, 1<<20))
	return f.c.Conn.eachSite(ctx, f.job, nil, func(_ int, d audit.Domain) error {
		f.sites = append(f.sites, hashOf(d.Name))
		return nil
	})
}

// site is the site of an ordinal.
func (f *fold) site(ctx context.Context, ordinal int) (site audit.Domain, err error) {
	err = f.c.Conn.eachSite(ctx, f.job, nil, func(n int, d audit.Domain) error {
		if site = d; n == ordinal {
			return errFound
		}
		return nil
	})
	if err == errFound {
		err = nil
	}
	return site, err
}

// errFound ends eachSite early.
var errFound = errors.New("found")

// eachSite calls site with each site of a run's list and its ordinal, and bad, unless it is nil, with each
// line that names no site. It stops at the first error of either.
func (c *Conn) eachSite(ctx context.Context, run *Run, bad func(*audit.ListError) error, site func(n int, d audit.Domain) error) error {
	list, err := c.Bucket.Reader(ctx, ListKey(run.ID))
	if err != nil {
		return fmt.Errorf("the list of run %s: %w", run.ID, listFault(err))
	}
	defer list.Close()
	n := 0
	for d, err := range audit.Domains(list) {
		var line *audit.ListError
		switch {
		case errors.As(err, &line) && bad == nil:
			continue
		case errors.As(err, &line):
			err = bad(line)
		case err != nil:
			err = fmt.Errorf("the list of run %s: %w", run.ID, err)
		default:
			err = site(n, d)
			n++
		}
		if err != nil {
			return err
		}
	}
	if n != run.Sites {
		return fmt.Errorf("%w: the list of run %s has %s, but had %d when it was submitted", ErrHopeless, run.ID, wording.Plural(n, "site"), run.Sites)
	}
	return nil
}
