package table

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	sampleRows  = 200 // rows that show what a table has
	headerRows  = 20  // first rows that may be titles: programs write texts above them
	noDelimiter = '\x1f'
)

// ErrNoColumn says that a table lacks a column that the user has named.
var ErrNoColumn = errors.New("no such column")

type noColumnError struct{ column, titles string }

func (e *noColumnError) Error() string {
	if e.titles == "" {
		return fmt.Sprintf("no column %q. The table has no rows", e.column)
	}
	return fmt.Sprintf("no column %q. The first row has %s", e.column, e.titles)
}

func (e *noColumnError) Is(err error) bool { return err == ErrNoColumn }

// look finds the delimiter of a text by a sample of its lines, and the columns.
func (t *Table) look(sample string, o *Options) error {
	first, rest, _ := strings.Cut(sample, "\n")
	if sep, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(first)), "sep="); ok && len(sep) <= 1 { // Excel's own hint
		t.comma, t.skip = rune((sep + "\t")[0]), 1
		rows := split(rest, t.comma)
		for i := range rows {
			rows[i].Line += t.skip
		}
		t.setLayout(layoutOf(rows, o))
		return t.nameColumns(o)
	}
	best := layout{header: -1, score: math.MinInt}
	t.comma = noDelimiter
	for _, comma := range []rune{'\t', ';', ',', '|', noDelimiter} {
		rows := split(sample, comma)
		if comma != noDelimiter && len(rows) == 0 {
			continue
		}
		l := layoutOf(rows, o)
		if comma == noDelimiter {
			l.score = max(l.score, 0)
		}
		if o.Table && l.score <= 0 { // below each delimiter that fits
			l.score = -10*sampleRows - 1 - slices.IndexFunc([]rune(",;\t|"), func(c rune) bool { return c == comma })
			for _, row := range rows {
				if len(row.Cells) > 1 {
					l.score += 10 // never a list
				}
			}
		}
		if l.score > best.score {
			best, t.comma = l, comma
		}
	}
	t.setLayout(best)
	return t.nameColumns(o)
}

// split reads the rows of a sample. It is empty if the text has no such delimiter.
func split(sample string, comma rune) (rows []Row) {
	lines := &lineReader{in: newSampleReader(sample), comma: byte(comma)}
	table := csv.NewReader(lines)
	table.Comma, table.FieldsPerRecord, table.LazyQuotes = comma, -1, true
	several := comma == noDelimiter
	for len(rows) < sampleRows {
		lines.beginRow()
		cells, err := table.Read()
		if errors.Is(err, errRowTooLong) {
			continue
		}
		if err != nil {
			break
		}
		rows = append(rows, Row{lines.first, cells})
		several = several || len(cells) > 1
	}
	if !several {
		return nil
	}
	return rows
}

// layout is what a sample shows of a table.
type layout struct {
	header  int // index of the row of titles; -1 = none
	rows    []Row
	columns map[Meaning]int
	width   int // number of columns
	score   int // how much this looks like a table
}

// layoutOf finds the titles and the columns of a sample.
func layoutOf(rows []Row, o *Options) layout {
	l := layout{header: -1, rows: rows, columns: map[Meaning]int{}}
	known := 0
	for i, row := range rows[:min(len(rows), headerRows)] {
		if n := knownTitles(row.Cells, o); n > known && !slices.ContainsFunc(row.Cells, isURLOrPath) && mayFollow(rows[:i], row, n) {
			l.header, known = i, n
		}
	}
	even := consistent(rows[max(l.header, 0):])
	if l.header < 0 {
		l.header = unknownTitles(rows)
	}
	data := rows[l.header+1:]
	if l.header >= 0 {
		for i, title := range rows[l.header].Cells {
			if m, ok := MeaningOf(title); ok {
				at, given := l.columns[m]
				if !given || (m == Old || m == New) && !hasURLs(data, at) && hasURLs(data, i) { // "TO" is also a rate, in Turkish
					l.columns[m] = i
				}
			}
		}
	}
	for _, row := range rows {
		l.width = max(l.width, len(row.Cells))
	}
	titled := l.findURLs(data)
	switch {
	case known > 1:
		l.score = 100 + known
	case known == 1 && len(rows[l.header].Cells) > 1 && (even || titled):
		l.score = 50
	case even && len(data) > 0 && !slices.ContainsFunc(data, func(r Row) bool { return !cellsApart(r.Cells) }):
		l.score = 10
	default:
		l.score = -1
	}
	return l
}

// mayFollow reports whether a row with n known titles may have these rows above it. Texts above titles
// have fewer cells. A list or table without titles may have a word that is one elsewhere.
func mayFollow(above []Row, titles Row, n int) bool {
	for _, row := range above {
		if filled(row.Cells) >= filled(titles.Cells) && (n == 1 || slices.ContainsFunc(row.Cells, isURLOrPath)) {
			return false
		}
	}
	return true
}

