// Package audits is the main job of the commands. It has the flags of an audit, which are also
// configuration keys, and the audit itself, from the list of sites to the run's folder.
package audits

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// Settings are the flags of an audit. Each is also a key of the configuration file and an
// environment variable, see Load.
type Settings struct {
	Config string

	Domains string
	named   []string  // sites named as arguments
	list    *listRead // what was read of the list so far
	Out     string
	Resume  bool

	Crawlers string
	Further  CrawlerList
	format   string
	Reports  string
	Sheets   string
	Brief    Brief
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
	Tables
	URLs       string
	URLsColumn string
	Segments   string
	Logs       cli.List
	LogsFormat string
	Ranges     string
	DNS        bool
	Indexed    string
	Cache      string
	NoCache    bool

	SecondLook bool
	AskAs      string
	askAsPages int
	crawl      bool
	links      crawl.LinkBudget // with crawl

	auditor audit.Auditor   // fields that flags set directly
	Options reports.Options // likewise

	cli.Logging

	Used  map[string]any // settings that affect results, for run.json
	sites int64          // entries of the list, for progress; 0 = not counted
	told  bool           // paths of the list were told
	took  []string       // what was read of tables
	base  string         // origin for paths in lists of URLs; "" = none

	isSite func(host string) bool // see table.Options; nil = not known

	Started time.Time                                     // of a scheduled run; zero = no schedule, the run starts now
	Only    func(site string) bool                        // of the list, these sites are audited; nil = all
	Confirm bool                                          // ask for each robots.txt, even if the cache has a fresh copy
	Past    func(site string) (*audit.Past, error)        // what earlier runs of its schedule know; nil = nothing
	Watch   func(site *audit.Site) reports.Watcher        // receives the site's records; nil = not used
	Seen    func(site string) ([]logs.Observation, error) // robots.txt of a site in earlier runs, oldest first; nil = not known

	Totals reports.Totals // result of the run
}

// CrawlersUsage is the help text of -crawlers.
const CrawlersUsage = "`list` of crawlers. GPTBot and other names are in the crawler list. NAME@PROFILE reads robots.txt by another profile. purpose:ai-training is all crawlers with this purpose. token:NAME is a product token that is not in the crawler list"

