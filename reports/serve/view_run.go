package serve

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"robots-audit/reports/internal/layout"
)

// runsView is the list of runs.
type runsView struct {
	Runs    []*listed `json:"runs"`
	Alerts  int       `json:"open_alerts"`
	History bool      `json:"history"`
}

// viewRuns lists the runs. Where there is one alone, and no history, it is shown at once.
func (d *Desk) viewRuns(e *exchange) error {
	list, err := d.runs.list()
	if err != nil {
		return err
	}
	if len(list) == 1 && d.o.History == "" && !e.wantsJSON() && list[0].Progress == nil && list[0].Trouble == "" {
		http.Redirect(e.w, e.r, list[0].Link, http.StatusSeeOther)
		return nil
	}
	v := runsView{Runs: list, Alerts: d.past.alerts(), History: d.o.History != ""}
	return e.show("runs.html", frame{Title: "Runs", At: "Runs"}, v)
}

// run finds the run of a request.
func (e *exchange) run() (*run, error) { return e.desk.runs.find(e.r.PathValue("run")) }

// viewRun leads to the run's own page.
func (d *Desk) viewRun(e *exchange) error {
	r, err := e.run()
	if err != nil {
		return err
	}
	if e.wantsJSON() {
		return e.file(r, "summary.json")
	}
	http.Redirect(e.w, e.r, r.link()+"/report/index.html", http.StatusSeeOther)
	return nil
}

// viewReport answers with a file of a run's folder.
func (d *Desk) viewReport(e *exchange) error {
	r, err := e.run()
	if err != nil {
		return err
	}
	return e.file(r, e.r.PathValue("file"))
}

// viewSite leads to a site's own page, which is made where the run has left it out.
func (d *Desk) viewSite(e *exchange) error {
	r, err := e.run()
	if err != nil {
		return err
	}
	_, site, err := r.site(d.o.Version, e.r.PathValue("site"))
	if err != nil {
		return err
	}
	if e.wantsJSON() {
		return e.siteJSON(r, site)
	}
	name := "pages/" + site.Base + ".html"
	if file, err := r.folder.open(name); err == nil {
		file.Close()
	} else {
		if site.Damage != nil {
			return site.Damage
		}
		leave, err := d.work.enter(e.r.Context())
		if err != nil {
			return err
		}
		_, err = d.made.site(r, site)
		leave()
		if err != nil {
			return err
		}
	}
	http.Redirect(e.w, e.r, r.link()+"/report/pages/"+url.PathEscape(site.Base)+".html", http.StatusSeeOther)
	return nil
}

// viewComparison answers with a file of a comparison that the history keeps.
func (d *Desk) viewComparison(e *exchange) error {
	if d.o.History == "" {
		return errNoHistory
	}
	all, err := openFolder(d.o.History)
	if err != nil {
		return err
	}
	defer all.close()
	file, err := all.open("comparisons/" + e.r.PathValue("run") + "/" + e.r.PathValue("file"))
	if err != nil {
		return fileError(err)
	}
	defer file.Close()
	return e.send(file, frame{At: "Runs"})
}

// file answers with a file of a run, be it in its folder or among those that were made.
func (e *exchange) file(r *run, name string) error {
	file, err := r.folder.open(name)
	if err != nil {
		if made := e.desk.made.folder(r.Key); made != nil {
			file, err = made.open(name)
		}
	}
	if err != nil {
		if _, gone := r.open(e.desk.o.Version); gone != nil {
			return gone
		}
		return fileError(err)
	}
	defer file.Close()
	f := frame{Run: r, At: "Report"}
	if base, isPage := strings.CutSuffix(name, ".html"); isPage {
		if base, ofSite := strings.CutPrefix(base, "pages/"); ofSite && !strings.Contains(base, "/") {
			f.Base, f.At = base, "Site"
		}
	}
	return e.send(file, f)
}

// fileError tells a name that nothing has from other troubles.
func fileError(err error) error {
	if errors.Is(err, errNoFile) || errors.Is(err, os.ErrNotExist) {
		return notFound("there is no such file")
	}
	return err
}

// headBytes is how much of a page is read to find where its content begins: it holds the style.
const headBytes = 1 << 20

// send sends a file: a page with the bar above it, whatever else as it is.
func (e *exchange) send(file *os.File, f frame) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	h := e.w.Header()
	name := path.Base(strings.ReplaceAll(file.Name(), "\\", "/"))
	switch ext := path.Ext(name); ext {
	case ".html":
		return e.sendPage(file, f)
	case ".css":
		h.Set("Content-Type", "text/css; charset=utf-8")
	case ".js":
		h.Set("Content-Type", "text/javascript; charset=utf-8")
	case ".json":
		h.Set("Content-Type", "application/json; charset=utf-8")
	case ".txt", ".md":
		h.Set("Content-Type", "text/plain; charset=utf-8") // markup of a site's robots.txt is shown, not followed
	default:
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	}
	http.ServeContent(e.w, e.r, "", info.ModTime(), file)
	return nil
}

// sendPage sends a page of a report with the bar above it.
func (e *exchange) sendPage(file *os.File, f frame) error {
	begin, err := io.ReadAll(io.LimitReader(file, headBytes))
	if err != nil {
		return err
	}
	var above bytes.Buffer
	if err := templates.ExecuteTemplate(&above, "bar", e.desk.bar(f)); err != nil {
		return err
	}
	begin, policy, err := layout.WithBar(begin, e.desk.assetPath(barName), above.String())
	if err != nil {
		return errors.New("the file is no page of a report: " + file.Name())
	}
	h := e.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	e.w.WriteHeader(http.StatusOK)
	if _, err := e.w.Write(begin); err == nil {
		io.Copy(e.w, file) // whoever asked may be gone
	}
	return nil
}
