package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"mime"
	"net/http"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
)

// editing is a site in the editor.
type editing struct {
	host    string // host of the file, for http and https
	records func() iter.Seq2[audit.Record, error]
	held    bool
}

// editing returns the site of the path with its records.
func (e *exchange) editing() (*editing, error) {
	if err := e.findSite(); err != nil {
		return nil, err
	}
	return e.desk.editing(e.r.Context(), e.run, e.site)
}

// editing returns a site of a run with its records.
func (d *Desk) editing(ctx context.Context, r *run, s reports.StoredSite) (*editing, error) {
	if s.Damage != nil {
		return nil, s.Damage
	}
	records, held, err := d.held.records(ctx, r.Key+"\x00"+s.Base+"\x00"+s.State(), s)
	if err != nil {
		return nil, err
	}
	return &editing{audit.HostName(s.Name), records, held}, nil
}

// trying is editing for work that keeps a core busy. Call leave afterwards.
func (e *exchange) trying() (s *editing, f facts, leave func(), err error) {
	if s, err = e.editing(); err != nil {
		return nil, f, nil, err
	}
	if leave, err = e.desk.work.enter(e.r.Context()); err != nil {
		return nil, f, nil, err
	}
	if f, err = s.facts(); err != nil {
		leave()
		return nil, f, nil, err
	}
	return s, f, leave, nil
}

// proposed returns the site's records as if its host served another robots.txt. "robots-audit simulate
// -robots" uses the same code, so the figures are the same.
func (s *editing) proposed(robots []byte) iter.Seq2[audit.Record, error] {
	return compare.Serve(s.records(), s.host, robots)
}

// facts are the facts in a site's first records.
type facts struct {
	site *audit.Site
	own  *audit.Robots // the site's own robots.txt; nil = it was not fetched
	done *audit.Done
}

// facts reads the records without their URLs if these are in memory, otherwise only the first of them.
func (s *editing) facts() (f facts, err error) {
	for rec, err := range s.records() {
		switch {
		case err != nil:
			return f, err
		case rec.Site != nil:
			f.site = rec.Site
		case rec.Robots != nil && f.own == nil:
			f.own = rec.Robots
		case rec.Done != nil:
			f.done = rec.Done
		case rec.URLs != nil && !s.held:
			return f, nil
		}
	}
	return f, nil
}

// body is the text of the site's own robots.txt, as crawlers received it.
func (f *facts) body() []byte {
	if f.own == nil || f.own.File.Status/100 != 2 {
		return nil
	}
	return f.own.File.Body
}

// editView is the editor's initial data.
type editView struct {
	Site     string   `json:"site"`
	Run      string   `json:"run"`
	Base     string   `json:"-"`
	Link     string   `json:"-"` // link of the site
	Known    int64    `json:"known_urls"`
	Crawlers []string `json:"crawlers"`
	Origin   string   `json:"origin"`
	Status   int      `json:"status"` // HTTP status of the answer; 0 = none
	Robots   string   `json:"robots"`
	Starts   []start  `json:"starts"`
	CanSave  bool     `json:"can_save"`
	Wish     string   `json:"-"`    // a URL to allow or block
	Held     bool     `json:"held"` // the records are in memory: an answer takes a second at most
}

// start is a text with which editing may begin.
type start struct {
	Key  string     `json:"key"`
	Name string     `json:"name"`
	When *time.Time `json:"when,omitempty"`
}

// viewEdit shows the editor.
func (d *Desk) viewEdit(e *exchange) error {
	s, err := e.editing()
	if err != nil {
		return err
	}
	f, err := s.facts()
	if err != nil {
		return err
	}
	v := editView{Site: e.site.Name, Run: e.run.Key, Base: e.site.Base, Link: d.o.siteLink(e.run.Key, e.site.Base), Robots: strings.ToValidUTF8(string(f.body()), "\uFFFD"), CanSave: d.o.Proposals != "", Held: s.held, Wish: e.query("url")}
	if f.site != nil {
		v.Crawlers = audit.Labels(f.site.Crawlers)
	}
	if f.own != nil {
		v.Origin, v.Status = f.own.Origin, f.own.File.Status
	}
	if f.done != nil {
		v.Known = f.done.URLs
	}
	if v.Starts, err = d.starts(e.r.Context(), &e.site); err != nil {
		return err
	}
	return e.show("edit.html", "Edit robots.txt", "Edit robots.txt", v)
}

