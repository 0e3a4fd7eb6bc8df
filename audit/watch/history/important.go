package history

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine/escape"
)

// MaxImportant bounds the URLs of an important list: 8 bytes of memory each.
const MaxImportant = 5_000_000

// maxRow bounds a line of the list, in bytes.
const maxRow = 64 << 10

// maxProblems bounds the lines that an error of ReadImportant lists.
const maxProblems = 20

// Important has the URLs that matter most to the owner of the sites: the important list of a
// configuration. It does not change after it was read.
type Important struct {
	URLs int      // number of different URLs
	ids  []uint64 // their sorted ids, see audit.URLID
}

// ReadImportant reads a list of absolute http and https URLs in UTF-8: a text with one URL per
// line, or a table with commas, semicolons or tabs between its columns and a column titled "url" in
// the first line. Blank lines and those that begin with "#" are skipped.
//
// The error names the file and the first 20 invalid lines: errors.Join of one error per line,
// "important.csv:14: …".
func ReadImportant(name string) (*Important, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := importantReader{name: name, list: &Important{}}
	in := bufio.NewReaderSize(f, maxRow)
	if bom, _ := in.Peek(3); string(bom) == "\uFEFF" {
		in.Discard(3)
	}
	r.comma, r.column = header(in)
	err = r.read(in)
	switch {
	case err != nil:
		return nil, err
	case r.more > 0:
		r.problems = append(r.problems, fmt.Errorf("%s: %d more lines have errors", name, r.more))
	case len(r.list.ids) == 0 && r.problems == nil:
		r.problems = append(r.problems, fmt.Errorf("%s: the file has no URL", name))
	}
	if r.problems != nil {
		return nil, errors.Join(r.problems...)
	}
	slices.Sort(r.list.ids)
	r.list.ids = slices.Clip(slices.Compact(r.list.ids))
	r.list.URLs = len(r.list.ids)
	return r.list, nil
}

// header finds the column separator in the first line of a list, and the column titled "url"; -1 =
// it has no titles.
func header(in *bufio.Reader) (comma rune, column int) {
	first, _ := in.Peek(4096)
	first, _, _ = bytes.Cut(first, []byte("\n"))
	for _, comma := range ",;\t" {
		for i, title := range strings.Split(string(first), string(comma)) {
			if strings.EqualFold(strings.Trim(title, "\" \r"), "url") {
				return comma, i
			}
		}
	}
	return 0, -1
}

// importantReader is the state of ReadImportant.
type importantReader struct {
	name     string
	comma    rune // between columns
	column   int  // index of the column with the URLs; -1 = each line is one
	list     *Important
	buf      []byte
	problems []error
	more     int // problems beyond maxProblems
}

func (r *importantReader) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 4096), maxRow)
	n := 0
	for lines.Scan() {
		n++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' || n == 1 && r.column >= 0 {
			continue
		}
		if err := r.addLine(n, text); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, n+1, err)
	}
	return nil
}

// cell returns the cell of a row with the URL.
func (r *importantReader) cell(text string) (string, error) {
	cells := strings.Split(text, string(r.comma))
	if strings.Contains(text, `"`) {
		row := csv.NewReader(strings.NewReader(text))
		row.Comma, row.LazyQuotes = r.comma, true
		var err error
		if cells, err = row.Read(); err != nil {
			return "", err
		}
	}
	if r.column >= len(cells) {
		return "", errors.New("the file has no URL")
	}
	return strings.TrimSpace(cells[r.column]), nil
}

// addLine adds the URL of a line.
func (r *importantReader) addLine(line int, text string) error {
	var err error
	if r.column >= 0 {
		text, err = r.cell(text)
	}
	var id string
	if err == nil {
		if id, r.buf, err = urlID(r.buf, text); err != nil {
			err = fmt.Errorf("%q is not a full http or https URL", escape.Cut(text, 80))
		}
	}
	switch {
	case err != nil && len(r.problems) >= maxProblems:
		r.more++
	case err != nil:
		r.problems = append(r.problems, fmt.Errorf("%s:%d: %w", r.name, line, err))
	case len(r.list.ids) >= MaxImportant:
		return fmt.Errorf("%s:%d: more than %d URLs", r.name, line, MaxImportant)
	default:
		r.list.ids = append(r.list.ids, number(id))
	}
	return nil
}

// Has reports whether a URL, in any spelling, is in the list. A nil list has none.
func (l *Important) Has(url string) bool {
	if l == nil {
		return false
	}
	id, _, err := urlID(nil, url)
	return err == nil && l.HasID(id)
}

// HasID reports whether the URL with this id, see audit.URLID, is in the list.
func (l *Important) HasID(id string) bool {
	if l == nil {
		return false
	}
	_, found := slices.BinarySearch(l.ids, number(id))
	return found
}

// number converts an id to a number.
func number(id string) uint64 {
	n, _ := strconv.ParseUint(id, 16, 64)
	return n
}

// urlID returns the id of a URL as in the workbooks. It uses buf, and returns it for the next call.
func urlID(buf []byte, url string) (id string, grown []byte, err error) {
	loc, err := crawl.ResolveURL(url)
	if err != nil {
		return "", buf, err
	}
	end := strings.Index(loc, "://") + len("://")
	if at := strings.IndexAny(loc[end:], "/?"); at >= 0 {
		end += at
	} else {
		end = len(loc)
	}
	id, buf = audit.URLID(buf, loc[:end], loc)
	return id, buf, nil
}
