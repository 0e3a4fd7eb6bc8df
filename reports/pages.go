package reports

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// MakePage makes a page of the run in o.Dir from its records and its journal: the page of a site, or of
// the whole run if site is "". It writes the page and the files that it refers to into the folder out,
// under the same names as in a run's folder. Pages of one run may share a folder. It reads no page from
// the run's folder, since that could contain anything. Errors are those of Demand.
func (o Options) MakePage(site, out string) error {
	m, err := o.manifest()
	if err != nil {
		return fmt.Errorf("%s: %w", o.Dir, err)
	}
	o = o.asOf(m)
	o.SingleFile = false
	if !o.writes(kindPage) {
		o.Reports = append(slices.Clone(o.Reports), kindPage)
	}
	r, err := newRun(o, true)
	if err != nil {
		return fmt.Errorf("%s: %w", o.Dir, err)
	}
	r.takeNotes(m)
	r.pagesOnly = true
	end, err := r.beginDemand(out)
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	if site == "" {
		err = r.makeIndex()
	} else {
		_, err = r.demand([]string{site}, false)
	}
	return errors.Join(err, end())
}

// makeIndex makes the page of the whole run from the lines of its journal.
func (r *Run) makeIndex() error {
	j, err := scanJournal(r.sourceJournal(), os.O_RDONLY, r.temp(), isHead)
	if err != nil {
		return err
	}
	r.done.journal = j
	defer j.close()
	if j.missing {
		return fmt.Errorf("%s: the file is not there, and without it nobody knows the sites of the run; robots-audit report makes it again", packedFile)
	}
	if unread := j.unread(); unread != "" {
		r.Remark(unread + " of the journal cannot be read: sites may be missing here.")
	}
	known := map[string]bool{}
	for i := len(j.entries) - 1; i >= 0; i-- { // a later line of a site replaces an earlier one
		line, err := j.readHead(j.entries[i])
		if err != nil {
			return err
		}
		if j.entries[i].dropped = known[line.Base]; !j.entries[i].dropped {
			known[line.Base] = true
			r.done.totals.Count(line)
		}
	}
	j.compact()
	_, err = r.summarize()
	return err
}
