package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/resources"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/engine"
)

var lintHelp = cli.Help{
	Use: `robots-audit lint FILE|URL… finds mistakes in a robots.txt or a sitemap, and how to fix them.
Use - for standard input. For a URL, the robots.txt of its site is fetched.
If the URL ends with .xml or .txt, with or without .gz, that file is fetched.

Examples:
  robots-audit lint robots.txt
  robots-audit lint sitemap.xml
  robots-audit lint -severity warning -crawler Googlebot,Bingbot https://example.com/
  robots-audit lint -baseline lint.baseline -config config.toml robots.txt
  robots-audit lint -fix -dry-run robots.txt
  robots-audit lint -code-quality public/robots.txt > gl-code-quality-report.json
`,
	More: `Lines and columns count from 1, columns in bytes. Line 0 is the whole file.
If one FILE does not exist or cannot be read, lint still checks the others.

A finding about a sitemap is at its first case, and counts the others. Hosts and directories
of its URLs are checked if FILE is a URL. The sitemaps of an index are not read.

-fix makes the edits that are proved, together, to change no verdict: by any profile, for any
crawler. It also keeps each Crawl-delay and Clean-param. Bytes outside the edits stay, and a
second run changes nothing. It does not fix findings that are ignored, known or below
-severity. The exit code is that of the findings left.
For editors: robots-audit lint -fix -fail-on never -stdin-filename robots.txt -

A team can ignore findings. lint counts them at the end:
  -ignore RUL005, -ignore RUL005:3         all findings with this ID, or that of one line
  # robots-audit: ignore RUL005 because …  in robots.txt: for this line and the next
  [lint] in the file of -config            with a reason each, and other severities
  -baseline FILE                           the findings at the time FILE was written
lint says which of these are no longer needed. A finding is recognized by its ID and the
text of its line, so lines may move. Audits do not use this.

Example of the catalogue of all findings: robots-audit lint -list -markdown > findings.md
`,
	Exit: `Exit codes: 0 no new finding at or above -fail-on; 1 there is one; 2 wrong usage, or a
FILE that does not exist; 4 a FILE could not be read or written.
`,
}

