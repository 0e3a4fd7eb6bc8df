package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"robots-audit/audit/compare"
	"robots-audit/audit/expect"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/cmd/robots-audit/internal/gate"
	"robots-audit/reports"
)

var verifyHelp = cli.Help{
	Use: `robots-audit verify -expect FILE … tests sites against the expectations of a team. It judges
one of these:
  verify -expect FILE ROBOTS          a robots.txt: a file, a URL, or - for standard input
  verify -expect FILE -run RUN        the sites of a run, offline
  verify -expect FILE -domains LIST   sites as they are now

Examples:
  robots-audit verify -expect expect.csv robots.txt
  robots-audit verify -expect expect.csv -site https://example.com -urls urls.txt robots.txt
  robots-audit verify -expect expect.csv -run monday -robots example.com=robots.txt -markdown comment.md
  robots-audit verify -expect expect.csv -domains list.txt -junit verify.xml -sarif verify.sarif
`,
	More: `With ROBOTS, patterns need -urls. With -domains, sitemaps are read if there are patterns.
With -run or -domains, -robots HOST=FILE puts another robots.txt in place of that of HOST.
Of several sites, only what concerns these hosts is judged then. -all-sites judges all.
With -run and -robots, expectations are optional: -markdown, -sarif and -code-quality show newly
blocked and newly allowed URLs, and -fail-on-flips fails for them. Quote its value, as in
-fail-on-flips 'newly-blocked>5%:Googlebot'. robots-audit help compare all lists the kinds.

FILE is CSV in UTF-8 with the columns url,crawler,expect[,profile][,note]. A header is
optional. Or it is JSON Lines with these keys (.jsonl). A line that begins with # is a comment.
  url      https://example.com/a   this URL
           /a                      this path of every site
           /de/*  /x$  *.pdf$      all URLs of every site that match, as in robots.txt
           https://example.com/*   all URLs of this host and scheme that match
  crawler  Googlebot, Googlebot@google-2019, token:MyBot
  expect   allow, disallow, or same: as without -robots. "same" needs -robots
  profile  how the crawler reads the file, if not by its own profile
  note     shown if the expectation fails

All URLs that match a pattern must have the verdict. A pattern that matches no URL found
fails, because it checks nothing. An expectation for a host that is not judged fails, too. If a verdict
is undefined or unknown, the expectation cannot be judged. This is also so if the server
does not answer. In a URL that is not a pattern, write "*" as %2A and "$" as %24.

Gates for GitHub Actions and GitLab CI are in .github/examples of the source. They add one
comment to a change of robots.txt: which URLs are newly blocked or allowed, and what fails.
`,
	Exit: `Exit codes: 0 every expectation is met, or there is none; 1 one is not, or -fail-on-flips
names a change; 2 wrong usage, or a file is wrong, and nothing is written; 3 none fails, but
some could not be judged, or there was nothing to judge; 4 a record of the run is damaged,
or a file could not be written; 130 stopped by a signal.
`,
}

// maxExpectations limits a file of expectations, in bytes: far over ten thousand lines.
const maxExpectations = 64 << 20

// verifying is one call of the command.
type verifying struct {
	expect, from, site     string // files and hosts as named by flags
	robots                 cli.List
	junit, sarif, markdown string
	codeQuality, failOn    string
	json, all, allSites    bool
	others                 bool            // -site excludes sites of the run
	settings               audits.Settings // of the audit, if sites are audited
	set                    *expect.Set
	proposals              []*expect.Proposal
	judge                  *expect.Judge
	out                    gate.Output
	run                    *reports.StoredRun // nil = none was named
	gate                   compare.Gate       // of failOn
	std                    cli.Streams
}

// auditFlags are flags that audit and verify share.
const auditFlags = "domains crawler-list urls urls-column column encoding kinds user-agent contact delay rate connections per-address workers timeout retries max-urls max-sitemaps max-sitemap-bytes max-origins site-timeout allow-private connect-to ca-cert quiet verbose log-format"

