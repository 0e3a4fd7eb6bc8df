package audits

import (
	"io"
	"log/slog"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// maxNamedSites limits the sites that a message about a resumed run names.
const maxNamedSites = 5

// resumed compares the sites in the folder of a resumed run with those of the list.
type resumed struct {
	log     *slog.Logger
	missing map[string]bool // sites of the folder that the list has not named so far
	shared  int64           // sites that are in both
	ended   bool            // the run was complete, so further sites of the list are new
	more    int64           // number of sites of the list that the folder does not have
	first   []string        // the first of them
}

// newResumed starts a comparison; nil = no run is resumed, or it has no site.
func newResumed(s *Settings, run *reports.Run, log *slog.Logger) *resumed {
	names, ended := run.Earlier()
	if !s.Resume || len(names) == 0 {
		return nil
	}
	r := &resumed{log: log, missing: map[string]bool{}, ended: ended}
	for _, name := range names {
		r.missing[name] = true
	}
	return r
}

// add compares the next site of the list.
func (r *resumed) add(d *audit.Domain) {
	if r.missing[d.Name] {
		delete(r.missing, d.Name)
		r.shared++
		return
	}
	if r.more++; len(r.first) < maxNamedSites {
		r.first = append(r.first, d.Name)
	}
}

// addList compares a whole list.
func (r *resumed) addList(list io.Reader) {
	for d, err := range audit.Domains(list) {
		if err == nil {
			r.add(&d)
		}
	}
}

// warn reports how the list, after its last site, differs from the folder.
func (r *resumed) warn() {
	if n := len(r.missing); n > 0 {
		var first []string
		for name := range r.missing {
			first = append(first, name)
		}
		slices.Sort(first)
		text := "-resume: the folder has " + wording.Plural(n, "site") + " not in the list: " + someNames(first, n) + ". They stay in the reports"
		if r.shared == 0 {
			text += ". No site is in both. Check the folder and the list"
		}
		r.log.Warn(text)
	}
	if r.ended && r.more > 0 {
		r.log.Warn("-resume: the run had ended, but the list has " + wording.Plural(r.more, "site") + " not in it: " + someNames(r.first, int(r.more)) + ". They are audited now and added to it")
	}
}

// someNames joins the first of n names.
func someNames(names []string, n int) string {
	for i := range names[:min(len(names), maxNamedSites)] {
		names[i] = audit.DisplayName(names[i])
	}
	if n <= maxNamedSites {
		return wording.And(names)
	}
	return strings.Join(names[:maxNamedSites], ", ") + " and " + wording.Thousands(n-maxNamedSites) + " more"
}