// maxStarts limits the versions and the proposals to choose from.
const maxStarts = 50

// starts are the texts with which editing may begin: the file of the run, earlier versions, saved
// proposals, and an empty file.
func (d *Desk) starts(ctx context.Context, site *reports.StoredSite) ([]start, error) {
	list := []start{{Key: "live", Name: "robots.txt of this run"}}
	if d.o.History != "" {
		err := d.past.read(func(db *history.DB) error {
			versions, err := db.Versions(ctx, site.Name, maxStarts)
			for _, v := range versions {
				if v.Body != nil {
					list = append(list, start{"version:" + v.SHA256, "version served until " + v.Last.UTC().Format("2 January 2006"), &v.Last})
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, p := range d.proposals(site.Base) {
		list = append(list, start{"proposal:" + p, "proposal of " + proposalName(p), nil})
	}
	return append(list, start{Key: "empty", Name: "an empty file"}), nil
}

// viewStart sends a text to begin with.
func (d *Desk) viewStart(e *exchange) error {
	s, err := e.editing()
	if err != nil {
		return err
	}
	key := e.query("key")
	kind, name, _ := strings.Cut(key, ":")
	var body []byte
	switch kind {
	case "live":
		f, err := s.facts()
		if err != nil {
			return err
		}
		body = f.body()
	case "empty":
	case "version":
		err = d.past.read(func(db *history.DB) error {
			v, ok, err := db.Version(e.r.Context(), e.site.Name, name)
			if err == nil && (!ok || v.Body == nil) {
				err = notFound("the history does not have this version of " + e.site.Name)
			}
			body = v.Body
			return err
		})
	case "proposal":
		body, err = d.proposal(e.site.Base, name)
	default:
		err = badRequest("key: expected live, empty, version:SHA256 or proposal:NAME")
	}
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, map[string]string{"key": key, "robots": strings.ToValidUTF8(string(body), "\uFFFD")})
}

// edited is the editor's request.
type edited struct {
	Robots    string   `json:"robots"`
	Want      string   `json:"want"`     // for the search of edits: "allow", "disallow"
	URLs      []string `json:"urls"`     // for the search of edits
	Crawlers  []string `json:"crawlers"` // for the search of edits; nil = all
	Below     bool     `json:"below"`    // for the search of edits: also all known URLs with this prefix
	Note      string   `json:"note"`     // note of a proposal
	Expect    bool     `json:"expect"`   // for a proposal: with its changes as expectations
	FormToken string   `json:"form_token"`
}

// maxRobots limits an edited robots.txt: twice what any crawler reads.
const maxRobots = 1 << 20

// edited reads the request. It must be JSON, which a page of another site cannot send without permission.
func (e *exchange) edited() (*edited, error) {
	if media, _, _ := mime.ParseMediaType(e.r.Header.Get("Content-Type")); media != "application/json" {
		return nil, &failure{http.StatusUnsupportedMediaType, "expected Content-Type: application/json"}
	}
	var of edited
	in := json.NewDecoder(e.r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(&of); err != nil {
		if _, large := err.(*http.MaxBytesError); large {
			return nil, err
		}
		return nil, badRequest("the JSON could not be read: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if len(of.Robots) > maxRobots {
		return nil, &failure{http.StatusRequestEntityTooLarge, "this robots.txt has more than 1 MB. Crawlers read at most 500 KB"}
	}
	return &of, nil
}

// sameText reports whether a text is that of a file, however its lines end.
func sameText(text string, body []byte) bool {
	return text == string(body) || text == string(bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n")))
}