// Flags declares every setting with its default and meaning: the only source for help,
// configuration file and environment.
func (s *Settings) Flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&s.Config, "config", "", "read settings from this TOML `file`")
	f.StringVar(&s.Domains, "domains", "", "`file` with one host or origin per line. - is standard input")
	f.StringVar(&s.Out, "out", "", "`folder` of the run (default robots-audit-<time>)")
	f.BoolVar(&s.Resume, "resume", false, "continue the unfinished run in -out")
	f.StringVar(&s.Crawlers, "crawlers", "Googlebot,Bingbot,YandexBot", CrawlersUsage)
	s.Further.Flag(f)
	f.StringVar(&s.Sheets, "sheets", "main", "`which` sheets and columns the workbooks of sites have: main or all")
	f.StringVar(&s.Options.Rows, "rows", "blocked", "`which` URLs the workbooks list: blocked or all")
	f.StringVar(&s.format, "format", "", "more `formats` for the rows of URLs, in addition to workbooks: a list of "+strings.Join(reports.Formats(), ", "))
	f.StringVar(&s.Reports, "reports", "all", "`list` of reports: sites ("+strings.Join(reports.Levels(), ", ")+"), kinds ("+strings.Join(reports.Kinds(), ", ")+"), "+strings.Join(reports.Extras(), ", ")+" for clients. brief adds one page for each site, and one for the run. summary.json, summary.md and the records are always written. \"report RUN -site HOST\" writes skipped reports later")
	s.Brief.Flags(f)
	f.BoolVar(&s.Options.SingleFile, "single-file", false, "put the pages of all sites into index.html, to send it as one file")
	f.BoolVar(&s.Options.CSVMark, "csv-bom", false, "begin the files of -format csv with a byte order mark, for Excel")
	f.StringVar(&s.FailOn, "fail-on", "", "lowest `severity` of a site's state or finding that makes the exit code 1: info, warning, error, critical or never (default: never)")
	f.StringVar(&s.FailOnBlocked, "fail-on-blocked", "", "exit with 1 if this `share` of a site's URLs or more is blocked for a search crawler, as 5%. 5%:Googlebot is for one crawler")
	s.auditor.CriticalShare = 0.5
	f.Var((*share)(&s.auditor.CriticalShare), "critical-share", "a site is critical if this `share` of its URLs or clicks is blocked for a search crawler")
	s.Network.Flags(f)
	f.Var(&s.Robots, "robots", "`HOST=FILE`: audit HOST as if FILE were its robots.txt. Can be repeated")
	f.IntVar(&s.Workers, "workers", 0, "`number` of sites to process at the same time. 0 = two per processor. A site that waits for its server is not counted, so up to 10,000 sites can be open. -connections, -rate and -per-address limit their requests")
	f.DurationVar(&s.auditor.SiteTimeout, "site-timeout", 2*time.Hour, "longest `time` for one site. A site that answers too slowly ends after 20 times -timeout")
	f.DurationVar(&s.Delay, "delay", 0, "shortest `time` between two requests to one host")
	f.Float64Var(&s.Rate, "rate", 0, "most `requests` per second for all sites together. 0 = no limit")
	f.IntVar(&s.Connections, "connections", 0, "most `sites` with an open request at the same time. Each has one or two connections. 0 = as many as file descriptors allow")
	f.IntVar(&s.PerAddress, "per-address", 8, "most open `requests` to one IP address at the same time, for all its hosts. 0 = no limit. Hosts of -connect-to are not counted")
	f.StringVar(&s.URLs, "urls", "", "`file` of more URLs to test: a list or an export (.csv, .xlsx, .ods, .zip, .gz). Its clicks show which URLs matter most")
	s.Tables.Flags(f)
	f.StringVar(&s.URLsColumn, "urls-column", "", "`title` or number of the column of -urls with the URL, as -column url=TITLE")
	f.Var(&s.Logs, "logs", "access `logs` of the sites: files, folders or patterns. Requests of crawlers weigh URLs, and reports show what crawlers did. If the logs have no host: HOST=FILE. Can be repeated")
	f.StringVar(&s.LogsFormat, "logs-format", "", "`format` of the logs, if it is not recognised, see \"help logs\"")
	f.StringVar(&s.Ranges, "ranges", "", "`folder` with newer lists of crawlers' addresses, as published: googlebot.json, gptbot.json, …")
	f.BoolVar(&s.DNS, "dns", false, "with -logs: ask DNS about addresses of crawlers that no list proves")
	f.StringVar(&s.Segments, "segments", "", "`file` of segments to count URLs by. Each line has a name and a pattern as in robots.txt (blog = /blog/), or re: and a regular expression. The first match counts")
	f.StringVar(&s.Indexed, "indexed", "", "`file` of URLs in the index of a search engine: a list or an export, as for -urls. They are tested, too, and marked in the reports. Search Console exports them as \"Indexed, though blocked by robots.txt\"")
	f.StringVar(&s.Kinds, "kinds", "hreflang,image,video", "`list` of other URLs of sitemaps to test: hreflang, image, video. \"\" = none")
	f.Int64Var(&s.auditor.Sitemaps.URLs, "max-urls", 50_000_000, "largest `number` of URLs to read from the sitemaps of one site")
	f.IntVar(&s.auditor.Sitemaps.Files, "max-sitemaps", 10_000, "largest `number` of sitemaps to read for one site")
	f.Int64Var(&s.auditor.Sitemaps.Bytes, "max-sitemap-bytes", 209_715_200, "most `bytes` to read of one sitemap, compressed or not. The protocol allows 52,428,800")
	f.IntVar(&s.auditor.Origins, "max-origins", 16, "largest `number` of origins (scheme, host, port) for the URLs and sitemaps of one site")
	f.StringVar(&s.Cache, "cache", "", "`file` that keeps robots.txt answers for a day. It keeps the last good ones longer (default robots-audit/cache.db in the user's cache folder, none with -connect-to)")
	f.BoolVar(&s.NoCache, "no-cache", false, "fetch every robots.txt again, and keep none")
	f.BoolVar(&s.SecondLook, "second-look", false, "fetch robots.txt, the first three sitemaps and the home page also as Googlebot, to find different answers. Fetch robots.txt and the home page also over http and https, with and without www.")
	f.StringVar(&s.AskAs, "ask-as", "", "`list` of crawlers, such as Googlebot,GPTBot. Fetch robots.txt, the home page, a sitemap and some pages also with the User-Agent of each, and report who gets another answer")
	f.IntVar(&s.askAsPages, "ask-as-pages", 1, "with -ask-as: `number` of sample pages of each template, from 0 to 5")
	f.BoolVar(&s.crawl, "crawl", false, "follow links on the pages of the site, too")
	f.IntVar(&s.links.Pages, "crawl-pages", 500, "with -crawl: largest `number` of pages to fetch from one site")
	f.IntVar(&s.links.Depth, "crawl-depth", 5, "with -crawl: largest `number` of clicks from the home page")
	f.DurationVar(&s.links.Time, "crawl-time", 0, "with -crawl: longest `time` for the pages of one site. 0 = no limit but -site-timeout")
	s.Logging.Flags(f)
	return f
}

