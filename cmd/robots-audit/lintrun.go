package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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

// lintFinding is a finding with what was decided about it.
type lintFinding struct {
	engine.Finding
	fingerprint string              // see suppression.Fingerprints
	ignored     *suppression.Ignore // nil = it is not ignored
	known       bool                // it is in the baseline
}

// isNew reports whether a finding is to be told: it is neither ignored nor known.
func (f *lintFinding) isNew() bool { return f.ignored == nil && !f.known }

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

// hasMore reports whether findings were left out.
func hasMore(found []engine.Finding) bool {
	return slices.ContainsFunc(found, func(f engine.Finding) bool { return f.More > 0 })
}

// sortsOut reports whether findings are to be told apart one by one.
func (run *lintRun) sortsOut(ignores []*suppression.Ignore) bool {
	return len(ignores) > 0 || run.baseline != nil || run.writeBaseline != ""
}

// sortOut decides about the findings of a file, and counts them.
func (run *lintRun) sortOut(name string, found []engine.Finding, ignores []*suppression.Ignore, known *suppression.Known) []lintFinding {
	var prints suppression.Fingerprints
	list := make([]lintFinding, 0, len(found))
	for _, f := range found {
		if severity, ok := run.config.severities[f.ID]; ok {
			f.Severity = severity
		}
		of := lintFinding{Finding: f, fingerprint: prints.Of(&f)}
		of.ignored = suppression.Find(ignores, &f)
		of.known = of.ignored == nil && known.Has(f.ID, of.fingerprint)
		left := f.More // of those that nobody looked at, the ones that are new
		switch {
		case of.ignored != nil && of.ignored.Line == 0:
			run.ignored += left
			left = 0
		default:
			n := known.Counted(f.ID, left)
			run.known += n
			left -= n
		}
		switch {
		case of.ignored != nil:
			run.ignored++
		case of.known:
			run.known++
		default:
			run.count(&f, 1)
		}
		run.count(&f, left)
		if run.writeBaseline != "" && of.ignored == nil {
			run.addToBaseline(name, &of)
		}
		list = append(list, of)
	}
	run.gone += known.Gone()
	return list
}

// count counts n findings like f that are new.
func (run *lintRun) count(f *engine.Finding, n int) {
	run.counts[f.Severity] += n
	run.failing = run.failing || n > 0 && !run.neverFail && f.Severity >= run.failOn
}

// shown are those of a file's findings that are written: from the least severity that
// is asked for, and of those of one id that are new, as many as are asked for. What was
// left out counts in More of the one before.
func (run *lintRun) shown(findings []lintFinding) []lintFinding {
	most := run.options.MaxPerID
	if most == 0 {
		most = 100
	}
	var shown []lintFinding
	counts, last := map[string]int{}, map[string]int{} // by id
	for _, f := range findings {
		if f.Severity < run.minSeverity {
			continue
		}
		if f.isNew() {
			if counts[f.ID]++; most >= 0 && counts[f.ID] > most {
				shown[last[f.ID]].More += 1 + f.More
				continue
			}
			last[f.ID] = len(shown)
		}
		shown = append(shown, f)
	}
	return shown
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

func (run *lintRun) addToBaseline(name string, f *lintFinding) {
	line, err := suppression.Entry(name, f.fingerprint, &f.Finding)
	if err == nil { // strings and numbers can always be written
		run.baselineLines = append(append(run.baselineLines, line...), '\n')
	}
}
