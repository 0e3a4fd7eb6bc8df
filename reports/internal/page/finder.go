package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// Bounds of an index of more sites than stand within it: it opens with few, and reads the
// others from files as they are looked at.
const (
	firstSites     = 1_000     // rows within such an index
	maxSites       = 2_000_000 // rows of it in all
	searchedFiles  = 20        // files of rows that are read to be filtered and sorted: a browser has memory for some 200,000 rows
	sitesPerFinder = 5_000     // names in one file of the finder
)

// finder finds a site among very many by the beginning of its name, wherever in the order
// of all summaries it stands: files of names in their own order, of which one or two are
// read for an answer. Memory is some hundred bytes a site.
type finder struct {
	on    bool
	names []foundName
}

// foundName is a site under one of its names.
type foundName struct {
	key  string // of name, what it is looked for by
	name string
	base string // of its page; "" = there is none
	row  int64  // of the index, 0-based; -1 = it has none
}

// finderKey is a name without what nobody thinks of when he looks for it: scheme and "www.".
// finder.js has the same.
func finderKey(name string) string {
	if _, host, found := strings.Cut(name, "://"); found {
		name = host
	}
	return strings.TrimPrefix(name, "www.")
}

// add takes a site with its row of the index.
func (f *finder) add(l *summary.Site, row int64) {
	if !f.on {
		return
	}
	base := ""
	if l.Page > 0 {
		base = l.Base
	}
	f.names = append(f.names, foundName{finderKey(l.Name), l.Name, base, row})
	if shown := audit.DisplayName(l.Name); shown != l.Name {
		f.names = append(f.names, foundName{finderKey(shown), shown, base, row})
	}
}

// write writes the names into files of a folder that is there, and returns the key with
// which each begins. A file is the call of a function, as that of rows is:
//
//	robotsAuditNames(0,[
//	["www.example.com",17,"www.example.com"],
func (f *finder) write(fs disk.FS, dir string) (begins []string, err error) {
	slices.SortFunc(f.names, func(a, b foundName) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.name, b.name)) })
	var buf []byte
	for part := range slices.Chunk(f.names, sitesPerFinder) {
		number := strconv.Itoa(len(begins))
		begins = append(begins, part[0].key)
		buf = append(append(append(buf[:0], "robotsAuditNames("...), number...), ",[\n"...)
		for i, of := range part {
			if i > 0 {
				buf = append(buf, ",\n"...)
			}
			buf = append(escape.AppendString(append(buf, '['), of.name), ',')
			buf = append(strconv.AppendInt(buf, of.row, 10), ',')
			buf = append(escape.AppendString(buf, of.base), ']')
		}
		if err := fs.Append(dir+"/names-"+number+".js", append(buf, "\n]);\n"...)); err != nil {
			return nil, err
		}
	}
	return begins, nil
}
