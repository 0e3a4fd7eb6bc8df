package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/cmd/robots-audit/internal/resources"
	"robots-audit/reports"
)

// maxBadLines is the number of lines without a site that are shown one by one.
const maxBadLines = 1000

// runOver audits the list in with settings that have been checked.
func runOver(s *settings, in io.Reader, std streams) int {
	on := &screen{w: std.err}
	log := newLog(s, on)
	auditor, err := s.auditor()
	if err != nil {
		return usage(std, err)
	}
	if s.resume {
		reports.KeepCrawlers(s.out, auditor.Crawlers)
	}
	failOn, err := s.readFailOn(auditor.Crawlers)
	if err != nil {
		return usage(std, err)
	}
	segments, err := s.readSegments()
	if err != nil {
		return usage(std, err)
	}
	warnOfAuditor(log, s, auditor)
	cache, remark, err := s.openCache(log)
	if err != nil {
		return failed(std, err)
	}
	if cache != nil {
		auditor.Client.Cache = cache
		defer cache.Close()
	}
	signal.Ignore(syscall.SIGPIPE) // whoever read our log may be gone: the reports are what matters
	stopping, ctx, release := onSignals(log)
	defer release()
	started := s.started
	if started.IsZero() {
		started = time.Now().UTC()
	}
	if in, err = s.assignKnown(stopping, auditor.Known, in); err != nil {
		return usage(std, err)
	}
	served := s.tellServed(auditor.Client.Served)
	options := s.reportOptions(auditor, failOn, segments, started)
	options.Resume, options.Past, options.Watch, options.Warn = s.resume, s.past, s.watch, func(text string) { log.Warn(text) }
	run, err := s.openRun(options)
	switch {
	case errors.Is(err, errOut):
		return usage(std, err)
	case err != nil:
		return failed(std, err)
	}
	for _, sentence := range append(served, remark) {
		run.Remark(sentence)
	}
	stop.writing(s.out)
	auditor.Skip = func(d audit.Domain) bool { return run.Skip(d.Name) }

	a := &auditRun{log: log, auditor: auditor, run: run, stopping: stopping, lists: s.knownFlags(), unused: newUnused(auditor.Client.Served, run), resumed: newResumed(s, run, log)}
	if list, end := s.wholeList(); a.resumed != nil && list != nil { // better told before hours than after them
		a.resumed.addList(list)
		end()
		a.resumed.warn()
		a.resumed = nil
	}
	progress := newProgress(s, on, log)
	progress.leaveWord(run.TellProgress)
	broken := a.addLeftOut()
	if broken == nil {
		broken = a.addAll(ctx, in, progress)
	}
	progress.end()
	a.warnOfList()
	if stopping.Err() == nil {
		a.unused.tell(log, run)
	}
	if remark := closeCache(cache, log); remark != "" {
		run.Remark(remark)
	}
	if stopping.Err() != nil || broken != nil {
		run.Stop()
	}
	if err := run.Close(); broken == nil {
		broken = err
	}
	stop.writing("") // the folder may be another run's from now on
	if broken != nil {
		return failed(std, fmt.Errorf("%w; sites that are finished are kept; when that is mended, go on with: -out %s -resume", broken, s.out))
	}
	s.totals = run.Totals()
	return a.outcome(s, std)
}

// reportOptions are the options of a run's reports, but for its folder.
func (s *settings) reportOptions(auditor *audit.Auditor, failOn reports.FailOn, segments []reports.Segment, started time.Time) reports.Options {
	return reports.Options{
		Rows: s.rows, Formats: s.formats(), CSVMark: s.csvBOM, Reports: names(s.reports), SingleFile: s.single, Version: version, Crawlers: auditor.Crawlers, Segments: segments, Started: started, Settings: s.used, FailOn: failOn,
	}
}

// warnOfAuditor tells what of the settings the auditor cannot do, or leaves out.
func warnOfAuditor(log *slog.Logger, s *settings, auditor *audit.Auditor) {
	if auditor.Workers < s.workers {
		log.Warn("fewer sites at work than asked for: the system lets this process open no more files", "workers", auditor.Workers, "files", resources.OpenFiles())
	}
	if auditor.Waiting < resources.MostWaiting {
		log.Info("fewer sites under way than might be: this process may have few files open, or little memory", "sites", cmp.Or(auditor.Workers, audit.DefaultWorkers())+max(0, auditor.Waiting), "files", resources.OpenFiles(), "memory", resources.Memory())
	}
	for i := range auditor.Crawlers {
		if c, _, ok := auditor.Crawlers[i].Robot(); ok && tokenRemark(c) != "" {
			log.Warn(tokenRemark(c))
		}
	}
}

