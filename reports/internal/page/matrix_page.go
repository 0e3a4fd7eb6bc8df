package page

import (
	"bytes"
	"encoding/json"
	"errors"

	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/summary"
)

// The files of Matrix.
const (
	MatrixPage = "crawlers.html"
	MatrixJSON = "crawlers.json"
)

// matrixRows bounds the sites in them; summary.xlsx has more.
const matrixRows = 1000

// Matrix is the matrix of crawlers of index.html as a page of its own, and as JSON. The dashboard makes it if some
// site was asked in the names of crawlers, and has the pages of the sites in the folder "report" beside it.
type Matrix struct {
	Options
	Folder *disk.Folder
}

// AddSite does nothing: the sites are in summary.Run.
func (m *Matrix) AddSite(*summary.Site) error { return nil }

// matrixView is the content of the page.
type matrixView struct {
	layout.Head
	Sites int // of the run
	Asked MatrixData
}

// Finish writes the files, or removes those of an earlier run.
func (m *Matrix) Finish(run *summary.Run) error {
	fs := m.Folder.FS
	if len(run.Totals.Asked) == 0 {
		return errors.Join(fs.Remove(m.Folder.Path(MatrixPage)), fs.Remove(m.Folder.Path(MatrixJSON)))
	}
	v := matrixView{Sites: run.Totals.Sites, Asked: newMatrix(run, m.Options, matrixRows, "report/")}
	kind := pages().crawlers
	v.Head = kind.Head(enforcedName, nil, nil, false)
	var page bytes.Buffer
	text, err := json.Marshal(v.Asked)
	if err == nil {
		err = kind.Execute(&page, &v)
	}
	if err == nil {
		err = disk.WriteFile(fs, m.Folder.Path(MatrixPage), m.Folder.TempPath(MatrixPage), page.Bytes())
	}
	if err == nil {
		err = disk.WriteFile(fs, m.Folder.Path(MatrixJSON), m.Folder.TempPath(MatrixJSON), escape.JSON(text))
	}
	return err
}
