// Package sidebyside compares two versions of a robots.txt side by side, as rows for a page: the lines that
// differ, with the verdicts that each changes, and some lines around them. It also has the markup and style
// of these rows for all pages.
package sidebyside

import _ "embed"

// Limits of a file.
const (
	maxRows  = 400
	context  = 3   // unchanged lines before and after a changed line
	longLine = 300 // bytes of a line
)

// Template defines "diff", the table for a value with a File's fields and Origin, the origin of the file.
// It uses the functions of layout.
//
//go:embed diff.html
var Template string

// Style is the table's style sheet. It uses the variables of layout's style.
//
//go:embed diff.css
var Style string

// File is one robots.txt in two versions.
type File struct {
	Rows   []Row
	More   int // changed lines that are not shown, because there are too many
	Folded int // changed lines that are not shown, because they change no URL
}

// Row is a row of the comparison, or the unchanged lines between two rows.
type Row struct {
	Skipped                 int // unchanged lines that are not shown; 0 = this is a row
	Words                   string
	Class                   string // "added", "removed", "edited", "moved"; "" = unchanged
	OldLine, NewLine        int
	OldID, NewID            string // anchor for links to this line; "" = none
	Old, New                *Side
	Margin                  bool // the row shows changed verdicts
	Blocked, Allowed, Other int64
}

// Side is a line of one version, split where it differs from the other version's line.
type Side struct{ Before, Differs, After, Sign string }
