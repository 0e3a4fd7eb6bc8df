// Package audits is the main job as a command has it: the flags of an audit, which are also its
// configuration, and the audit that they ask for, from the list of sites to the run's folder.
package audits

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// Settings are the flags of an audit. Each is also a key of the
// configuration file and an environment variable, see load.
type Settings struct {
	Config string

	Domains string
	named   []string // sites that are named without a file
	list    listRead // what was read of the list
	Out     string
	Resume  bool

	Crawlers string
	Further  CrawlerList
	format   string
	Reports  string
	FailOn   string

	FailOnBlocked string

	Network
	Robots cli.List

	Workers     int
	Delay       time.Duration
	Rate        float64
	Connections int
	PerAddress  int
	Kinds       string
	URLs        string
	URLsColumn  string
	Segments    string
	Indexed     string
	Cache       string
	NoCache     bool

	SecondLook bool
	crawl      bool
	links      crawl.LinkBudget // with crawl

	auditor audit.Auditor   // what flags set of it themselves
	Options reports.Options // likewise

	Quiet     bool
	LogFormat string

	Used  map[string]any // the settings that shape results, for run.json
	sites int64          // entries of the list, for progress; 0 = not counted

	Started time.Time                              // of a schedule's run; zero = it is no such run, and begins now
	Past    func(site string) (*audit.Past, error) // what earlier runs of its schedule know; nil = it has none
	Watch   func(site *audit.Site) reports.Watcher // who sees its records; nil = nobody

	Totals reports.Totals // what came of the run
}

