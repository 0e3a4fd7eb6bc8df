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

// Bounds of an index with more sites than fit in its page: it opens with few sites, and reads the
// others from files when they are viewed.
const (
	firstSites     = 1_000     // rows within such an index
	maxSites       = 2_000_000 // rows of such an index in total
	searchedFiles  = 20        // files of rows that are read for filters and sorting: a browser has memory for some 200,000 rows
	sitesPerFinder = 5_000     // names in one file of the finder
)

// finder finds a site among very many by the beginning of its name, independent of the order of
// summaries. It writes files of names in alphabetical order. A search reads one or two of them.
// Memory is about a hundred bytes for each site.
type finder struct {
	on    bool
	names []foundName
}

// foundName is a site with one of its names.
type foundName struct {
	key  string // search key of name
	name string
	base string // of its page; "" = none
	row  int64  // of the index, 0-based; -1 = none
}

// finderKey is a name without the parts that people do not type in a search: scheme and "www.".
// finder.js does the same.
func finderKey(name string) string {
	if _, host, found := strings.Cut(name, "://"); found {
		name = host
	}
	return strings.TrimPrefix(name, "www.")
}

// add adds a site with its row of the index.
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

// write writes the names into files of an existing folder, and returns the first key of each file.
// A file is a function call, like a file of rows:
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
