package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"robots-audit/audit"
	"robots-audit/cmd/robots-audit/internal/fleetconfig"
	"robots-audit/cmd/robots-audit/internal/scheduleconfig"
	"robots-audit/reports"
)

// settings are the flags of an audit. Each is also a key of the
// configuration file and an environment variable, see load.
type settings struct {
	config string

	domains string
	named   []string // sites that are named without a file
	list    listRead // what was read of the list
	out     string
	resume  bool

	crawlers string
	further  crawlerList
	rows     string
	format   string
	reports  string
	single   bool
	csvBOM   bool
	failOn   string

	failOnBlocked string
	criticalShare share

	network
	robots list

	workers         int
	siteTimeout     time.Duration
	delay           time.Duration
	rate            float64
	connections     int
	perAddress      int
	kinds           string
	urls            string
	urlsColumn      string
	segments        string
	indexed         string
	maxURLs         int64
	maxSitemaps     int
	maxSitemapBytes int64
	maxOrigins      int
	cache           string
	noCache         bool

	secondLook bool
	crawl      bool
	crawlPages int
	crawlDepth int
	crawlTime  time.Duration

	quiet     bool
	logFormat string

	used  map[string]any // the settings that shape results, for run.json
	sites int64          // entries of the list, for progress; 0 = not counted

	started time.Time                              // of a schedule's run; zero = it is no such run, and begins now
	past    func(site string) (*audit.Past, error) // what earlier runs of its schedule know; nil = it has none
	watch   func(site *audit.Site) reports.Watcher // who sees its records; nil = nobody

	totals reports.Totals // what came of the run
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// Values are what was given, one by one.
func (l *list) Values() []string { return *l }

// flags declares every setting with its default and its meaning: the one
// place that help, the configuration file and the environment are read from.
func (s *settings) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&s.config, "config", "", "read settings from this TOML `file`")
	f.StringVar(&s.domains, "domains", "", "`file` with one host or origin a line; - is standard input")
	f.StringVar(&s.out, "out", "", "the run's `folder` (default robots-audit-<time>)")
	f.BoolVar(&s.resume, "resume", false, "go on with the unfinished run in -out")
	f.StringVar(&s.crawlers, "crawlers", "Googlebot,Bingbot,YandexBot", "`list` of crawlers; NAME@PROFILE reads with another profile, purpose:ai-training is all that have a purpose, token:NAME a product token that the crawler list does not have")
	s.further.flag(f)
	f.StringVar(&s.rows, "rows", "blocked", "`which` URLs get a row in the workbooks: blocked or all")
	f.StringVar(&s.format, "format", "", "further `formats` of the rows of URLs, beside the workbooks: a list of "+strings.Join(reports.Formats(), ", "))
	f.StringVar(&s.reports, "reports", "all", "`list` of the reports that are written: of which sites ("+strings.Join(reports.Levels(), ", ")+"; what is left out, report RUN -site HOST makes), which kinds ("+strings.Join(reports.Kinds(), ", ")+"), or both; summary.json, summary.md and the records always are")
	f.BoolVar(&s.single, "single-file", false, "put the pages of the sites into index.html, so that it can be sent by itself")
	f.BoolVar(&s.csvBOM, "csv-bom", false, "begin the files of -format csv with a byte order mark, for Excel")
	f.StringVar(&s.failOn, "fail-on", "", "exit with 1 where a site's state, or the effect of a finding on its known URLs, is at or above this `severity`: info, warning, error or critical")
	f.StringVar(&s.failOnBlocked, "fail-on-blocked", "", "exit with 1 where at least this `share` of a site's known URLs is blocked for a crawler of search, as 5%, or for the crawler named behind it, as 5%:Googlebot")
	s.criticalShare = 0.5
	f.Var(&s.criticalShare, "critical-share", "`share` of a site's known URLs, or of their clicks, that makes it critical where it is blocked for a crawler of search")
	s.network.flags(f)
	f.Var(&s.robots, "robots", "`HOST=FILE`: audit HOST as if it served this file as its robots.txt; may be repeated")
	f.IntVar(&s.workers, "workers", 0, "`number` of sites at work at a time; one that waits for its server, however shortly, stands aside for others: as many are under way as keep the processors busy, 10,000 at most; -connections, -rate and -per-address bound their requests; 0 is two for each processor")
	f.DurationVar(&s.siteTimeout, "site-timeout", 2*time.Hour, "longest `time` for one site; one that keeps us waiting for little ends after 20 times -timeout")
	f.DurationVar(&s.delay, "delay", 0, "least `time` between two requests to one host")
	f.Float64Var(&s.rate, "rate", 0, "most `requests` a second, over all sites; 0 is no limit")
	f.IntVar(&s.connections, "connections", 0, "most `sites` that have a request under way at a time; each keeps a connection or two; 0 is as many as there are file descriptors for")
	f.IntVar(&s.perAddress, "per-address", 8, "most `requests` under way at a time to one IP address, whatever hosts they are for; 0 is no limit; where -connect-to names a host, it is not counted")
	f.StringVar(&s.urls, "urls", "", "`file` of URLs to test as well: one a line, or a table such as a Search Console export (.csv, .zip or .xlsx, as downloaded), whose clicks weigh the URLs")
	f.StringVar(&s.urlsColumn, "urls-column", "", "`title` or number of the column of -urls that holds the URL (default: the first that holds one)")
	f.StringVar(&s.segments, "segments", "", "`file` of segments by which URLs are counted: in each line a name and a pattern as robots.txt has it (blog = /blog/), or re: and a regular expression; the first that matches counts")
	f.StringVar(&s.indexed, "indexed", "", "`file` of URLs that a search engine has in its index, such as Search Console's \"Indexed, though blocked by robots.txt\" (.csv, .zip or .xlsx, as downloaded): tested as well, and marked in the reports")
	f.StringVar(&s.kinds, "kinds", "hreflang,image,video", "what of a sitemap is tested beside its URLs: a `list` of hreflang, image, video; \"\" is nothing")
	f.Int64Var(&s.maxURLs, "max-urls", 50_000_000, "`number` of URLs read of one site's sitemaps")
	f.IntVar(&s.maxSitemaps, "max-sitemaps", 10_000, "`number` of sitemaps read of one site")
	f.Int64Var(&s.maxSitemapBytes, "max-sitemap-bytes", 209_715_200, "`bytes` read of one sitemap, unpacked, and over the wire; the protocol allows 52,428,800")
	f.IntVar(&s.maxOrigins, "max-origins", 16, "`number` of origins (scheme, host, port) that one site's URLs and sitemaps together may lie on")
	f.StringVar(&s.cache, "cache", "", "`file` that keeps robots.txt answers for a day, and the last good ones for longer (default robots-audit/cache.db in the user's cache folder; none with -connect-to)")
	f.BoolVar(&s.noCache, "no-cache", false, "ask every site anew, and keep nothing")
	f.BoolVar(&s.secondLook, "second-look", false, "ask again for robots.txt as Googlebot, over http and https, with www. and without, to find answers that differ")
	f.BoolVar(&s.crawl, "crawl", false, "follow links on the site's pages as well")
	f.IntVar(&s.crawlPages, "crawl-pages", 500, "`number` of pages fetched of one site with -crawl")
	f.IntVar(&s.crawlDepth, "crawl-depth", 5, "`number` of links between the home page and a page, at most, with -crawl")
	f.DurationVar(&s.crawlTime, "crawl-time", 0, "longest `time` for the pages of one site with -crawl; 0 is as long as -site-timeout lets it")
	f.BoolVar(&s.quiet, "quiet", false, "no progress, only warnings and errors")
	f.StringVar(&s.logFormat, "log-format", "text", "`form` of log lines: text or json")
	return f
}

