package serve

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/export"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
	"robots-audit/reports/serve/internal/urlindex"
)

// Limits of a file with the results of a search.
const (
	fileTime      = 10 * time.Minute
	fileWriteTime = 20 * time.Second // a client that takes nothing for so long is disconnected: others wait
)

// searchFile is a kind of file: its media type, and how its rows are written.
type searchFile struct {
	media string
	write func(f *foundFile, out io.Writer) error
}

var searchFiles = map[string]searchFile{
	"csv":  {"text/csv; charset=utf-8", (*foundFile).writeCSV},
	"xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", (*foundFile).writeXLSX},
}

// foundFile is a file with all matches of a search.
type foundFile struct {
	ctx     context.Context
	rows    urlindex.Rows
	sites   []reports.StoredSite
	columns []xlsx.Column[foundRow]
	about   string // the search, as a sentence
	cut     string // says that rows are missing; "" = none is
	made    time.Time
	temp    string // folder for temporary files
	began   func() // is called before the first byte is written
}

// foundRow is a row of a file.
type foundRow struct {
	*urlindex.URL
	site string
}

// viewSearchCSV and viewSearchXLSX answer with all matches of a search as a file.
func (d *Desk) viewSearchCSV(e *exchange) error  { return d.searchFile(e, "csv") }
func (d *Desk) viewSearchXLSX(e *exchange) error { return d.searchFile(e, "xlsx") }

// searchFile answers with a file, one at a time. Whatever happens, no temporary file remains.
func (d *Desk) searchFile(e *exchange, name string) error {
	v, q, err := d.newSearch(e)
	switch {
	case err != nil:
		return err
	case q == nil:
		return badRequest("search for a text, a site or a filter first. blocked=any has all blocked URLs")
	}
	leave, err := d.indexes.files.enter(e.r.Context())
	if err != nil {
		return err
	}
	defer leave()
	index, err := d.openIndex(e, v)
	if err == nil && index == nil {
		err = &failure{http.StatusServiceUnavailable, cmp.Or(v.Note, "the index of URLs is being built. Try again in a moment")}
	}
	if err != nil {
		return err
	}
	defer index.Close()
	ctx, cancel := context.WithTimeout(e.gone, fileTime)
	defer cancel()
	temp, err := os.MkdirTemp(d.made.dir, "search-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	q.Offset, q.Limit = 0, d.indexes.rows
	give, err := d.takeSorted(ctx, index, q, sortedFileBytes)
	if err != nil {
		return err
	}
	defer give()
	rows, err := index.Rows(ctx, *q, temp)
	if err != nil {
		return d.dropDamaged(err, e.run, index)
	}
	v.URLs = &urlsFound{Total: rows.Total}
	return e.sendFound(name, &foundFile{ctx: ctx, rows: rows, sites: e.stored.Sites, columns: foundColumns(v), about: v.summary(), cut: cutWords(rows.Total, q.Limit), made: e.run.made(), temp: temp}, index)
}

// cutWords says that rows are missing in a file; "" = none is.
func cutWords(total int64, rows int) string {
	if total <= int64(rows) {
		return ""
	}
	return fmt.Sprintf("Only the first %s of %s rows. Narrow the search for the others.", wording.Thousands(rows), wording.Thousands(total))
}

// sendFound writes a file. Once it has begun, an error can only end the connection: the client must not take
// the file for complete.
func (e *exchange) sendFound(name string, f *foundFile, index *urlindex.Index) error {
	kind, begun := searchFiles[name], false
	f.began = func() {
		h := e.w.Header()
		h.Set("Content-Type", kind.media)
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": e.run.Key + "-urls." + name}))
		h.Set("X-Total-Rows", strconv.FormatInt(f.rows.Total, 10))
		h.Set("X-Rows-Cut", strconv.FormatBool(f.cut != ""))
		begun = true
	}
	err := kind.write(f, patientWriter{e.w, http.NewResponseController(e.w)})
	if err = e.desk.dropDamaged(err, e.run, index); err != nil && begun {
		panic(http.ErrAbortHandler)
	}
	return err
}

// each yields the rows. A row is valid until the next one.
func (f *foundFile) each() iter.Seq2[*foundRow, error] {
	return func(yield func(*foundRow, error) bool) {
		var row foundRow
		for u, err := range f.rows.All {
			if err == nil {
				err = f.ctx.Err()
			}
			if row = (foundRow{URL: u}); err == nil && int(u.Site) < len(f.sites) {
				row.site = f.sites[u.Site].Name
			}
			if !yield(&row, err) || err != nil {
				return
			}
		}
	}
}

// patientWriter gives each write some time, however long all of them take.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (w patientWriter) Write(p []byte) (int, error) {
	w.control.SetWriteDeadline(time.Now().Add(fileWriteTime)) // best effort: the server has a limit of its own
	return w.ResponseWriter.Write(p)
}