// Flags declares every setting with its default and its meaning: the one
// place that help, the configuration file and the environment are read from.
func (s *Settings) Flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&s.Config, "config", "", "read settings from this TOML `file`")
	f.StringVar(&s.Domains, "domains", "", "`file` with one host or origin a line; - is standard input")
	f.StringVar(&s.Out, "out", "", "the run's `folder` (default robots-audit-<time>)")
	f.BoolVar(&s.Resume, "resume", false, "go on with the unfinished run in -out")
	f.StringVar(&s.Crawlers, "crawlers", "Googlebot,Bingbot,YandexBot", "`list` of crawlers; NAME@PROFILE reads with another profile, purpose:ai-training is all that have a purpose, token:NAME a product token that the crawler list does not have")
	s.Further.Flag(f)
	f.StringVar(&s.Options.Rows, "rows", "blocked", "`which` URLs get a row in the workbooks: blocked or all")
	f.StringVar(&s.format, "format", "", "further `formats` of the rows of URLs, beside the workbooks: a list of "+strings.Join(reports.Formats(), ", "))
	f.StringVar(&s.Reports, "reports", "all", "`list` of the reports that are written: of which sites ("+strings.Join(reports.Levels(), ", ")+"; what is left out, report RUN -site HOST makes), which kinds ("+strings.Join(reports.Kinds(), ", ")+"), or both; summary.json, summary.md and the records always are")
	f.BoolVar(&s.Options.SingleFile, "single-file", false, "put the pages of the sites into index.html, so that it can be sent by itself")
	f.BoolVar(&s.Options.CSVMark, "csv-bom", false, "begin the files of -format csv with a byte order mark, for Excel")
	f.StringVar(&s.FailOn, "fail-on", "", "exit with 1 where a site's state, or the effect of a finding on its URLs, is at or above this `severity`: info, warning, error or critical")
	f.StringVar(&s.FailOnBlocked, "fail-on-blocked", "", "exit with 1 where at least this `share` of a site's URLs is blocked for a crawler of search, as 5%, or for the crawler named behind it, as 5%:Googlebot")
	s.auditor.CriticalShare = 0.5
	f.Var((*share)(&s.auditor.CriticalShare), "critical-share", "`share` of a site's URLs, or of their clicks, that makes it critical where it is blocked for a crawler of search")
	s.Network.Flags(f)
	f.Var(&s.Robots, "robots", "`HOST=FILE`: audit HOST as if it served this file as its robots.txt; may be repeated")
	f.IntVar(&s.Workers, "workers", 0, "`number` of sites at work at a time; one that waits for its server, however shortly, stands aside for others: as many are under way as keep the processors busy, 10,000 at most; -connections, -rate and -per-address bound their requests; 0 is two for each processor")
	f.DurationVar(&s.auditor.SiteTimeout, "site-timeout", 2*time.Hour, "longest `time` for one site; one that keeps us waiting for little ends after 20 times -timeout")
	f.DurationVar(&s.Delay, "delay", 0, "least `time` between two requests to one host")
	f.Float64Var(&s.Rate, "rate", 0, "most `requests` a second, over all sites; 0 is no limit")
	f.IntVar(&s.Connections, "connections", 0, "most `sites` that have a request under way at a time; each keeps a connection or two; 0 is as many as there are file descriptors for")
	f.IntVar(&s.PerAddress, "per-address", 8, "most `requests` under way at a time to one IP address, whatever hosts they are for; 0 is no limit; where -connect-to names a host, it is not counted")
	f.StringVar(&s.URLs, "urls", "", "`file` of URLs to test as well: one a line, or a table such as a Search Console export (.csv, .zip or .xlsx, as downloaded), whose clicks weigh the URLs")
	f.StringVar(&s.URLsColumn, "urls-column", "", "`title` or number of the column of -urls that holds the URL (default: the first that holds one)")
	f.StringVar(&s.Segments, "segments", "", "`file` of segments by which URLs are counted: in each line a name and a pattern as robots.txt has it (blog = /blog/), or re: and a regular expression; the first that matches counts")
	f.StringVar(&s.Indexed, "indexed", "", "`file` of URLs that a search engine has in its index, such as Search Console's \"Indexed, though blocked by robots.txt\" (.csv, .zip or .xlsx, as downloaded): tested as well, and marked in the reports")
	f.StringVar(&s.Kinds, "kinds", "hreflang,image,video", "what of a sitemap is tested beside its URLs: a `list` of hreflang, image, video; \"\" is nothing")
	f.Int64Var(&s.auditor.Sitemaps.URLs, "max-urls", 50_000_000, "`number` of URLs read of one site's sitemaps")
	f.IntVar(&s.auditor.Sitemaps.Files, "max-sitemaps", 10_000, "`number` of sitemaps read of one site")
	f.Int64Var(&s.auditor.Sitemaps.Bytes, "max-sitemap-bytes", 209_715_200, "`bytes` read of one sitemap, unpacked, and over the wire; the protocol allows 52,428,800")
	f.IntVar(&s.auditor.Origins, "max-origins", 16, "`number` of origins (scheme, host, port) that one site's URLs and sitemaps together may lie on")
	f.StringVar(&s.Cache, "cache", "", "`file` that keeps robots.txt answers for a day, and the last good ones for longer (default robots-audit/cache.db in the user's cache folder; none with -connect-to)")
	f.BoolVar(&s.NoCache, "no-cache", false, "ask every site anew, and keep nothing")
	f.BoolVar(&s.SecondLook, "second-look", false, "ask again for robots.txt as Googlebot, over http and https, with www. and without, to find answers that differ")
	f.BoolVar(&s.crawl, "crawl", false, "follow links on the site's pages as well")
	f.IntVar(&s.links.Pages, "crawl-pages", 500, "`number` of pages fetched of one site with -crawl")
	f.IntVar(&s.links.Depth, "crawl-depth", 5, "`number` of links between the home page and a page, at most, with -crawl")
	f.DurationVar(&s.links.Time, "crawl-time", 0, "longest `time` for the pages of one site with -crawl; 0 is as long as -site-timeout lets it")
	f.BoolVar(&s.Quiet, "quiet", false, "no progress, only warnings and errors")
	f.StringVar(&s.LogFormat, "log-format", "text", "`form` of log lines: text or json")
	return f
}

// perRun names the settings that have no place in a file.
var perRun = map[string]bool{"config": true, "wait": true, "local": true}

// Operational are the settings that change how a run goes, not what it finds: a
// run may be resumed with others.
var Operational = map[string]bool{
	"config": true, "out": true, "resume": true, "quiet": true, "log-format": true, "workers": true, "fail-on": true, "fail-on-blocked": true,
	"timeout": true, "site-timeout": true, "retries": true, "delay": true, "rate": true, "connections": true, "per-address": true, "connect-to": true, "ca-cert": true,
	"cache": true, "no-cache": true,
}

