package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/expect"
	"robots-audit/audit/migrate"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit/internal/gate"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/migration"
)

const migrateHelp = `robots-audit migrate -map FILE checks the move of a site: each old URL of the map
is followed to its new one, redirect by redirect. Every URL on the way is held to
the robots.txt of its own host, since a redirect that crawlers may not fetch is
never seen.

FILE is CSV in UTF-8: old,new[,clicks], with a header or without. URLs are absolute,
or paths with -old-host and -new-host. A map with the same old URL twice, with
circles, of another encoding or without a column is refused, line by line, and
nothing is asked or written.

Before the move, name the server that has the new site: with -connect-to, where it
answers by the new name already, or with -staging, where it has a name of its own.
The staging host is asked whatever its robots.txt says. Other hosts are asked only
for what their robots.txt allows this program; what it does not is told as "not
asked". -proposed has targets judged by a robots.txt that is not served yet, beside
the one that is.

-expect FILE holds the new site to expectations, in the form of verify: with the
robots.txt that is proposed, or else the one that is served, and with the URLs of the
map as the known ones. A path is expected of each host of new URLs; an absolute URL
or pattern may be of an old host as well.

A host is asked one thing at a time, -delay apart, as in an audit: 2,000 URLs of one
host that answers in 0.1 s take 3 minutes. How long it may take is told at the start,
and what is left as it goes on. One that fails 20 times, one time after the other, is
left alone. What is done is kept in the folder as it comes, so
that a check that was stopped goes on with -resume; pairs that failed for a reason
that may have passed (429, 5xx, no answer) are asked again then.

Written are index.html, migration.xlsx (all pairs, gravest first), changes.json,
changes.md and migration.jsonl (one line a pair).

Examples:
  robots-audit migrate -map old_new.csv
  robots-audit migrate -map old_new.csv -old-host www.shop.example -new-host shop.example -connect-to shop.example:443:192.0.2.7:443
  robots-audit migrate -map old_new.csv -staging staging.shop.example -proposed robots.txt -important top.csv
  robots-audit migrate -map old_new.csv -proposed robots.txt -expect expect.csv
  robots-audit migrate -map old_new.csv -out monday -resume

Exit codes: 0 done, nothing at or above -fail-on; 1 a pair or a leak is, or an
important URL or an expectation fails; 2 usage, or a map with mistakes; 3 done, but
some pairs or expectations could not be judged; 4 the check itself failed; 130
stopped by a signal.
`

// migrating are the settings of migrate, of which an audit has many as well.
type migrating struct {
	audits.Settings
	mapName, oldHost, newHost, staging string
	proposed, important, expect, gate  string

	migrator migrate.Migrator
	pairs    *migrate.Map
	expected *expect.Set // nil = nothing is
	head     migration.Head
}

func (m *migrating) flags() *flag.FlagSet {
	f := flag.NewFlagSet("migrate", flag.ContinueOnError)
	f.StringVar(&m.mapName, "map", "", "`file` of pairs: old,new[,clicks]")
	f.StringVar(&m.oldHost, "old-host", "", "`host`, or origin, of old URLs that are written as paths; a bare host is https")
	f.StringVar(&m.newHost, "new-host", "", "`host`, or origin, of new URLs that are written as paths; -proposed and -staging are for it")
	f.StringVar(&m.staging, "staging", "", "`host`, or origin, that is asked in place of the new one")
	f.StringVar(&m.proposed, "proposed", "", "`file`: the robots.txt that the new host is to have")
	f.StringVar(&m.important, "important", "", "`file` of URLs that matter most, one a line: they come first, and fail the gate where they are errors, or in no pair")
	f.StringVar(&m.expect, "expect", "", "`file` of expectations, url,crawler,expect: held against the new site, with the map's URLs as the known ones")
	f.StringVar(&m.Crawlers, "crawlers", "Googlebot,Bingbot,YandexBot", "`list` of crawlers; NAME@PROFILE reads with another profile, purpose:ai-training is all that have a purpose, token:NAME a product token that the crawler list does not have")
	m.Further.Flag(f)
	f.StringVar(&m.Out, "out", "", "the `folder` of what is written (default robots-audit-migrate-<time>)")
	f.BoolVar(&m.Resume, "resume", false, "go on with the check in -out, and ask again what failed for a reason that may have passed")
	f.StringVar(&m.gate, "fail-on", "error", "exit with 1 where a pair or a leak is at or above this `severity`: critical, error, warning, info or never")
	f.DurationVar(&m.Delay, "delay", 0, "least `time` between two requests to one host")
	f.Float64Var(&m.Rate, "rate", 0, "most `requests` a second, over all hosts; 0 is no limit")
	f.IntVar(&m.Workers, "workers", 16, "`number` of pairs at work at a time")
	f.BoolVar(&m.Quiet, "quiet", false, "no progress, only warnings and errors")
	f.StringVar(&m.LogFormat, "log-format", "text", "`form` of log lines: text or json")
	m.Network.Flags(f)
	return f
}

