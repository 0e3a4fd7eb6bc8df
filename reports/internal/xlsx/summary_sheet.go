package xlsx

import (
	"strconv"
	"strings"
)

// SummarySheet is the first sheet of a workbook, laid out freely: its rows, and
// what its charts have of their own. Its frame is the template's SummaryLayout.
type SummarySheet struct {
	rows         map[int]*summaryRow
	last         int
	Charts       []bool   // which charts of the layout have something to show
	Placeholders []string // placeholder, text, placeholder, text, …: of the charts of the layout
}

type summaryRow struct {
	height float64 // points; 0 = as it comes
	cells  []Cell
}

// SetRow sets the cells of a row, 1-based. height is in points; 0 = as it comes.
func (s *SummarySheet) SetRow(n int, height float64, cells ...Cell) {
	if s.rows == nil {
		s.rows = map[int]*summaryRow{}
	}
	s.rows[n] = &summaryRow{height, cells}
	s.last = max(s.last, n)
}

// part writes the summary sheet into the sheet that excelize has drawn.
func (s *SummarySheet) part(drawn string, buffer []byte) (*part, error) {
	cut, err := cutRows(drawn)
	if err != nil {
		return nil, err
	}
	columns := 1
	for _, r := range s.rows {
		for i := range r.cells {
			if r.cells[i].Kind != KindBlank {
				columns = max(columns, i+1)
			}
		}
	}
	names := columnNames(columns)
	raw := append(append(buffer, cut.start...), dimension(columns)...)
	raw = append(append(strconv.AppendInt(raw, int64(s.last), 10), dimensionEnd...), cut.before...)
	for n := 1; n <= s.last; n++ {
		r := s.rows[n]
		if r == nil {
			continue
		}
		digits := strconv.Itoa(n)
		raw = append(append(append(raw, `<row r="`...), digits...), '"')
		if r.height > 0 {
			raw = append(raw, ` ht="`...)
			raw = strconv.AppendFloat(raw, r.height, 'f', 1, 64)
			raw = append(raw, `" customHeight="1"`...)
		}
		raw = append(raw, '>')
		for i := range min(len(r.cells), columns) {
			raw = appendCell(raw, names[i], []byte(digits), &r.cells[i])
		}
		raw = append(raw, `</row>`...)
	}
	raw = append(raw, cut.after...)
	return &part{raw: raw}, nil
}

// maxHeight is the height of a row that spreadsheets allow, about.
const maxHeight = 405

// TextHeight estimates the height, in points, of text that is wrapped at width
// characters.
func TextHeight(s string, width int) float64 {
	n := 0
	for _, line := range strings.Split(s, "\n") {
		n += 1 + len([]rune(line))/width
	}
	return min(float64(n)*15, maxHeight)
}
