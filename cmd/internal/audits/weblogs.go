package audits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/audit/logs/agent"
	"robots-audit/audit/logs/line"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/wording"
)

// webLogs joins access logs with the sites of a run.
type webLogs struct {
	requests *logs.Requests
	set      *agent.Set
	weights  *logs.Weights
	seen     func(site string) ([]logs.Observation, error) // by earlier runs; nil = there are none
	segment  func(loc string) string                       // of the run: see logs.Site
	sites    map[string]*logs.Site                         // by name, those in progress
	judged   int                                           // sites
	found    bool                                          // one of them has a request of a crawler
}

// readLogs reads the access logs of the settings; nil = none are named.
func (s *Settings) readLogs(ctx context.Context, log *slog.Logger, auditor *audit.Auditor) (*webLogs, error) {
	if len(s.Logs) == 0 {
		return nil, nil
	}
	own, err := s.Further.Read()
	if err != nil {
		return nil, err
	}
	w := &webLogs{seen: s.Seen, sites: map[string]*logs.Site{}}
	if w.set, err = agent.New(agent.Options{Own: own, Ranges: s.Ranges}); err != nil {
		return nil, fmt.Errorf("-ranges: %w", err)
	}
	reader := logs.Reader{Crawlers: w.set, DNS: s.DNS, Warn: func(file, problem string) { log.Warn("-logs: " + file + " ends early: " + problem) }}
	reader.Options.Stream = func(in io.Reader) io.Reader { return cli.NewStoppable(ctx, in) }
	if s.LogsFormat != "" {
		if reader.Options.Format, err = line.ParseFormat(s.LogsFormat); err != nil {
			return nil, fmt.Errorf("-logs-format: %w", err)
		}
	}
	files, hosts, err := logFiles(&reader.Folders, s.Logs)
	if err != nil {
		return nil, fmt.Errorf("-logs: %w", err)
	}
	only := audit.HostName(s.onlySite())
	reader.HostOf = func(file string) string { return cmp.Or(hosts[file], only) }
	if w.requests, err = reader.Read(ctx, files); err != nil {
		return nil, fmt.Errorf("-logs: %w", err)
	}
	TellLogs(log, "-logs: ", w.requests.Files)
	if w.requests.Bare() {
		err = errors.New("-logs: the log has no host. Name the host of its requests, as in -logs www.example.com=access.log")
		return nil, errors.Join(err, w.requests.Close())
	}
	if s.DNS {
		VerifyLogs(ctx, log, "-logs: ", w.requests)
	} else {
		TellRanges(log, "-logs: ", w.set, w.requests.Files)
	}
	w.weights = w.requests.Weights(w.set, auditor.Crawlers)
	auditor.Hits = w.weights
	return w, nil
}

