package main

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/audit/migrate"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/job"
	"robots-audit/engine"
	"robots-audit/reports"
)

// sites are the sites that requests are judged for.
func (l *logReading) sites() (list []logs.Site, err error) {
	var body []byte
	if l.rules != "" {
		if body, err = audits.ReadRobots(l.rules); err != nil {
			return nil, noRunError{fmt.Errorf("-rules: %w", err)}
		}
	}
	switch {
	case l.run == "":
		origin, err := migrate.Origin(l.site)
		if err != nil {
			return nil, noRunError{fmt.Errorf("-site %s: %w", l.site, err)}
		}
		l.site = origin
		list = []logs.Site{{Name: origin, Origins: []logs.Origin{{Name: origin}}}}
	case isHistory(l.run):
		list, err = historySites(l.run)
	default:
		list, err = runSites(l.run)
	}
	if l.rules != "" && err == nil {
		for i := range list {
			list[i].Source, list[i].Audited = audit.LogFile, nil
			for o := range list[i].Origins {
				list[i].Origins[o].Seen = []logs.Observation{{File: engine.File{Status: http.StatusOK, Body: body}, SHA256: audits.HexSum(body), Told: true}}
			}
		}
	}
	return list, err
}

// isHistory reports whether a folder is that of a history.
func isHistory(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "history.db"))
	return err == nil && !info.IsDir()
}

// runSites are the sites of one run.
func runSites(name string) ([]logs.Site, error) {
	run, err := openStored(name)
	if err != nil {
		return nil, err
	}
	var list []logs.Site
	for _, stored := range run.Sites {
		of, err := storedSite(stored)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", stored.Name, err)
		}
		of.Segment = run.SegmentOf
		list = append(list, of)
	}
	return list, nil
}

// storedSite is a site of a run, judged by the robots.txt files that the run saw.
func storedSite(stored reports.StoredSite) (logs.Site, error) {
	s := logs.Site{Name: stored.Name, Source: audit.LogRun, URLs: func() iter.Seq2[logs.URL, error] { return pages(stored) }}
	for rec, err := range stored.Records() {
		if err != nil {
			return s, err
		}
		if rec.Site != nil {
			s.Audited = audit.Labels(rec.Site.Crawlers)
		}
		if r := rec.Robots; r != nil && !slices.ContainsFunc(s.Origins, func(o logs.Origin) bool { return o.Name == r.Origin }) {
			s.Origins = append(s.Origins, logs.Origin{Name: r.Origin, Seen: logs.Seen(r)})
		}
	}
	return s, nil
}

// pages yields the pages of a site of a run.
func pages(stored reports.StoredSite) iter.Seq2[logs.URL, error] {
	return func(yield func(logs.URL, error) bool) {
		for rec, err := range stored.Records() {
			if err != nil {
				yield(logs.URL{}, err)
				return
			}
			if rec.URLs == nil {
				continue
			}
			for i := range rec.URLs.List {
				u := &rec.URLs.List[i]
				if !audit.IsPage(u.Kind) {
					continue
				}
				if !yield(logs.URL{Loc: u.Loc, Listed: u.Sitemap >= 0, Verdicts: u.Verdicts}, nil) {
					return
				}
			}
		}
	}
}

// historySites are the sites of a history: the URLs of the newest run of each schedule, and the
// versions of robots.txt of all runs.
func historySites(dir string) (list []logs.Site, err error) {
	ctx := context.Background()
	db, err := history.OpenReader(ctx, dir)
	if err != nil {
		return nil, noRunError{fmt.Errorf("-run %s: %w", dir, err)}
	}
	defer db.Close()
	runs, err := db.Runs(ctx)
	if err != nil {
		return nil, err
	}
	schedules := map[string]bool{}
	for _, run := range slices.Backward(runs) {
		if run.Folder == "" || schedules[run.Schedule] || job.IsPartial(dir, run.ID) {
			continue
		}
		schedules[run.Schedule] = true
		of, err := runSites(filepath.Join(dir, filepath.FromSlash(run.Folder)))
		if err != nil {
			return nil, err
		}
		for _, s := range of {
			if slices.ContainsFunc(list, func(o logs.Site) bool { return o.Name == s.Name }) {
				continue
			}
			if len(s.Origins) > 0 {
				if s.Origins[0].Seen, err = job.Observed(ctx, db, s.Name); err != nil {
					return nil, err
				}
			}
			s.Source = audit.LogHistory
			list = append(list, s)
		}
	}
	if list == nil {
		return nil, noRunError{fmt.Errorf("-run %s: the history has no run with a folder", dir)}
	}
	return list, nil
}
