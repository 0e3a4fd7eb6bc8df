package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"robots-audit/audit/expect"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/cmd/robots-audit/internal/gate"
	"robots-audit/reports"
)

const verifyHelp = `robots-audit verify -expect FILE … holds sites to what a team expects of them, before a
change of robots.txt is live, and after. What is judged is one of these:

  verify -expect FILE ROBOTS          a robots.txt: a file, a URL, or - for standard input;
                                      patterns need URLs that are known: -urls
  verify -expect FILE -run RUN        the sites of a run, offline: its answers, its URLs
  verify -expect FILE -domains LIST   sites as they are now; sitemaps are read where there
                                      are patterns to be judged

With -run or -domains, -robots HOST=FILE puts a robots.txt that is proposed in the place
of the one of HOST. With -run, -robots and -markdown there need be no expectations: what
flips is told.

FILE is CSV, UTF-8, with the columns url,crawler,expect[,profile][,note] and a header or
none; or JSON Lines with these keys (.jsonl). A line that begins with # is a comment.

  url      https://example.com/a   that URL, known or not
           /a                      that path of every site that is judged
           /de/*  /x$  *.pdf$      all URLs of every site that match, as in robots.txt
           https://example.com/*   all URLs of that host and scheme that match
  crawler  Googlebot, Googlebot@google-2019, token:MyBot
  expect   allow, disallow, or same: as without -robots, which it needs
  profile  by which the crawler is read, if not by its own
  note     shown where the expectation is not met

All URLs that a pattern matches must have the verdict, and it must match one at
least: else it is vacuous, and fails. So does what is expected of a host that is none
of those judged. A verdict that is undefined or unknown is neither allow nor disallow, nor
is what a crawler does while nobody answers: such expectations could not be judged. A "*"
or "$" in a URL that is no pattern is written %2A or %24.

Examples:
  robots-audit verify -expect expect.csv robots.txt
  robots-audit verify -expect expect.csv -site https://example.com -urls urls.txt robots.txt
  robots-audit verify -expect expect.csv -run monday -robots example.com=robots.txt -markdown comment.md
  robots-audit verify -expect expect.csv -domains list.txt -junit verify.xml -sarif verify.sarif

Gates for GitHub Actions and GitLab CI, to be copied, lie in .github/examples of the
source: a change of robots.txt gets one comment that says what fails, and what flips.

Exit codes:
  0    every expectation is met, or there is none
  1    one is not
  2    usage, or something is wrong with a file: each line of FILE is named; nothing is written
  3    none fails, but some could not be judged
  4    a record of the run is damaged, or a file could not be written
  130  stopped by a signal; nothing is written
`

// maxExpectations bounds a file of expectations, in bytes: far over ten thousand lines.
const maxExpectations = 64 << 20

// verifying is one call of the command.
type verifying struct {
	expect, from, site     string // files and hosts as they were named
	robots                 cli.List
	junit, sarif, markdown string
	json, all              bool
	settings               audits.Settings // of the audit, where sites are asked
	set                    *expect.Set
	proposals              []*expect.Proposal
	judge                  *expect.Judge
	out                    gate.Output
	run                    *reports.StoredRun // nil = none was named
	std                    cli.Streams
}

// auditFlags are the flags of an audit that verify has, too.
const auditFlags = "domains crawler-list urls urls-column kinds user-agent contact delay rate connections per-address workers timeout retries max-urls max-sitemaps max-sitemap-bytes max-origins site-timeout allow-private connect-to ca-cert quiet log-format"

func (v *verifying) flags() *flag.FlagSet {
	f := flag.NewFlagSet("verify", flag.ContinueOnError)
	f.StringVar(&v.expect, "expect", "", "`file` of expectations")
	f.StringVar(&v.from, "run", "", "the `folder` of a run, or the records of one site: what it knows is judged")
	f.StringVar(&v.site, "site", "", "this `host` alone of the run; of ROBOTS: the host or origin that it is of")
	f.Var(&v.robots, "robots", "`HOST=FILE`: judge HOST as if it served this file as its robots.txt; may be repeated")
	f.StringVar(&v.junit, "junit", "", "write JUnit XML to this `file`, for build servers")
	f.StringVar(&v.sarif, "sarif", "", "write SARIF 2.1.0 to this `file`, for code review")
	f.StringVar(&v.markdown, "markdown", "", "write a comment for a code review to this `file`: what fails, and with -run and -robots what flips")
	f.BoolVar(&v.json, "json", false, "print one expectation a line as JSON, met or not")
	f.BoolVar(&v.all, "all", false, "print those that are met, too")
	for _, fl := range cli.FlagsOf(v.settings.Flags("audit"), auditFlags) {
		f.Var(fl.Value, fl.Name, fl.Usage)
	}
	return f
}

func runVerify(args []string, std cli.Streams) int {
	v := verifying{std: std}
	f := v.flags()
	if code, ok := cli.ParseFlags(f, args, verifyHelp, std); !ok {
		return code
	}
	if err := v.check(f.Args()); err != nil {
		return cli.Usage(std, err)
	}
	if err := v.read(); err != nil {
		return cli.Usage(std, err)
	}
	if v.from != "" {
		if code := v.openRun(); code != cli.ExitDone {
			return code
		}
	}
	defer v.out.Files.Abort()
	if err := v.open(); err != nil {
		return cli.Usage(std, err)
	}
	var code int
	switch {
	case v.run != nil:
		code = v.judgeRun()
	case v.settings.Domains != "":
		code = v.judgeSites()
	default:
		code = v.judgeRobots(f.Arg(0))
	}
	if code != cli.ExitDone {
		return code
	}
	return v.end()
}