// auditRun is an audit on its way from the list of sites to the run's folder.
type auditRun struct {
	log      *slog.Logger
	auditor  *audit.Auditor
	run      *reports.Run
	stopping context.Context // is done once no further site is to begin
	lists    string          // the flags that give URLs
	unused   unused          // files of -robots
	badLines int             // lines of the list that name no site
	resumed  *resumed        // compares the list with the folder as it is read; nil = that is done, or no need
}

// addAll audits the sites of a list and adds their records to the run. An error
// is one of ours, or of the list: the run cannot go on.
func (a *auditRun) addAll(ctx context.Context, in io.Reader, progress *progress) (broken error) {
	var reporters errgroup.Group
	failing, fail := context.WithCancel(context.Background())
	defer fail()
	complete := make(chan *reports.Report)
	for range 2 * runtime.GOMAXPROCS(0) { // for the whole run: their stacks grow once, and not for each site
		reporters.Go(func() (first error) {
			for report := range complete {
				if err := report.Finish(); err != nil && first == nil { // what else is handed out is finished all the same
					first = err
					fail()
				}
			}
			return first
		})
	}
	for rec := range a.auditor.All(ctx, a.domains(in)) {
		progress.add(rec)
		a.unused.add(rec)
		if rec.Problem != nil && rec.Problem.Stage == audit.StageList {
			a.badLines++
			if a.badLines <= maxBadLines {
				a.log.Warn("the list of sites: " + strings.TrimPrefix(rec.Problem.Detail, "reading the list of sites, "))
			}
		}
		var report *reports.Report
		if report, broken = a.run.Add(rec); broken != nil || failing.Err() != nil {
			break
		}
		if report != nil {
			complete <- report // waits while all of them are at work: the audit goes no faster than its reports
		}
	}
	close(complete)
	if err := reporters.Wait(); broken == nil {
		broken = err
	}
	return broken
}

// domains yields the sites of a list until no further one is to begin.
func (a *auditRun) domains(in io.Reader) func(yield func(audit.Domain, error) bool) {
	return func(yield func(audit.Domain, error) bool) {
		for d, err := range audit.Domains(newStoppable(a.stopping, in)) {
			if a.stopping.Err() != nil {
				return
			}
			if err == nil && a.resumed != nil {
				a.resumed.add(&d)
			}
			if err == nil && d.Scheme == "ftp" {
				a.log.Warn("ftp://" + d.Name + ": of an FTP site only robots.txt is read, since sitemaps and pages come by http and https; if its web site is meant, write https://" + d.Host)
			}
			if !yield(d, err) {
				return
			}
		}
		if a.resumed != nil {
			a.resumed.warn()
		}
	}
}

// warnOfList tells what of the list came to nothing.
func (a *auditRun) warnOfList() {
	if a.badLines > maxBadLines {
		a.log.Warn("the list of sites: more lines that name none", "lines", a.badLines-maxBadLines)
	}
}

// knownFlags names the flags that give URLs.
func (s *settings) knownFlags() string {
	switch {
	case s.indexed == "":
		return "-urls"
	case s.urls == "":
		return "-indexed"
	}
	return "-urls, -indexed"
}

// addLeftOut tells what of -urls and -indexed is tested with no site: in the log and in the run's reports.
func (a *auditRun) addLeftOut() error {
	if a.auditor.Known == nil {
		return nil
	}
	for _, p := range a.auditor.Known.LeftOut() {
		a.log.Warn(a.lists + ": " + p.Detail)
		if _, err := a.run.Add(audit.Record{Problem: &p}); err != nil {
			return err
		}
	}
	return nil
}

// outcome tells what came of a run that is closed, and returns its exit code.
func (a *auditRun) outcome(s *settings, std streams) int {
	totals := s.totals
	if totals.Failed > 0 {
		next := "go on with -resume when that is mended"
		if !s.started.IsZero() { // of a schedule
			next = "the next run asks for those sites again"
		}
		a.log.Warn("reports of sites could not be written, and count as unknown; summary.json says why; "+next, "sites", totals.Failed)
	}
	if totals.Sites == 0 && a.badLines == 0 && a.stopping.Err() == nil {
		a.log.Warn("the list of sites names none: " + s.list.why())
	}
	printOutcome(std.out, totals, a.run.Worst(), s.out)
	switch {
	case a.stopping.Err() != nil:
		complain(std.err, "robots-audit: stopped by a signal; go on with: -out %s -resume", s.out)
		return exitSignal
	case s.tellFailing(std.err, totals):
		return exitFindings
	case totals.Unknown > 0 || a.badLines > 0, len(a.unused) > 0:
		return exitUnknown
	}
	return exitDone
}
