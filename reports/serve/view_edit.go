package serve

import (
	"context"
	"encoding/json"
	"iter"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
	pages "robots-audit/reports/internal/page"
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
	records, held, err := d.held.records(ctx, siteKey(r, &s), s)
	if err != nil {
		return nil, err
	}
	return &editing{audit.HostName(s.Name), records, held}, nil
}

// editingFacts is editing with the facts in the records.
func (e *exchange) editingFacts() (s *editing, f *facts, err error) {
	if s, err = e.editing(); err == nil {
		f, err = s.facts()
	}
	return s, f, err
}

// trying is editingFacts for work that keeps a core busy. Call leave afterwards.
func (e *exchange) trying() (s *editing, f *facts, leave func(), err error) {
	if s, err = e.editing(); err != nil {
		return nil, nil, nil, err
	}
	if leave, err = e.desk.work.enter(e.r.Context()); err != nil {
		return nil, nil, nil, err
	}
	if f, err = s.facts(); err != nil {
		leave()
		return nil, nil, nil, err
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
	site *audit.Site   // empty if the records do not have it
	own  *audit.Robots // the site's own robots.txt; nil = it was not fetched
	done *audit.Done   // nil = it was not read
}

// facts reads the records without their URLs if these are in memory, otherwise only the first of them.
func (s *editing) facts() (*facts, error) {
	f := &facts{site: &audit.Site{}}
	for rec, err := range s.records() {
		switch {
		case err != nil:
			return nil, err
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

// isServed reports whether the site has a robots.txt.
func (f *facts) isServed() bool { return f.own != nil && f.own.File.Status/100 == 2 }

// body is the text of the site's own robots.txt, as crawlers received it.
func (f *facts) body() []byte {
	if !f.isServed() {
		return nil
	}
	return f.own.File.Body
}

// editView is the editor's initial data.
type editView struct {
	Site     string     `json:"site"`
	Run      string     `json:"run"`
	Base     string     `json:"-"`
	Link     string     `json:"-"` // link of the site
	Known    int64      `json:"known_urls"`
	Crawlers []string   `json:"crawlers"`
	Origin   string     `json:"origin"`
	Status   int        `json:"status"` // HTTP status of the answer; 0 = none
	Robots   string     `json:"robots"`
	Starts   []start    `json:"starts"`
	CanSave  bool       `json:"can_save"`
	Held     bool       `json:"held"`               // the records are in memory: an answer takes a second at most
	Begin    *startView `json:"begin,omitempty"`    // the text that the address asks for; left out = that of the run
	Line     int        `json:"line,omitempty"`     // a line to select
	Wish     string     `json:"wish_url,omitempty"` // a URL to allow or block
	Want     string     `json:"wish,omitempty"`     // "allow", "disallow"
	Same     int        `json:"same_file_on"`       // sites of the run that serve the same file, with this one
	Most     int        `json:"same_file_tested"`   // those of them that are tested at once
}

// start is a text with which editing may begin.
type start struct {
	Key  string     `json:"key"`
	Name string     `json:"name"`
	When *time.Time `json:"when,omitempty"`
}

// viewEdit shows the editor.
func (d *Desk) viewEdit(e *exchange) error {
	s, f, err := e.editingFacts()
	if err != nil {
		return err
	}
	v := editView{Site: e.site.Name, Run: e.run.Key, Base: e.site.Base, Link: e.siteLink(), Crawlers: audit.Labels(f.site.Crawlers), Robots: validUTF8(f.body()), CanSave: d.o.Proposals != "", Held: s.held, Wish: e.query("url"), Want: e.query("wish"), Most: maxShared}
	if !slices.Contains([]string{"", "allow", "disallow"}, v.Want) {
		return badRequest(`wish: expected "allow" or "disallow"`)
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
	if v.Begin, err = e.begin(f); err != nil {
		return err
	}
	if v.Begin == nil {
		v.Line, _ = strconv.Atoi(e.query("line")) // 0 = none
	}
	v.Same = len(e.sharing(f))
	return e.show("edit.html", "Edit robots.txt", "Edit robots.txt", v)
}

// begin is the text that the address asks for; nil = that of the run.
func (e *exchange) begin(f *facts) (*startView, error) {
	if key := e.query("start"); key != "" {
		body, err := e.startText(f, key)
		return &startView{Key: key, Robots: validUTF8(body)}, err
	}
	fix, err := pages.ReadFix(e.r.URL.Query())
	switch {
	case err != nil:
		return nil, badRequest(err.Error())
	case fix == nil:
		return nil, nil
	}
	body, err := fix.Apply(f.body())
	if err != nil {
		return nil, &Refusal{err.Error()}
	}
	return &startView{Words: sentence(fix.Words()), Robots: validUTF8(body)}, nil
}

// validUTF8 is a text as JSON can have it.
func validUTF8(body []byte) string { return strings.ToValidUTF8(string(body), "\uFFFD") }

// maxStarts limits the versions and the proposals to choose from.
const maxStarts = 50

// starts are the texts with which editing may begin: the file of the run, earlier versions, saved
// proposals, and an empty file.
func (d *Desk) starts(ctx context.Context, site *reports.StoredSite) ([]start, error) {
	list := []start{{Key: "live", Name: "robots.txt of this run"}}
	if d.o.History != "" {
		runs, known, err := d.past.served(ctx, site.Name)
		if err != nil {
			return nil, err
		}
		versions := newVersions(runs, known).Versions
		for _, v := range versions[:min(len(versions), maxStarts)] {
			if v.Kept {
				list = append(list, start{"version:" + v.SHA256, "served " + v.Name, &v.Last})
			}
		}
	}
	for _, p := range d.proposals(site.Base) {
		list = append(list, start{"proposal:" + p, "proposal of " + proposalName(p), nil})
	}
	return append(list, start{Key: "empty", Name: "an empty file"}), nil
}

// startView is a text to begin with.
type startView struct {
	Key    string `json:"key"`             // as for /start; "" = it is the edit of the address
	Words  string `json:"words,omitempty"` // the edit of the address, in words
	Robots string `json:"robots"`
}

// viewStart sends a text to begin with.
func (d *Desk) viewStart(e *exchange) error {
	_, f, err := e.editingFacts()
	if err != nil {
		return err
	}
	key := e.query("key")
	body, err := e.startText(f, key)
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, startView{Key: key, Robots: validUTF8(body)})
}

// startText returns a text to begin with by its key.
func (e *exchange) startText(f *facts, key string) (body []byte, err error) {
	d := e.desk
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "live":
		return f.body(), nil
	case "empty":
		return nil, nil
	case "version":
		if d.o.History == "" {
			return nil, notFound("there is no history, so there are no earlier versions")
		}
		err = d.past.read(func(db *history.DB) error {
			v, ok, err := db.Version(e.r.Context(), e.site.Name, name)
			if err == nil && (!ok || v.Body == nil) {
				err = notFound("the history does not have this version of " + e.site.Name)
			}
			body = v.Body
			return err
		})
		return body, err
	case "proposal":
		return d.proposal(e.site.Base, name)
	}
	return nil, badRequest("there is no text " + short(key) + ". Expected live, empty, version:SHA256 or proposal:NAME")
}

// edited is the editor's request.
type edited struct {
	Robots    string   `json:"robots"`
	Want      string   `json:"want"`     // for the search of edits: "allow", "disallow"
	URLs      []string `json:"urls"`     // for the search of edits
	Crawlers  []string `json:"crawlers"` // for the search of edits; nil = all
	Below     bool     `json:"below"`    // for the search of edits: also all known URLs with this prefix
	Against   string   `json:"against"`  // for the changes: the text to compare with, as for /start; "" = live
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

// exactText is an edited text as a file; same = it is that of the other file. Text fields of browsers have one kind of
// line end.
func exactText(text string, body []byte) (robots []byte, same bool) {
	if text == string(body) || text == strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body)) {
		return body, true
	}
	return []byte(text), false
}
