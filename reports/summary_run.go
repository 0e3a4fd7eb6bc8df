package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/xlsx"
)

// summarize writes the summaries of the run, all in one walk through the
// journal. The run's end is that of its last site, so that the same records
// give the same bytes.
func (r *Run) summarize() error {
	r.ledger.journal.order()
	finished := r.Started
	var f fleet
	var shared common
	w, err := r.newRunBook()
	if err != nil {
		return err
	}
	index := r.newIndexPage()
	for _, p := range r.notes {
		w.errors.AddRow(&w.Workbook, &errorRow{"", siteError{p.Stage, p.Code, p.URL, p.Detail}})
	}
	for i := range r.ledger.journal.entries {
		line, err := r.ledger.journal.read(i)
		if err != nil {
			return err
		}
		line = line.shown(r)
		l := &siteLine{journalLine: line}
		if err := json.Unmarshal(line.Summary, &l.entry); err != nil {
			return err
		}
		if t := line.finished(); t.After(finished) {
			finished = t
		}
		f.add(l)
		shared.add(l)
		w.add(l)
		index.add(l)
	}
	finished = finished.Truncate(time.Second)
	for _, row := range shared.rows(r.ledger.totals.Sites) {
		w.fleet.AddRow(&w.Workbook, &row)
	}
	if err := w.finish(&f); err != nil {
		return err
	}
	if err := index.finish(&f, finished); err != nil {
		return err
	}
	if err := r.summaryJSON(finished); err != nil {
		return err
	}
	if err := disk.WriteFile(r.path("summary.md"), r.temp("summary.md"), f.markdown(r)); err != nil {
		return err
	}
	if r.rebuild && !r.ended { // to make the reports of what there is does not end the run
		finished = time.Time{}
	}
	return r.writeManifest(finished)
}

// runBook is summary.xlsx while it is being written.
type runBook struct {
	xlsx.Workbook
	run     *Run
	sites   xlsx.Sheet[siteLine]
	fleet   xlsx.Sheet[fleetRow]
	errors  xlsx.Sheet[errorRow]
	leftOut xlsx.Sheet[siteLeftOut]
}

func (r *Run) newRunBook() (*runBook, error) {
	t, err := newRunTables(r)
	if err != nil {
		return nil, err
	}
	w := &runBook{
		Workbook: xlsx.Workbook{Template: t.Template, Disk: r.disk, Scratch: &r.buffers.workbook, SpillName: r.temp("summary.spill"), RowLimit: r.RowLimit},
		run:      r,
	}
	w.fleet.Table = t.fleet
	w.sites.Table, w.errors.Table, w.leftOut.Table = t.sites, t.errors, t.leftOut
	w.Sheets = []xlsx.AnySheet{&w.sites, &w.fleet, &w.errors, &w.leftOut}
	return w, nil
}

func (w *runBook) add(l *siteLine) {
	w.sites.AddRow(&w.Workbook, l)
	for _, e := range l.entry.Errors {
		w.errors.AddRow(&w.Workbook, &errorRow{l.Name, e})
	}
	if n := l.entry.ErrorsMore; n > 0 {
		w.errors.AddRow(&w.Workbook, &errorRow{l.Name, siteError{Stage: "", Code: "more", Detail: fmt.Sprintf("%s more in the site's workbook", thousands(int64(n)))}})
	}
	for _, reason := range slices.Sorted(maps.Keys(l.LeftOut)) {
		w.leftOut.AddRow(&w.Workbook, &siteLeftOut{l.Name, leftOutRow{reason: reason, urls: l.LeftOut[reason]}})
	}
}

func (w *runBook) finish(f *fleet) error {
	for _, s := range w.Sheets {
		if !s.Begun() {
			s.Open(&w.Workbook)
		}
	}
	temp := w.run.temp("summary.xlsx")
	if err := w.Workbook.Finish(temp, f.page(w.run)); err != nil {
		return err
	}
	return w.run.disk.Rename(temp, w.run.path("summary.xlsx"))
}