func (v *verifying) flags() *flag.FlagSet {
	f := flag.NewFlagSet("verify", flag.ContinueOnError)
	f.StringVar(&v.expect, "expect", "", "`file` of expectations: url,crawler,expect")
	f.StringVar(&v.from, "run", "", "judge the sites of the run in this `folder`, or the records of one site")
	f.StringVar(&v.site, "site", "", "only this `host` of the run. For ROBOTS: its host or origin")
	f.Var(&v.robots, "robots", "`HOST=FILE`: judge HOST as if FILE were its robots.txt. Can be repeated")
	f.StringVar(&v.junit, "junit", "", "write JUnit XML to this `file`, for CI")
	f.StringVar(&v.sarif, "sarif", "", "write SARIF 2.1.0 to this `file`, for code review")
	f.StringVar(&v.codeQuality, "code-quality", "", "write a Code Quality report to this `file`, for GitLab")
	f.StringVar(&v.markdown, "markdown", "", "write a comment for code review to this `file`. With -run and -robots it shows newly blocked and newly allowed URLs")
	f.StringVar(&v.failOn, "fail-on-flips", "never", "with -run and -robots: exit with 1 on these `kinds` of change, whatever is expected. As -fail-on of compare: newly-blocked, newly-blocked>5%:Googlebot, newly-blocked-clicks>50, newly-blocked>5%hits")
	f.BoolVar(&v.json, "json", false, "print one expectation per line as JSON, met or not")
	f.BoolVar(&v.all, "all", false, "print expectations that are met, too")
	f.BoolVar(&v.allSites, "all-sites", false, "with -robots: also judge the other sites of a run or list")
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

// check reports flags that are missing or exclude each other.
func (v *verifying) check(args []string) error {
	from := 0
	for _, given := range []bool{len(args) > 0, v.from != "", v.settings.Domains != ""} {
		if given {
			from++
		}
	}
	switch {
	case v.failOn != "never" && (v.from == "" || v.robots == nil):
		return errors.New("-fail-on-flips needs -run RUN and -robots HOST=FILE. Name both")
	case v.expect == "" && (v.from == "" || v.robots == nil || v.markdown+v.sarif+v.codeQuality == "" && v.failOn == "never"):
		return errors.New("verify needs expectations. Name them with -expect FILE, or use -run and -robots together with -markdown, -sarif, -code-quality or -fail-on-flips")
	case from == 0:
		return errors.New("verify needs a robots.txt, -run RUN or -domains LIST. Name one of them")
	case from > 1 || len(args) > 1:
		return errors.New("verify takes one robots.txt, or -run RUN, or -domains LIST. Name only one of them")
	case v.allSites && v.robots == nil:
		return errors.New("-all-sites needs -robots HOST=FILE. Without it, all sites are judged. Remove -all-sites")
	case v.allSites && v.site != "":
		return errors.New("-all-sites and -site exclude each other. Remove one of them")
	case len(args) > 0 && v.robots != nil:
		return errors.New("-robots needs -run or -domains. Remove -robots, and name the file as the argument")
	case v.from != "" && v.settings.URLs != "":
		return errors.New("-urls cannot be used with -run, because a run has its own URLs. Remove -urls")
	case v.settings.Domains != "" && v.site != "":
		return errors.New("-site cannot be used with -domains. Remove -site")
	}
	audits.TellPath(v.std.Err, v.site, "-site ", "judging")
	return v.settings.Check()
}

// read reads the files that flags name: the run, the expectations, and the proposed robots.txt.
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
		if v.set, err = expect.Read(v.expect, text, v.settings.Tables.Options(), own...); err != nil {
			return err
		}
	}
	proposed, err := audits.ReadProposed(v.robots)
	if err != nil {
		return err
	}
	for _, p := range proposed {
		v.proposals = append(v.proposals, &expect.Proposal{Host: p.Host, File: p.File, Body: p.Body})
	}
	if v.judge, err = expect.NewJudge(v.set, v.proposals...); err != nil {
		return err
	}
	v.out.Summary.Expectations = int64(len(v.set.List))
	return nil
}

func (v *verifying) openRun() int {
	var err error
	if v.run, err = openStored(v.from); err != nil {
		return notOpened(v.std, err)
	}
	list := pairs.Of(v.run, v.run)
	if v.site != "" {
		v.others = len(list) > 1
		if list = pairs.Pick(list, v.site); list == nil {
			return cli.Usage(v.std, fmt.Errorf("-site %s: %s has no such site", v.site, v.from))
		}
	}
	if err := pairs.Damage(list); err != nil {
		return cli.Failed(v.std, err)
	}
	if v.gate.On, err = parseFailOn("-fail-on-flips", v.failOn, v.run); err != nil {
		return cli.Usage(v.std, err)
	}
	if v.gate.On != nil {
		v.out.Summary.FailOn = v.failOn
	}
	v.run.Sites = nil
	for _, s := range list {
		v.run.Sites = append(v.run.Sites, *s.New)
	}
	return cli.ExitDone
}

// open begins the output.
func (v *verifying) open() error {
	several := v.settings.Domains != "" || v.run != nil && len(v.run.Sites) > 1
	if (several || v.others) && v.proposals != nil && !v.allSites {
		v.judge.OnlyProposed()
	}
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
		{v.codeQuality, func(w io.Writer) gate.Printer { return &gate.CodeQuality{Out: w, Root: root} }},
		{v.markdown, func(w io.Writer) gate.Printer { return &gate.Markdown{Out: w, Several: several} }},
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

// unread notes a site that could not be judged.
func (v *verifying) unread(text string) {
	cli.Complain(v.std.Err, "%s", text)
	v.out.Summary.Unread = append(v.out.Summary.Unread, text)
}

// end writes the end of the output, and returns the exit code.
func (v *verifying) end() int {
	for _, s := range v.judge.End() {
		if err := v.out.Add(s); err != nil {
			return cli.Failed(v.std, err)
		}
	}
	if unused := v.judge.Unused(); len(unused) > 0 {
		return cli.Usage(v.std, fmt.Errorf("-robots %s=%s: none of the tested sites has this host", unused[0].Host, unused[0].File))
	}
	v.out.Summary.Others = v.judge.Others()
	if err := v.compare(); err != nil {
		return cli.Failed(v.std, err)
	}
	if err := v.out.Close(); err != nil {
		return cli.Failed(v.std, err)
	}
	sum := &v.out.Summary
	if v.json {
		cli.Complain(v.std.Err, "%s", sum.Headline())
	}
	if text := sum.NotJudged(); text != "" {
		how := "add -all-sites"
		if v.site != "" {
			how = "remove -site, and " + how
		}
		cli.Complain(v.std.Err, "%s. -robots names other hosts. To judge all, %s", cli.OnOneLine(text), how)
	}
	switch {
	case sum.Fails():
		return cli.ExitFindings
	case sum.Unjudged():
		return cli.ExitUnknown
	}
	return cli.ExitDone
}
