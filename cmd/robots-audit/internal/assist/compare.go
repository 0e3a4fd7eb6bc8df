package assist

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"robots-audit/audit"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// compareArguments are the arguments of compare_runs.
type compareArguments struct {
	Old  string `json:"old,omitempty" jsonschema:"name of the older run. Without it: the run before the newer one"`
	New  string `json:"new,omitempty" jsonschema:"name of the newer run. Without it: the newest finished run"`
	Site string `json:"site,omitempty" jsonschema:"only this site, with details"`
	From int64  `json:"from,omitempty" jsonschema:"number of changed sites to skip, for the next part of the list"`
}

// compareAnswer is the answer of compare_runs.
type compareAnswer struct {
	Summary string `json:"summary" jsonschema:"what changed, in words"`
	Old     string `json:"old"`
	New     string `json:"new"`
	Totals  any    `json:"totals" jsonschema:"counts over all sites: newly blocked, newly allowed, appeared and vanished URLs"`
	Notes   any    `json:"notes,omitempty" jsonschema:"what to know about the comparison"`
	Sites   []any  `json:"sites,omitempty" jsonschema:"changed sites, most severe first"`
	From    int64  `json:"from"`
	Total   int64  `json:"total" jsonschema:"number of changed sites"`
	Next    *int64 `json:"next,omitempty" jsonschema:"value of from for the next part; missing = this is the last"`
	Site    any    `json:"site,omitempty" jsonschema:"the site that was asked for: totals, verdicts by crawler (flips), changed lines of robots.txt (robots.diff), changes and examples"`
}

// Limits of a comparison.
const (
	comparedSites   = 50
	comparedChanges = 5 // changes of a site in the list
)

func (s *Server) compareRuns(ctx context.Context, in *compareArguments) (*compareAnswer, error) {
	a := &compareAnswer{From: in.From}
	var err error
	if a.Old, a.New, err = s.twoRuns(ctx, in.Old, in.New); err != nil {
		return nil, err
	}
	site := ""
	if in.Site != "" {
		facts, err := s.site(ctx, a.New, in.Site)
		if err != nil {
			return nil, err
		}
		site = facts.Site
	}
	file, err := s.comparison(ctx, a.Old, a.New, site)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.o.Log(fmt.Sprintf("comparing %s and %s: %v", a.Old, a.New, err)) // it may have paths of folders
		return nil, errors.New("these runs could not be compared: records are missing, damaged, or of another version")
	}
	defer file.Close()
	var totals struct {
		Changed int64 `json:"sites_changed"`
	}
	if err := errors.Join(json.Unmarshal(file.head["lead"], &a.Summary), json.Unmarshal(file.head["totals"], &totals)); err != nil {
		return nil, errUnreadable
	}
	a.Totals, a.Total = file.head["totals"], totals.Changed
	if notes := file.head["notes"]; notes != nil {
		a.Notes = notes
	}
	return a, a.addSites(file.sites, site)
}

// addSites reads the sites, which are in the order of importance.
func (a *compareAnswer) addSites(sites *json.Decoder, only string) error {
	for at := int64(0); sites.More() && len(a.Sites) < comparedSites; {
		var site map[string]any
		if err := sites.Decode(&site); err != nil {
			return errUnreadable
		}
		changed, _ := site["changed"].(bool)
		switch {
		case only != "" && site["domain"] == only:
			a.Site, a.Summary, a.From, a.Total, a.Totals = site, text(site["lead"]), 0, 0, site["totals"]
			if !changed {
				a.Summary = "Nothing changed on " + only + "."
			}
			return nil
		case only != "":
		case !changed:
			return nil // the sites after it have no changes
		default:
			if at++; at > a.From {
				a.Sites = append(a.Sites, briefChanges(site))
			}
		}
	}
	if only != "" {
		return fmt.Errorf("the comparison of %s and %s does not have the site %s", a.Old, a.New, only)
	}
	return nil
}

// briefChanges is a site in the list of a comparison.
func briefChanges(site map[string]any) map[string]any {
	all := list(site["changes"])
	of := map[string]any{"site": site["domain"], "lead": site["lead"], "totals": site["totals"], "changes": all[:min(len(all), comparedChanges)]}
	if more := int64(max(0, len(all)-comparedChanges)) + number(site["changes_more"]); more > 0 {
		of["changes_more"] = more
	}
	return of
}

// twoRuns are the runs that are named, or the newest and the run of the same schedule before it.
func (s *Server) twoRuns(ctx context.Context, old, new string) (string, string, error) {
	list, err := s.runs(ctx)
	if err != nil {
		return "", "", err
	}
	if new == "" && len(list) > 0 {
		new = list[0].Run
	}
	at := slices.IndexFunc(list, func(r runListed) bool { return r.Run == new })
	if at < 0 {
		return "", "", fmt.Errorf("new: there is no finished run %s", shortened(new))
	}
	if old == "" {
		for _, r := range list[at+1:] {
			if r.Schedule == list[at].Schedule {
				return r.Run, new, nil
			}
		}
		return "", "", fmt.Errorf("there is no run before %s to compare with. Open a folder with several runs, or a history", new)
	}
	if !slices.ContainsFunc(list, func(r runListed) bool { return r.Run == old }) {
		return "", "", fmt.Errorf("old: there is no finished run %s", shortened(old))
	}
	return old, new, nil
}

// comparison is the file changes.json of two runs: that of the history, if it has compared them, or a new one.
func (s *Server) comparison(ctx context.Context, old, new, site string) (*listFile, error) {
	if file, err := s.stored(ctx, "/comparisons/"+segment(new)+"/changes.json"); err == nil {
		var of struct{ ID string }
		if json.Unmarshal(file.head["old"], &of) == nil && of.ID == old {
			return file, nil
		}
		file.Close()
	}
	from, err := s.compare(ctx, old, new, site)
	if err != nil {
		return nil, err
	}
	return newListFile(from)
}

// compare compares two runs as the command compare does, in the dashboard's own folder.
func (s *Server) compare(ctx context.Context, old, new, site string) (_ io.ReadCloser, err error) {
	var runs [2]*reports.StoredRun
	for i, key := range []string{old, new} {
		dir, err := s.o.Desk.Folder(key)
		if err != nil {
			return nil, err
		}
		if runs[i], err = reports.OpenStored(dir, s.o.Version); err != nil {
			return nil, err
		}
	}
	sites := pairs.Of(runs[0], runs[1])
	if site != "" {
		sites = pairs.Pick(sites, site)
	}
	if err := pairs.Damage(sites); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.o.Desk.Temp(), "compared-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // best effort: closing the dashboard removes it, too. An open file can still be read
	o := changes.Options{Dir: dir, Old: pairs.Side(runs[0], "", nil), New: pairs.Side(runs[1], "", nil), Version: s.o.Version, JSONOnly: true}
	o.Old.Path, o.New.Path = old, new // clients must not see where the folders are
	report, err := changes.Open(o)
	if err != nil {
		return nil, err
	}
	defer report.Discard()
	for i := range sites {
		sites[i].Watch = func(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
			return audit.Until(ctx, records)
		}
	}
	for _, err := range pairs.Add(report, sites) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
	}
	if err := report.Close(); err != nil {
		return nil, err
	}
	return os.Open(filepath.Join(dir, "changes.json"))
}