func runMigrate(args []string, std cli.Streams) int {
	var m migrating
	f := m.flags()
	if code, ok := cli.ParseFlags(f, args, migrateHelp, std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return cli.Usage(std, fmt.Errorf("migrate takes no arguments; a map is named by -map %s", f.Arg(0)))
	}
	if err := m.read(); err != nil {
		return cli.Usage(std, err)
	}
	if m.Out == "" {
		if m.Resume {
			return cli.Usage(std, errors.New("-out is missing: -resume needs the folder of the check to go on with"))
		}
		m.Out = "robots-audit-migrate-" + m.head.Started.Format("20060102-150405")
	}
	folder, err := migration.Open(migration.Options{Dir: m.Out, Resume: m.Resume, Head: m.head, Crawlers: m.migrator.Crawlers})
	var mismatch *migration.MismatchError
	switch {
	case errors.Is(err, migration.ErrExists), errors.Is(err, migration.ErrNoRun), errors.As(err, &mismatch):
		return cli.Usage(std, fmt.Errorf("-out %w", err))
	case err != nil:
		return cli.Failed(std, fmt.Errorf("-out %s: %w", m.Out, err))
	}
	return m.run(folder, std)
}

// read reads all files that flags name, before anything is asked or written.
func (m *migrating) read() error {
	g := &m.migrator
	g.Workers = m.Workers
	var errs []error
	fail := func(flag string, err error) {
		if wrong := (*migrate.MapError)(nil); errors.As(err, &wrong) {
			flag += "nothing was asked, since lines cannot be used:\n" // each of which begins with the name of its file
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("-%s%w", flag, err))
		}
	}
	origin := func(flag, host string) (name string) {
		if host == "" {
			return ""
		}
		name, err := migrate.Origin(host)
		fail(flag+" "+host+": ", err)
		return name
	}
	oldHost := origin("old-host", m.oldHost)
	g.NewHost, g.Staging = origin("new-host", m.newHost), origin("staging", m.staging)
	own, err := m.Further.Read()
	if err != nil {
		errs = append(errs, err)
	} else {
		g.Crawlers, err = audit.ParseCrawlers(m.Crawlers, own...)
		fail("crawlers: ", err)
	}
	if g.Client, err = m.Client(); err != nil {
		errs = append(errs, err)
	} else {
		g.Client.Delay, g.Client.Rate = m.Delay, m.Rate
	}
	if m.Workers < 1 || m.Delay < 0 || m.Rate < 0 {
		errs = append(errs, errors.New("-workers must be 1 or more, -delay and -rate no less than nothing"))
	}
	if !slices.Contains(migration.Gates, m.gate) {
		errs = append(errs, fmt.Errorf("-fail-on %q: want critical, error, warning, info or never", m.gate))
	}
	if m.LogFormat != "text" && m.LogFormat != "json" {
		errs = append(errs, fmt.Errorf("-log-format %q: want text or json", m.LogFormat))
	}
	if m.mapName == "" {
		errs = append(errs, errors.New("-map is missing: name the file of pairs, old,new[,clicks]"))
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	m.head = migration.Head{Version: cli.Version, Started: time.Now(), Map: filepath.Base(m.mapName), Staging: g.Staging}
	for i := range g.Crawlers {
		m.head.Crawlers = append(m.head.Crawlers, g.Crawlers[i].Label)
	}
	if m.proposed != "" {
		g.Proposed, err = cli.ReadBounded(m.proposed, audits.MaxProposed)
		fail("proposed: ", err)
		g.Proposed = slices.Concat([]byte{}, g.Proposed) // an empty file is a proposal, too
		g.ProposedName, m.head.Proposed = m.proposed, audits.HexSum(g.Proposed)
	}
	if m.important != "" {
		text, err := cli.ReadBounded(m.important, maxImportantBytes)
		fail("important: ", err)
		m.head.Important = audits.HexSum(text)
		g.Important, err = migrate.ReadImportant(m.important, strings.NewReader(string(text)), oldHost)
		fail("important: ", err)
	}
	if m.expect != "" {
		m.expected, err = readExpected(m.expect, m.proposed != "", own)
		fail("expect: ", err)
	}
	m.pairs, err = migrate.ReadMap(m.mapName, oldHost, g.NewHost)
	fail("map: ", err)
	if errs != nil {
		return errors.Join(errs...)
	}
	m.head.MapSHA256 = m.pairs.SHA256
	if m.head.NewHost, err = g.NewSite(m.pairs); err != nil {
		return fmt.Errorf("%w with -new-host", err)
	}
	return nil
}

