package job

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// maxEarlierRuns bounds the runs of a site whose records may be looked up: two weeks, one each hour.
const maxEarlierRuns = 14 * 24

// earlierRuns are the runs of a site before the current one, newest first.
type earlierRuns struct {
	site string
	ids  []string
	runs []compare.EarlierRun
}

// earlierRuns are the runs of a site before the current one or, with itself, up to an earlier one.
func (e *entering) earlierRuns(site, upTo string) []compare.EarlierRun {
	l := &e.looked
	if l.site != site {
		*l = earlierRuns{site: site}
		runs, err := e.DB.SiteRuns(context.Background(), site, maxEarlierRuns)
		if err != nil {
			e.Log.Warn("earlier runs could not be looked up: "+err.Error(), "site", site)
		}
		for _, r := range runs {
			l.ids = append(l.ids, r.Run.ID)
			l.runs = append(l.runs, compare.EarlierRun{
				Started: r.Run.Started,
				Asked:   sync.OnceValues(func() (*audit.Asked, []string) { return e.askedOf(r.Run, site) }),
				Logs:    sync.OnceValues(func() (*audit.Logs, bool) { return e.logsOf(r.Run, site) }),
			})
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

// logsOf are the access logs of a site in an earlier run, see compare.EarlierRun.
func (e *entering) logsOf(run history.Run, site string) (logs *audit.Logs, any bool) {
	if run.Folder == "" {
		return nil, true
	}
	if any = e.namesLogs(run.ID); !any {
		return nil, false
	}
	e.eachRecord(run, site, func(rec audit.Record) bool {
		logs = cmp.Or(rec.Logs, logs)
		return true
	})
	return logs, true
}

// askedOf are the answers of a site in the names of crawlers in an earlier run, see compare.EarlierRun.
func (e *entering) askedOf(run history.Run, site string) (asked *audit.Asked, crawlers []string) {
	e.eachRecord(run, site, func(rec audit.Record) bool {
		if rec.Site != nil {
			crawlers = rec.Site.Asked
		}
		asked = rec.Asked
		return asked == nil && crawlers != nil
	})
	return asked, crawlers
}

// eachRecord reads the records of a site in an earlier run, as far as they can be read, until do returns
// false.
func (e *entering) eachRecord(run history.Run, site string, do func(audit.Record) bool) {
	if run.Folder == "" {
		return
	}
	stored := e.open(run.ID)
	if stored == nil {
		return
	}
	of, ok := stored.Site(site)
	if of.Check(); !ok || of.Damage != nil {
		return
	}
	for rec, err := range of.Records() {
		if err != nil || !do(rec) {
			return
		}
	}
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
