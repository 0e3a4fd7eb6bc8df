package serve

import (
	"errors"
	"iter"
	"net/http"
	"net/url"
	"slices"

	"robots-audit/audit"
	"robots-audit/reports"
	"robots-audit/reports/logs"
)

// logsOf are the sites of the run that have access logs, most severe first.
func (r *run) logsOf() ([]reports.StoredSite, error) {
	if _, err := r.open(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.logged, nil
}

// hasLogs reports whether the run has access logs, and whether it has those of a site and of others. It does not read the
// sites of a run for that, which may be a million.
func (r *run) hasLogs(base string) (ofRun, ofSite bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stored == nil {
		o, err := reports.ReadOverview(r.dir)
		return err == nil && o.Totals != nil && o.Totals.Logged > 0, false
	}
	return len(r.logged) > 0, len(r.logged) > 1 && slices.ContainsFunc(r.logged, func(s reports.StoredSite) bool { return s.Base == base })
}

// Answers for runs and sites without access logs.
var (
	errNoLogs     = notFound("this run has no access logs. Audit its sites with -logs")
	errNoSiteLogs = notFound("this run has no access logs of this site, or they have no request of a crawler. Audit the site with -logs")
)

// viewLogs shows crawlers in the logs of all sites, or of the only one.
func (d *Desk) viewLogs(e *exchange) error {
	list, err := e.run.logsOf()
	if err != nil {
		return err
	}
	place := d.o.runLink(e.run.Key)
	switch len(list) {
	case 0:
		return errNoLogs
	case 1:
		place = d.o.siteLink(e.run.Key, list[0].Base)
	}
	return e.sendLogs(place, frame{Run: e.run, At: logsName}, func(r *run) (string, error) { return d.made.logs(r, list) })
}

// viewSiteLogs shows crawlers in the logs of a site.
func (d *Desk) viewSiteLogs(e *exchange) error {
	if !e.site.Logged {
		return errNoSiteLogs
	}
	f := frame{Run: e.run, Base: e.site.Base, At: logsName}
	if _, several := e.run.hasLogs(f.Base); several {
		f.At = siteLogsName
	}
	return e.sendLogs(d.o.siteLink(e.run.Key, e.site.Base), f, func(r *run) (string, error) { return d.made.siteLogs(r, e.site) })
}

// sendLogs sends the file of the path. If it names none, it sends data, or redirects to the page below place.
func (e *exchange) sendLogs(place string, f frame, make func(*run) (string, error)) error {
	name := e.r.PathValue("file")
	switch {
	case name == "" && e.wantsJSON():
		name = "logs.json"
	case name == "":
		http.Redirect(e.w, e.r, place+"/logs/index.html", http.StatusSeeOther)
		return nil
	}
	return e.made(e.run, name, f, logs.Policy, make)
}

// logs makes the page of the logs of all sites of a run, and returns its folder.
func (m *maker) logs(r *run, list []reports.StoredSite) (string, error) {
	bases := map[string]string{}
	for i := range list {
		bases[list[i].Name] = list[i].Base
	}
	return m.page(madePage{r.Key, runLogs, "", stateOfRun(r)}, func(dir string) error {
		link := func(site string) string { return "../sites/" + url.PathEscape(bases[site]) + "/logs/index.html" }
		return logs.Overview(dir, logs.Head{Version: r.reader, Made: r.made()}, link, logsIn(list))
	})
}

// siteLogs makes the page of the logs of a site, and returns its folder.
func (m *maker) siteLogs(r *run, s reports.StoredSite) (string, error) {
	return m.page(madePage{r.Key, siteLogs, s.Base, s.State()}, func(dir string) error {
		_, err := logs.Write(dir, logs.Head{Version: r.reader, Made: r.made()}, logsIn([]reports.StoredSite{s}))
		return err
	})
}

// logsIn are the logs of sites. An error names its site.
func logsIn(list []reports.StoredSite) iter.Seq2[audit.Logs, error] {
	type read struct {
		audit.Logs
		err error
	}
	return func(yield func(audit.Logs, error) bool) {
		for r := range audit.InOrder(slices.Values(list), func(s reports.StoredSite) (r read) {
			switch of, err := s.Logs(); {
			case err != nil:
				r.err = err
			case of == nil:
				r.err = errors.New("the records have no access logs")
			default:
				r.Logs = *of
			}
			r.Site = s.Name
			return r
		}) {
			if !yield(r.Logs, r.err) {
				return
			}
		}
	}
}
