package site

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Fix is an edit of the site's own robots.txt that an item or a finding proposes.
type Fix struct {
	Op    FixOp
	Lines []int  // 1-based, in order
	Text  string // the new line, or lines; "" for Delete
}

// FixOp says what happens to the lines of a fix.
type FixOp string

// Kinds of fixes.
const (
	DeleteLines  FixOp = "delete"
	ReplaceLines FixOp = "replace" // each by Text
	InsertBelow  FixOp = "insert"  // Text below each of them
)

// FixOf is the edit that a finding proposes; nil = none is certain.
func FixOf(origin int, f *audit.Finding) *Fix {
	switch {
	case origin != 0: // the editor has only the site's own file
	case f.Replacement != "" && f.Line > 0:
		return &Fix{ReplaceLines, []int{f.Line}, f.Replacement}
	case len(f.Delete) > 0:
		return &Fix{DeleteLines, f.Delete, ""}
	}
	return nil
}

// Words describe a fix: "delete line 17".
func (f *Fix) Words() string {
	lines := firstLines(f.Lines)
	switch f.Op {
	case ReplaceLines:
		return "replace " + lines
	case InsertBelow:
		field, _, _ := strings.Cut(f.Text, ":")
		return "add " + wording.Verb(len(f.Lines), "an ", "") + field + wording.Verb(len(f.Lines), " rule", " rules") + " below " + lines
	}
	return "delete " + lines
}