// perRun names the settings that have no place in a file.
var perRun = map[string]bool{"config": true, "wait": true, "local": true}

// operational are the settings that change how a run goes, not what it finds: a
// run may be resumed with others.
var operational = map[string]bool{
	"config": true, "out": true, "resume": true, "quiet": true, "log-format": true, "workers": true, "fail-on": true, "fail-on-blocked": true,
	"timeout": true, "site-timeout": true, "retries": true, "delay": true, "rate": true, "connections": true, "per-address": true, "connect-to": true, "ca-cert": true,
	"cache": true, "no-cache": true,
}

// listed names the settings whose text is a list with commas: in a file they may be lists.
var listed = map[string]bool{"crawlers": true, "format": true, "kinds": true, "reports": true}

// load fills the settings: a flag wins over the environment (ROBOTS_AUDIT_OUT
// for -out, ROBOTS_AUDIT_MAX_URLS for -max-urls), the environment over the
// file of -config, the file over the default. An unknown key of the file is
// an error that names its line.
func (s *settings) load(f *flag.FlagSet, args []string, environ func(string) (string, bool)) error {
	if err := parseArgs(f, args); err != nil {
		return err
	}
	fixed := map[string]bool{} // settings that no lower source may change
	f.Visit(func(fl *flag.Flag) { fixed[fl.Name] = true })
	var errs []error
	f.VisitAll(func(fl *flag.Flag) {
		name := environmentName(fl.Name)
		value, ok := environ(name)
		if !ok || fixed[fl.Name] {
			return
		}
		fixed[fl.Name] = true
		if f.Set(fl.Name, value) != nil {
			errs = append(errs, fmt.Errorf("environment variable %s: %q is not %s", name, value, kindOf(fl)))
		}
	})
	if s.config != "" {
		text, err := readBounded(s.config, maxConfig)
		if err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
		errs = append(errs, s.loadTOML(f, s.config, string(text), fixed))
	}
	return errors.Join(errs...)
}

