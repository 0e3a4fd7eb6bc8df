package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/audit/logs/agent"
	"robots-audit/audit/logs/line"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/wording"
	reportlogs "robots-audit/reports/logs"
)

var logsHelp = cli.Help{
	Use: `robots-audit logs -run RUN FILE… reads access logs and shows what crawlers really did.
Did they obey robots.txt? Do they know the current one? What do they never request?
It requests nothing from the site. FILE is a log, a folder, a pattern such as "access.log*", or - for standard input.

Examples:
  robots-audit logs -run monday access.log
  robots-audit logs -run watch -site www.example.com "/var/log/nginx/access.log*"
  robots-audit logs -rules robots.txt -site https://www.example.com access.log
  zcat access.log.*.gz | robots-audit logs -run watch -site www.example.com -
`,
	More: `RUN is the folder of a run, or the folder of a schedule's history. With a history, the
version of robots.txt that the crawler had read, or could know, judges each request.
With one run, a request can only have disobeyed between Last-Modified of robots.txt and the
run. With -rules FILE, this file judges the whole period.

These formats are recognised: combined, common and vhost_combined (Apache, nginx), IIS (W3C),
AWS ALB, CloudFront, Traefik and HAProxy. So is JSON of nginx, Caddy, Traefik, Cloudflare,
Fastly, Azure, Google Cloud and Vercel. gzip, zstd and bzip2 are, too.

For another format, write it as in the configuration of your server:
  -format '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"'
Or name the fields of JSON:
  -format path=request_uri,agent=ua,time=ts,status=code

If the log has no host, name the site of its requests with -site.

Requests count as a crawler's own if they come from addresses that its operator publishes.
Others only claim its name. The built-in lists have a date. -ranges DIR reads newer ones,
such as googlebot.json, as published. -dns also asks DNS, for 10 minutes at most.
Lines of visitors are dropped while reading.

It writes index.html, logs.xlsx and logs.json.
`,
	Exit: `Exit codes: 0 done; 2 wrong usage, or no such file; 3 done, but no request of a
crawler was found for the sites; 4 reading or writing failed; 130 stopped by a signal, after writing the results so far.
`,
}

// logReading are the flags of the command logs.
type logReading struct {
	run, rules, site, out, ranges string
	format, from, to              string
	further                       audits.CrawlerList
	logging                       cli.Logging
	reader                        logs.Reader
}

func (l *logReading) flags() *flag.FlagSet {
	f := flag.NewFlagSet("logs", flag.ContinueOnError)
	f.StringVar(&l.run, "run", "", "`folder` of a run or of a history: its sites, URLs and versions of robots.txt")
	f.StringVar(&l.rules, "rules", "", "`file` with the robots.txt that was in force for the whole period")
	f.StringVar(&l.site, "site", "", "`host` or origin of the requests, if the log has no host. With a run: only this site")
	f.StringVar(&l.format, "format", "", "`format` of the log, if it is not recognised: as in the server's configuration, or FIELD=NAME,… for JSON")
	f.StringVar(&l.from, "from", "", "ignore requests before this `day` (2026-11-24) or time, in UTC")
	f.StringVar(&l.to, "to", "", "ignore requests after this `day` or time, in UTC")
	f.StringVar(&l.ranges, "ranges", "", "`folder` with newer lists of crawlers' addresses, as published: googlebot.json, gptbot.json, …")
	f.BoolVar(&l.reader.DNS, "dns", false, "ask DNS about addresses of crawlers that no list proves")
	l.further.Flag(f)
	f.StringVar(&l.out, "out", "", "`folder` for the reports (default robots-audit-logs-<time>)")
	l.logging.Flags(f)
	return f
}

func runLogs(args []string, std cli.Streams) int {
	var l logReading
	f := l.flags()
	if code, ok := cli.ParseFlags(f, args, logsHelp, std); !ok {
		return code
	}
	files, err := l.check(f.Args())
	if err != nil {
		return cli.Usage(std, err)
	}
	sites, err := l.sites()
	if err != nil {
		return notOpened(std, err)
	}
	if sites, err = l.theSite(sites); err != nil {
		return cli.Usage(std, err)
	}
	return l.read(files, sites, std)
}

