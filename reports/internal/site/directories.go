package site

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
)

// Bounds of the directories that are counted separately.
const (
	maxDirectories   = 256
	longestDirectory = 200 // bytes of a name
)

// Directories counts pages by top directory.
type Directories struct {
	byName map[string]*Directory
	other  Directory
	last   *Directory
	order  []*Directory
}

// Directory is a top directory with its pages.
type Directory struct {
	Name                   string // "/blog/"; "/" = pages in no directory; "" for Others
	URLs, Blocked, Unclear int64  // blocked for at least one crawler; unclear for at least one, but not blocked for any
	Hits                   Hits
	Others                 bool // all directories that are not counted separately
}

// count counts a page and returns its directory.
func (d *Directories) count(loc string, blocked, unclear bool) *Directory {
	name := audit.TopDirectory(loc)
	at := d.last
	if at == nil || at.Name != name {
		at = d.find(name)
	}
	at.URLs++
	if blocked {
		at.Blocked++
	} else if unclear {
		at.Unclear++
	}
	if !at.Others {
		d.last = at
	}
	return at
}

func (d *Directories) find(name string) *Directory {
	if at := d.byName[name]; at != nil {
		return at
	}
	if len(d.order) >= maxDirectories || len(name) > longestDirectory {
		d.other.Others = true
		return &d.other
	}
	if d.byName == nil {
		d.byName = map[string]*Directory{}
	}
	name = strings.Clone(name)
	at := &Directory{Name: name}
	d.byName[name] = at
	d.order = append(d.order, at)
	return at
}

// All returns the directories that are counted separately, in the order in which their first pages
// came.
func (d *Directories) All() []*Directory { return d.order }

// Ranked returns the directories, those with most blocked URLs first. All others together are named
// "(all others)".
func (d *Directories) Ranked() []*Directory {
	list := slices.Clone(d.order)
	if d.other.URLs > 0 {
		other := d.other
		other.Name = "(all others)"
		list = append(list, &other)
	}
	slices.SortStableFunc(list, func(a, b *Directory) int {
		return cmp.Or(cmp.Compare(b.Blocked, a.Blocked), cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Name, b.Name))
	})
	return list
}

// DirectoryName is a directory's name for people, who may not understand "/".
func DirectoryName(name string) string {
	if name == "/" {
		return "/ (top level)"
	}
	return name
}