// Load fills the settings: a flag wins over the environment (ROBOTS_AUDIT_OUT
// for -out, ROBOTS_AUDIT_MAX_URLS for -max-urls), the environment over the
// file of -config, the file over the default. An unknown key of the file is
// an error that names its line.
func (s *Settings) Load(f *flag.FlagSet, args []string, environ func(string) (string, bool)) error {
	if err := cli.ParseArgs(f, args); err != nil {
		return err
	}
	fixed := map[string]bool{} // settings that no lower source may change
	f.Visit(func(fl *flag.Flag) { fixed[fl.Name] = true })
	var errs []error
	f.VisitAll(func(fl *flag.Flag) {
		name := cli.EnvironmentName(fl.Name)
		value, ok := environ(name)
		if !ok || fixed[fl.Name] {
			return
		}
		fixed[fl.Name] = true
		if f.Set(fl.Name, value) != nil {
			errs = append(errs, fmt.Errorf("environment variable %s: %q is not %s", name, value, cli.KindOf(fl)))
		}
	})
	if s.Config != "" {
		text, err := cli.ReadBounded(s.Config, cli.MaxConfig)
		if err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
		errs = append(errs, s.LoadTOML(f, s.Config, string(text), fixed))
	}
	return errors.Join(errs...)
}

// LoadTOML sets what text, the content of the file name, says, but for the fixed settings.
func (s *Settings) LoadTOML(f *flag.FlagSet, name, text string, fixed map[string]bool) error {
	var values map[string]any
	meta, err := toml.Decode(text, &values)
	if err != nil {
		return configfile.SyntaxError(name, err)
	}
	_, err = suppression.ReadConfig(name, text)
	errs := []error{err, configfile.FillFleet(f, name, text, fixed)}
	lines := configfile.LinesOf(text)
	told := map[string]bool{} // tables that there are not
	for _, key := range meta.Keys() {
		k := key.String()
		if suppression.IsKey(k) || configfile.IsScheduleKey(k) || configfile.IsFleetKey(k) {
			continue
		}
		if f.Lookup(k) == nil || perRun[k] || configfile.IsFleetFlag(k) {
			if told[key[0]] { // what is in such a table
				continue
			}
			told[key[0]] = true
			rest := `; settings are the flags of "robots-audit help audit"`
			if meant := nearestSetting(f, k); meant != "" {
				rest = ": did you mean " + meant + "?"
			}
			errs = append(errs, fmt.Errorf("%s:%d: there is no setting %q%s", name, lines.Of(k), k, rest))
			continue
		}
		each, want := fileValues(f.Lookup(k), values[k])
		for _, v := range each {
			if !fixed[k] && f.Set(k, v) != nil {
				want = cli.KindOf(f.Lookup(k))
			}
		}
		if want != "" {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %q is not %s", name, lines.Of(k), k, fmt.Sprint(values[k]), want))
		}
	}
	return errors.Join(errs...)
}

// nearestSetting finds the setting, or table, that a key of a file probably means; "" = none.
func nearestSetting(f *flag.FlagSet, key string) string {
	names := append(slices.Clone(configfile.ScheduleTables), configfile.FleetTable)
	f.VisitAll(func(fl *flag.Flag) {
		if !perRun[fl.Name] {
			names = append(names, fl.Name)
		}
	})
	return cli.Nearest(key, names)
}

// fileValues returns what a value of a file sets a flag to, one by one. For a value of a
// wrong type it returns nothing, and in words what is wanted.
func fileValues(fl *flag.Flag, value any) (each []string, want string) {
	if _, repeated := fl.Value.(*cli.List); repeated || cli.IsList[fl.Name] {
		each, ok := configfile.Texts(value)
		switch {
		case !ok:
			return nil, configfile.ListForm
		case !repeated:
			each = []string{strings.Join(each, ",")}
		}
		return each, ""
	}
	_, isText := value.(string)
	_, isBool := value.(bool)
	_, isInteger := value.(int64)
	_, isFloat := value.(float64)
	ok, want := isText, cli.KindOf(fl)
	switch fl.Value.(flag.Getter).Get().(type) {
	case bool:
		ok = isBool
	case int, int64:
		ok = isInteger
	case float64:
		ok = isInteger || isFloat
	case share:
		ok = isText || isInteger || isFloat
	case string:
		want = configfile.TextForm
	}
	if !ok {
		return nil, want
	}
	return []string{fmt.Sprint(value)}, ""
}

