package reports

import "robots-audit/engine/escape"

// addPast adds what earlier runs know of the site to the record that opens it, before
// anything is made of that. Reports that are made again have it from there.
func (s *siteRun) addPast() {
	if s.run.rebuild || s.run.Past == nil {
		return
	}
	past, err := s.run.Past(s.site.Name)
	if err != nil {
		s.run.warn(s.site.Name + ": its reports are without history: " + escape.Show(err.Error()))
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
