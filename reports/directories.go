package reports

import "strings"

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
	cell                   cell
	urls, blocked, unclear int64
}

// count counts a URL and returns its directory's cell.
func (d *directories) count(w *words, loc string, blocked, unclear bool) cell {
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
		return text(name)
	}
	d.last = at
	return at.cell
}

func (d *directories) find(w *words, name string) *directory {
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
	at := &directory{name: name, cell: w.cell(name)}
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
