package page

import (
	"fmt"
	"html/template"
	"strings"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/summary"
)

// indexMatrix bounds the sites of the matrix of crawlers on index.html; summary.xlsx has more.
const indexMatrix = 200

// MatrixData has the sites of a run that were asked in the names of crawlers. As JSON it is crawlers.json.
type MatrixData struct {
	Title    string           `json:"-"`
	Crawlers []viewAskedTotal `json:"crawlers"`
	Rows     []viewMatrixRow  `json:"sites"`
	More     int              `json:"sites_more"`   // sites that would have a row
	LetIn    int              `json:"sites_let_in"` // sites that let all crawlers in, without a contradiction: they have no row
	Book     string           `json:"-"`            // link to the workbook of the run; "" = none
}

// viewAskedTotal says how many sites treat a crawler how.
type viewAskedTotal struct {
	summary.AskedTotal
	Words string `json:"-"`
}

type viewMatrixRow struct {
	summary.MatrixRow
	More  int           `json:"-"` // contradictions after the first
	Cells template.HTML `json:"-"` // for each crawler: the template of a page would be slow for 20,000
}

// newMatrix has the most severe sites of the matrix, at most limit. place is the run's folder in links, "report/".
func newMatrix(run *summary.Run, o Options, limit int, place string) MatrixData {
	of := &run.Overview.Asked
	v := MatrixData{Title: enforcedName, LetIn: of.LetIn, Rows: []viewMatrixRow{}}
	if !o.NoWorkbooks {
		v.Book = place + "summary.xlsx"
	}
	if of.Contradicting > 0 {
		v.Title += " (contradictions on " + wording.Plural(of.Contradicting, "site") + ")"
	}
	for i := range run.Totals.Asked {
		total := &run.Totals.Asked[i]
		v.Crawlers = append(v.Crawlers, viewAskedTotal{*total, total.Words()})
	}
	for _, r := range of.Rows[:min(len(of.Rows), limit, of.Sites-of.LetIn)] {
		row := viewMatrixRow{MatrixRow: r, More: max(0, r.Contradictions-1)}
		switch {
		case o.SingleFile:
			row.Page = ""
		case r.Page != "":
			row.Page = place + r.Page
		}
		var m markup
		for i := range v.Crawlers {
			t := r.Of(v.Crawlers[i].Crawler)
			if t == nil { // it was not asked in this name
				m.raw(`<td>–</td>`)
				continue
			}
			m.treatment(t.Treatment)
			m.text(t.Treatment.Words())
			sub := ""
			if t.URLs < t.Of {
				sub = fmt.Sprintf("%d of %d URLs", t.URLs, t.Of)
			}
			if t.Contradicts {
				sub = strings.TrimPrefix(sub+"; contradiction", "; ")
			}
			m.ifAny(`<span class="sub flow">`, sub, `</span>`)
			m.raw(`</td>`)
		}
		row.Cells = template.HTML(m.buf)
		v.Rows = append(v.Rows, row)
	}
	v.More = of.Sites - of.LetIn - len(v.Rows)
	return v
}
