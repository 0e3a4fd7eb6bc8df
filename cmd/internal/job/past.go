package job

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/reports"
)

// past returns a function that gives the reports of a run the data of earlier runs about a site. It
// adds notes that people have written into its last workbook since. Call end after the last site.
func (j *Job) past(run folder) (of func(site string) (*audit.Past, error), end func() error) {
	ctx := context.Background()
	reader, err := j.DB.OpenPast(ctx, run.schedule, run.id)
	if err != nil { // the run is more important than its date columns
		return func(string) (*audit.Past, error) { return nil, err }, func() error { return nil }
	}
	last := &reports.StoredRun{}
	before, ok, err := j.lastWhole(ctx, run.schedule)
	if err == nil && ok && before.Folder != "" {
		if stored, err := j.open(before.ID); err == nil { // otherwise the comparison warns of it
			last, j.before = stored, stored
		}
	}
	books := map[string]string{} // workbooks of the last run, by site
	for _, s := range last.Sites {
		books[s.Name] = filepath.Join(last.Path, s.Base+".xlsx")
	}
	of = func(site string) (*audit.Past, error) {
		p, err := reader.Past(site)
		if err != nil {
			return nil, err
		}
		p.Listed = j.Compare.Important
		if books[site] == "" {
			return p, nil
		}
		info, err := os.Stat(books[site])
		if err != nil {
			return p, nil
		}
		saved := info.ModTime()
		if !saved.After(last.Finished.Add(time.Second)) && !saved.Before(last.Started.Add(-schedule.Punctual)) { // saved by the run itself, not later by a person (or with a wrong clock)
			return p, nil
		}
		notes, err := reports.OwnerNotes(filepath.Dir(books[site]), filepath.Base(books[site]), p.Notes)
		if err != nil {
			j.Log.Warn("owner notes could not be read. The notes of the last run are used: "+err.Error(), "site", site)
			return p, nil
		}
		p.Notes = notes
		return p, nil
	}
	return of, reader.Close
}

// newNotes are the owner notes of a site's run that are new or changed in the history. The site's
// first record has the notes that its reports show.
func (e *entering) newNotes(site string, past *audit.Past) (list []history.Note, err error) {
	if past == nil {
		return nil, nil
	}
	known, err := e.past.Notes(site)
	if err != nil {
		return nil, err
	}
	for key, text := range past.Notes {
		if known[key] != text {
			list = append(list, history.Note{Kind: key.Kind, ID: key.ID, Text: text, Run: cmp.Or(e.last, e.run.id)})
		}
	}
	for key, text := range known {
		if text != "" && past.Notes[key] == "" {
			list = append(list, history.Note{Kind: key.Kind, ID: key.ID, Run: cmp.Or(e.last, e.run.id)})
		}
	}
	slices.SortFunc(list, func(a, b history.Note) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}
