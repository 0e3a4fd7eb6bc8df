package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// lintRun is one call of the command.
type lintRun struct {
	options     engine.LintOptions
	minSeverity engine.Severity
	failOn      engine.Severity
	neverFail   bool // findings do not change the exit code
	client      *crawl.Client
	printer     lintPrinter
	fix         bool
	dryRun      bool   // with fix: write nothing, and print a diff
	stdinName   string // "" = "stdin"

	config        suppression.Config
	ignores       []*suppression.Ignore // from flags and the configuration
	baselineName  string
	baseline      *suppression.Baseline // nil = none was named
	baselineLines []byte                // of the new baseline
	writeBaseline string                // file of the new baseline; "" = none

	counts  [engine.Critical + 1]int // new findings, by severity
	ignored int
	known   int
	gone    int // findings of the baseline that are not found any more
	failing bool
	missing int // FILEs that do not exist
}

// lintPrinter writes findings as text, JSON Lines or SARIF. Call file once for each file, then end
// with the errors of the files that could not be read.
type lintPrinter interface {
	file(name string, findings []lintFinding) error
	end(unread []string) error
}

// lintFiles lints the files and returns the exit code.
func (run *lintRun) lintFiles(names []string, std cli.Streams) int {
	var unread []string
	for f := range run.inOrder(names) {
		if !f.begun {
			f.lint(run, std.In)
		}
		if err := run.report(f, len(names) == 1, std); err != nil {
			var unreadable unreadableError
			if !errors.As(err, &unreadable) {
				return cli.Failed(std, err)
			}
			cli.Complain(std.Err, "%v", err)
			unread = append(unread, audit.HideCredentials(err.Error()))
		}
	}
	if err := run.printer.end(unread); err != nil {
		return cli.Failed(std, err)
	}
	run.remark(std.Err)
	if len(unread) > 0 {
		run.writeBaseline = "" // it would lack the findings of a file
	}
	if run.writeBaseline != "" {
		if err := os.WriteFile(run.writeBaseline, run.baselineLines, 0o666); err != nil {
			return cli.Failed(std, err)
		}
	}
	fmt.Fprintln(std.Err, run.summary(len(names), len(unread)))
	switch {
	case run.missing > 0:
		return cli.ExitUsage
	case len(unread) > 0:
		return cli.ExitFailed
	case run.failing && run.writeBaseline == "":
		return cli.ExitFindings
	}
	return cli.ExitDone
}

// unreadableError is an error of one file; the other files are still linted.
type unreadableError struct{ error }

func (e unreadableError) Unwrap() error { return e.error }

// lintedFile is a FILE with the result of its lint.
type lintedFile struct {
	name        string // as given, later as shown
	path        string // as given
	edits       int    // that -fix made
	begun       bool   // it was started before its turn
	done        chan struct{}
	missing     bool
	credentials *crawl.Credentials
	options     engine.LintOptions
	answers     *audit.Answers
	sitemap     *crawl.SitemapFile // instead of answers
	found       []engine.Finding
	err         error // why it could not be read
}

// inOrder yields the files in their order. Files on disk are linted in advance on all cores.
// Requests, and input that can be read only once, wait for their turn.
func (run *lintRun) inOrder(names []string) iter.Seq[*lintedFile] {
	return func(yield func(*lintedFile) bool) {
		workers := min(runtime.GOMAXPROCS(0), len(names))
		order, ask, stopped := make(chan *lintedFile, 2*workers), make(chan *lintedFile), make(chan struct{})
		var g errgroup.Group
		g.Go(func() error {
			defer close(order)
			defer close(ask)
			for _, name := range names {
				f := &lintedFile{name: name, done: make(chan struct{})}
				for _, to := range []chan *lintedFile{order, ask} {
					select {
					case to <- f:
					case <-stopped:
						return nil
					}
				}
			}
			return nil
		})
		for range workers {
			g.Go(func() error {
				for f := range ask {
					if f.begun = isOnDisk(f.name); f.begun {
						f.lint(run, nil)
					}
					close(f.done)
				}
				return nil
			})
		}
		for f := range order {
			if <-f.done; !yield(f) {
				break
			}
		}
		close(stopped)
		g.Wait()
	}
}