// logFiles are the files of patterns, and the hosts of those that are named HOST=PATTERN.
func logFiles(folders *line.Folders, patterns []string) (files []string, hosts map[string]string, err error) {
	hosts = map[string]string{}
	for _, pattern := range patterns {
		host, rest, named := strings.Cut(pattern, "=")
		if _, err := os.Stat(pattern); named && err != nil {
			if host, err = ProposedHost(host); err != nil {
				return nil, nil, err
			}
			pattern = rest
		} else {
			host = ""
		}
		list, err := folders.Files([]string{pattern})
		if err != nil {
			return nil, nil, err
		}
		for _, name := range list {
			if other, twice := hosts[name]; twice && other != host {
				return nil, nil, fmt.Errorf("%s is named for two hosts", name)
			}
			hosts[name] = host
			if !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return files, hosts, nil
}

// TellRanges warns if the lists of addresses are too old to find impostors in the files. before begins the line.
func TellRanges(log *slog.Logger, before string, set *agent.Set, files []logs.File) {
	day, until := set.Dated()
	for i := range files {
		if last := files[i].Last; until != "" && !last.IsZero() && last.Format(time.DateOnly) >= until {
			log.Warn(before + "the address lists of " + day + " are too old to find impostors. -ranges reads newer ones, -dns asks DNS")
			return
		}
	}
}

// TellLogs reports the formats of the files, and the files that do not count. before begins each line.
func TellLogs(log *slog.Logger, before string, files []logs.File) {
	type total struct{ files, lines int64 }
	totals := map[string]*total{}
	var skipped []string
	for i := range files {
		of := &files[i]
		switch {
		case of.Skipped:
			skipped = append(skipped, of.Name)
			continue
		case of.Twice != "":
			log.Warn(before + of.Name + " has the same content as " + of.Twice + ". It is not counted again")
			continue
		case of.NoLog():
			log.Warn(before + of.Name + ": no line is a request in a known format. If it is a log, name its format")
			continue
		case of.Requests == 0 && of.Lines > of.Empty:
			log.Warn(before + of.Name + ": no line has an HTTP request")
			continue
		}
		format := of.Format
		switch {
		case format != "":
		case of.Lines == 0:
			format = "empty"
		default: // the first lines are no requests, or too long
			format = "recognised line by line"
		}
		t := totals[format]
		if t == nil {
			t = &total{}
			totals[format] = t
		}
		t.files++
		t.lines += of.Lines
	}
	if skipped != nil {
		log.Warn(before + wording.Plural(len(skipped), "file") + " of a folder " + wording.Verb(len(skipped), "is no log and was", "are no logs and were") + " skipped: " + wording.Some(skipped))
	}
	for _, format := range slices.Sorted(maps.Keys(totals)) {
		t := totals[format]
		log.Info(before + format + ": " + wording.Plural(t.files, "file") + ", " + wording.Plural(t.lines, "line"))
	}
}

// Lookups is the DNS that VerifyLogs asks; tests replace it.
var Lookups agent.Lookups = net.DefaultResolver

// VerifyLogs asks DNS about addresses of crawlers, and reports how many could not be looked up. before
// begins each line.
func VerifyLogs(ctx context.Context, log *slog.Logger, before string, requests *logs.Requests) {
	all := requests.Addresses()
	if all > 0 {
		log.Info(fmt.Sprintf("%sasking DNS about %s. This takes at most %d minutes", before, addresses(min(all, agent.MaxLookups)), agent.LookupsTime/time.Minute))
	}
	left := requests.Verify(ctx, Lookups)
	if left == 0 {
		return
	}
	text := before + wording.Thousands(left) + " of " + addresses(all) + " could not be looked up"
	if all > agent.MaxLookups {
		text += ". Only the " + wording.Thousands(agent.MaxLookups) + " with most requests are"
	}
	log.Warn(text)
}

// addresses writes a number of addresses.
func addresses(n int) string {
	return wording.Thousands(n) + wording.Verb(n, " address", " addresses")
}

// add takes a record of a site. Before the last one it returns the site's record of the logs; nil = not
// yet, or the logs have nothing of the site.
func (w *webLogs) add(rec audit.Record) (*audit.Logs, error) {
	if w == nil {
		return nil, nil
	}
	at := w.sites[rec.Domain]
	switch {
	case rec.Site != nil:
		w.sites[rec.Domain] = &logs.Site{Name: rec.Site.Name, Source: audit.LogRun, Known: logs.NewKnown(), Audited: audit.Labels(rec.Site.Crawlers), Segment: w.segment}
	case at == nil:
	case rec.Robots != nil:
		at.Origins = append(at.Origins, logs.Origin{Name: rec.Robots.Origin, Seen: logs.Seen(rec.Robots)})
	case rec.URLs != nil:
		for i := range rec.URLs.List {
			if u := &rec.URLs.List[i]; audit.IsPage(u.Kind) {
				at.Known.Add(logs.URL{Loc: u.Loc, Listed: u.Sitemap >= 0, Verdicts: u.Verdicts}, u.Hits)
			}
		}
	case rec.Done != nil:
		delete(w.sites, rec.Domain)
		return w.judge(at)
	}
	return nil, nil
}

// judge judges the requests to a site. The versions of earlier runs come before that of this run.
func (w *webLogs) judge(site *logs.Site) (*audit.Logs, error) {
	if len(site.Origins) == 0 {
		return nil, nil
	}
	if w.seen != nil {
		earlier, err := w.seen(site.Name)
		if err != nil {
			return nil, err
		}
		own := &site.Origins[0]
		site.Source, own.Seen = audit.LogHistory, append(earlier, own.Seen[len(own.Seen)-1])
	}
	w.judged++
	of, err := w.requests.Judge(w.set, site)
	if err != nil || len(of.Crawlers) == 0 {
		return nil, err
	}
	w.found = true
	return &of, nil
}

// tell warns, after the last site, of requests that are in no report.
func (w *webLogs) tell(log *slog.Logger) {
	if w == nil {
		return
	}
	if err := w.weights.Check(); err != nil {
		log.Warn("-logs: " + err.Error())
	}
	if w.judged > 0 && !w.found {
		log.Warn("-logs: no request of a crawler is for a site that was audited now. Check the hosts")
	}
	if n := w.requests.Beyond; n > 0 {
		log.Warn("-logs: " + wording.Plural(n, "request") + " to further hosts were not counted")
	}
}

func (w *webLogs) close() error {
	if w == nil {
		return nil
	}
	return w.requests.Close()
}