// readExpected reads expectations, of which "same" needs a second side.
func readExpected(name string, proposed bool, own []engine.Crawler) (*expect.Set, error) {
	text, err := cli.ReadBounded(name, maxExpectations)
	if err != nil {
		return nil, err
	}
	set, err := expect.Read(name, text, own...)
	if err != nil {
		return nil, fmt.Errorf("nothing was asked, since lines cannot be used:\n%w", err)
	}
	if e := set.Compares(); e != nil && !proposed {
		return nil, fmt.Errorf("%s:%d: \"same\" compares the robots.txt that is proposed with the one that is served: name it with -proposed", e.File, e.Line)
	}
	return set, nil
}

// maxImportantBytes bounds a list of important URLs, which is read into memory.
const maxImportantBytes = 256 << 20

// run checks the pairs, and writes the reports of whatever was done.
func (m *migrating) run(folder *migration.Folder, std cli.Streams) int {
	on := &cli.Screen{W: std.Err}
	log := m.Settings.NewLog(on)
	signal.Ignore(syscall.SIGPIPE)
	ctx, halt := context.WithCancel(context.Background())
	defer halt()
	cli.Stop.Set(func() {
		halt()
		log.Warn("stopping: pairs at work are asked again with -resume; a second signal ends at once")
	})
	defer cli.Stop.Set(nil)
	if folder.Damaged > 0 {
		log.Warn(wording.Plural(folder.Damaged, "line") + " of the journal could not be read; the pairs that they tell of are asked again")
	}
	m.migrator.Skip = folder.Done
	summary, suites, err := m.check(ctx, folder, newPairProgress(m.Quiet, on, log, m.pairs.Len, folder.Finished()))
	if err = errors.Join(err, folder.Close()); err != nil {
		return cli.Failed(std, fmt.Errorf("%w; what was done is kept; when that is mended, go on with: -out %s -resume", err, m.Out))
	}
	return m.outcome(ctx, summary, suites, std)
}

// check follows the pairs that have no result yet. The suites are of what is expected.
func (m *migrating) check(ctx context.Context, folder *migration.Folder, progress *pairProgress) (s *migration.Summary, suites []*expect.Suite, err error) {
	defer progress.end()
	whole := migration.Whole{Pairs: m.pairs.Len}
	finish := func() (*migration.Summary, []*expect.Suite, error) {
		s, err := folder.Finish(&whole)
		return s, suites, err
	}
	if whole.Unmapped, err = m.migrator.Important.Unmapped(m.pairs); err != nil {
		return nil, nil, err
	}
	host, urls := m.pairs.Busiest()
	progress.forecast(host, urls, m.Delay)
	c, err := m.migrator.Begin(ctx, m.pairs)
	if ctx.Err() != nil {
		return finish()
	}
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	for r, err := range c.All(ctx) {
		if err == nil {
			err = folder.Add(r)
		}
		if err != nil {
			return nil, nil, err
		}
		progress.add(r)
	}
	progress.end()
	whole.Leaks = c.Leaks
	if m.expected != nil && ctx.Err() == nil {
		if suites, err = c.Expect(ctx, m.expected); err != nil {
			return nil, nil, err
		}
		whole.Expectations = gate.Migration(m.expect, m.expected, suites)
	}
	return finish()
}

// outcome says what came of the check, and returns its exit code.
func (m *migrating) outcome(ctx context.Context, s *migration.Summary, suites []*expect.Suite, std cli.Streams) int {
	for _, line := range s.Lines(audits.MaxWorst) {
		fmt.Fprintln(std.Out, cli.OnOneLine(line))
	}
	text := gate.Text{Out: std.Out, Several: m.head.NewHost == ""}
	for _, suite := range suites {
		if err := text.Suite(suite); err != nil {
			return cli.Failed(std, err)
		}
	}
	if s.Expectations != nil {
		fmt.Fprintln(std.Out, cli.OnOneLine(s.Expectations.Headline))
	}
	fmt.Fprintf(std.Out, "Reports: %s\n", cli.OnOneLine(filepath.Join(m.Out, "index.html")+", "+filepath.Join(m.Out, "migration.xlsx")))
	if again := s.Totals.Passing + s.Left; again > 0 {
		cli.Complain(std.Err, "%s could not be asked, or not for good; go on with: -out %s -resume", wording.Plural(again, "pair"), m.Out)
	}
	switch {
	case ctx.Err() != nil:
		cli.Complain(std.Err, "stopped by a signal")
		return cli.ExitSignal
	case s.Failing(m.gate) > 0:
		return cli.ExitFindings
	case s.Unclear():
		return cli.ExitUnknown
	}
	return cli.ExitDone
}
