package serve

import (
	"errors"
	"iter"
	"net/http"
	"net/url"

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

// Texts for runs and sites without access logs.
var (
	errNoLogs     = notFound("this run has no access logs. Audit its sites with -logs")
	errNoSiteLogs = notFound("this run has no access logs of this site, or they have no request of a crawler. Audit the site with -logs")
)

// viewLogs redirects to the page about crawlers in the logs: of all sites, or of the only one.
func (d *Desk) viewLogs(e *exchange) error {
	list, err := e.run.logsOf()
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		return errNoLogs
	case e.wantsJSON():
		return e.sendLogs("logs.json", frame{})
	}
	to := d.o.runLink(e.run.Key) + "/logs/index.html"
	if len(list) == 1 {
		to = d.o.logsLink(e.run.Key, list[0].Base)
	}
	http.Redirect(e.w, e.r, to, http.StatusSeeOther)
	return nil
}

// viewLogsFile sends a file of the logs of all sites.
func (d *Desk) viewLogsFile(e *exchange) error {
	return e.sendLogs(e.r.PathValue("file"), frame{Run: e.run, At: logsName})
}

// viewSiteLogs redirects to the page about crawlers in the logs of a site.
func (d *Desk) viewSiteLogs(e *exchange) error {
	switch {
	case !e.site.Logged:
		return errNoSiteLogs
	case e.wantsJSON():
		return e.sendLogs("logs.json", frame{})
	}
	http.Redirect(e.w, e.r, d.o.logsLink(e.run.Key, e.site.Base), http.StatusSeeOther)
	return nil
}

// viewSiteLogsFile sends a file of the logs of a site.
func (d *Desk) viewSiteLogsFile(e *exchange) error {
	at := logsName
	if list, err := e.run.logsOf(); err == nil && len(list) > 1 {
		at = siteLogsName
	}
	return e.sendLogs(e.r.PathValue("file"), frame{Run: e.run, Base: e.site.Base, At: at})
}

// sendLogs sends a file that reports/logs makes of the run of the path, or of its site.
func (e *exchange) sendLogs(name string, f frame) error {
	return e.made(e.run, name, f, logs.Policy, func(r *run) (string, error) {
		if e.stored != nil {
			return e.desk.made.siteLogs(r, e.site)
		}
		return e.desk.made.logs(r)
	})
}

// logsLink is the address of the page about crawlers in the logs of a site.
func (o *Options) logsLink(key, base string) string {
	return o.siteLink(key, base) + "/logs/index.html"
}

// logs makes the page of the logs of all sites of a run, and returns its folder.
func (m *maker) logs(r *run) (string, error) {
	list, err := r.logsOf()
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", errNoLogs
	}
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
	if !s.Logged {
		return "", errNoSiteLogs
	}
	return m.page(madePage{r.Key, siteLogs, s.Base, s.State()}, func(dir string) error {
		_, err := logs.Write(dir, logs.Head{Version: r.reader, Made: r.made()}, logsIn([]reports.StoredSite{s}))
		return err
	})
}

// logsIn are the logs of sites. An error names its site.
func logsIn(list []reports.StoredSite) iter.Seq2[audit.Logs, error] {
	return func(yield func(audit.Logs, error) bool) {
		for i := range list {
			of, err := list[i].Logs()
			if err == nil && of == nil {
				err = errors.New("the records have no access logs")
			}
			if err != nil {
				of = &audit.Logs{Site: list[i].Name}
			}
			if !yield(*of, err) {
				return
			}
		}
	}
}
