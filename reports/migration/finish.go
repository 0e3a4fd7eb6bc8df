package migration

import (
	"encoding/json"
	"errors"

	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
)

// Finish writes the reports on all results, including earlier ones.
func (f *Folder) Finish(of *Whole) (*Summary, error) {
	order := f.gravest()
	s, err := f.newSummary(order, of)
	if err != nil {
		return nil, err
	}
	if err := f.writeBook(s, order); err != nil {
		return nil, err
	}
	s.Targets = s.Targets[:min(len(s.Targets), maxTargets)]
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	page, err := s.page()
	if err != nil {
		return nil, err
	}
	return s, errors.Join(
		f.write("changes.json", append(escape.JSON(text), '\n')),
		f.write("changes.md", s.markdown()),
		f.write("index.html", page),
	)
}

func (f *Folder) write(name string, text []byte) error {
	return disk.WriteFile(f.folder.FS, f.folder.Path(name), f.folder.TempPath(name), text)
}
