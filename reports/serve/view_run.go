package serve

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"robots-audit/reports/internal/layout"
	pages "robots-audit/reports/internal/page"
)

// runsView is the list of runs.
type runsView struct {
	Newest  []latest  `json:"newest"` // newest finished run of each schedule
	Runs    []*listed `json:"runs"`
	Alerts  int       `json:"open_alerts"`
	History bool      `json:"history"`
	Calm    bool      `json:"-"` // no alert is open

	paging
	Shown []*listed `json:"-"` // runs of this page
}

// maxRows is the number of runs on a page.
const maxRows = 30

// viewRuns lists the runs. A single run without a history is shown at once.
func (d *Desk) viewRuns(e *exchange) error {
	list, err := d.runs.list()
	if err != nil {
		return err
	}
	for _, l := range list {
		l.Trouble = d.places.Replace(l.Trouble)
	}
	if len(list) == 1 && d.o.History == "" && !e.wantsJSON() && list[0].Progress == nil && list[0].Trouble == "" {
		return e.redirect(list[0].Link)
	}
	v := runsView{Newest: d.newest(list), Runs: list, History: d.o.History != ""}
	asked, err := pageNumber(e.query("page"))
	if err != nil {
		return err
	}
	p, from, to := newPaging(asked, len(list), maxRows, func(page string) string { return d.o.link("/?page=") + page })
	v.paging, v.Shown = p, list[from:to]
	var known bool
	v.Alerts, known = d.past.alerts()
	v.Calm = known && v.Alerts == 0 && len(list) > 0
	if v.Newest == nil {
		v.Newest = []latest{}
	}
	return e.show("runs.html", "Runs", "Runs", v)
}

// viewRun redirects to the run's own page.
func (d *Desk) viewRun(e *exchange) error {
	if e.wantsJSON() {
		return e.sendFile("summary.json")
	}
	return e.redirect(d.o.runLink(e.run.Key) + "/report/index.html")
}

// viewReport sends a page of a run, a file that a page refers to, or another file of the run's folder.
// Pages are made from the run's records.
func (d *Desk) viewReport(e *exchange) error {
	r, name := e.run, e.r.PathValue("file")
	base, ofPage := strings.CutPrefix(name, "pages/")
	switch {
	case name == "index.html", ofPage && (!strings.Contains(base, "/") && !strings.HasSuffix(base, ".html") || strings.HasPrefix(base, "index.")):
		return e.made(r, name, frame{Run: r, At: "Report"}, pages.Policy, d.made.run)
	case ofPage:
		base = strings.TrimSuffix(strings.TrimSuffix(strings.Split(base, "/")[0], ".html"), ".rows")
		_, site, err := r.site(base)
		if err != nil {
			return err
		}
		return e.made(r, name, frame{Run: r, At: "Site", Base: site.Base}, pages.Policy, func(r *run) (string, error) { return d.made.site(r, site) })
	}
	return e.sendFile(name)
}

// viewFile redirects a path of the history's folder to the page or file. Links in mails and chats have such
// paths, so that they also open where the folder is published.
func (d *Desk) viewFile(e *exchange) error {
	to := url.URL{Path: cmp.Or(e.r.PathValue("file"), "index.html")}
	return e.redirect(d.o.runLink(e.run.Key) + "/report/" + to.EscapedPath())
}

// viewSite redirects to a site's own page.
func (d *Desk) viewSite(e *exchange) error {
	if e.wantsJSON() {
		return e.siteJSON()
	}
	return e.redirect(d.o.pageLink(e.run.Key, e.site.Base))
}

// made sends a file from a folder of pages. policy says what such pages may load.
func (e *exchange) made(r *run, name string, f frame, policy func() string, make func(*run) (string, error)) error {
	dir, err := make(r)
	if err != nil {
		if _, gone := r.open(); gone != nil {
			return gone
		}
		return err
	}
	file, err := openIn(dir, name)
	if err != nil {
		return fileError(err)
	}
	defer file.Close()
	switch path.Ext(name) {
	case ".html":
		return e.sendPage(file, f, policy())
	case ".css":
		return e.send(file, "text/css; charset=utf-8")
	case ".js":
		return e.send(file, "text/javascript; charset=utf-8")
	}
	return e.sendStored(file, name)
}

// sendFile sends a file of the run's folder as it is: to read or save, never to run in the browser. Whoever
// made the run has written it.
func (e *exchange) sendFile(name string) error {
	file, err := openIn(e.run.dir, name)
	if err != nil {
		if _, gone := e.run.open(); gone != nil {
			return gone
		}
		return fileError(err)
	}
	defer file.Close()
	return e.sendStored(file, name)
}

// sendStored sends a file that others may have written.
func (e *exchange) sendStored(file *os.File, name string) error {
	e.w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	switch path.Ext(name) {
	case ".json":
		return e.send(file, "application/json; charset=utf-8")
	case ".txt", ".md":
		return e.send(file, "text/plain; charset=utf-8") // markup of a site's robots.txt is shown, not followed
	}
	e.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(name)}))
	return e.send(file, "application/octet-stream")
}

// fileError distinguishes a missing file from other errors.
func fileError(err error) error {
	if errors.Is(err, errNoFile) || errors.Is(err, os.ErrNotExist) {
		return notFound("there is no such file")
	}
	return err
}

// send sends a file.
func (e *exchange) send(file *os.File, kind string) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	e.w.Header().Set("Content-Type", kind)
	http.ServeContent(e.w, e.r, "", info.ModTime(), file)
	return nil
}

// headBytes is how much of a page is searched for the start of its content, which comes after the style.
const headBytes = 1 << 20

// sendPage sends a page that the dashboard has made, with the bar above it.
func (e *exchange) sendPage(file *os.File, f frame, policy string) error {
	begin, err := io.ReadAll(io.LimitReader(file, headBytes))
	if err != nil {
		return err
	}
	var above bytes.Buffer
	if err := templates.ExecuteTemplate(&above, "bar", e.desk.bar(f)); err != nil {
		return err
	}
	if begin, err = layout.WithBar(begin, e.desk.assetPath(barName), above.String()); err != nil {
		return err
	}
	h := e.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	e.w.WriteHeader(http.StatusOK)
	if _, err := e.w.Write(begin); err == nil {
		io.Copy(e.w, file) // the client may have disconnected
	}
	return nil
}
