package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"robots-audit/reports"
)

// view answers one kind of request. The client gets its error.
type view func(*Desk, *exchange) error

// exchange is one request and its answer.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	desk *Desk
	gone context.Context // ends when the client disconnects; has no time limit

	run    *run               // run of the path: see findRun
	stored *reports.StoredRun // run as it was read, if a view needed it
	site   reports.StoredSite // site of the path: see findSite
}

// findRun finds the run of the path.
func (e *exchange) findRun() (err error) {
	e.run, err = e.desk.runs.find(e.r.PathValue("run"))
	return err
}

// findSite finds the run and the site of the path, once for each request.
func (e *exchange) findSite() (err error) {
	if e.site.Base != "" {
		return nil
	}
	if err = e.findRun(); err == nil {
		e.stored, e.site, err = e.run.site(e.r.PathValue("site"))
	}
	return err
}

// siteLink is the address of the site of the path.
func (e *exchange) siteLink() string { return e.desk.o.siteLink(e.run.Key, e.site.Base) }

// frame describes the surroundings of a page: the run and the site of the path, if a view needed them.
func (e *exchange) frame(title, at string) frame {
	return frame{title, e.run, e.site.Name, e.site.Base, at}
}

// failure is an error for the client, with an HTTP status.
type failure struct {
	status int
	text   string
}

func (f *failure) Error() string { return f.text }

func notFound(text string) error   { return &failure{http.StatusNotFound, text} }
func badRequest(text string) error { return &failure{http.StatusBadRequest, text} }

// Limits of one exchange.
const (
	maxBody     = 2 << 20 // bytes of a request: enough for a robots.txt of 500 KB escaped as JSON
	longestWork = 3 * time.Minute
)

// answer makes a handler of a view.
func (d *Desk) answer(v view) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gone := r.Context()
		ctx, cancel := context.WithTimeout(gone, longestWork)
		defer cancel()
		r = r.WithContext(ctx)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		e := &exchange{w: w, r: r, desk: d, gone: gone}
		if err := v(d, e); err != nil {
			e.fail(err)
		}
	})
}

// fail answers with an error.
func (e *exchange) fail(err error) {
	var f *failure
	var refusal *Refusal
	var large *http.MaxBytesError
	switch {
	case errors.Is(e.r.Context().Err(), context.Canceled):
		return // the client has disconnected
	case errors.As(err, &f):
	case errors.As(err, &refusal):
		f = &failure{http.StatusUnprocessableEntity, refusal.Why}
	case errors.As(err, &large):
		f = &failure{http.StatusRequestEntityTooLarge, "the request is too large: at most " + strconv.Itoa(maxBody>>20) + " MB"}
	case errors.Is(err, context.DeadlineExceeded):
		f = &failure{http.StatusServiceUnavailable, fmt.Sprintf("this took longer than %.0f minutes and was stopped. Try again later", longestWork.Minutes())}
	case errors.Is(err, fs.ErrNotExist):
		f = &failure{http.StatusGone, "a file of this run is missing"}
		if of := (*fs.PathError)(nil); errors.As(err, &of) {
			f.text += ": " + of.Path
		}
	default:
		f = &failure{http.StatusInternalServerError, err.Error()}
	}
	if f.status == http.StatusServiceUnavailable {
		e.w.Header().Set("Retry-After", "1")
	}
	v := troubleView{Status: f.status, Error: e.desk.places.Replace(f.text)}
	if e.wantsJSON() {
		e.json(f.status, v)
		return
	}
	if f.status == http.StatusGone {
		v.Instead = e.instead()
	}
	if f.status == http.StatusNotFound && e.run != nil {
		v.Instead = []place{{Name: "Search this run", Path: e.desk.o.runLink(e.run.Key) + "/search"}}
	}
	e.page(f.status, "trouble.html", frame{Title: cmp.Or(titles[f.status], "This did not work")}, v)
}

// titles are the headings of error pages.
var titles = map[int]string{
	http.StatusForbidden:          "Not allowed",
	http.StatusNotFound:           "Not found",
	http.StatusGone:               "No longer here",
	http.StatusServiceUnavailable: "Try again in a moment",
}

// troubleView is an error as the client gets it.
type troubleView struct {
	Status  int     `json:"status"`
	Error   string  `json:"error"`
	Instead []place `json:"-"` // pages to open in its place
}

// instead links to the newest run of the same schedule, for links to a run that retention has removed, such
// as in an old mail. If the link was to a site, so is the first one here.
func (e *exchange) instead() (links []place) {
	base := e.r.PathValue("site")
	if page, ok := strings.CutPrefix(e.r.PathValue("file"), "pages/"); ok {
		base = strings.TrimSuffix(page, ".html")
	}
	list, err := e.desk.runs.list()
	key := newestLike(list, e.r.PathValue("run"))
	if err != nil || key == "" {
		return nil
	}
	if r, err := e.desk.runs.find(key); err == nil && base != "" {
		if _, site, err := r.site(base); err == nil {
			links = append(links, place{Name: site.Name + " in the newest run", Path: e.desk.o.pageLink(key, site.Base)})
		}
	}
	return append(links, place{Name: "The newest run", Path: e.desk.o.runLink(key)})
}

// wantsJSON reports whether the client prefers JSON to a page.
func (e *exchange) wantsJSON() bool { return wantsJSON(e.r) }

func wantsJSON(r *http.Request) bool {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media == "application/json" {
		return true
	}
	for _, accept := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(accept, ",") {
			switch media, _, _ := mime.ParseMediaType(part); media {
			case "application/json":
				return true
			case "text/html", "application/xhtml+xml", "*/*":
				return false
			}
		}
	}
	return false
}

// json answers with data.
func (e *exchange) json(status int, data any) error {
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(data); err != nil {
		return err
	}
	e.w.Header().Set("Vary", "Accept")
	return e.write(status, "application/json; charset=utf-8", body.Bytes())
}

// write answers with a body of a content type.
func (e *exchange) write(status int, kind string, body []byte) error {
	h := e.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	e.w.WriteHeader(status)
	e.w.Write(body) // the client may have disconnected
	return nil
}

// show answers with a page made of data, or with the data itself.
func (e *exchange) show(template, title, at string, data any) error {
	if e.wantsJSON() {
		return e.json(http.StatusOK, data)
	}
	return e.page(http.StatusOK, template, e.frame(title, at), data)
}

// redirect leads to another page of the dashboard.
func (e *exchange) redirect(to string) error {
	http.Redirect(e.w, e.r, to, http.StatusSeeOther)
	return nil
}

// millis is a time in milliseconds, as answers have it.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// query is a parameter of the request, in valid UTF-8 and without spaces around it.
func (e *exchange) query(name string) string {
	return strings.TrimSpace(strings.ToValidUTF8(e.r.URL.Query().Get(name), "\uFFFD"))
}