// isOnDisk reports whether a FILE is an ordinary file, and no URL or pipe.
func isOnDisk(name string) bool {
	if name == "-" || strings.Contains(name, "://") {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// lint reads a path, a URL or "-", and lints it.
func (f *lintedFile) lint(run *lintRun, in io.Reader) {
	f.name, f.credentials = withoutCredentials(f.name)
	if f.err = noFile(f.name); f.err != nil {
		f.missing = true
		return
	}
	f.path, f.options = f.name, run.options
	if f.err = f.read(run, in); f.err != nil {
		return
	}
	if f.sitemap != nil {
		f.name = audit.HideCredentials(f.shownName(run))
		f.found = audit.SitemapFindings(f.sitemap)
		if run.fix {
			f.err = fmt.Errorf("%s: -fix cannot edit a sitemap. Lint it without -fix", f.name)
		}
		return
	}
	if isURL(f.name) {
		if at, ok := engine.RobotsURL(f.name); ok && !strings.HasSuffix(strings.ToLower(f.name), "/robots.txt") {
			f.name = at
		}
		f.options.URL = f.name
	}
	f.name = audit.HideCredentials(f.shownName(run))
	if run.fix {
		return // see fixFile
	}
	f.found = f.answers.Lint(0, f.options.Crawlers, f.options)
}

// report writes the findings of a file. alone means that it is the only one.
func (run *lintRun) report(f *lintedFile, alone bool, std cli.Streams) error {
	if f.missing {
		run.missing++
	}
	if f.err != nil {
		return unreadableError{f.err}
	}
	if f.credentials != nil {
		fmt.Fprintln(std.Err, askedWithPassword)
	}
	code := f.unasked()
	if code != "" && len(f.found) == 0 {
		return unreadableError{fmt.Errorf("%s: %s", f.name, audit.Meaning(code))}
	}
	if run.fix {
		if err := run.fixFile(f, alone, std); err != nil {
			return err
		}
	}
	var comments []*suppression.Ignore
	var problems []string
	if f.sitemap == nil {
		comments, problems = suppression.Comments(f.name, f.answers.Held(0))
	}
	for _, p := range problems {
		cli.Complain(std.Err, "%s", p)
	}
	ignores := append(comments, suppression.For(run.ignores, f.name)...)
	if o := f.options; f.sitemap == nil && run.sortsOut(ignores) && hasMore(f.found) && o.MaxPerID >= 0 {
		o.MaxPerID = max(o.MaxPerID, maxCompared)
		f.found = f.answers.Lint(0, o.Crawlers, o)
	}
	before := run.counts
	findings := run.sortOut(f.name, f.found, ignores, run.baseline.Of(f.name, alone))
	for _, remark := range suppression.Unused(comments) {
		cli.Complain(std.Err, "%s", remark)
	}
	if run.fix {
		left := 0
		for s, n := range run.counts {
			left += n - before[s]
		}
		fmt.Fprintln(std.Err, run.saysFixed(f, left))
	}
	if err := run.printer.file(f.name, run.shown(findings)); err != nil {
		return err
	}
	if code != "" && (!run.failing || run.writeBaseline != "") { // its lines were not checked, whatever is ignored or known
		return unreadableError{fmt.Errorf("%s: %s", f.name, audit.Meaning(code))}
	}
	return nil
}

// maxCompared limits the findings per ID that are compared one by one if some are ignored or known.
// LintOptions.MaxPerID is at least this then.
const maxCompared = 1000

// unasked returns the code of a problem because of which there is no answer for the file, so that
// lint cannot judge its lines; "" = none.
func (f *lintedFile) unasked() string {
	if f.sitemap != nil {
		if f.sitemap.URL != "" && f.sitemap.Status == 0 {
			return f.sitemap.Code
		}
		return ""
	}
	p, _ := engine.ProfileByName("rfc9309")
	if f := f.answers.File(0, p, engine.Crawler{}); f.Status == 0 {
		return f.Error
	}
	return ""
}

// remark reports decisions that are no longer needed.
func (run *lintRun) remark(w io.Writer) {
	for _, remark := range suppression.Unused(run.ignores) {
		cli.Complain(w, "%s", remark)
	}
	if run.gone > 0 {
		cli.Complain(w, "%s: %s in it %s gone. Write a new baseline with -write-baseline",
			run.baselineName, wording.Plural(run.gone, "finding"), wording.Verb(run.gone, "is", "are"))
	}
}
