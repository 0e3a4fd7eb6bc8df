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

const lintHelp = `robots-audit lint [flags] FILE|URL… tells what is wrong with a robots.txt, for
whom, and what to do. A FILE of - is standard input; of a URL the robots.txt of
its site is fetched.

Lines and columns count from 1, columns in bytes; line 0 is the file as a whole.

What a team has decided to live with is left out, and counted at the end:
  -ignore RUL005, -ignore RUL005:3         a finding, or that of one line
  # robots-audit: ignore RUL005 because …  in the robots.txt: for that line and the next
  [lint] in the file of -config            with a reason each; severities, too
  -baseline FILE                           what was there when FILE was written
An ignore that is not needed any more is told. Lines may move: findings are known
again by their id and the text of their line. Audits do not go by any of it.

Examples:
  robots-audit lint robots.txt
  robots-audit lint -severity warning -crawler Googlebot,Bingbot https://example.com/
  robots-audit lint -write-baseline lint.baseline robots.txt
  robots-audit lint -baseline lint.baseline -config config.toml robots.txt
  robots-audit lint -sarif public/robots.txt > robots.sarif
  robots-audit lint -list -markdown > findings.md

Exit codes:
  0  nothing new at or above -fail-on
  1  something is
  2  usage, or a FILE that does not exist
  4  a FILE could not be read
Where one FILE cannot be had, the others are linted all the same.
`

func runLint(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("lint", flag.ContinueOnError)
	profiles := f.String("profile", "", "`LIST` of profiles whose readers count, or \"all\" (default google,yandex,rfc9309, or those of -crawler)")
	crawlers := f.String("crawler", "", "`LIST` of crawlers, NAME[@PROFILE] or token:NAME, that are looked after (default: all that are known)")
	severity := f.String("severity", "info", "least `SEVERITY` that is shown: info, warning, error, critical")
	failOn := f.String("fail-on", "error", "least `SEVERITY` that makes the exit code 1; \"never\" = none")
	most := f.Int("max", 0, "`number` of findings of one id that are shown for a file; 0 = 100, -1 = all")
	asJSON := f.Bool("json", false, "one finding a line as JSON")
	asSARIF := f.Bool("sarif", false, "SARIF 2.1.0, for code review")
	sarifURI := f.String("sarif-uri", "", "`URI` of the FILE in -sarif, as code review knows it: for standard input and URLs")
	list := f.Bool("list", false, "print the catalogue of findings")
	markdown := f.Bool("markdown", false, "with -list: as a page, with examples")
	var ignores ignoreFlag
	f.Var(&ignores, "ignore", "`ID[:LINE]`s of findings that are left out, a list; may be repeated")
	var further audits.CrawlerList
	further.Flag(f)
	config := f.String("config", "", "TOML `file` whose section [lint] sets severities and ignores findings")
	baseline := f.String("baseline", "", "`file` of findings that are known: only new ones count. It is the output of -write-baseline, -json or -sarif")
	writeBaseline := f.String("write-baseline", "", "write what is found to this `file`, for -baseline, and exit with 0")
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
		return cli.Usage(std, errors.New("-markdown is for -list"))
	case f.NArg() == 0:
		return cli.Usage(std, errors.New("lint needs a robots.txt: a file, a URL or -"))
	case *asJSON && *asSARIF:
		return cli.Usage(std, errors.New("-json and -sarif exclude each other"))
	case *sarifURI != "" && (!*asSARIF || f.NArg() > 1):
		return cli.Usage(std, errors.New("-sarif-uri names the one FILE of -sarif"))
	case *baseline != "" && *writeBaseline != "":
		return cli.Usage(std, errors.New("-baseline and -write-baseline exclude each other"))
	}
	run := lintRun{neverFail: *failOn == "never", options: engine.LintOptions{MaxPerID: *most}, ignores: ignores, baselineName: *baseline, writeBaseline: *writeBaseline}
	if run.options.Own, err = further.Read(); err == nil {
		err = run.setReaders(*profiles, *crawlers)
	}
	if err == nil && *config != "" {
		err = run.readConfig(f, *config)
	}
	if err == nil && *baseline != "" {
		err = run.readBaseline(*baseline)
	}
	for _, c := range run.options.Crawlers {
		remarkOnToken(std.Err, c)
	}
	if err == nil {
		run.client, err = net.Client()
	}
	if err == nil {
		err = run.minSeverity.UnmarshalText([]byte(*severity))
	}
	if err == nil && !run.neverFail {
		err = run.failOn.UnmarshalText([]byte(*failOn))
	}
	if err != nil {
		return cli.Usage(std, err)
	}
	switch {
	case *asJSON:
		run.printer = &lintJSON{out: std.Out}
	case *asSARIF:
		root, err := os.Getwd()
		if err != nil {
			return cli.Failed(std, err)
		}
		run.printer = &lintSARIF{out: std.Out, root: root, uri: *sarifURI, compared: run.baseline != nil}
	default:
		run.printer = &lintText{out: std.Out, colour: colourful(std.Out)}
	}
	resources.CollectSeldom()
	return run.lintFiles(f.Args(), std)
}

// ignoreFlag are the values of -ignore.
type ignoreFlag []*suppression.Ignore

func (l *ignoreFlag) String() string { return "" }

func (l *ignoreFlag) Set(value string) error {
	list, err := suppression.Parse(value)
	*l = append(*l, list...)
	return err
}

// readConfig takes over what a configuration file says of lint.
func (run *lintRun) readConfig(f *flag.FlagSet, name string) error {
	text, err := cli.ReadBounded(name, cli.MaxConfig)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	run.config, err = loadLintConfig(f, name, string(text))
	run.ignores = append(run.ignores, run.config.Ignores...)
	return err
}

// readBaseline reads the findings that are known.
func (run *lintRun) readBaseline(name string) error {
	text, err := cli.ReadBounded(name, cli.MaxBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-baseline: there is no file %s; -write-baseline makes it", name)
	}
	if err == nil {
		run.baseline, err = suppression.ReadBaseline(text)
	}
	if err != nil {
		return fmt.Errorf("-baseline %s: %w", name, err)
	}
	return nil
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

// colourful reports whether output goes to a terminal on which colours are not
// turned off (no-color.org).
func colourful(out io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && cli.TakesSequences(out)
}
