package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/expect"
	"robots-audit/audit/migrate"
	"robots-audit/audit/table"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit/internal/gate"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/migration"
)

var migrateHelp = cli.Help{
	Use: `robots-audit migrate -map FILE checks the move of a site. It follows each old URL of the map
to its new URL, redirect by redirect. It tests each URL on the way against the robots.txt
of its host, because crawlers never see a redirect on a blocked URL.

Examples:
  robots-audit migrate -map old_new.csv
  robots-audit migrate -map old_new.csv -connect-to shop.example:443:192.0.2.7:443
  robots-audit migrate -map old_new.csv -staging staging.shop.example -proposed robots.txt
  robots-audit migrate -map old_new.csv -proposed robots.txt -expect expect.csv
  robots-audit migrate -map old_new.csv -out monday -resume
`,
	More: `FILE is CSV in UTF-8: old,new[,clicks]. A header is optional. URLs are absolute, or paths
with -old-host and -new-host. A map is refused if it has the same old URL twice, circles,
another encoding or a missing column. Each such line is named. Nothing is fetched then.

Before the move, name the server of the new site. Use -connect-to if it answers by the new
name, or -staging if it has its own name. The staging host is fetched whatever its robots.txt
says. From other hosts, only URLs are fetched that their robots.txt allows for this program.
The others are shown as "not asked". -proposed tests targets against a robots.txt that is
not served yet, and also against the current one.

-expect FILE tests the new site against expectations, in the form of verify. It uses the
proposed robots.txt, or else the one that is served, and the URLs of the map. A path is
expected of each host of new URLs. An absolute URL or pattern may be of an old host.

Each host gets one request at a time, with -delay between them. 2,000 URLs of a host that
answers in 0.1 s take 3 minutes. A host that fails 20 times in a row is skipped. Results are
stored at once, so -resume continues a check that was stopped. It retries pairs with
temporary errors (429, 5xx, no answer).

It writes index.html, migration.xlsx (all pairs, most severe first), changes.json,
changes.md and migration.jsonl (one line per pair).
`,
	Exit: `Exit codes: 0 nothing at or above -fail-on; 1 a pair or a line of robots.txt is,
or an important URL or an expectation fails; 2 wrong usage, or a map with mistakes; 3 done, but some pairs or
expectations could not be judged; 4 the check failed; 130 stopped by a signal.
`,
}

// migrating are the settings of migrate; many are also those of an audit.
type migrating struct {
	audits.Settings
	mapName, oldHost, newHost, staging string
	proposed, important, expect, gate  string
	logged                             string // folder of a run with access logs

	migrator migrate.Migrator
	pairs    *migrate.Map
	expected *expect.Set // nil = no expectations
	head     migration.Head
}

