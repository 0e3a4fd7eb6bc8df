package compare

import (
	"cmp"
	"slices"
	"strings"
)

// diffLines returns the changed lines between two versions of a robots.txt, without the unchanged
// ones. They are in the order of the new file, removed lines before the lines added in their place.
// The result is minimal with two exceptions: blank lines, which are aligned last, and files with
// too many repeated lines, see aligner.
//
// Common Go libraries for this were tried first. Those that are fast enough on two different files
// of 500 KiB give up after a hundred differences. They report all lines between the first and the
// last difference as replaced (10,000 lines, 300 of them edited: 8,178 reported as added). But each
// reported line has to be undone and judged.
func diffLines(old, new []byte) []Line {
	return newDiff(old, new).list()
}

// diff is the alignment of two files, line by line.
type diff struct {
	old, new sideLines
}

// sideLines are the lines of one file.
type sideLines struct {
	head  string      // bytes of a byte order mark
	lines []textLine  // without their ends
	kinds []int32     // equal numbers = equal lines, in both files
	match []int32     // the equal line of the other file; -1 = none
	ops   []Op        // of the lines without a match; "" = not known yet
	pair  map[int]int // for an edited or moved line, the line of the other file
}

// textLine is a line of a file with its line end.
type textLine struct{ text, end string }

func newDiff(old, new []byte) *diff {
	d := &diff{}
	d.old.cut(string(old))
	d.new.cut(string(new))
	d.align()
	d.findMoved()
	for hunk := range d.hunks {
		d.findEdited(hunk)
	}
	return d
}

// align finds the lines that both files have.
func (d *diff) align() {
	number := map[string]int32{}
	for _, s := range []*sideLines{&d.old, &d.new} {
		s.kinds = make([]int32, len(s.lines))
		for i, l := range s.lines {
			kind, known := number[l.text]
			if !known {
				kind = int32(len(number))
				number[l.text] = kind
			}
			s.kinds[i] = kind
		}
		s.match = slices.Repeat([]int32{-1}, len(s.lines))
		s.ops = make([]Op, len(s.lines))
		s.pair = map[int]int{}
	}
	align(&d.old, &d.new, len(number))
	slide(&d.old, &d.new)
	slide(&d.new, &d.old)
}

// cut splits a file into lines as the engine does, see engine.RawLine: at LF, CR or CR LF. It skips
// a byte order mark, even one cut to one or two bytes.
func (s *sideLines) cut(text string) {
	const mark = "\xEF\xBB\xBF"
	bom := 0
	for bom < min(len(mark), len(text)) && text[bom] == mark[bom] {
		bom++
	}
	s.head, text = text[:bom], text[bom:]
	for text != "" {
		end := strings.IndexAny(text, "\r\n")
		rest := ""
		switch {
		case end < 0:
			end = len(text)
		case strings.HasPrefix(text[end:], "\r\n"):
			rest = text[end+2:]
		default:
			rest = text[end+1:]
		}
		s.lines = append(s.lines, textLine{text[:end], text[end : len(text)-len(rest)]})
		text = rest
	}
}

// hunk is the part between two unchanged lines: lines from (inclusive) to to (exclusive) on each
// side.
type hunk struct{ oldFrom, oldTo, newFrom, newTo int }

// hunks yields the differing parts of the files, in order.
func (d *diff) hunks(yield func(hunk) bool) {
	i, k := 0, 0
	for i < len(d.old.lines) || k < len(d.new.lines) {
		h := hunk{oldFrom: i, newFrom: k}
		for i < len(d.old.lines) && d.old.match[i] < 0 {
			i++
		}
		for k < len(d.new.lines) && d.new.match[k] < 0 {
			k++
		}
		h.oldTo, h.newTo = i, k
		if (h.oldFrom < i || h.newFrom < k) && !yield(h) {
			return
		}
		i, k = i+1, k+1
	}
}

// step is a line of a side-by-side view of the files.
type step struct {
	op       Op  // "" = the line is unchanged
	old, new int // 0-based; -1 = the file has no line here
}

// steps yields all lines of both files in order. A moved line comes twice: at its old place,
// without the new file's line, and at its new place.
func (d *diff) steps(yield func(step) bool) {
	i, k := 0, 0
	unmatched := func(h hunk) bool {
		for i < h.oldTo || k < h.newTo {
			var s step
			switch {
			case i < h.oldTo && d.old.ops[i] != Edited:
				s = step{cmp.Or(d.old.ops[i], Removed), i, -1}
			case k < h.newTo && d.new.ops[k] != Edited:
				s = step{cmp.Or(d.new.ops[k], Added), -1, k}
			default: // both are edited: they are paired in order
				s = step{Edited, i, k}
			}
			if s.old >= 0 {
				i++
			}
			if s.new >= 0 {
				k++
			}
			if !yield(s) {
				return false
			}
		}
		return true
	}
	stay := func(until int) bool {
		for ; i < until; i, k = i+1, k+1 {
			if !yield(step{"", i, k}) {
				return false
			}
		}
		return true
	}
	for h := range d.hunks {
		if !stay(h.oldFrom) || !unmatched(h) {
			return
		}
	}
	stay(len(d.old.lines))
}

// list returns the lines of the steps.
func (d *diff) list() []Line {
	var list []Line
	for s := range d.steps {
		if line, is := d.line(s); is {
			list = append(list, line)
		}
	}
	return list
}

// line returns the change of a step; false = no change.
func (d *diff) line(s step) (Line, bool) {
	line := Line{Op: s.op}
	if s.op == Moved {
		if s.new < 0 {
			return line, false // listed at its new place
		}
		s.old = d.new.pair[s.new]
	}
	if s.old >= 0 {
		line.OldLine, line.Old = s.old+1, d.old.lines[s.old].text
	}
	if s.new >= 0 {
		line.NewLine, line.New = s.new+1, d.new.lines[s.new].text
	}
	return line, s.op != ""
}
