package xlsx

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"robots-audit/reports/internal/disk"
)

// SummarySheet is the first sheet of a workbook, with a free layout: its rows, and the values of
// its charts. The template's SummaryLayout has the rest.
type SummarySheet struct {
	rows         []summaryRow // from the first row on
	Charts       []bool       // which charts of the layout have data
	Placeholders []string     // placeholder, text, placeholder, text, …: for the charts of the layout
}

type summaryRow struct {
	height float64 // points; 0 = automatic
	cells  []Cell  // nil = no such row
}

// SetRow sets the cells of a row, 1-based. height is in points; 0 = automatic.
func (s *SummarySheet) SetRow(n int, height float64, cells ...Cell) {
	for len(s.rows) < n {
		s.rows = append(s.rows, summaryRow{})
	}
	s.rows[n-1] = summaryRow{height, cells}
}

// summaryFrame is the summary sheet drawn by excelize, split where the workbook's own rows go.
type summaryFrame struct {
	start, after *fixed // up to the dimension, and from after the rows on
	head         string // text between them
}

func newSummaryFrame(drawn string) (f summaryFrame, err error) {
	cut, err := cutRows(drawn)
	if err != nil {
		return f, err
	}
	return summaryFrame{compressOnce(cut.start + dimensionStart), compressOnce(cut.after), dimensionEnd + cut.before}, nil
}

// part writes the summary sheet.
func (s *SummarySheet) part(f *summaryFrame) *part {
	columns := 1
	for i := range s.rows {
		for k := range s.rows[i].cells {
			if s.rows[i].cells[k].Kind != KindBlank {
				columns = max(columns, k+1)
			}
		}
	}
	names := columnNames(columns)
	raw := append(disk.GetBuffer(), f.head...)
	var digits []byte
	for i := range s.rows {
		r := &s.rows[i]
		if r.cells == nil {
			continue
		}
		digits = strconv.AppendInt(digits[:0], int64(i+1), 10)
		raw = append(append(append(raw, `<row r="`...), digits...), '"')
		if r.height > 0 {
			raw = append(raw, ` ht="`...)
			raw = strconv.AppendFloat(raw, r.height, 'f', 1, 64)
			raw = append(raw, `" customHeight="1"`...)
		}
		raw = append(raw, '>')
		for i := range min(len(r.cells), columns) {
			raw = appendCell(raw, names[i], digits, &r.cells[i])
		}
		raw = append(raw, `</row>`...)
	}
	p := &part{raw: raw}
	end := strconv.AppendInt([]byte(names[columns-1]), int64(len(s.rows)), 10) // of the dimension
	p.compress()
	p.addFixed(f.after)
	p.end()
	p.putFirst(f.start, end)
	return p
}

// maxHeight is about the maximum height of a row in spreadsheets. It is less than a third of a
// printed page of the summary.
const maxHeight = 405

// TextHeight estimates the height, in points, of text that is wrapped between words in a column of
// this width, in digits. A line fits more letters than digits.
func TextHeight(s string, width int) float64 {
	width += width / 10
	lines := 0
	for line := range strings.SplitSeq(s, "\n") {
		lines++
		used := 0 // length of the last line, with a space after each word
		for word := range strings.SplitSeq(line, " ") {
			length := utf8.RuneCountInString(word) + 1
			if used > 0 && used+length > width+1 {
				lines++
				used = 0
			}
			used += length
			lines += (used - 2) / width // a word over several lines
			used = (used-2)%width + 2
		}
	}
	return min(float64(lines)*15, maxHeight)
}
