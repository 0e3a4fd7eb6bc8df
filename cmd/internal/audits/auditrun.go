package audits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/resources"
	"robots-audit/reports"
)

// maxBadLines limits the lines without a site that are shown one by one.
const maxBadLines = 1000

// RunOver audits the list in with checked settings.
func RunOver(s *Settings, in io.Reader, std cli.Streams) int {
	s.list = cmp.Or(s.list, &listRead{}) // if OpenSites did not open in
	on := &cli.Screen{W: std.Err}
	log := s.NewLog(on)
	if s.URLs != "" || s.Indexed != "" {
		s.base, s.isSite = s.onlySite(), s.siteTest()
	}
	auditor, err := s.Auditor()
	if err != nil {
		return cli.Usage(std, err)
	}
	if s.Resume {
		reports.KeepCrawlers(s.Out, auditor.Crawlers)
	}
	started := s.Started
	if started.IsZero() {
		started = time.Now().UTC()
	}
	prepared, err := s.prepare(auditor, started)
	if err != nil {
		return cli.Usage(std, err)
	}
	WarnOfAuditor(log, s, auditor)
	cache, remark, err := s.OpenCache(log)
	if err != nil {
		return cli.Failed(std, err)
	}
	if cache != nil {
		cache.Confirm = s.Confirm
		auditor.Client.Cache = cache
		defer cache.Close()
	}
	signal.Ignore(syscall.SIGPIPE) // the reader of our log may be gone; the reports matter more
	stopping, ctx, release := cli.OnSignals(log)
	defer release()
	if in, err = s.AssignKnown(stopping, auditor.Known, in); err != nil {
		return cli.Usage(std, err)
	}
	weblogs, err := s.readLogs(stopping, log, auditor)
	if err != nil {
		return cli.Usage(std, err)
	}
	defer weblogs.close()
	options := prepared.Options
	options.Resume, options.Past, options.Watch, options.Warn = s.Resume, s.Past, s.Watch, func(text string) { log.Warn(text) }
	run, err := s.openRun(options)
	switch {
	case errors.Is(err, ErrOut):
		return cli.Usage(std, err)
	case err != nil:
		return cli.Failed(std, err)
	}
	if weblogs != nil {
		weblogs.segment = run.SegmentOf
	}
	for _, sentence := range append(prepared.Remarks, remark) {
		run.Remark(sentence)
	}
	cli.Stop.Writing(s.Out)
	auditor.Skip = func(d audit.Domain) bool { return s.Only != nil && !s.Only(d.Name) || run.Skip(d.Name) }

	a := &auditRun{log: log, auditor: auditor, run: run, stopping: stopping, lists: prepared.Lists, weblogs: weblogs, unused: newUnused(auditor.Client.Served, run), resumed: newResumed(s, run, log)}
	if list, end := s.wholeList(); a.resumed != nil && list != nil { // report errors now and not after hours
		a.resumed.addList(list)
		end()
		a.resumed.warn()
		a.resumed = nil
	}
	progress := newProgress(s, on, log)
	progress.leaveWord(run.TellProgress)
	broken := a.addLeftOut()
	if broken == nil {
		broken = a.addAll(ctx, s.Sites(stopping, in, on), progress)
	}
	progress.end()
	if a.badLines > maxBadLines {
		log.Warn("the list of sites has more lines without a site", "lines", a.badLines-maxBadLines)
	}
	if stopping.Err() == nil {
		a.unused.tell(log, run)
	}
	weblogs.tell(log)
	if remark := CloseCache(cache, log); remark != "" {
		run.Remark(remark)
	}
	if stopping.Err() != nil || broken != nil {
		run.Stop()
	}
	if err := run.Close(); broken == nil {
		broken = err
	}
	cli.Stop.Writing("") // another run may use the folder from now on
	if broken != nil {
		return cli.Failed(std, fmt.Errorf("%w. Finished sites are kept. Fix the problem, then continue with: -out %s -resume", broken, s.Out))
	}
	s.Totals = run.Totals()
	return a.outcome(s, std)
}

// WarnOfAuditor warns of settings that the auditor does not support or ignores.
func WarnOfAuditor(log *slog.Logger, s *Settings, auditor *audit.Auditor) {
	for _, took := range s.took {
		log.Info(took)
	}
	if auditor.Workers < s.Workers {
		log.Warn("fewer sites at the same time than -workers: this process cannot open more files", "workers", auditor.Workers, "files", resources.OpenFiles())
	}
	if auditor.Waiting < resources.MostWaiting {
		log.Info("fewer sites at the same time, because this process can open few files or has little memory", "sites", cmp.Or(auditor.Workers, audit.DefaultWorkers())+max(0, auditor.Waiting), "files", resources.OpenFiles(), "memory", resources.Memory())
	}
	for i := range auditor.Crawlers {
		if c, _, ok := auditor.Crawlers[i].Robot(); ok && TokenRemark(c) != "" {
			log.Warn(TokenRemark(c))
		}
	}
}