// filled counts the cells with a text.
func filled(cells []string) (n int) {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// knownTitles counts the cells that are titles of known exports, or that the user has named.
func knownTitles(cells []string, o *Options) (n int) {
	seen := map[Meaning]bool{}
	for _, cell := range cells {
		m, ok := MeaningOf(cell)
		for _, named := range o.Columns {
			ok = ok || normal(named) == normal(cell)
		}
		if ok && (m == "" || !seen[m]) {
			n++
			seen[m] = true
		}
	}
	return n
}

// unknownTitles returns 0 if the first row has titles that no known export has: it has no URL, host
// or number, and a later row has one; -1 = it has no titles.
func unknownTitles(rows []Row) int {
	if len(rows) < 2 || len(rows[0].Cells) < 2 || slices.ContainsFunc(rows[0].Cells, isURLOrPath) || slices.ContainsFunc(rows[0].Cells, isHost) || slices.ContainsFunc(rows[0].Cells, isNumber) {
		return -1
	}
	for _, row := range rows[1:] {
		if slices.ContainsFunc(row.Cells, isURLOrPath) {
			return 0
		}
	}
	return -1
}

// consistent reports whether nearly all rows have the same number of cells, and more than one.
func consistent(rows []Row) bool {
	if len(rows) == 0 {
		return false
	}
	width, same := len(rows[0].Cells), 0
	for _, row := range rows {
		if len(row.Cells) == width {
			same++
		}
	}
	return width > 1 && same*10 >= len(rows)*9
}

// cellsApart reports whether a row is cells of a table and not a URL with commas: what follows a URL
// is a number, another URL, or a text that is no part of one.
func cellsApart(cells []string) bool {
	afterURL := false
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		if afterURL && cell != "" && !isNumber(cell) && !isURLOrPath(cell) && !strings.ContainsAny(cell, " @") && !isWord(cell) {
			return false
		}
		afterURL = afterURL || isURL(cell)
	}
	return true
}

// isWord reports whether a cell is a word or a date, such as "allow" or "2026-11-02".
func isWord(cell string) bool {
	return strings.Trim(cell, "0123456789-:.TZ") == "" || strings.Trim(strings.ToLower(cell), "abcdefghijklmnopqrstuvwxyz") == ""
}

func isNumber(cell string) bool {
	_, ok := Number(strings.TrimSuffix(strings.TrimSpace(cell), "%"))
	return ok
}