// check looks for what is missing among the flags, or excludes each other.
func (v *verifying) check(args []string) error {
	from := 0
	for _, given := range []bool{len(args) > 0, v.from != "", v.settings.Domains != ""} {
		if given {
			from++
		}
	}
	switch {
	case v.expect == "" && (v.from == "" || v.robots == nil || v.markdown == ""):
		return errors.New("verify needs expectations: -expect FILE; -run, -robots and -markdown together tell without them what flips")
	case from == 0:
		return errors.New("verify needs something to judge: a robots.txt, -run RUN or -domains LIST")
	case from > 1 || len(args) > 1:
		return errors.New("verify judges one robots.txt, or -run RUN, or -domains LIST: one of them")
	case len(args) > 0 && v.robots != nil:
		return errors.New("-robots stands in for a robots.txt of -run or -domains; here it is the argument")
	case v.from != "" && v.settings.URLs != "":
		return errors.New("-urls is for a robots.txt or -domains: a run has its URLs")
	case v.settings.Domains != "" && v.site != "":
		return errors.New("-site is for a robots.txt or -run: -domains names the sites")
	}
	return v.settings.Check()
}

// read reads what is named: the run, the expectations, and what is proposed.
func (v *verifying) read() (err error) {
	v.set = &expect.Set{}
	if v.expect != "" {
		text, err := cli.ReadBounded(v.expect, maxExpectations)
		if err != nil {
			return fmt.Errorf("-expect: %w", err)
		}
		own, err := v.settings.Further.Read()
		if err != nil {
			return err
		}
		if v.set, err = expect.Read(v.expect, text, own...); err != nil {
			return err
		}
	}
	for _, entry := range v.robots {
		p, err := expect.ParseProposal(entry)
		if err == nil {
			p.Body, err = cli.ReadBounded(p.File, audits.MaxProposed)
		}
		if err != nil {
			return fmt.Errorf("-robots: %w", err)
		}
		v.proposals = append(v.proposals, p)
	}
	if v.judge, err = expect.NewJudge(v.set, v.proposals...); err != nil {
		return err
	}
	v.out.Summary.Expectations = int64(len(v.set.List))
	return nil
}

// openRun opens the run that is judged.
func (v *verifying) openRun() int {
	var err error
	if v.run, err = openStored(v.from); err != nil {
		return notOpened(v.std, err)
	}
	list := pairs.Of(v.run, v.run)
	if v.site != "" {
		if list = pairs.Pick(list, v.site); list == nil {
			return cli.Usage(v.std, fmt.Errorf("-site %s: %s has no such site", v.site, v.from))
		}
	}
	if err := pairs.Damage(list); err != nil {
		return cli.Failed(v.std, err)
	}
	v.run.Sites = nil
	for _, s := range list {
		v.run.Sites = append(v.run.Sites, *s.New)
	}
	return cli.ExitDone
}

// open begins what is written.
func (v *verifying) open() error {
	several := v.settings.Domains != "" || v.run != nil && len(v.run.Sites) > 1
	if v.json {
		v.out.Printers = append(v.out.Printers, &gate.JSON{Out: v.std.Out})
	} else {
		v.out.Printers = append(v.out.Printers, &gate.Text{Out: v.std.Out, Several: several, All: v.all})
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name    string
		printer func(io.Writer) gate.Printer
	}{
		{v.junit, func(w io.Writer) gate.Printer { return &gate.JUnit{Out: w} }},
		{v.sarif, func(w io.Writer) gate.Printer { return &gate.SARIF{Out: w, Root: root, Version: cli.Version} }},
		{v.markdown, func(w io.Writer) gate.Printer { return &gate.Markdown{Out: w, Several: several, Flips: v.flips()} }},
	} {
		if file.name == "" {
			continue
		}
		out, err := v.out.Files.Create(file.name)
		if err != nil {
			return err
		}
		v.out.Printers = append(v.out.Printers, file.printer(out))
	}
	return nil
}

// unread notes a site that could not be judged at all.
func (v *verifying) unread(text string) {
	cli.Complain(v.std.Err, "%s", text)
	v.out.Summary.Unread = append(v.out.Summary.Unread, text)
}

// end writes what stands at the end, and returns the exit code.
func (v *verifying) end() int {
	for _, s := range v.judge.End() {
		if err := v.out.Add(s); err != nil {
			return cli.Failed(v.std, err)
		}
	}
	if unused := v.judge.Unused(); len(unused) > 0 {
		return cli.Usage(v.std, fmt.Errorf("-robots %s=%s: none of the sites judged has that host", unused[0].Host, unused[0].File))
	}
	if err := v.out.Close(); err != nil {
		return cli.Failed(v.std, err)
	}
	sum := &v.out.Summary
	if v.json {
		cli.Complain(v.std.Err, "%s", sum.Headline())
	}
	switch {
	case sum.Failing() > 0:
		return cli.ExitFindings
	case sum.Unclear > 0 || sum.Unread != nil:
		return cli.ExitUnknown
	}
	return cli.ExitDone
}
