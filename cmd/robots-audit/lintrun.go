package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"robots-audit/audit"
	"robots-audit/cmd/robots-audit/internal/suppression"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// lintRun is one call of the command.
type lintRun struct {
	options     engine.LintOptions
	minSeverity engine.Severity
	failOn      engine.Severity
	neverFail   bool // findings do not matter to the exit code
	client      *crawl.Client
	printer     lintPrinter

	config        lintConfig
	ignores       []*suppression.Ignore // of flags and of the configuration
	baselineName  string
	baseline      *suppression.Baseline // nil = none was named
	baselineLines []byte                // of the baseline to be written
	writeBaseline string                // file that it is written to; "" = none

	counts  [engine.Critical + 1]int // what is new, by severity
	ignored int
	known   int
	gone    int // findings of the baseline that are not there any more
	failing bool
	missing bool // a FILE was named that does not exist
}

// lintPrinter writes findings as text, JSON Lines or SARIF: file once for each
// file, then end with the errors of the files that could not be read.
type lintPrinter interface {
	file(name string, findings []lintFinding) error
	end(unread []string) error
}

// lintFiles lints the files and returns the exit code.
func (run *lintRun) lintFiles(names []string, std streams) int {
	var unread []string
	for _, name := range names {
		if err := run.lintFile(name, len(names) == 1, std); err != nil {
			var unreadable unreadableError
			if !errors.As(err, &unreadable) {
				return failed(std, err)
			}
			complain(std.err, "robots-audit: %v", err)
			unread = append(unread, audit.HideCredentials(err.Error()))
		}
	}
	if err := run.printer.end(unread); err != nil {
		return failed(std, err)
	}
	run.remark(std.err)
	if len(unread) > 0 {
		run.writeBaseline = "" // the findings of a file would be missing
	}
	if run.writeBaseline != "" {
		if err := os.WriteFile(run.writeBaseline, run.baselineLines, 0o666); err != nil {
			return failed(std, err)
		}
	}
	fmt.Fprintln(std.err, run.summary(len(names), len(unread)))
	switch {
	case run.missing:
		return exitUsage
	case len(unread) > 0:
		return exitFailed
	case run.failing && run.writeBaseline == "":
		return exitFindings
	}
	return exitDone
}

// unreadableError is an error of reading one file, after which the others are
// linted all the same.
type unreadableError struct{ error }

func (e unreadableError) Unwrap() error { return e.error }

// lintFile lints one file: a path, a URL or "-". alone says that there is no other.
func (run *lintRun) lintFile(name string, alone bool, std streams) error {
	name, credentials := withoutCredentials(name)
	if err := noFile(name); err != nil {
		run.missing = true
		return unreadableError{err}
	}
	answers, cacheControl, err := readRobots(name, credentials, std.in, run.client)
	if err != nil {
		return unreadableError{err}
	}
	if credentials != nil {
		fmt.Fprintln(std.err, askedWithPassword)
	}
	o := run.options
	o.Cache = cacheControl
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		if at, ok := engine.RobotsURL(name); ok && !strings.HasSuffix(strings.ToLower(name), "/robots.txt") {
			name = at
		}
		o.URL = name
	}
	if name == "-" {
		name = "stdin"
	}
	name = audit.HideCredentials(name)
	found := answers.Lint(0, o.Crawlers, o)
	if code := unasked(answers); code != "" && len(found) == 0 {
		return unreadableError{fmt.Errorf("%s: %s", name, audit.Meaning(code))}
	}
	comments, problems := suppression.Comments(name, answers.Held(0))
	for _, p := range problems {
		complain(std.err, "robots-audit: %s", p)
	}
	ignores := append(comments, suppression.For(run.ignores, name)...)
	if run.sortsOut(ignores) && hasMore(found) && o.MaxPerID >= 0 {
		o.MaxPerID = max(o.MaxPerID, maxCompared)
		found = answers.Lint(0, o.Crawlers, o)
	}
	findings := run.sortOut(name, found, ignores, run.baseline.Of(name, alone))
	for _, remark := range suppression.Unused(comments) {
		complain(std.err, "robots-audit: %s", remark)
	}
	return run.printer.file(name, run.shown(findings))
}

// maxCompared is the number of findings of one id that are looked at one by one where
// some of them are ignored or known: the least value of LintOptions.MaxPerID there.
const maxCompared = 1000

// unasked returns the code of the trouble of our own that kept us from asking for a
// robots.txt, of which lint has nothing to say; "" = there was none.
func unasked(answers *audit.Answers) string {
	p, _ := engine.ProfileByName("rfc9309")
	if f := answers.File(0, p, engine.Crawler{}); f.Status == 0 {
		return f.Error
	}
	return ""
}

// remark tells of decisions that are not needed any more.
func (run *lintRun) remark(w io.Writer) {
	for _, remark := range suppression.Unused(run.ignores) {
		complain(w, "robots-audit: %s", remark)
	}
	if run.gone > 0 {
		complain(w, "robots-audit: %s: %s of it %s not there any more: -write-baseline makes it anew",
			run.baselineName, wording.Plural(run.gone, "finding"), wording.Verb(run.gone, "is", "are"))
	}
}

// summary says how many findings of each severity there are, and what was left out.
func (run *lintRun) summary(named, unread int) string {
	if unread == named {
		return "no file was linted"
	}
	var parts []string
	for s := engine.Critical; ; s-- {
		if n := run.counts[s]; n > 0 && (s == engine.Error || s == engine.Warning) {
			parts = append(parts, wording.Plural(n, s.String()))
		} else if n > 0 {
			parts = append(parts, wording.Thousands(n)+" "+s.String())
		}
		if s == engine.Info {
			break
		}
	}
	text := wording.Plural(named-unread, "file") + ": " + strings.Join(parts, ", ")
	switch {
	case parts == nil && run.ignored+run.known > 0:
		text += "nothing else found"
	case parts == nil:
		text += "nothing found"
	}
	if run.ignored > 0 {
		text += fmt.Sprintf("; %s ignored", wording.Thousands(run.ignored))
	}
	if run.known > 0 {
		text += fmt.Sprintf("; %s known from %s", wording.Thousands(run.known), onOneLine(run.baselineName))
	}
	if run.writeBaseline != "" {
		text += "; written to " + onOneLine(run.writeBaseline)
	}
	if unread > 0 {
		text += fmt.Sprintf("; %s could not be read", wording.Plural(unread, "file"))
	}
	return text
}
