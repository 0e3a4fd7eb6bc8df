// Package sidebyside sets a robots.txt of two sides side by side, as rows that a page
// shows: the lines that differ, with what each of them flips, and some around them. The markup
// and the style of these rows are here, too, for all pages that have them.
package sidebyside

import _ "embed"

// Bounds of a file.
const (
	maxRows  = 400
	context  = 3   // lines that stay, before and after one that differs
	longLine = 300 // bytes
)

// Template defines "diff", the table of what has a File's fields and Origin, whose file it
// is. It uses the functions of layout.
//
//go:embed diff.html
var Template string

// Style is what the table looks like, by the variables of layout's style.
//
//go:embed diff.css
var Style string

// File is a robots.txt of both sides.
type File struct {
	Rows []Row
	More int // lines that differ and are not shown
}

// Row is a row of a robots.txt side by side, or the lines that stay between two of them.
type Row struct {
	Skipped                 int // lines that stay and are not shown; 0 = this is a row
	Words                   string
	Class                   string // "added", "removed", "edited", "moved"; "" = it stays
	OldLine, NewLine        int
	OldID, NewID            string // of a line that something else on the page leads to; "" = nothing does
	Old, New                *Side
	Margin                  bool // it tells of flips
	Blocked, Allowed, Other int64
}

// Side is a line of one side, cut where it differs from that of the other.
type Side struct{ Before, Differs, After, Sign string }
