package history

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/crawl"
	"robots-audit/engine/escape"
)

// MaxImportant bounds the URLs of an important list: 8 bytes of memory each.
const MaxImportant = 5_000_000

// maxProblems bounds the lines that an error of ReadImportant lists.
const maxProblems = 20

// Important has the URLs that matter most to the owner of the sites: the important list of a
// configuration. It does not change after it was read.
type Important struct {
	URLs int      // number of different URLs
	ids  []uint64 // their sorted ids, see audit.URLID
}

// ReadImportant reads absolute http and https URLs from a list or a table.
//
// The error names the file and the first 20 invalid lines: errors.Join of one error per line,
// "important.csv:14: …".
func ReadImportant(name string, o table.Options) (*Important, error) {
	o.Want = []table.Meaning{table.URL}
	file, err := table.Open(name, o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	list := &Important{}
	var problems []error
	more := 0
	var buf []byte
	t := file.Table()
	for row, err := range t.Rows() {
		wrong := (*table.RowError)(nil)
		if err != nil && !errors.As(err, &wrong) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var id string
		if err == nil {
			cell := table.CleanURL(row.Cell(max(t.Column(table.URL), 0)))
			if id, buf, err = urlID(buf, cell); err != nil {
				err = fmt.Errorf("%q is not a full http or https URL", escape.Cut(cell, 80))
			}
		} else {
			row.Line, err = wrong.Line, errors.New(wrong.Why)
		}
		switch {
		case err != nil && len(problems) >= maxProblems:
			more++
		case err != nil:
			problems = append(problems, fmt.Errorf("%s:%d: %w", name, row.Line, err))
		case len(list.ids) >= MaxImportant:
			return nil, fmt.Errorf("%s:%d: more than %d URLs", name, row.Line, MaxImportant)
		default:
			list.ids = append(list.ids, number(id))
		}
	}
	switch {
	case more > 0:
		problems = append(problems, fmt.Errorf("%s: %d more lines have errors", name, more))
	case len(list.ids) == 0 && problems == nil:
		problems = append(problems, fmt.Errorf("%s: the file has no URL", name))
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	slices.Sort(list.ids)
	list.ids = slices.Clip(slices.Compact(list.ids))
	list.URLs = len(list.ids)
	return list, nil
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
