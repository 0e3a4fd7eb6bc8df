package job

import (
	"context"
	"slices"
	"sync"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// maxLoggedRuns bounds the runs of a site whose access logs may be looked up: two weeks, one each hour.
const maxLoggedRuns = 14 * 24

// loggedRuns are the runs of a site before the current one, newest first.
type loggedRuns struct {
	site string
	ids  []string
	runs []compare.LoggedRun
}

// loggedRuns are the runs of a site before the current one or, with itself, up to an earlier one.
func (e *entering) loggedRuns(site, upTo string) []compare.LoggedRun {
	l := &e.logged
	if l.site != site {
		*l = loggedRuns{site: site}
		runs, err := e.DB.SiteRuns(context.Background(), site, maxLoggedRuns)
		if err != nil {
			e.Log.Warn("access logs of earlier runs could not be looked up: "+err.Error(), "site", site)
		}
		for _, r := range runs {
			l.ids = append(l.ids, r.Run.ID)
			l.runs = append(l.runs, compare.LoggedRun{Started: r.Run.Started, Logs: sync.OnceValues(func() (*audit.Logs, bool) { return e.logsOf(r.Run, site) })})
		}
	}
	if upTo == "" {
		return l.runs
	}
	i := slices.Index(l.ids, upTo)
	if i < 0 {
		return nil
	}
	return l.runs[i:]
}

// logsOf are the access logs of a site in an earlier run, see compare.LoggedRun.
func (e *entering) logsOf(run history.Run, site string) (logs *audit.Logs, any bool) {
	if run.Folder == "" {
		return nil, true
	}
	if any = e.namesLogs(run.ID); !any {
		return nil, false
	}
	stored := e.open(run.ID)
	if stored == nil {
		return nil, true
	}
	of, ok := stored.Site(site)
	if of.Check(); !ok || of.Damage != nil {
		return nil, true
	}
	for rec, err := range of.Records() {
		if err != nil {
			return nil, true
		}
		if rec.Logs != nil {
			logs = rec.Logs
		}
	}
	return logs, true
}

// namesLogs reports whether a run was to read access logs, as far as its folder says. Each folder is read
// once for all sites.
func (e *entering) namesLogs(run string) bool {
	names, known := e.named[run]
	if !known {
		f, err := readFolder(e.path(run))
		names = err != nil || f.logs
		if e.named == nil {
			e.named = map[string]bool{}
		}
		e.named[run] = names
	}
	return names
}