func (m *migrating) flags() *flag.FlagSet {
	f := flag.NewFlagSet("migrate", flag.ContinueOnError)
	f.StringVar(&m.mapName, "map", "", "`file` of pairs: old,new[,clicks], or an export of a redirect plugin (.csv, .xlsx, .ods)")
	m.Tables.Flags(f)
	f.StringVar(&m.oldHost, "old-host", "", "`host` or origin of old URLs that are paths. A host without a scheme is https")
	f.StringVar(&m.newHost, "new-host", "", "`host` or origin of new URLs that are paths. -proposed and -staging are for it")
	f.StringVar(&m.staging, "staging", "", "`host` or origin to fetch in place of the new one")
	f.StringVar(&m.proposed, "proposed", "", "`file` with the future robots.txt of the new host")
	f.StringVar(&m.important, "important", "", "`file` of the most important URLs, one per line. They come first. An error, or a missing pair, makes the exit code 1")
	f.StringVar(&m.logged, "run", "", "`folder` of an audit with access logs. Old URLs with more requests of a search crawler come first, after clicks")
	f.StringVar(&m.expect, "expect", "", "`file` of expectations for the new site: url,crawler,expect. Patterns are tested on the URLs of the map")
	f.StringVar(&m.Crawlers, "crawlers", "Googlebot,Bingbot,YandexBot", audits.CrawlersUsage)
	m.Further.Flag(f)
	f.StringVar(&m.Out, "out", "", "`folder` for the reports (default robots-audit-migrate-<time>)")
	f.BoolVar(&m.Resume, "resume", false, "continue the check in -out, and retry temporary errors")
	f.StringVar(&m.gate, "fail-on", "error", "exit with 1 for a pair or robots.txt line of this `severity` or worse: critical, error, warning, info or never")
	f.DurationVar(&m.Delay, "delay", 0, "shortest `time` between two requests to one host")
	f.Float64Var(&m.Rate, "rate", 0, "most `requests` per second for all hosts together. 0 = no limit")
	f.IntVar(&m.Workers, "workers", 16, "`number` of pairs to check at the same time")
	m.Logging.Flags(f)
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
		return cli.Usage(std, fmt.Errorf("migrate takes no arguments. Name the map with -map %s", f.Arg(0)))
	}
	if err := m.read(); err != nil {
		return cli.Usage(std, err)
	}
	if m.Out == "" {
		if m.Resume {
			return cli.Usage(std, errors.New("-out is missing: -resume needs the folder of the check to continue"))
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

// read reads all files named by flags, before anything is requested or written.
func (m *migrating) read() error {
	g := &m.migrator
	g.Workers = m.Workers
	var errs []error
	fail := func(flag string, err error) {
		if wrong := (*migrate.MapError)(nil); errors.As(err, &wrong) {
			flag += "no URL was requested, because these lines are wrong:\n" // each line begins with the name of its file
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
		errs = append(errs, errors.New("-workers must be 1 or more, -delay and -rate 0 or more"))
	}
	if !slices.Contains(migration.Gates, m.gate) {
		errs = append(errs, fmt.Errorf("-fail-on %q: expected critical, error, warning, info or never", m.gate))
	}
	if err := m.Logging.Check(); err != nil {
		errs = append(errs, err)
	}
	if m.mapName == "" {
		errs = append(errs, errors.New("-map is missing. Name the file of pairs (old,new[,clicks]), as in -map old_new.csv"))
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	m.head = migration.Head{Version: cli.Version, Started: time.Now(), Map: filepath.Base(m.mapName), Staging: g.Staging}
	for i := range g.Crawlers {
		m.head.Crawlers = append(m.head.Crawlers, g.Crawlers[i].Label)
	}
	if m.proposed != "" {
		g.Proposed, err = audits.ReadRobots(m.proposed)
		fail("proposed: ", err)
		g.Proposed = slices.Concat([]byte{}, g.Proposed) // an empty file is a proposal, not nil
		g.ProposedName, m.head.Proposed = m.proposed, audits.HexSum(g.Proposed)
	}
	if m.important != "" {
		text, err := cli.ReadBounded(m.important, maxImportantBytes)
		fail("important: ", err)
		m.head.Important = audits.HexSum(text)
		g.Important, err = migrate.ReadImportant(m.important, text, oldHost, m.Tables.Options())
		fail("important: ", err)
	}
	if m.logged != "" {
		fail("run ", m.readHits())
	}
	if m.expect != "" {
		m.expected, err = readExpected(m.expect, m.Tables.Options(), m.proposed != "", own)
		fail("expect: ", err)
	}
	m.pairs, err = migrate.ReadMap(m.mapName, oldHost, g.NewHost, m.Tables.Options())
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

// readHits reads the requests for URLs in the access logs of a run.
func (m *migrating) readHits() error {
	run, err := openStored(m.logged)
	if err != nil {
		return err
	}
	hits := migrate.NewHits()
	for _, site := range run.Sites {
		for rec, err := range site.Records() {
			if err != nil {
				return fmt.Errorf("%s: %w", site.Name, err)
			}
			hits.Add(&rec)
		}
	}
	if hits.Crawler == "" {
		return fmt.Errorf("%s: the run has no access logs. Make one with -logs, or remove -run", m.logged)
	}
	m.migrator.Hits, m.head.Run, m.head.HitsOf = hits, cmp.Or(run.ID, filepath.Base(m.logged)), hits.Crawler
	return nil
}

// readExpected reads expectations; "same" needs a proposed file.
func readExpected(name string, tables table.Options, proposed bool, own []engine.Crawler) (*expect.Set, error) {
	text, err := cli.ReadBounded(name, maxExpectations)
	if err != nil {
		return nil, err
	}
	set, err := expect.Read(name, text, tables, own...)
	if err != nil {
		return nil, fmt.Errorf("no URL was requested, because these lines are wrong:\n%w", err)
	}
	if e := set.Compares(); e != nil && !proposed {
		return nil, fmt.Errorf("%s:%d: \"same\" compares a proposed robots.txt with the current one. Name the proposed file with -proposed", e.File, e.Line)
	}
	return set, nil
}

// maxImportantBytes limits a list of important URLs, which is read into memory.
const maxImportantBytes = 256 << 20

// run checks the pairs, and writes the reports even if it is stopped early.
func (m *migrating) run(folder *migration.Folder, std cli.Streams) int {
	on := &cli.Screen{W: std.Err}
	log := m.Settings.NewLog(on)
	log.Info("-map " + m.mapName + ": " + m.pairs.Took)
	signal.Ignore(syscall.SIGPIPE)
	ctx, halt := context.WithCancel(context.Background())
	defer halt()
	cli.Stop.Set(func() {
		halt()
		log.Warn("stopping: -resume checks the pairs in progress again. A second signal stops at once")
	})
	defer cli.Stop.Set(nil)
	if folder.Damaged > 0 {
		log.Warn(wording.Plural(folder.Damaged, "line") + " of the journal could not be read. Their pairs are checked again")
	}
	m.migrator.Skip = folder.Done
	summary, suites, err := m.check(ctx, folder, newPairProgress(m.Quiet, on, log, m.pairs.Len, folder.Finished()))
	if err = errors.Join(err, folder.Close()); err != nil {
		return cli.Failed(std, fmt.Errorf("%w. Finished pairs are kept. Fix the problem, then continue with: -out %s -resume", err, m.Out))
	}
	return m.outcome(ctx, summary, suites, std)
}

// check follows the pairs that have no result yet. The suites are the results of expectations.
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

// outcome prints the result of the check, and returns its exit code.
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
		cli.Complain(std.Err, "%s not checked, or only with temporary errors. Continue with: -out %s -resume", wording.Plural(again, "pair"), m.Out)
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