// foundColumns are the columns of a file, with one for the verdict of each crawler.
func foundColumns(v *searchView) (list []xlsx.Column[foundRow]) {
	add := func(title string, width float64, value func(r *foundRow) xlsx.Cell) {
		for n := 2; slices.ContainsFunc(list, func(c xlsx.Column[foundRow]) bool { return strings.EqualFold(c.Title, title) }); n++ {
			title = fmt.Sprintf("%.80s (%d)", title, n) // a sheet has each title once
		}
		list = append(list, xlsx.Column[foundRow]{Title: title, Width: width, Value: value})
	}
	given := func(n int64) xlsx.Cell {
		if n < 0 {
			return xlsx.Cell{}
		}
		return xlsx.Number(n)
	}
	add("URL", 70, func(r *foundRow) xlsx.Cell { return xlsx.Text(r.Loc) })
	add("Site", 28, func(r *foundRow) xlsx.Cell { return xlsx.Text(r.site) })
	add("Kind", 10, func(r *foundRow) xlsx.Cell { return xlsx.Text(site.KindName(r.Kind)) })
	add("Template", 32, func(r *foundRow) xlsx.Cell { return xlsx.Text(r.Template) })
	add("Segment", 16, func(r *foundRow) xlsx.Cell { return xlsx.Text(r.Segment) })
	for i, label := range v.Crawlers {
		add(label, 14, func(r *foundRow) xlsx.Cell { return verdictCell(r.Outcome, i, label) })
	}
	crawler := v.Filter.Crawler
	add("Line", 10, func(r *foundRow) xlsx.Cell { return lineCell(r.Outcome, crawler) })
	add("Rule", 32, func(r *foundRow) xlsx.Cell { return ruleCell(r.Outcome, crawler) })
	add("Clicks", 12, func(r *foundRow) xlsx.Cell { return given(r.Clicks) })
	add("Impressions", 12, func(r *foundRow) xlsx.Cell { return given(r.Impressions) })
	hits := "Hits"
	if crawler != "" {
		hits += " of " + crawler
	}
	add(hits, 12, func(r *foundRow) xlsx.Cell { return xlsx.NumberOrBlank(hitsOf(r.URL, crawler)) })
	add("In a sitemap", 12, func(r *foundRow) xlsx.Cell { return xlsx.YesNo(r.Sitemap) })
	add("Status", 14, func(r *foundRow) xlsx.Cell {
		switch r.Status {
		case 0:
			return xlsx.Text("not requested")
		case urlindex.NoAnswer:
			return xlsx.Text("no answer")
		}
		return xlsx.Identifier(r.Status)
	})
	return list
}

// verdictCell is the verdict for a crawler, which is the i-th of the run; blank if the site was not tested for it.
func verdictCell(o *urlindex.Outcome, i int, label string) xlsx.Cell {
	if i >= len(o.Crawlers) || o.Crawlers[i] != label {
		if i = slices.Index(o.Crawlers, label); i < 0 {
			return xlsx.Cell{}
		}
	}
	return xlsx.Text(o.Verdict(i).Word())
}

// shownRules are the rules that a row shows: those that block the URL, or all if it is not blocked.
func shownRules(o *urlindex.Outcome, crawler string) (lines []int, rules []string) {
	if o.Verdicts == nil {
		return nil, nil
	}
	for _, blocking := range []bool{true, false} {
		for i, line := range o.Lines {
			if line > 0 && (!blocking || o.Verdicts[i] == engine.Disallow) && (crawler == "" || o.Crawlers[i] == crawler) && !slices.Contains(lines, int(line)) {
				lines, rules = append(lines, int(line)), append(rules, o.Rule(i))
			}
		}
		if len(lines) > 0 {
			break
		}
	}
	return lines, rules
}