// runSummary is the head of summary.json.
type runSummary struct {
	ID       string    `json:"id"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	Version  string    `json:"version"`
	Crawlers []string  `json:"crawlers"`

	Unfinished int `json:"unfinished,omitempty"` // sites in work when the run was stopped

	List     []audit.Problem `json:"list_problems,omitempty"` // lines of the list that name no site, as in run.json
	ListMore int             `json:"list_problems_more,omitempty"`

	Notes []string `json:"notes,omitempty"` // as in run.json
}

// summaryJSON streams summary.json: a site at a time.
func (r *Run) summaryJSON(finished time.Time) error {
	head, err := json.Marshal(runSummary{r.id(), r.Started, finished, r.Version, labels(r.Crawlers), r.unfinished, r.notes, r.noted - len(r.notes), r.remarks})
	if err != nil {
		return err
	}
	totals, err := json.Marshal(r.ledger.totals)
	if err != nil {
		return err
	}
	f, err := os.Create(r.temp("summary.json"))
	if err != nil {
		return err
	}
	return disk.Commit(f, r.path("summary.json"), func() error {
		w := bufio.NewWriter(f)
		fmt.Fprintf(w, "{\"run\":%s,\n\"totals\":%s,\n\"sites\":[", escape.JSON(head), totals)
		for i := range r.ledger.journal.entries {
			line, err := r.ledger.journal.read(i)
			if err != nil {
				return err
			}
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteByte('\n')
			w.Write(escape.JSON(line.shown(r).Summary))
		}
		w.WriteString("\n]}\n")
		return w.Flush() // the first error of all the above
	}())
}

// markdown is summary.md, fit to be pasted into a mail.
func (f *fleet) markdown(r *Run) []byte {
	var b strings.Builder
	t := r.ledger.totals
	s := f.sentences(t)
	fmt.Fprintf(&b, "%s\n\n%s\n", t.Headline(), s[1])
	if s[2] != "" {
		fmt.Fprintf(&b, "%s\n", s[2])
	}
	if r.unfinished > 0 {
		fmt.Fprintf(&b, "The run was stopped with %s in work; resumed, it goes on with them.\n", plural(r.unfinished, "site"))
	}
	for _, group := range []struct {
		state audit.State
		title string
		sites int
	}{{audit.Critical, "Critical", t.Critical}, {audit.Undetermined, "Unknown (not counted as fine)", t.Unknown}, {audit.Warn, "Warnings", t.Warn}} {
		if group.sites == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s: %d\n\n", group.title, group.sites)
		for _, site := range f.noted[group.state] {
			fmt.Fprintf(&b, "- %s: %s\n", markdownText(site.name), markdownText(site.why))
		}
		if more := group.sites - len(f.noted[group.state]); more > 0 {
			fmt.Fprintf(&b, "- and %d more, see summary.xlsx\n", more)
		}
	}
	if r.noted > 0 {
		fmt.Fprintf(&b, "\n## Lines of the list that name no site: %d\n\n", r.noted)
		for _, p := range r.notes[:min(len(r.notes), maxNoted)] {
			fmt.Fprintf(&b, "- %s\n", markdownText(p.Detail))
		}
	}
	for _, remark := range r.remarks {
		fmt.Fprintf(&b, "\n%s\n", markdownText(remark))
	}
	fmt.Fprintf(&b, "\nStarted %s UTC, robots-audit %s, asked for %s.\n", r.Started.Format("2006-01-02 15:04"), r.Version, markdownText(strings.Join(labels(r.Crawlers), ", ")))
	b.WriteString("\"Blocked from crawling\" does not mean \"not indexed\". Known URLs are those that sitemaps, followed links or your own list name.\n")
	return []byte(b.String())
}

// markdownText keeps text from being read as markup, on one line, and shows
// what is unseen in it.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range escape.Show(blankControls.Replace(s)) {
		if strings.ContainsRune("\\`*<>[]|", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// blankControls are those controls that text in lines and columns is made of.
var blankControls = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")