func runLint(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("lint", flag.ContinueOnError)
	profiles := f.String("profile", "", "`LIST` of profiles that read the file, or all (default google,yandex,rfc9309, or those of -crawler)")
	crawlers := f.String("crawler", "", "`LIST` of crawlers to check for: NAME[@PROFILE] or token:NAME (default: all known crawlers)")
	severity := f.String("severity", "info", "lowest `SEVERITY` to show: info, warning, error or critical")
	failOn := f.String("fail-on", "error", "lowest `SEVERITY` that makes the exit code 1: info, warning, error, critical or never")
	most := f.Int("max", 0, "largest `number` of findings to show for one ID and file. 0 = 100, -1 = all")
	asJSON := f.Bool("json", false, "print one finding per line as JSON")
	asSARIF := f.Bool("sarif", false, "print SARIF 2.1.0, for code review")
	asQuality := f.Bool("code-quality", false, "print a Code Quality report, for GitLab")
	sarifURI := f.String("sarif-uri", "", "`URI` of the FILE in -sarif and -code-quality, as code review knows it. For standard input and URLs")
	list := f.Bool("list", false, "print all kinds of findings that lint knows")
	markdown := f.Bool("markdown", false, "with -list: print it as a page with examples")
	var ignores ignoreFlag
	f.Var(&ignores, "ignore", "ignore findings: `ID[:LINE]`, as RUL005, or RUL005:3 for one line. Can be repeated")
	var further audits.CrawlerList
	further.Flag(f)
	config := f.String("config", "", "read severities and findings to ignore from [lint] of this TOML `file`")
	baseline := f.String("baseline", "", "`file` of known findings, which do not count. The file is the output of -write-baseline, -json or -sarif")
	writeBaseline := f.String("write-baseline", "", "write all findings to this `file` for -baseline, and exit with 0")
	fix := f.Bool("fix", false, "make the edits that change no verdict for any crawler, in each FILE. For -, print the text")
	dryRun := f.Bool("dry-run", false, "with -fix: write nothing, and print a diff")
	stdinName := f.String("stdin-filename", "", "`NAME` of standard input in findings")
	var net audits.Network
	net.Flags(f)
	err := cli.ParseArgs(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return cli.PrintHelp(std, f, lintHelp)
	case err != nil:
		return cli.Usage(std, err)
	case *list && *markdown:
		if err := writeCatalogue(std.Out); err != nil {
			return cli.Failed(std, err)
		}
		return cli.ExitDone
	case *list:
		return listFindings(std)
	case *markdown:
		return cli.Usage(std, errors.New("-markdown needs -list. Add -list, or remove -markdown"))
	case f.NArg() == 0:
		return cli.Usage(std, errors.New("lint needs a robots.txt or a sitemap: a file, a URL or -, as in: robots-audit lint robots.txt"))
	case *asJSON && *asSARIF, *asQuality && (*asJSON || *asSARIF):
		return cli.Usage(std, errors.New("-json, -sarif and -code-quality exclude each other. Name only one of them"))
	case *sarifURI != "" && (!*asSARIF && !*asQuality || f.NArg() > 1):
		return cli.Usage(std, errors.New("-sarif-uri needs -sarif or -code-quality, and exactly one FILE"))
	case *baseline != "" && *writeBaseline != "":
		return cli.Usage(std, errors.New("-baseline and -write-baseline exclude each other. Remove one of them"))
	}
	run := lintRun{neverFail: *failOn == "never", options: engine.LintOptions{MaxPerID: *most}, ignores: ignores, baselineName: *baseline, writeBaseline: *writeBaseline, fix: *fix, dryRun: *dryRun, stdinName: *stdinName}
	if run.options.Own, err = further.Read(); err == nil {
		err = run.setReaders(*profiles, *crawlers)
	}
	if err == nil && *config != "" {
		err = run.readConfig(f, *config)
	}
	if err == nil && *baseline != "" {
		err = run.readBaseline(*baseline)
	}
	if err == nil {
		err = run.checkFix(f.Args(), !*asJSON && !*asSARIF && !*asQuality)
	}
	for _, c := range run.options.Crawlers {
		remarkOnToken(std.Err, c)
	}
	if err == nil {
		run.client, err = net.Client()
	}
	if err == nil {
		if run.minSeverity.UnmarshalText([]byte(*severity)) != nil {
			err = fmt.Errorf("-severity %q: expected info, warning, error or critical", *severity)
		} else if !run.neverFail && run.failOn.UnmarshalText([]byte(*failOn)) != nil {
			err = fmt.Errorf("-fail-on %q: expected info, warning, error, critical or never", *failOn)
		}
	}
	if err != nil {
		return cli.Usage(std, err)
	}
	switch {
	case *asJSON:
		run.printer = &lintJSON{out: std.Out}
	case *asSARIF, *asQuality:
		root, err := os.Getwd()
		if err != nil {
			return cli.Failed(std, err)
		}
		if *asQuality {
			run.printer = &lintQuality{out: std.Out, root: root, uri: *sarifURI}
			break
		}
		run.printer = &lintSARIF{out: std.Out, root: root, uri: *sarifURI, compared: run.baseline != nil}
	case *dryRun:
		run.printer = &lintText{out: io.Discard}
	default:
		out := std.Out
		if *fix && slices.Contains(f.Args(), "-") {
			out = std.Err // the fixed text goes to std.Out
		}
		run.printer = &lintText{out: out, colour: colourful(out)}
	}
	resources.CollectSeldom()
	return run.lintFiles(f.Args(), std)
}

type ignoreFlag []*suppression.Ignore

func (l *ignoreFlag) String() string { return "" }

func (l *ignoreFlag) Set(value string) error {
	list, err := suppression.Parse(value)
	*l = append(*l, list...)
	return err
}

// readConfig applies the settings of a configuration file for lint.
func (run *lintRun) readConfig(f *flag.FlagSet, name string) error {
	text, err := cli.ReadBounded(name, cli.MaxConfig)
	if err != nil {
		return fmt.Errorf("-config %w", err)
	}
	run.config, err = loadLintConfig(f, name, string(text))
	run.ignores = append(run.ignores, run.config.Ignores...)
	return err
}

// readBaseline reads the known findings from a baseline.
func (run *lintRun) readBaseline(name string) error {
	text, err := cli.ReadBounded(name, cli.MaxBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-baseline %s: no such file. Write it with -write-baseline", name)
	}
	if err == nil {
		run.baseline, err = suppression.ReadBaseline(text)
	}
	if err != nil {
		return fmt.Errorf("-baseline %s: %w", name, err)
	}
	return nil
}

// setReaders sets the profiles and crawlers of the options. Without profiles, it uses those of the
// crawlers.
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
	for entry := range strings.SplitSeq(crawlers, ",") {
		if crawlers == "" {
			break
		}
		names, err := engine.CrawlerNames(entry, run.options.Own...)
		if err != nil {
			return err
		}
		for _, name := range names {
			c, err := engine.ParseCrawler(name, run.options.Own...)
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

// colourful reports whether the output is a terminal and colours are not turned off (no-color.org).
func colourful(out io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && cli.TakesSequences(out)
}