func lineCell(o *urlindex.Outcome, crawler string) xlsx.Cell {
	lines, _ := shownRules(o, crawler)
	if len(lines) == 1 {
		return xlsx.Identifier(lines[0])
	}
	return xlsx.Text(strings.ReplaceAll(strings.Trim(fmt.Sprint(lines), "[]"), " ", ", "))
}

func ruleCell(o *urlindex.Outcome, crawler string) xlsx.Cell {
	_, rules := shownRules(o, crawler)
	return xlsx.Text(strings.Join(rules, "; "))
}

// writeCSV writes a file in UTF-8 with a byte order mark, as exports are written.
func (f *foundFile) writeCSV(out io.Writer) error {
	f.began()
	buffered := bufio.NewWriterSize(out, 64<<10)
	buffered.WriteString("\uFEFF")
	w := csv.NewWriter(buffered)
	w.UseCRLF = true
	var cells []string
	for _, c := range f.columns {
		cells = append(cells, export.CSVText(c.Title))
	}
	err := w.Write(cells)
	for row, e := range f.each() {
		if err = cmp.Or(err, e); err != nil {
			return err
		}
		for i := range f.columns {
			switch c := f.columns[i].Value(row); c.Kind {
			case xlsx.KindText:
				cells[i] = export.CSVText(c.Text)
			case xlsx.KindNumber:
				cells[i] = strconv.FormatInt(int64(c.Number), 10)
			default:
				cells[i] = ""
			}
		}
		err = w.Write(cells)
	}
	if err == nil && f.cut != "" {
		err = w.Write([]string{f.cut})
	}
	if w.Flush(); err == nil {
		err = cmp.Or(w.Error(), buffered.Flush())
	}
	return err
}

// writeXLSX writes a workbook, which is complete only at its end, and then sends it.
func (f *foundFile) writeXLSX(out io.Writer) error {
	table := xlsx.NewTable("URLs", f.columns)
	table.Kind.Frozen = 1
	sheet := xlsx.Sheet[foundRow]{Table: table}
	layout, first := f.firstSheet()
	w := xlsx.Workbook{Sheets: []xlsx.AnySheet{&sheet}, Disk: disk.OS{}, SpillName: filepath.Join(f.temp, "spill"), RowLimit: xlsx.MaxRows, Whole: true}
	w.Template = xlsx.NewTemplate(xlsx.Design{
		Creator: "robots-audit", Title: "URLs", Created: f.made, Summary: layout, Sheets: xlsx.KindsOf(w.Sheets),
		MoreRows: func(rows int64) string { return wording.Thousands(rows) + " more rows" },
		PrintNote: func(printed, rows int64) string {
			return "First " + wording.Thousands(printed) + " of " + wording.Thousands(rows) + " rows"
		},
	})
	defer w.Discard()
	sheet.Open(&w)
	for row, err := range f.each() {
		if err = cmp.Or(err, w.Err()); err != nil {
			return err
		}
		sheet.AddRow(&w, row)
	}
	path := filepath.Join(f.temp, "urls.xlsx")
	if err := w.Finish(path, first); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	f.began()
	_, err = io.Copy(out, struct{ io.Reader }{file}) // by writes, each of which has some time
	return err
}

// firstSheet says what the workbook has.
func (f *foundFile) firstSheet() (xlsx.SummaryLayout, *xlsx.SummarySheet) {
	s := &xlsx.SummarySheet{}
	s.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "URLs"))
	for i, text := range []string{f.about, f.cut, "The verdicts are those of the run. A blocked URL can still be indexed."} {
		if text != "" {
			s.SetRow(2+i, max(18, xlsx.TextHeight(text, 90)+3), xlsx.Wrapped(text))
		}
	}
	return xlsx.SummaryLayout{Name: "Search", Widths: []float64{90}, Portrait: true}, s
}
