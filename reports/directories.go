package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// maxDirectories bounds the directories that are counted each for itself, and
// longestDirectory the bytes of a name that is one.
const (
	maxDirectories   = 256
	longestDirectory = 200
)

// directories counts URLs by top directory.
type directories struct {
	byName map[string]*directory
	other  directory
	last   *directory
	order  []*directory
}

type directory struct {
	name                   string
	cell                   xlsx.Cell
	urls, blocked, unclear int64
}

// count counts a URL and returns its directory's cell.
func (d *directories) count(w *xlsx.SharedStrings, loc string, blocked, unclear bool) xlsx.Cell {
	name := topDirectory(loc)
	at := d.last
	if at == nil || at.name != name {
		at = d.find(w, name)
	}
	at.urls++
	if blocked {
		at.blocked++
	} else if unclear {
		at.unclear++
	}
	if at == &d.other {
		return xlsx.Text(name)
	}
	d.last = at
	return at.cell
}

func (d *directories) find(w *xlsx.SharedStrings, name string) *directory {
	if at := d.byName[name]; at != nil {
		return at
	}
	if len(d.order) >= maxDirectories || len(name) > longestDirectory {
		return &d.other
	}
	if d.byName == nil {
		d.byName = map[string]*directory{}
	}
	name = strings.Clone(name)
	at := &directory{name: name, cell: w.Cell(name)}
	d.byName[name] = at
	d.order = append(d.order, at)
	return at
}

// topDirectory returns the first directory of a URL's path, "/blog/"; "/" for
// what lies in none.
func topDirectory(loc string) string {
	_, rest, ok := strings.Cut(loc, "://")
	if !ok {
		return "/"
	}
	start := strings.IndexAny(rest, "/?#")
	if start < 0 || rest[start] != '/' {
		return "/"
	}
	path := rest[start:]
	for i := 1; i < len(path); i++ {
		switch path[i] {
		case '/':
			return path[:i+1]
		case '?', '#':
			return "/"
		}
	}
	return "/"
}

// ranked returns the directories, those with most blocked URLs first.
func (d *directories) ranked() []*directory {
	list := slices.Clone(d.order)
	if d.other.urls > 0 {
		other := d.other
		other.name = "(all others)"
		list = append(list, &other)
	}
	slices.SortStableFunc(list, func(a, b *directory) int {
		return cmp.Or(cmp.Compare(b.blocked, a.blocked), cmp.Compare(b.urls, a.urls), strings.Compare(a.name, b.name))
	})
	return list
}

// directoryTitle says where the blocked URLs lie; ranked has at least one.
func directoryTitle(ranked []*directory, d *audit.Done) string {
	first := ranked[0]
	switch {
	case d.BlockedAny > 0:
		return fmt.Sprintf("%s of the %s blocked URLs %s in %s", thousands(first.blocked), thousands(d.BlockedAny), verb(first.blocked, "lies", "lie"), directoryName(first.name))
	case len(ranked) == 1:
		return "No known URL is blocked, in the one directory"
	}
	return fmt.Sprintf("No known URL is blocked, in any of %d directories", len(ranked))
}

// directoryName says what "/" stands for.
func directoryName(name string) string {
	if name == "/" {
		return "/ (top level)"
	}
	return name
}
