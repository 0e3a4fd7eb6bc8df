package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

const lintHelp = `robots-audit lint [flags] FILE|URL… tells what is wrong with a robots.txt, for
whom, and what to do. A FILE of - is standard input; of a URL the robots.txt of
its site is fetched.

Lines and columns count from 1, columns in bytes; line 0 is the file as a whole.

Examples:
  robots-audit lint robots.txt
  robots-audit lint -severity warning -crawler Googlebot,Bingbot https://example.com/
  robots-audit lint -sarif public/robots.txt > robots.sarif
  robots-audit lint -list

Exit codes: 0 nothing at or above -fail-on; 1 something is; 2 usage; 4 a FILE
could not be read (the others are linted all the same).

Flags:
`

// lintRun is one call of the command.
type lintRun struct {
	options     engine.LintOptions
	minSeverity engine.Severity
	failOn      engine.Severity
	neverFail   bool // findings do not matter to the exit code
	client      *crawl.Client
	printer     lintPrinter
	counts      [engine.Critical + 1]int
	failing     bool
}

// lintPrinter writes findings as text, JSON Lines or SARIF: file once for each
// file, then end with the errors of the files that could not be read.
type lintPrinter interface {
	file(name string, findings []engine.Finding) error
	end(unread []string) error
}

func runLint(args []string, std streams) int {
	f := flag.NewFlagSet("lint", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	profiles := f.String("profile", "", "`LIST` of profiles whose readers count, or \"all\" (default google,yandex,rfc9309, or those of -crawler)")
	crawlers := f.String("crawler", "", "`LIST` of crawlers, NAME[@PROFILE] or token:NAME, that are looked after (default: all that are known)")
	severity := f.String("severity", "info", "least `SEVERITY` that is shown: info, warning, error, critical")
	failOn := f.String("fail-on", "error", "least `SEVERITY` that makes the exit code 1; \"never\" = none")
	most := f.Int("max", 0, "findings of one id that are shown for a file; 0 = 100, -1 = all")
	asJSON := f.Bool("json", false, "one finding a line as JSON")
	asSARIF := f.Bool("sarif", false, "SARIF 2.1.0, for code review")
	list := f.Bool("list", false, "print the catalogue of findings")
	var net network
	net.flags(f)
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(std.out, lintHelp)
		f.SetOutput(std.out)
		f.PrintDefaults()
		return exitDone
	case err != nil:
		return usage(std, err)
	case *list:
		return listFindings(std)
	case f.NArg() == 0:
		return usage(std, errors.New("lint needs a robots.txt: a file, a URL or -"))
	case *asJSON && *asSARIF:
		return usage(std, errors.New("-json and -sarif exclude each other"))
	}
	run := lintRun{neverFail: *failOn == "never", options: engine.LintOptions{MaxPerID: *most}}
	err = run.setReaders(*profiles, *crawlers)
	for _, c := range run.options.Crawlers {
		remarkOnToken(std.err, c)
	}
	if err == nil {
		run.client, err = net.client()
	}
	if err == nil {
		err = run.minSeverity.UnmarshalText([]byte(*severity))
	}
	if err == nil && !run.neverFail {
		err = run.failOn.UnmarshalText([]byte(*failOn))
	}
	if err != nil {
		return usage(std, err)
	}
	switch {
	case *asJSON:
		run.printer = &lintJSON{out: std.out}
	case *asSARIF:
		run.printer = &lintSARIF{out: std.out}
	default:
		run.printer = &lintText{out: std.out, colour: colourful(std.out)}
	}
	return run.lintFiles(f.Args(), std)
}

// setReaders sets the profiles and crawlers of the options. Without profiles, those
// of the crawlers are taken.
func (run *lintRun) setReaders(profiles, crawlers string) error {
	addProfile := func(name string) error {
		p, err := engine.ParseProfile(name)
		if err != nil {
			return err
		}
		if !slices.Contains(run.options.Profiles, p) {
			run.options.Profiles = append(run.options.Profiles, p)
		}
		return nil
	}
	for name := range strings.SplitSeq(crawlers, ",") {
		if crawlers == "" {
			break
		}
		c, err := engine.ParseCrawler(name)
		if err != nil {
			return err
		}
		run.options.Crawlers = append(run.options.Crawlers, c)
		if profiles == "" {
			if err := addProfile(c.Profile); err != nil {
				return err
			}
		}
	}
	if profiles == "all" {
		run.options.Profiles = engine.Profiles()
		return nil
	}
	for name := range strings.SplitSeq(profiles, ",") {
		if profiles == "" {
			break
		}
		if err := addProfile(strings.TrimSpace(name)); err != nil {
			return err
		}
	}
	return nil
}

// lintFiles lints the files and returns the exit code.
func (run *lintRun) lintFiles(names []string, std streams) int {
	var unread []string
	for _, name := range names {
		if err := run.lintFile(name, std); err != nil {
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
	fmt.Fprintf(std.err, "%s: %s\n", wording.Plural(len(names)-len(unread), "file"), run.summary())
	switch {
	case len(unread) > 0:
		return exitFailed
	case run.failing:
		return exitFindings
	}
	return exitDone
}

// unreadableError is an error of reading one file, after which the others are
// linted all the same.
type unreadableError struct{ error }

func (e unreadableError) Unwrap() error { return e.error }

// lintFile lints one file: a path, a URL or "-".
func (run *lintRun) lintFile(name string, std streams) error {
	name, credentials := withoutCredentials(name)
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
	var shown []engine.Finding
	for _, f := range answers.Lint(0, o.Crawlers, o) {
		run.counts[f.Severity] += 1 + f.More
		run.failing = run.failing || !run.neverFail && f.Severity >= run.failOn
		if f.Severity >= run.minSeverity {
			shown = append(shown, f)
		}
	}
	return run.printer.file(name, shown)
}

// summary says how many findings of each severity there are.
func (run *lintRun) summary() string {
	var parts []string
	for s := engine.Critical; ; s-- {
		if n := run.counts[s]; n > 0 && (s == engine.Error || s == engine.Warning) {
			parts = append(parts, wording.Plural(n, s.String()))
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
		if s == engine.Info {
			break
		}
	}
	if parts == nil {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// colourful reports whether output goes to a terminal on which colours are not
// turned off (no-color.org).
func colourful(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}

// listFindings prints the catalogue.
func listFindings(std streams) int {
	for _, k := range engine.FindingKinds() {
		if _, err := fmt.Fprintf(std.out, "%s %-8s %s [%s]\n", k.ID, k.Severity, k.What, strings.Join(k.Profiles, " ")); err != nil {
			return failed(std, err)
		}
	}
	return exitDone
}
