package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/reports"
)

const auditHelp = `robots-audit -domains FILE [flags] audits a list of sites: it fetches robots.txt
and sitemaps, tests every URL they name for each crawler, and writes one
workbook a site and a summary of the run.

Examples:
  robots-audit -domains list.txt
  robots-audit -domains list.txt -crawlers Googlebot,GPTBot,Googlebot@google-2019
  robots-audit -domains list.txt -out monday -resume
  echo https://example.com | robots-audit -domains - -rows all

Exit codes: 0 done; 1 a site has a finding at or above -fail-on; 2 usage or
configuration; 3 done, but part of the sites is unknown; 4 the run itself
failed; 130 stopped by a signal.

Flags:
`

func runAudit(args []string, std streams) int {
	var s settings
	f := s.flags("audit")
	if code, ok := parse(&s, f, args, auditHelp, std); !ok {
		return code
	}
	if s.domains == "" {
		return usage(std, errors.New("-domains is missing: name a file with one host or origin a line, or - for standard input"))
	}
	in := std.in
	if s.domains != "-" {
		file, err := os.Open(s.domains)
		if err != nil {
			return usage(std, fmt.Errorf("-domains: the list of sites: %w", err))
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return usage(std, fmt.Errorf("-domains %s: that is a folder; name a file with one host or origin a line", s.domains))
		}
		in = file
		if terminal(std.err) && !s.quiet {
			s.sites = countSites(s.domains)
		}
	}
	list := bufio.NewReader(in)
	if mark, _ := list.Peek(2); string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff" {
		return usage(std, fmt.Errorf("-domains %s: the list is written in UTF-16; save it as UTF-8", s.domains))
	}
	return runOver(&s, list, std)
}

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
	if auditor.Workers < s.workers {
		log.Warn("fewer sites at work than asked for: the system lets this process open no more files", "workers", auditor.Workers, "files", openFiles())
	}
	if auditor.Known != nil && auditor.Known.TooLong > 0 {
		log.Warn("-urls: " + auditor.Known.Skipped())
	}
	if auditor.Known != nil && auditor.Known.NoURLs > 0 {
		log.Warn("-urls: rows without an absolute http or https URL are left out", "rows", auditor.Known.NoURLs)
	}
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
	started := time.Now().UTC()
	run, err := s.openRun(reports.Options{
		Resume: s.resume, Rows: s.rows, Formats: s.formats(), CSVMark: s.csvBOM, Version: version, Crawlers: auditor.Crawlers, Started: started, Settings: s.used,
		Warn: func(text string) { log.Warn(text) },
	})
	switch {
	case errors.Is(err, errOut):
		return usage(std, err)
	case err != nil:
		return failed(std, err)
	}
	if remark != "" {
		run.Remark(remark)
	}
	stop.owns(s.out)
	auditor.Skip = func(d audit.Domain) bool { return run.Skip(d.Name) }

	listed := map[string]bool{} // hosts of the list, where known URLs are to be told apart by them
	domains := func(yield func(audit.Domain, error) bool) {
		for d, err := range audit.Domains(newStoppable(stopping, in)) {
			if stopping.Err() != nil {
				return
			}
			if auditor.Known != nil {
				listed[d.Host] = true
			}
			if !yield(d, err) {
				return
			}
		}
	}

	progress := newProgress(s, on, log)
	var broken error // of ours, or of the list: the run cannot go on
	badLines := 0
	reporters, failing := errgroup.WithContext(context.Background())
	reporters.SetLimit(2 * runtime.GOMAXPROCS(0))
	for rec := range auditor.All(ctx, domains) {
		progress.see(rec)
		if rec.Problem != nil && rec.Problem.Stage == audit.StageList {
			badLines++
			if badLines <= maxBadLines {
				log.Warn("the list of sites: " + strings.TrimPrefix(rec.Problem.Detail, "reading the list of sites, "))
			}
		}
		var report *reports.Report
		if report, broken = run.Add(rec); broken != nil || failing.Err() != nil {
			break
		}
		if report != nil {
			reporters.Go(report.Finish) // waits while all of them are at work: the audit goes no faster than its reports
		}
	}
	if err := reporters.Wait(); broken == nil {
		broken = err
	}
	progress.end()
	if badLines > maxBadLines {
		log.Warn("the list of sites: more lines that name none", "lines", badLines-maxBadLines)
	}
	if auditor.Known != nil && stopping.Err() == nil {
		if hosts := auditor.Known.UnlistedHosts(func(host string) bool { return listed[host] }); len(hosts) > 0 {
			log.Warn("-urls: hosts that are not in the list of sites; their URLs were not tested", "hosts", strings.Join(hosts, " "))
		}
	}
	if remark := closeCache(cache, log); remark != "" {
		run.Remark(remark)
	}
	if err := run.Close(); broken == nil {
		broken = err
	}
	stop.owns("") // the folder may be another run's from now on
	if broken != nil {
		return failed(std, fmt.Errorf("%w; sites that are finished are kept; when that is mended, go on with: -out %s -resume", broken, s.out))
	}
	totals := run.Totals()
	s.totals = totals
	if totals.Failed > 0 {
		log.Warn("reports of sites could not be written, and count as unknown; summary.json says why; go on with -resume when that is mended", "sites", totals.Failed)
	}
	if totals.Sites == 0 && badLines == 0 && stopping.Err() == nil {
		log.Warn("the list of sites names none")
	}
	fmt.Fprintf(std.out, "%s\nReports: %s\n", totals.Headline(), onOneLine(places(s.out)))
	switch {
	case stopping.Err() != nil:
		complain(std.err, "robots-audit: stopped by a signal; go on with: -out %s -resume", s.out)
		return exitSignal
	case totals.Failing(s.failOn) > 0:
		return exitFindings
	case totals.Unknown > 0 || badLines > 0:
		return exitUnknown
	}
	return exitDone
}