func isURL(cell string) bool {
	cell = strings.ReplaceAll(strings.TrimLeft(cell, " \t\"'<"), `\`, "/")
	return len(cell) > 8 && (strings.EqualFold(cell[:7], "http://") || strings.EqualFold(cell[:8], "https://"))
}

func isURLOrPath(cell string) bool {
	return isURL(cell) || strings.HasPrefix(strings.TrimSpace(cell), "/")
}

// isHost reports whether a cell is a host with a top-level domain.
func isHost(cell string) bool {
	cell = strings.TrimSpace(cell)
	top := strings.LastIndexByte(cell, '.') + 1
	return top > 1 && len(cell)-top > 1 && !strings.ContainsAny(cell, " \t/@,;:()\"'") && strings.IndexFunc(cell[top:], func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// hasURLs reports whether a column has URLs or paths.
func hasURLs(rows []Row, column int) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return isURLOrPath(r.Cell(column)) })
}

// findURLs finds the column of URLs: the titled one if it has URLs or paths, or else the first that has
// URLs. titled says which it is.
func (l *layout) findURLs(data []Row) (titled bool) {
	counts := make([]int, l.width)
	paths := make([]int, l.width)
	for _, row := range data {
		for i, cell := range row.Cells {
			if isURL(cell) {
				counts[i]++
			} else if isURLOrPath(cell) {
				paths[i]++
			}
		}
	}
	at, ok := l.columns[URL]
	if ok && at < l.width && (counts[at] > 0 || paths[at] > 0 && !slices.ContainsFunc(counts, func(n int) bool { return n > 0 })) {
		return l.width > 1
	}
	if i := slices.IndexFunc(counts, func(n int) bool { return n > 0 }); i >= 0 {
		l.columns[URL] = i
	}
	return false
}

// setLayout takes over what the sample has shown.
func (t *Table) setLayout(l layout) {
	t.sample, t.columns, t.TitleLine = l.rows, l.columns, 0
	if l.header >= 0 {
		t.Titles = slices.Clone(l.rows[l.header].Cells)
		t.TitleLine = l.rows[l.header].Line
		t.sample = l.rows[l.header+1:]
	}
}

// nameColumns finds the columns that the user has named: by title, number or letter.
func (t *Table) nameColumns(o *Options) error {
	for m, named := range o.Columns {
		at := slices.IndexFunc(t.Titles, func(title string) bool { return normal(title) == normal(named) })
		if n, err := strconv.Atoi(named); at < 0 && err == nil && n > 0 {
			at = n - 1
		} else if at < 0 && len(named) < 4 && strings.Trim(named, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			at = columnOf(named) - 1
		}
		if at < 0 || at >= t.Width() {
			titles := t.Titles
			if titles == nil && len(t.sample) > 0 {
				titles = t.sample[0].Cells
			}
			all := strings.ToValidUTF8(strings.Join(quoteAll(titles[:min(len(titles), 100)]), ", "), "")
			return &noColumnError{named, all[:min(len(all), 500)]}
		}
		t.columns[m] = at
	}
	return nil
}

func quoteAll(list []string) (quoted []string) {
	for _, s := range list {
		quoted = append(quoted, strconv.Quote(s))
	}
	return quoted
}

// Width is the number of columns, as far as the sample shows.
func (t *Table) Width() (n int) {
	n = len(t.Titles)
	for _, row := range t.sample {
		n = max(n, len(row.Cells))
	}
	return n
}

// Column returns the 0-based index of the column with a meaning; -1 = there is none.
func (t *Table) Column(m Meaning) int {
	if at, ok := t.columns[m]; ok {
		return at
	}
	return -1
}

// Numbers returns the columns with numbers that have no known meaning, as people name them.
func (t *Table) Numbers() (list []string) {
	for i := range t.Width() {
		used := false
		for _, at := range t.columns {
			used = used || at == i
		}
		if i < len(t.Titles) {
			_, known := MeaningOf(t.Titles[i])
			used = used || known
		}
		if !used && t.IsNumber(i) {
			list = append(list, t.ColumnName(i))
		}
	}
	return list
}

// IsNumber reports whether the first rows have only numbers in a column.
func (t *Table) IsNumber(column int) bool {
	some := false
	for _, row := range t.sample {
		if cell := row.Cell(column); cell != "" {
			if !isNumber(cell) {
				return false
			}
			some = true
		}
	}
	return some
}

// ColumnName returns the letter of a column, and its title in quotation marks if it has one.
func (t *Table) ColumnName(i int) string {
	name := ""
	for n := i + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	if i < len(t.Titles) && t.Titles[i] != "" {
		return fmt.Sprintf("column %s %q", name, strings.TrimSpace(t.Titles[i]))
	}
	return "column " + name
}

// Rows yields the rows after the titles, in their order. The next row overwrites the cells. A
// *RowError is a row that could not be read, and reading goes on. Any other error ends it.
func (t *Table) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for row, err := range t.rows {
			if err == nil && (row.Line <= t.TitleLine || row.Line <= t.skip || !slices.ContainsFunc(row.Cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })) {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// Cell returns a cell of a row without white space around it; "" = the row has none.
func (r Row) Cell(i int) string {
	if i < 0 || i >= len(r.Cells) {
		return ""
	}
	return strings.TrimSpace(r.Cells[i])
}

// richest returns the table of several that has most of these columns, then most URLs.
func richest(list []*Table, want []Meaning) *Table {
	count := func(t *Table) (n, urls int) {
		for _, m := range want {
			if t.Column(m) >= 0 {
				n++
			}
		}
		for _, row := range t.sample {
			if slices.ContainsFunc(row.Cells, isURLOrPath) {
				urls++
			}
		}
		return n, urls
	}
	return slices.MaxFunc(list, func(a, b *Table) int {
		an, au := count(a)
		bn, bu := count(b)
		return cmp.Or(cmp.Compare(an, bn), cmp.Compare(au, bu))
	})
}

// CleanURL returns the URL of a cell without the marks that people put around it.
func CleanURL(cell string) string {
	cell = strings.TrimSpace(cell)
	if cell == "" || isASCIILetter(cell[0]) || cell[0] == '/' {
		return cell
	}
	for _, marks := range []string{`''`, `""`, "<>", "“”", "„“", "«»", "()", "[]", "``"} {
		pair := []rune(marks)
		if inside, ok := strings.CutPrefix(cell, string(pair[0])); ok {
			if inside, ok = strings.CutSuffix(inside, string(pair[1])); ok {
				return strings.TrimSpace(inside)
			}
		}
	}
	return cell
}

// Plain reports whether the file is a text in UTF-8 with one entry a line, and no titles.
func (t *Table) Plain() bool {
	return t.Encoding == "UTF-8" && t.comma == noDelimiter && t.TitleLine == 0 && t.Name == "" && !t.packed
}

// Sample yields the first rows after the titles.
func (t *Table) Sample(yield func(Row) bool) {
	for _, row := range t.sample {
		if !yield(row) {
			return
		}
	}
}
