package expect

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/audit/table"
	"robots-audit/engine"
)

// maxProblems bounds the lines that an error of Read lists.
const maxProblems = 20

// columns are the columns of the file, in their order without a header; the first three are
// required.
var columns = []string{string(table.URL), string(table.Crawler), string(table.Expect), string(table.Profile), string(table.Note)}

// row is a line of the file, split into its columns.
type row [5]string

// file is a file of expectations while it is read.
type file struct {
	name     string
	own      []engine.Crawler // of the user's list
	set      *Set
	seen     map[seenKey]*Expectation
	readers  map[string]int // index into Set.readers by crawler as written, and profile
	problems []error
	more     int // problems beyond maxProblems
}

// seenKey must be different for each line. For one URL, "same" is allowed in addition to a verdict.
type seenKey struct {
	origin, loc string
	pattern     bool
	reader      int
	same        bool
}

// Read reads expectations from the content of a file: a table with the columns url, crawler, expect,
// profile and note, or JSON Lines with these keys where name ends in .jsonl or .ndjson, or the text
// begins with "{". Titles give the order of the columns. Without them they are in the order above,
// and the last two are optional.
//
// The error counts all invalid lines, and lists the first 20: errors.Join of one error per line,
// "expect.csv:14: …".
func Read(name string, content []byte, o table.Options, own ...engine.Crawler) (*Set, error) {
	f := &file{name: name, own: own, set: &Set{}, seen: map[seenKey]*Expectation{}, readers: map[string]int{}}
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	switch ext := strings.ToLower(path.Ext(name)); {
	case (ext == ".jsonl" || ext == ".ndjson" || bytes.HasPrefix(bytes.TrimSpace(content), []byte("{"))) && !utf8.Valid(content):
		f.problem(1, "the file is not UTF-8. Save it as UTF-8")
	case ext == ".jsonl" || ext == ".ndjson" || bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")):
		f.readJSONL(content)
	default:
		f.readTable(content, o)
	}
	if len(f.set.List) == 0 && f.problems == nil {
		f.problem(1, "the file has no expectations. Write one per line: url,crawler,expect")
	}
	if f.more > 0 {
		f.problems = append(f.problems, fmt.Errorf("%s: %d more lines have errors", name, f.more))
	}
	if f.problems != nil {
		return nil, errors.Join(f.problems...)
	}
	f.set.index()
	return f.set, nil
}

// problem notes an error in a line.
func (f *file) problem(line int, format string, args ...any) {
	if len(f.problems) == maxProblems {
		f.more++
		return
	}
	f.problems = append(f.problems, fmt.Errorf("%s:%d: %s", f.name, line, fmt.Sprintf(format, args...)))
}

// readTable reads a table.
func (f *file) readTable(content []byte, o table.Options) {
	o.Table, o.Want = true, []table.Meaning{table.URL, table.Crawler, table.Expect}
	of, err := table.Read(bytes.NewReader(content), o)
	if err != nil {
		f.problem(1, "%v", err)
		return
	}
	defer of.Close()
	t := of.Table()
	order := []int{0, 1, 2, 3, 4} // of columns
	if slices.ContainsFunc(t.Titles, isColumnTitle) {
		if order = f.header(t); order == nil {
			return // the other lines cannot be checked
		}
	} else if t.Titles != nil {
		f.addCells(table.Row{Line: t.TitleLine, Cells: t.Titles}, order)
	}
	for row, err := range t.Rows() {
		if refused := (*table.RowError)(nil); errors.As(err, &refused) {
			f.problem(refused.Line, "%s", refused.Why)
			continue
		}
		if err != nil {
			f.problem(1, "%v", err)
			return
		}
		f.addCells(row, order)
	}
}

// addCells adds the expectation of a row.
func (f *file) addCells(cells table.Row, order []int) {
	var r row
	for i := range min(len(cells.Cells), len(order)) {
		if order[i] >= 0 {
			r[order[i]] = cells.Cell(i)
		}
	}
	if len(cells.Cells) > len(order) {
		f.problem(cells.Line, "%d columns, but the table has %d. Put a cell that contains the separator in quotation marks", len(cells.Cells), len(order))
		return
	}
	f.add(cells.Line, r)
}

// isColumnTitle reports whether a cell of the first line is a title, and no part of an expectation.
func isColumnTitle(cell string) bool {
	m, _ := table.MeaningOf(cell)
	return m == table.URL || m == table.Expect
}

// header finds the columns by their titles, and skips other columns of known exports, such as clicks;
// nil = they are invalid, and the problem was noted.
func (f *file) header(t *table.Table) (order []int) {
	for _, title := range t.Titles {
		m, known := table.MeaningOf(title)
		at := slices.Index(columns, string(m))
		switch {
		case !known || m == table.Regex: // expectations have no regular expressions
			f.problem(t.TitleLine, "unknown column %q. The columns are %s", title, strings.Join(columns, ", "))
			return nil
		case at >= 0 && slices.Contains(order, at):
			f.problem(t.TitleLine, "the column %q occurs twice", columns[at])
			return nil
		}
		order = append(order, at)
	}
	for i, name := range columns[:3] {
		if !slices.Contains(order, i) {
			f.problem(t.TitleLine, "the column %q is missing", name)
			return nil
		}
	}
	return order
}

// add adds the expectation of a line, or notes its problem.
func (f *file) add(line int, r row) {
	for i, name := range columns[:3] {
		if r[i] == "" {
			f.problem(line, "the column %q is missing", name)
			return
		}
	}
	e := Expectation{File: f.name, Line: line, URL: r[0], Note: r[4]}
	at := slices.Index(wantNames[:], strings.ToLower(r[2]))
	if at < 0 {
		f.problem(line, "expect is %q. Write allow, disallow or same", r[2])
		return
	}
	e.Want = Want(at)
	if err := f.setReader(&e, r[1], r[3]); err != nil {
		f.problem(line, "%v", err)
		return
	}
	if problem := e.setURL(f.set.readers[e.reader].profile); problem != "" {
		f.problem(line, "the url %q %s", r[0], problem)
		return
	}
	key := seenKey{e.origin, e.loc, e.pattern, e.reader, e.Want == Same}
	if before := f.seen[key]; before != nil && before.Want != e.Want {
		f.problem(line, "this contradicts line %d, which expects %s for the same url and crawler", before.Line, before.Want)
		return
	} else if before != nil {
		f.problem(line, "this repeats line %d", before.Line)
		return
	}
	f.seen[key] = &e
	f.set.List = append(f.set.List, e)
}

// setReader sets the crawler and its profile.
func (f *file) setReader(e *Expectation, name, profile string) error {
	written := name
	if profile != "" {
		base, of, both := strings.Cut(name, "@")
		if both && of != profile {
			return fmt.Errorf("two profiles, %q and %q. Name one", of, profile)
		}
		written = base + "@" + profile
	}
	robot, err := engine.ParseCrawler(written, f.own...)
	if err != nil {
		return err
	}
	p, err := engine.ParseProfile(robot.Profile)
	if err != nil {
		return err
	}
	e.Crawler = robot.Name + "@" + p.Name
	key := e.Crawler + " " + strings.Join(robot.Tokens, " ")
	if p.Agents != engine.AgentCased {
		key = strings.ToLower(key)
	}
	at, known := f.readers[key]
	if !known {
		at = len(f.set.readers)
		f.readers[key] = at
		f.set.readers = append(f.set.readers, reader{robot, p})
	}
	e.reader = at
	return nil
}