// environmentPrefix begins the names of the environment variables that are settings.
const environmentPrefix = "ROBOTS_AUDIT_"

// environmentName is the environment variable of a flag.
func environmentName(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// loadTOML sets what text, the content of the file name, says, but for the fixed settings.
func (s *settings) loadTOML(f *flag.FlagSet, name, text string, fixed map[string]bool) error {
	var values map[string]any
	meta, err := toml.Decode(text, &values)
	if err != nil {
		return fleetconfig.SyntaxError(name, err)
	}
	_, err = readLintConfig(name, text)
	errs := []error{err, fleetconfig.Fill(f, name, text, fixed)}
	lines := fleetconfig.LinesOf(text)
	told := map[string]bool{} // tables that there are not
	for _, key := range meta.Keys() {
		k := key.String()
		if isLintKey(k) || scheduleconfig.IsKey(k) || fleetconfig.IsKey(k) {
			continue
		}
		if f.Lookup(k) == nil || perRun[k] || fleetconfig.IsFlag(k) {
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
				want = kindOf(f.Lookup(k))
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
	names := append(slices.Clone(scheduleconfig.Tables), fleetconfig.Table)
	f.VisitAll(func(fl *flag.Flag) {
		if !perRun[fl.Name] {
			names = append(names, fl.Name)
		}
	})
	return nearest(key, names)
}

// fileValues returns what a value of a file sets a flag to, one by one. For a value of a
// wrong type it returns nothing, and in words what is wanted.
func fileValues(fl *flag.Flag, value any) (each []string, want string) {
	if _, repeated := fl.Value.(*list); repeated || listed[fl.Name] {
		each, ok := fleetconfig.Texts(value)
		switch {
		case !ok:
			return nil, fleetconfig.ListForm
		case !repeated:
			each = []string{strings.Join(each, ",")}
		}
		return each, ""
	}
	_, isText := value.(string)
	_, isBool := value.(bool)
	_, isInteger := value.(int64)
	_, isFloat := value.(float64)
	ok, want := isText, kindOf(fl)
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
		want = fleetconfig.TextForm
	}
	if !ok {
		return nil, want
	}
	return []string{fmt.Sprint(value)}, ""
}

// check says what is wrong with the settings as a whole.
func (s *settings) check() error {
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
		oneOf("rows", s.rows, "blocked", "all"), oneOf("log-format", s.logFormat, "text", "json"),
		positive("max-urls", s.maxURLs), positive("max-sitemaps", int64(s.maxSitemaps)), positive("max-sitemap-bytes", s.maxSitemapBytes),
		positive("max-origins", int64(s.maxOrigins)), positive("site-timeout", int64(s.siteTimeout)),
		positive("crawl-pages", int64(s.crawlPages)), positive("crawl-depth", int64(s.crawlDepth)),
	}
	if s.failOn != "" && s.failOn != "warn" { // a state's name, which stands for the severity
		errs = append(errs, oneOf("fail-on", s.failOn, "info", "warning", "error", "critical"))
	}
	if err := reports.CheckFormats(s.formats()); err != nil {
		errs = append(errs, fmt.Errorf("-format %q: %w", s.format, err))
	}
	if err := reports.CheckKinds(names(s.reports)); err != nil {
		errs = append(errs, fmt.Errorf("-reports %q: %w", s.reports, err))
	} else if s.single && !reports.WritesPages(names(s.reports)) {
		errs = append(errs, fmt.Errorf("-single-file: -reports %s leaves the pages out", s.reports))
	}
	if s.noCache && s.cache != "" {
		errs = append(errs, fmt.Errorf("-cache %s: -no-cache says that there is to be none", s.cache))
	}
	if s.crawlTime < 0 {
		errs = append(errs, fmt.Errorf("-crawl-time %v: must not be negative", s.crawlTime))
	}
	if s.delay < 0 {
		errs = append(errs, fmt.Errorf("-delay %v: must not be negative", s.delay))
	}
	if !(s.rate >= 0) || math.IsInf(s.rate, 0) {
		errs = append(errs, fmt.Errorf("-rate %v: must be a number of 0 or more", s.rate))
	}
	if s.workers < 0 {
		errs = append(errs, fmt.Errorf("-workers %d: must not be negative", s.workers))
	}
	if s.connections < 0 {
		errs = append(errs, fmt.Errorf("-connections %d: must not be negative", s.connections))
	}
	if s.perAddress < 0 {
		errs = append(errs, fmt.Errorf("-per-address %d: must not be negative", s.perAddress))
	}
	if _, err := s.client(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