// perRun names the settings that a file cannot have.
var perRun = map[string]bool{"config": true, "wait": true, "local": true}

// Operational are the settings that do not change the results of a run. A run may be resumed with
// different ones.
var Operational = map[string]bool{
	"config": true, "out": true, "resume": true, "quiet": true, "verbose": true, "log-format": true, "workers": true, "fail-on": true, "fail-on-blocked": true,
	"timeout": true, "site-timeout": true, "retries": true, "delay": true, "rate": true, "connections": true, "per-address": true, "connect-to": true, "ca-cert": true,
	"cache": true, "no-cache": true, "brief-name": true, "brief-logo": true,
}

// Load fills the settings. A flag wins over the environment (ROBOTS_AUDIT_OUT for -out,
// ROBOTS_AUDIT_MAX_URLS for -max-urls). The environment wins over the file of -config, and the file
// over the default. An unknown key of the file is an error that names its line.
func (s *Settings) Load(f *flag.FlagSet, args []string, environ func(string) (string, bool)) error {
	if err := cli.ParseArgs(f, args); err != nil {
		return err
	}
	fixed, err := cli.SetFromEnvironment(f, environ) // settings that no lower source may change
	errs := []error{err}
	if s.Config != "" {
		text, err := cli.ReadBounded(s.Config, cli.MaxConfig)
		if err != nil {
			return fmt.Errorf("-config %w", err)
		}
		errs = append(errs, s.LoadTOML(f, s.Config, string(text), fixed))
	}
	return errors.Join(errs...)
}

// LoadTOML sets the values in text, the content of the file name, except fixed settings.
func (s *Settings) LoadTOML(f *flag.FlagSet, name, text string, fixed map[string]bool) error {
	var values map[string]any
	meta, err := toml.Decode(text, &values)
	if err != nil {
		return configfile.SyntaxError(name, err)
	}
	_, err = suppression.ReadConfig(name, text)
	errs := []error{err, configfile.FillFleet(f, name, text, fixed)}
	lines := configfile.LinesOf(text)
	told := map[string]bool{} // unknown tables that were reported
	for _, key := range meta.Keys() {
		k, value := key.String(), values[key[0]]
		if table, ok := value.(map[string]any); ok && key[0] == briefTable {
			if len(key) == 1 {
				continue
			}
			k, value = briefTable+"-"+key[1], table[key[1]]
		}
		at := fmt.Sprintf("%s:%d", name, lines.Of(key.String()))
		if suppression.IsKey(k) || configfile.IsScheduleKey(k) || configfile.IsFleetKey(k) {
			continue
		}
		if f.Lookup(k) == nil || perRun[k] || configfile.IsFleetFlag(k) {
			if told[key[0]] { // a key of such a table
				continue
			}
			told[key[0]] = true
			hint := strings.Replace(cli.DidYouMean(k, settingNames(f), ""), briefTable+"-", briefTable+".", 1)
			if hint == "." {
				hint += ` "robots-audit help audit all" lists all settings.`
			}
			errs = append(errs, fmt.Errorf("%s: unknown setting %q%s", at, key, hint))
			continue
		}
		each, want := fileValues(f.Lookup(k), value)
		for _, v := range each {
			if !fixed[k] && f.Set(k, v) != nil {
				want = cli.KindOf(f.Lookup(k))
			}
		}
		if want != "" {
			errs = append(errs, fmt.Errorf("%s: %s = %q: expected %s", at, key, fmt.Sprint(value), want))
		}
	}
	return errors.Join(errs...)
}

// settingNames are the names of settings and tables that a file can have.
func settingNames(f *flag.FlagSet) []string {
	names := append(slices.Clone(configfile.ScheduleTables), configfile.FleetTable, briefTable)
	f.VisitAll(func(fl *flag.Flag) {
		if !perRun[fl.Name] {
			names = append(names, fl.Name)
		}
	})
	return names
}

// fileValues returns the values of a file's entry for a flag, one by one. If the type is wrong it
// returns none, and describes the expected type.
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

