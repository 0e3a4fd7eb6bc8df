package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// sharedFiles knows which sites of the runs that were last used serve the same robots.txt.
type sharedFiles struct {
	mu sync.Mutex
	by map[string]sharedOfRun // by run key
}

// sharedOfRun has the sites of one run by the SHA-256 of their robots.txt.
type sharedOfRun struct {
	state string // state of the summary
	sites map[string][]string
}

// Limits of a test on several sites.
const (
	maxShared     = 50
	maxSharedRuns = 16
	longestShared = 20 * time.Second
)

// sharing are the sites of the run with the same robots.txt as the site, with itself; nil = no other site has it.
func (e *exchange) sharing(f *facts) (sites []string) {
	d, r := e.desk, e.run
	if f.own == nil || len(f.body()) == 0 {
		return nil
	}
	state := stateOf(filepath.Join(r.dir, "summary.json"))
	d.shared.mu.Lock()
	defer d.shared.mu.Unlock()
	of, known := d.shared.by[r.Key]
	if !known || of.state != state {
		if of = (sharedOfRun{state, reports.SitesServing(r.dir)}); d.shared.by == nil || len(d.shared.by) >= maxSharedRuns {
			d.shared.by = map[string]sharedOfRun{}
		}
		d.shared.by[r.Key] = of
	}
	return of.sites[f.own.File.SHA256]
}

// sharedView are the changes on all sites that serve the same robots.txt.
type sharedView struct {
	Of       int            `json:"sites"` // that serve the file
	List     []sharedSite   `json:"tested"`
	Totals   compare.Totals `json:"totals"`             // of the tested sites
	Untested string         `json:"untested,omitempty"` // sites that were not tested, and why; left out = none
	Took     float64        `json:"took_ms"`
}

// sharedSite are the changes on one of the sites.
type sharedSite struct {
	Site   string          `json:"site"`
	Edit   string          `json:"edit"`             // link of its editor
	Totals *compare.Totals `json:"totals,omitempty"` // left out = it could not be tested
	Error  string          `json:"error,omitempty"`
}

// viewShared tests an edited robots.txt on all sites of the run that serve the same file, one after the other: the
// other core is left for typing.
func (d *Desk) viewShared(e *exchange, of *edited) error {
	began := time.Now()
	_, f, err := e.editingFacts()
	if err != nil {
		return err
	}
	names := e.sharing(f)
	v := sharedView{Of: len(names), List: []sharedSite{}}
	ctx, cancel := context.WithTimeout(e.r.Context(), longestShared)
	defer cancel()
	robots, _ := exactText(of.Robots, f.body())
	for i, name := range names {
		why := ""
		if i == maxShared {
			why = "only the first 50 sites are tested"
		} else if ctx.Err() != nil {
			why = "this took longer than 20 seconds"
		}
		if why != "" {
			v.Untested = wording.Plural(len(names)-i, "site") + wording.Verb(len(names)-i, " was", " were") + " not tested: " + why
			break
		}
		if one, ok := d.trySharing(ctx, e, name, f.body(), robots); ok {
			v.List = append(v.List, one)
			if one.Totals != nil {
				v.Totals.Add(one.Totals)
			}
		}
	}
	if err := e.r.Context().Err(); err != nil {
		return err
	}
	v.Took = millis(time.Since(began))
	return e.json(http.StatusOK, v)
}

// trySharing tests an edited robots.txt on another site, if it still serves the same file; ok = false: the time is over.
func (d *Desk) trySharing(ctx context.Context, e *exchange, name string, was, robots []byte) (one sharedSite, ok bool) {
	one.Site = name
	_, site, err := e.run.site(name)
	if err == nil {
		one.Edit = d.o.siteLink(e.run.Key, site.Base) + "/edit"
		one.Totals, err = d.changesOn(ctx, e.run, site, was, robots)
	}
	if ctx.Err() != nil {
		return one, false
	}
	if err != nil {
		one.Error = d.places.Replace(err.Error())
	}
	return one, true
}

// changesOn counts what a robots.txt in the place of another one changes on a site.
func (d *Desk) changesOn(ctx context.Context, r *run, site reports.StoredSite, was, robots []byte) (*compare.Totals, error) {
	s, err := d.editing(ctx, r, site)
	if err != nil {
		return nil, err
	}
	leave, err := d.work.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	f, err := s.facts()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(f.body(), was) {
		return nil, errors.New("the records of this site have another robots.txt") // than its summary
	}
	return totalsOf(compare.Sides(s.records(), s.proposed(robots), compare.Options{}))
}
