package serve

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"time"

	"robots-audit/audit/compare"
)

// comparisonView is the comparison of a run with the run before, from changes.json.
type comparisonView struct {
	Lead   string
	Old    comparedRun
	New    comparedRun
	Notes  []string
	Totals struct {
		Sites   int64
		Changed int64 `json:"sites_changed"`
		compare.Counts
	}
	Sites []*comparedSite `json:"-"` // changed sites, most severe first
	More  bool            `json:"-"` // there may be more sites
	Files []place         `json:"-"` // files to download
}

type comparedRun struct {
	ID      string
	Started time.Time
}

type comparedSite struct {
	Domain  string
	Changed bool
	Lead    string
	Totals  compare.Counts
	Changes []struct {
		Kind, What, Before, After string
		Severity                  compare.Severity
	}
	More int    `json:"changes_more"`
	Link string `json:"-"` // link to the versions of its robots.txt
}

// Limits of a shown comparison.
const (
	comparedBytes   = 64 << 20 // bytes of changes.json that are read
	comparedSites   = 200
	comparedChanges = 20 // changes of a site
)

// viewComparison shows a comparison of the history, or sends one of its files. It does not send the stored
// page: whoever wrote the history could have put anything into it.
func (d *Desk) viewComparison(e *exchange) error {
	if d.o.History == "" {
		return errNoHistory
	}
	key, name := e.r.PathValue("run"), cmp.Or(e.r.PathValue("file"), "index.html")
	shown := name == "index.html"
	if shown {
		name = "changes.json"
	}
	file, err := openIn(d.o.History, "comparisons/"+key+"/"+name)
	if err != nil {
		if _, gone := d.runs.find(key); gone != nil { // it was removed with its run
			return gone
		}
		return fileError(err)
	}
	defer file.Close()
	if !shown || e.wantsJSON() {
		return e.sendStored(file, name)
	}
	v, err := readComparison(file)
	if err != nil {
		return &failure{422, "the file changes.json could not be read: " + err.Error()}
	}
	for _, s := range v.Sites {
		s.Link = d.o.siteLink(key, s.Domain) + "/versions"
	}
	for _, name := range []string{"changes.xlsx", "changes.md", "changes.json"} {
		if file, err := openIn(d.o.History, "comparisons/"+key+"/"+name); err == nil {
			file.Close()
			v.Files = append(v.Files, place{Name: name, Path: d.o.link("/comparisons/" + url.PathEscape(key) + "/" + name)})
		}
	}
	return e.page(200, "comparison.html", e.frame("What changed", "Runs"), v)
}

// readComparison reads the head of a changes.json and the first of its sites.
func readComparison(from io.Reader) (*comparisonView, error) {
	v := &comparisonView{}
	in := json.NewDecoder(bufio.NewReader(io.LimitReader(from, comparedBytes)))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(errors.New("it is not a JSON object"), err)
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, err
		}
		var into any
		switch key {
		case "lead":
			into = &v.Lead
		case "old":
			into = &v.Old
		case "new":
			into = &v.New
		case "notes":
			into = &v.Notes
		case "totals":
			into = &v.Totals
		case "sites":
			return v, v.readSites(in)
		default:
			into = &json.RawMessage{}
		}
		if err := in.Decode(into); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("it has no list of sites")
}

// readSites reads the first sites, which are sorted most severe first.
func (v *comparisonView) readSites(in *json.Decoder) error {
	if open, err := in.Token(); err != nil || open != json.Delim('[') {
		return errors.Join(errors.New("its sites are not a list"), err)
	}
	for in.More() {
		if len(v.Sites) == comparedSites || in.InputOffset() > comparedBytes/2 {
			v.More = true
			return nil
		}
		s := &comparedSite{}
		if err := in.Decode(s); err != nil {
			return err
		}
		if !s.Changed {
			return nil // the sites after it have no changes
		}
		if more := len(s.Changes) - comparedChanges; more > 0 {
			s.Changes, s.More = s.Changes[:comparedChanges], s.More+more
		}
		v.Sites = append(v.Sites, s)
	}
	return nil
}
