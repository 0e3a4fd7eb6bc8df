package reports

import (
	"errors"
	"io/fs"
	"maps"

	"robots-audit/engine/escape"
)

// addPast adds the site's history from earlier runs to its first record, before that record is
// used. Reports that are made again have the history in the record. They add the owner notes that
// people wrote into the workbook since, before it is made again.
func (s *siteRun) addPast() {
	if s.run.rebuild {
		s.keepNotes()
		return
	}
	if s.run.Past == nil {
		return
	}
	past, err := s.run.Past(s.site.Name)
	if err != nil {
		s.warn(s.site.Name + ": its reports are without history: " + escape.Show(err.Error()))
		return
	}
	with := *s.site // the record belongs to the auditor
	with.Past = past
	if s.site = &with; len(s.buffered) > 0 && s.buffered[0].Site != nil {
		s.buffered[0].Site = &with
	}
	if past != nil {
		s.listed = past.Listed
	}
}

// keepNotes takes over the owner notes from the site's workbook in the run. The new workbook says
// that it contains them, for code that asks whether it was edited.
func (s *siteRun) keepNotes() {
	past := s.site.Past
	if past == nil || !s.run.writes(kindWorkbook) {
		return
	}
	notes, err := OwnerNotes(s.run.sourcePath(), s.base+".xlsx", past.Notes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.warn("owner notes of " + s.site.Name + " cannot be read; those of the run before stand: " + escape.Show(err.Error()))
	case !maps.Equal(notes, past.Notes):
		site, with := *s.site, *past
		with.Notes, site.Past = notes, &with
		s.site, s.notesEdited = &site, true
	}
}