// auditRun is an audit from the list of sites to the run's folder.
type auditRun struct {
	log      *slog.Logger
	auditor  *audit.Auditor
	run      *reports.Run
	stopping context.Context // done once no further site may start
	lists    string          // flags that give URLs
	weblogs  *webLogs        // nil = no access logs
	unused   unused          // hosts of -robots without a site so far
	badLines int             // lines of the list that name no site
	resumed  *resumed        // compares the list with the folder; nil = done, or no run is resumed
}

// addAll audits the sites of a list and adds their records to the run. After an error, a local one
// or one of the list, the run cannot continue.
func (a *auditRun) addAll(ctx context.Context, sites iter.Seq2[audit.Domain, error], progress *progress) (broken error) {
	var reporters errgroup.Group
	failing, fail := context.WithCancel(context.Background())
	defer fail()
	complete := make(chan *reports.Report)
	for range 2 * runtime.GOMAXPROCS(0) { // the goroutines last for the whole run, so that their stacks grow once and not for each site
		reporters.Go(func() (first error) {
			for report := range complete {
				if err := report.Finish(); err != nil && first == nil { // after an error the remaining reports are still finished
					first = err
					fail()
				}
			}
			return first
		})
	}
	for rec := range a.auditor.All(ctx, a.domains(sites)) {
		var logs *audit.Logs
		if logs, broken = a.weblogs.add(rec); broken != nil {
			break
		}
		if logs != nil {
			rec.Done.NoteLogs(logs, a.auditor.Crawlers)
		}
		progress.add(rec)
		a.unused.add(rec)
		if rec.Problem != nil && rec.Problem.Stage == audit.StageList {
			a.badLines++
			if a.badLines <= maxBadLines {
				a.log.Warn("the list of sites: " + strings.TrimPrefix(rec.Problem.Detail, "reading the list of sites, "))
			}
		}
		if logs != nil {
			if _, broken = a.run.Add(audit.Record{Domain: rec.Domain, Logs: logs}); broken != nil {
				break
			}
		}
		var report *reports.Report
		if report, broken = a.run.Add(rec); broken != nil || failing.Err() != nil {
			break
		}
		if report != nil {
			complete <- report // waits while all goroutines are busy: the audit is no faster than its reports
		}
	}
	close(complete)
	if err := reporters.Wait(); broken == nil {
		broken = err
	}
	return broken
}

// domains yields the sites of a list until no further one may start.
func (a *auditRun) domains(sites iter.Seq2[audit.Domain, error]) iter.Seq2[audit.Domain, error] {
	return func(yield func(audit.Domain, error) bool) {
		for d, err := range sites {
			if a.stopping.Err() != nil {
				return
			}
			if err == nil && a.resumed != nil {
				a.resumed.add(&d)
			}
			if err == nil && d.Scheme == "ftp" {
				a.log.Warn("ftp://" + d.Name + ": only robots.txt of an FTP site is read. For its web site, write https://" + d.Host)
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

// knownFlags names the flags that give URLs.
func (s *Settings) knownFlags() string {
	switch {
	case s.Indexed == "":
		return "-urls"
	case s.URLs == "":
		return "-indexed"
	}
	return "-urls, -indexed"
}

// addLeftOut reports URLs of -urls and -indexed that belong to no site, in the log and in the
// reports.
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

// outcome prints the result of a closed run, and returns its exit code.
func (a *auditRun) outcome(s *Settings, std cli.Streams) int {
	totals := s.Totals
	if totals.Failed > 0 {
		next := "Fix the problem, then continue with -resume"
		if !s.Started.IsZero() { // of a schedule
			next = "The next run audits these sites again"
		}
		a.log.Warn("some reports could not be written. These sites count as unknown, and summary.json says why. "+next, "sites", totals.Failed)
	}
	noSite := s.NoSite()
	if totals.Sites > 0 || noSite == nil {
		PrintOutcome(std.Out, totals, a.run.Worst(), s.Out)
	}
	switch {
	case a.stopping.Err() != nil:
		cli.Complain(std.Err, "stopped by a signal. Continue with: -out %s -resume", s.Out)
		return cli.ExitSignal
	case noSite != nil:
		return cli.Usage(std, noSite)
	case s.tellFailing(std.Err, totals):
		return cli.ExitFindings
	case s.TellUnjudged(std.Err, totals), totals.Unknown > 0 || a.badLines > 0, len(a.unused) > 0:
		return cli.ExitUnknown
	}
	return cli.ExitDone
}
