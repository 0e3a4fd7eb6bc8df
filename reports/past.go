package reports

import (
	"errors"
	"io/fs"
	"maps"

	"robots-audit/engine/escape"
)

// addPast adds what earlier runs know of the site to the record that opens it, before
// anything is made of that. Reports that are made again have it from there, with the owner
// notes that were written since into the workbook that is about to be made again.
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
	with := *s.site // the record is the auditor's
	with.Past = past
	if s.site = &with; len(s.buffered) > 0 && s.buffered[0].Site != nil {
		s.buffered[0].Site = &with
	}
	if past != nil {
		s.listed = past.Listed
	}
}

// keepNotes takes over the owner notes of the workbook that the run holds of the site. The
// one that takes its place says that it holds them, for whoever asks whether it was touched.
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
