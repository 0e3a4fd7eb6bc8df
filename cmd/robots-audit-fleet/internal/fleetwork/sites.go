package fleetwork

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/fleet"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// Work is the work of a worker.
type Work struct{ *Place }

// Begin prepares for the sites of a run.
func (w Work) Begin(ctx context.Context, run *fleet.Run) (fleet.Sites, error) {
	b, err := w.begin(ctx, run, "sites")
	if err != nil {
		return nil, err
	}
	into := ""
	if b.InPlace {
		into = FolderOf(b.Bucket.URL, run.ID)
	}
	folder, err := reports.OpenSites(b.Options, into)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.dir))
	}
	return &sites{begun: b, folder: folder, finishing: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}, nil
}

type sites struct {
	*begun
	folder    *reports.Sites
	finishing chan struct{} // limits the reports that are made at a time: each needs memory, and waits for nothing but a processor
}

// Close removes the run's files from this machine.
func (s *sites) Close() error { return errors.Join(s.folder.Close(), os.RemoveAll(s.dir)) }

// Site audits a site and stores its files.
func (s *sites) Site(ctx context.Context, slot *audit.Slot, job *fleet.Job, check func() error) (*fleet.Finding, error) {
	c := collector{found: new(fleet.Finding)}
	defer c.discard()
	asking, done := crawl.WithCheck(ctx, check)
	defer done()
	for rec := range s.Auditor.Site(asking, slot, job.Site, job.Ordinal) {
		if err := c.add(s.folder, rec); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(context.Cause(asking), check()); err != nil {
		return nil, err
	}
	return s.store(ctx, &c, check)
}

// Failed stores the result of a site that was tried too often: an unknown site, with a problem that
// says why.
func (s *sites) Failed(ctx context.Context, job *fleet.Job, why string) (*fleet.Finding, error) {
	c := collector{found: new(fleet.Finding)}
	defer c.discard()
	for _, rec := range s.Auditor.GivenUp(job.Site, job.Ordinal, why) {
		if err := c.add(s.folder, rec); err != nil {
			return nil, err
		}
	}
	return s.store(ctx, &c, func() error { return nil })
}

// store stores the files of a site whose records are complete.
func (s *sites) store(ctx context.Context, c *collector, check func() error) (*fleet.Finding, error) {
	if c.report == nil || !c.done {
		return nil, fmt.Errorf("run %s: the audit of a site stopped too early", s.run.ID)
	}
	s.finishing <- struct{}{}
	files, err := c.report.Finish()
	<-s.finishing
	if err != nil {
		return nil, err
	}
	if err := s.place(ctx, files, check); err != nil {
		return nil, err
	}
	c.found.Result = result{Run: s.run.ID, Ordinal: c.ordinal, Given: c.given, line: files.Line}.encode()
	return c.found, nil
}

// place uploads those files of a site that the bucket does not have.
func (s *sites) place(ctx context.Context, files *reports.SiteFiles, check func() error) error {
	if s.InPlace {
		files.Placed()
		return nil
	}
	for _, file := range files.Files {
		err := check()
		if err == nil {
			err = s.Bucket.Take(ctx, fleet.FolderKey(s.run.ID)+file.Name, file.Path)
		}
		if err != nil {
			files.Remove() // best effort: Close removes all
			return err
		}
	}
	files.Moved() // as above
	return nil
}

// collector makes a finding from a site's records.
type collector struct {
	report  *reports.SiteReport
	found   *fleet.Finding
	ordinal int
	given   []string // hosts whose robots.txt was replaced by a file of -robots
	done    bool
}

func (c *collector) discard() {
	if c.report != nil {
		c.report.Discard() // best effort: the folder is emptied when the run ends
	}
}

func (c *collector) add(folder *reports.Sites, rec audit.Record) (err error) {
	if rec.Site != nil {
		c.ordinal = rec.Site.Ordinal
		c.report, err = folder.Begin(rec.Site)
		return err
	}
	if r := rec.Robots; r != nil && r.File.Given {
		_, host, _ := strings.Cut(strings.TrimSuffix(r.File.URL, "/robots.txt"), "://")
		c.given = append(c.given, host)
	}
	if r := rec.Robots; r != nil && r.Index == 0 && r.File.Passes() {
		c.found.Again = true
		c.found.After = crawl.RetryAfter(&r.File.Outcome, time.Now())
	}
	if d := rec.Done; d != nil {
		c.done = true
		if d.State == audit.Undetermined {
			c.found.Why = d.Why
		}
		c.found.State, c.found.URLs, c.found.Blocked = string(d.State), d.URLs, d.BlockedAny
	}
	return c.report.Add(rec)
}