// Check says what is wrong with the settings as a whole.
func (s *Settings) Check() error {
	oneOf := func(name, value string, allowed ...string) error {
		for _, a := range allowed {
			if a == value {
				return nil
			}
		}
		last := len(allowed) - 1
		return fmt.Errorf("-%s %q: want %s or %s", name, value, strings.Join(allowed[:last], ", "), allowed[last])
	}
	positive := func(name string, n int64) error {
		if n < 1 {
			return fmt.Errorf("-%s %d: must be at least 1", name, n)
		}
		return nil
	}
	errs := []error{
		oneOf("rows", s.Options.Rows, "blocked", "all"), oneOf("log-format", s.LogFormat, "text", "json"),
		positive("max-urls", s.auditor.Sitemaps.URLs), positive("max-sitemaps", int64(s.auditor.Sitemaps.Files)), positive("max-sitemap-bytes", s.auditor.Sitemaps.Bytes),
		positive("max-origins", int64(s.auditor.Origins)), positive("site-timeout", int64(s.auditor.SiteTimeout)),
		positive("crawl-pages", int64(s.links.Pages)), positive("crawl-depth", int64(s.links.Depth)),
	}
	if s.FailOn != "" && s.FailOn != "warn" { // a state's name, which stands for the severity
		errs = append(errs, oneOf("fail-on", s.FailOn, "info", "warning", "error", "critical"))
	}
	if err := reports.CheckFormats(s.formats()); err != nil {
		errs = append(errs, fmt.Errorf("-format %q: %w", s.format, err))
	}
	if err := reports.CheckKinds(Names(s.Reports)); err != nil {
		errs = append(errs, fmt.Errorf("-reports %q: %w", s.Reports, err))
	} else if s.Options.SingleFile && !reports.WritesPages(Names(s.Reports)) {
		errs = append(errs, fmt.Errorf("-single-file: -reports %s leaves the pages out", s.Reports))
	}
	if s.NoCache && s.Cache != "" {
		errs = append(errs, fmt.Errorf("-cache %s: -no-cache says that there is to be none", s.Cache))
	}
	if s.links.Time < 0 {
		errs = append(errs, fmt.Errorf("-crawl-time %v: must not be negative", s.links.Time))
	}
	if s.Delay < 0 {
		errs = append(errs, fmt.Errorf("-delay %v: must not be negative", s.Delay))
	}
	if !(s.Rate >= 0) || math.IsInf(s.Rate, 0) {
		errs = append(errs, fmt.Errorf("-rate %v: must be a number of 0 or more", s.Rate))
	}
	if s.Workers < 0 {
		errs = append(errs, fmt.Errorf("-workers %d: must not be negative", s.Workers))
	}
	if s.Connections < 0 {
		errs = append(errs, fmt.Errorf("-connections %d: must not be negative", s.Connections))
	}
	if s.PerAddress < 0 {
		errs = append(errs, fmt.Errorf("-per-address %d: must not be negative", s.PerAddress))
	}
	if _, err := s.Client(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Client makes the client that the settings describe, without a cache.
func (s *Settings) Client() (*crawl.Client, error) {
	c, err := s.Network.Client()
	c.Delay, c.Rate, c.MaxConns, c.Addresses = s.Delay, s.Rate, s.Connections, crawl.NewAddresses(s.PerAddress)
	return c, err
}

// Parse fills s from all its sources. ok is false where the command ends here, with code.
func Parse(s *Settings, f *flag.FlagSet, args []string, help string, std cli.Streams) (code int, ok bool) {
	f.SetOutput(io.Discard)
	err := s.Load(f, args, os.LookupEnv)
	if errors.Is(err, flag.ErrHelp) {
		return cli.PrintHelp(std, f, help), false
	}
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		return cli.Usage(std, err), false
	}
	for _, text := range cli.UnknownEnvironment(f, os.Environ()) {
		cli.Complain(std.Err, "%s", text)
	}
	s.Use(f)
	return 0, true
}

// Use notes which settings shape the results.
func (s *Settings) Use(f *flag.FlagSet) {
	s.Used = map[string]any{}
	f.VisitAll(func(fl *flag.Flag) {
		if !Operational[fl.Name] && !configfile.IsFleetFlag(fl.Name) && !perRun[fl.Name] {
			s.Used[fl.Name] = fl.Value.String()
		}
	})
}

// NewLog returns the log that the settings ask for.
func (s *Settings) NewLog(w io.Writer) *slog.Logger { return cli.NewLog(s.Quiet, s.LogFormat, w) }