// Check reports settings that are wrong or exclude each other.
func (s *Settings) Check() error {
	oneOf := func(name, value string, allowed ...string) error {
		for _, a := range allowed {
			if a == value {
				return nil
			}
		}
		last := len(allowed) - 1
		return fmt.Errorf("-%s %q: expected %s or %s", name, value, strings.Join(allowed[:last], ", "), allowed[last])
	}
	positive := func(name string, n int64) error {
		if n < 1 {
			return fmt.Errorf("-%s %d: expected 1 or more", name, n)
		}
		return nil
	}
	errs := []error{
		oneOf("rows", s.Options.Rows, "blocked", "all"), oneOf("sheets", s.Sheets, "main", "all"), s.Logging.Check(), s.Tables.Check(),
		positive("max-urls", s.auditor.Sitemaps.URLs), positive("max-sitemaps", int64(s.auditor.Sitemaps.Files)), positive("max-sitemap-bytes", s.auditor.Sitemaps.Bytes),
		positive("max-origins", int64(s.auditor.Origins)), positive("site-timeout", int64(s.auditor.SiteTimeout)),
		positive("crawl-pages", int64(s.links.Pages)), positive("crawl-depth", int64(s.links.Depth)),
	}
	if s.FailOn != "" && s.FailOn != "warn" { // the name of a state, accepted for the severity
		errs = append(errs, oneOf("fail-on", s.FailOn, "info", "warning", "error", "critical", "never"))
	}
	if err := reports.CheckFormats(s.formats()); err != nil {
		errs = append(errs, fmt.Errorf("-format %q: %w", s.format, err))
	}
	if err := reports.CheckKinds(Names(s.Reports)); err != nil {
		errs = append(errs, fmt.Errorf("-reports %q: %w", s.Reports, err))
	} else if s.Options.SingleFile && !reports.WritesPages(Names(s.Reports)) {
		errs = append(errs, fmt.Errorf("-single-file needs the pages, which -reports %s skips. Remove one of the two flags", s.Reports))
	}
	if s.NoCache && s.Cache != "" {
		errs = append(errs, fmt.Errorf("-cache %s and -no-cache exclude each other. Remove one of them", s.Cache))
	}
	if s.links.Time < 0 {
		errs = append(errs, fmt.Errorf("-crawl-time %v: expected 0 or more", s.links.Time))
	}
	if s.askAsPages < 0 || s.askAsPages > 5 {
		errs = append(errs, fmt.Errorf("-ask-as-pages %d: expected 0 to 5", s.askAsPages))
	}
	if s.Delay < 0 {
		errs = append(errs, fmt.Errorf("-delay %v: expected 0 or more", s.Delay))
	}
	if !(s.Rate >= 0) || math.IsInf(s.Rate, 0) {
		errs = append(errs, fmt.Errorf("-rate %v: expected a number of 0 or more", s.Rate))
	}
	if s.Workers < 0 {
		errs = append(errs, fmt.Errorf("-workers %d: expected 0 or more", s.Workers))
	}
	if s.Connections < 0 {
		errs = append(errs, fmt.Errorf("-connections %d: expected 0 or more", s.Connections))
	}
	if s.PerAddress < 0 {
		errs = append(errs, fmt.Errorf("-per-address %d: expected 0 or more", s.PerAddress))
	}
	if _, err := s.Client(); err != nil {
		errs = append(errs, err)
	}
	for _, of := range []struct {
		name  string
		given bool
	}{{"logs-format", s.LogsFormat != ""}, {"ranges", s.Ranges != ""}, {"dns", s.DNS}} {
		if of.given && len(s.Logs) == 0 {
			errs = append(errs, fmt.Errorf("-%s needs -logs. Name the access logs, or remove -%[1]s", of.name))
		}
	}
	return errors.Join(errs...)
}

// Client makes the client that the settings describe, without a cache.
func (s *Settings) Client() (*crawl.Client, error) {
	c, err := s.Network.Client()
	c.Delay, c.Rate, c.MaxConns, c.Addresses = s.Delay, s.Rate, s.Connections, crawl.NewAddresses(s.PerAddress)
	return c, err
}

// Parse fills s from all its sources. If ok is false the command ends with code.
func Parse(s *Settings, f *flag.FlagSet, args []string, help cli.Help, std cli.Streams) (code int, ok bool) {
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

// Use records which settings affect the results.
func (s *Settings) Use(f *flag.FlagSet) {
	s.Used = map[string]any{}
	f.VisitAll(func(fl *flag.Flag) {
		if !Operational[fl.Name] && !configfile.IsFleetFlag(fl.Name) && !perRun[fl.Name] {
			s.Used[fl.Name] = fl.Value.String()
		}
	})
}
