package book

import (
	"maps"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"
)

// Run is summary.xlsx while it is written.
type Run struct {
	xlsx.Workbook
	options Options
	sites   xlsx.Sheet[summary.Site]
	asked   xlsx.Sheet[summary.MatrixRow]
	common  xlsx.Sheet[summary.CommonRow]
	errors  xlsx.Sheet[errorRow]
	leftOut xlsx.Sheet[siteLeftOut]
}

// NewRun begins summary.xlsx in the run's folder. Its errors begin with lines of the list that name
// no site, and URLs of the user's own list that no site tests; these URLs count as left out. The
// sheets have the columns that the totals need.
func NewRun(o Options, listProblems []audit.Problem, t summary.Totals) *Run {
	w := &Run{
		options: o,
		sites:   xlsx.Sheet[summary.Site]{Table: siteTable(&o, t.Clicks > 0, t.Hits > 0)},
		asked:   xlsx.Sheet[summary.MatrixRow]{Table: matrixTable(t.Asked)},
		common:  xlsx.Sheet[summary.CommonRow]{Table: commonTable()},
		errors:  xlsx.Sheet[errorRow]{Table: errorTable()},
		leftOut: xlsx.Sheet[siteLeftOut]{Table: siteLeftOutTable()},
	}
	for _, k := range []*xlsx.SheetKind{w.common.Kind, w.errors.Kind, w.leftOut.Kind} {
		k.Optional = !o.AllSheets
	}
	w.Sheets = []xlsx.AnySheet{&w.sites, &w.common, &w.errors, &w.leftOut}
	if len(t.Asked) > 0 {
		w.Sheets = slices.Insert(w.Sheets, 1, xlsx.AnySheet(&w.asked))
	}
	design := o.design(runSummaryLayout(), xlsx.KindsOf(w.Sheets))
	design.MoreRows = func(rows int64) string { return wording.Thousands(rows) + " more rows stand in summary.json alone" }
	w.Template, w.Disk, w.SpillName, w.RowLimit = xlsx.NewTemplate(design), o.Folder.FS, o.Folder.TempPath("summary.spill"), o.RowLimit
	for _, p := range listProblems {
		w.errors.AddRow(&w.Workbook, &errorRow{"", summary.Error{Stage: p.Stage, Code: p.Code, URL: p.URL, Detail: p.Detail}})
		if p.Code == audit.CodeNotListed {
			w.leftOut.AddRow(&w.Workbook, &siteLeftOut{p.Host, site.LeftOut{Reason: p.Code, URLs: p.URLs}})
		}
	}
	return w
}

// SheetNames returns the names of its sheets, in their order.
func (w *Run) SheetNames() []string {
	names := []string{w.Template.Summary.Name}
	for _, s := range w.Sheets {
		names = append(names, s.Name())
	}
	return names
}

// AddSite writes the rows of a finished site.
func (w *Run) AddSite(l *summary.Site) error {
	w.sites.AddRow(&w.Workbook, l)
	for _, e := range l.Entry.Errors {
		w.errors.AddRow(&w.Workbook, &errorRow{l.Name, e})
	}
	if n := l.Entry.ErrorsMore; n > 0 {
		w.errors.AddRow(&w.Workbook, &errorRow{l.Name, summary.Error{Code: site.CodeMore, Detail: wording.Thousands(int64(n)) + " more in the site's workbook"}})
	}
	for _, reason := range slices.Sorted(maps.Keys(l.LeftOut)) {
		w.leftOut.AddRow(&w.Workbook, &siteLeftOut{l.Name, site.LeftOut{Reason: reason, URLs: l.LeftOut[reason]}})
	}
	return w.Err()
}

// Finish writes the facts that sites have in common, and renames the workbook to summary.xlsx.
func (w *Run) Finish(run *summary.Run) error {
	for i := range run.Overview.Asked.Rows {
		w.asked.AddRow(&w.Workbook, &run.Overview.Asked.Rows[i])
	}
	if more := run.Overview.Asked.Sites - len(run.Overview.Asked.Rows); more > 0 {
		w.asked.AddRow(&w.Workbook, &summary.MatrixRow{Name: "And " + wording.Plural(more, "more site") + " in summary.json"})
	}
	for _, row := range run.Common.Rows(run.Totals.Sites) {
		w.common.AddRow(&w.Workbook, &row)
	}
	for _, s := range w.Sheets {
		if !s.Begun() && !s.Optional() {
			s.Open(&w.Workbook)
		}
	}
	temp := w.options.Folder.TempPath("summary.xlsx")
	if err := w.Workbook.Finish(temp, w.summary(run)); err != nil {
		return err
	}
	return w.Disk.Rename(temp, w.options.Folder.Path("summary.xlsx"))
}