// check reads the flags. It returns the files to read.
func (l *logReading) check(args []string) (files []string, err error) {
	var errs []error
	if len(args) == 0 {
		errs = append(errs, errors.New("no log is named. Name files, as in: robots-audit logs -run monday access.log"))
	}
	if l.run == "" && l.rules == "" {
		errs = append(errs, errors.New("-run or -rules is missing: name the folder of a run or a history, or the robots.txt that was in force"))
	}
	if l.rules != "" && l.run == "" && l.site == "" {
		errs = append(errs, errors.New("-site is missing: name the site that -rules is for, as in -site https://www.example.com"))
	}
	own, err := l.further.Read()
	if err != nil {
		errs = append(errs, err)
	} else if l.reader.Crawlers, err = agent.New(agent.Options{Own: own, Ranges: l.ranges}); err != nil {
		errs = append(errs, fmt.Errorf("-ranges %w", err))
	}
	if l.format != "" {
		if l.reader.Options.Format, err = line.ParseFormat(l.format); err != nil {
			errs = append(errs, fmt.Errorf("-format: %w", err))
		}
	}
	for _, bound := range []struct {
		flag, text string
		at         *time.Time
		days       int
	}{{"from", l.from, &l.reader.From, 0}, {"to", l.to, &l.reader.To, 1}} {
		if bound.text == "" {
			continue
		}
		if *bound.at, err = time.Parse(time.DateOnly, bound.text); err == nil {
			*bound.at = bound.at.AddDate(0, 0, bound.days)
		} else if *bound.at, err = time.Parse(time.RFC3339, bound.text); err != nil {
			errs = append(errs, fmt.Errorf("-%s %q: expected a day such as 2026-11-24, or a time such as 2026-11-24T06:00:00Z", bound.flag, bound.text))
		}
	}
	if !l.reader.To.IsZero() && !l.reader.From.Before(l.reader.To) {
		errs = append(errs, fmt.Errorf("-from %s is after -to %s. Exchange them", l.from, l.to))
	}
	if err := l.logging.Check(); err != nil {
		errs = append(errs, err)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return l.reader.Folders.Files(args)
}

// theSite leaves only the site of -site, and says to which site lines without a host belong.
func (l *logReading) theSite(sites []logs.Site) ([]logs.Site, error) {
	if l.site != "" {
		sites = slices.DeleteFunc(sites, func(s logs.Site) bool {
			return s.Name != l.site && audit.HostName(s.Name) != audit.HostName(l.site)
		})
		if len(sites) == 0 {
			return nil, fmt.Errorf("-site %s: %s does not have this site. Check the name", l.site, l.run)
		}
	}
	if len(sites) == 1 && len(sites[0].Origins) > 0 {
		host := audit.HostName(sites[0].Origins[0].Name)
		l.reader.HostOf = func(string) string { return host }
	}
	return sites, nil
}

// read reads the logs and writes the reports.
func (l *logReading) read(files []string, sites []logs.Site, std cli.Streams) int {
	log := l.logging.NewLog(std.Err)
	ctx, done := cli.UntilSignal()
	defer done()
	l.reader.Options.Stream = func(in io.Reader) io.Reader { return cli.NewStoppable(ctx, in) }
	l.reader.Warn = func(file, problem string) { log.Warn(file + " ends early: " + problem) }
	if l.out == "" {
		l.out = "robots-audit-logs-" + time.Now().UTC().Format("20060102-150405")
	}
	requests, err := l.reader.Read(ctx, files)
	if err != nil {
		return cli.Failed(std, err)
	}
	defer requests.Close()
	audits.TellLogs(log, "", requests.Files)
	if requests.Bare() {
		return cli.Usage(std, errors.New("the log has no host. Name the site of its requests, as in -site "+sites[0].Name))
	}
	if l.reader.DNS {
		audits.VerifyLogs(ctx, log, "", requests)
	} else {
		audits.TellRanges(log, "", l.reader.Crawlers, requests.Files)
	}
	found := false
	summary, err := reportlogs.Write(l.out, l.head(requests, sites), func(yield func(audit.Logs, error) bool) {
		for i := range sites {
			of, err := requests.Judge(l.reader.Crawlers, &sites[i])
			found = found || len(of.Crawlers) > 0
			if !yield(of, err) || err != nil {
				return
			}
		}
	})
	if err != nil {
		return cli.Failed(std, fmt.Errorf("-out %s: %w", l.out, err))
	}
	for _, text := range summary.Lines() {
		fmt.Fprintln(std.Out, cli.OnOneLine(text))
	}
	fmt.Fprintf(std.Out, "Reports: %s\n", cli.OnOneLine(filepath.Join(l.out, "index.html")+", "+filepath.Join(l.out, "logs.xlsx")))
	switch {
	case ctx.Err() != nil:
		cli.Complain(std.Err, "stopped by a signal. The report shows the lines read so far")
		return cli.ExitSignal
	case !found:
		cli.Complain(std.Err, "no request of a crawler for %s was found", wording.Verb(len(sites), "this site", "these sites"))
		return cli.ExitUnknown
	}
	return cli.ExitDone
}

// head is what the report says of the files.
func (l *logReading) head(r *logs.Requests, sites []logs.Site) reportlogs.Head {
	h := reportlogs.Head{Version: cli.Version, Made: time.Now().UTC()}
	h.Ranges, _ = l.reader.Crawlers.Dated()
	errs := map[line.Kind]*reportlogs.Error{}
	folder := commonFolder(r.Files)
	for i := range r.Files {
		of := &r.Files[i]
		h.Files = append(h.Files, reportlogs.File{Name: strings.TrimPrefix(of.Name, folder), Format: of.Format, Lines: of.Lines, Requests: of.Requests, Twice: of.Twice != "", Skipped: of.Skipped, Early: of.Early})
		if of.Twice != "" || of.Skipped {
			continue
		}
		h.Lines += of.Lines
		h.Visitors += of.Visitors
		h.Crawlers += of.Crawlers
		for kind, count := range of.Errors {
			h.Unparsed += count.Lines
			e := errs[kind]
			if e == nil {
				e = &reportlogs.Error{Kind: string(kind), Examples: []string{}}
				errs[kind] = e
			}
			e.Lines += count.Lines
			for _, example := range count.First[:min(len(count.First), 5-len(e.Examples))] {
				e.Examples = append(e.Examples, fmt.Sprintf("%s:%d", filepath.Base(of.Name), example.Line))
			}
		}
		if !of.First.IsZero() && (h.From.IsZero() || of.First.Before(h.From)) {
			h.From = of.First
		}
		if of.Last.After(h.To) {
			h.To = of.Last
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(errs)) {
		h.Errors = append(h.Errors, *errs[kind])
	}
	var origins []string
	for i := range sites {
		for _, o := range sites[i].Origins {
			origins = append(origins, o.Name)
		}
	}
	h.OtherHosts, _ = r.OtherHosts(origins, 20)
	if r.Beyond > 0 {
		h.Notes = append(h.Notes, wording.Plural(r.Beyond, "request")+" to further hosts were not counted.")
	}
	return h
}

// commonFolder is the folder that the names of all files begin with, with its last separator: a report for others
// shows no folders of this machine. "" = there is none.
func commonFolder(files []logs.File) string {
	folder := ""
	for i := range files {
		name := files[i].Name
		if i == 0 {
			folder = name
		}
		for !strings.HasPrefix(name, folder) || !strings.HasSuffix(folder, string(filepath.Separator)) {
			if folder = folder[:strings.LastIndexByte(strings.TrimSuffix(folder, string(filepath.Separator)), filepath.Separator)+1]; folder == "" {
				return ""
			}
		}
	}
	return folder
}
