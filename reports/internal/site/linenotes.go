package site

import (
	"cmp"
	"slices"
)

// LineNotes are texts about lines of robots.txt files. They are a list that is sorted on first use:
// findings may be about all lines of a file, and a map with an entry for each line takes three
// times as long to make.
type LineNotes struct {
	list   []LineNote
	sorted bool
}

// LineNote is a text about a line of an origin's robots.txt.
type LineNote struct {
	Origin, Line int
	Text         string
}

// Add adds a text about a line.
func (n *LineNotes) Add(origin, line int, text string) {
	note := LineNote{origin, line, text}
	n.sorted = len(n.list) == 0 || n.sorted && n.list[len(n.list)-1].compare(origin, line) <= 0
	n.list = append(n.list, note)
}

// Of returns the texts that were added about a line, in that order. The result is valid until more
// is added.
func (n *LineNotes) Of(origin, line int) []LineNote {
	if !n.sorted {
		slices.SortStableFunc(n.list, func(a, b LineNote) int { return a.compare(b.Origin, b.Line) })
		n.sorted = true
	}
	from, _ := slices.BinarySearchFunc(n.list, line, func(a LineNote, line int) int { return a.compare(origin, line) })
	to := from
	for to < len(n.list) && n.list[to].compare(origin, line) == 0 {
		to++
	}
	return n.list[from:to]
}

func (n *LineNote) compare(origin, line int) int {
	return cmp.Or(cmp.Compare(n.Origin, origin), cmp.Compare(n.Line, line))
}
