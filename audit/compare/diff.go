package compare

import (
	"cmp"
	"slices"
	"strings"
)

// diffLines returns how the lines of one robots.txt differ from those of another, without the
// lines that stay: in the order of the new file, what is removed before what is added in
// its place. It is as short as can be but for blank lines, which are aligned last, and for
// files in which lines are repeated so often that this would take too long, see aligner.
//
// Go's usual libraries for it were tried first: those that end in time on two different
// files of 500 KiB give up after a hundred differences and report all lines between the
// first and the last as replaced (10,000 lines, 300 of them edited: 8,178 reported as added),
// and each reported line is one to be put back and judged.
func diffLines(old, new []byte) []Line {
	return newDiff(old, new).list()
}

// diff is two files, line by line, and how they are aligned.
type diff struct {
	old, new sideLines
}

// sideLines are the lines of one file.
type sideLines struct {
	head  string      // bytes of a byte order mark
	lines []textLine  // without their ends
	kinds []int32     // equal numbers = equal lines, in both files
	match []int32     // the line of the other file that is this one; -1 = it has none
	ops   []Op        // of the lines without a match: "" = none yet
	pair  map[int]int // of a line that was edited or has moved: the line of the other file
}

// textLine is a line of a file and its end.
type textLine struct{ text, end string }

func newDiff(old, new []byte) *diff {
	d := &diff{}
	d.old.cut(string(old))
	d.new.cut(string(new))
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
	d.findMoved()
	for hunk := range d.hunks {
		d.findEdited(hunk)
	}
	return d
}

// cut cuts a file into lines as the engine does, see engine.RawLine: at LF, CR, and both,
// after a byte order mark, of which one or two bytes are skipped as well.
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

// hunk is what lies between two lines that stay: lines from to before to on either side.
type hunk struct{ oldFrom, oldTo, newFrom, newTo int }

// hunks yields the places at which the files differ, in order.
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

// step is a line of the files put one beside the other.
type step struct {
	op       Op  // "" = the line stays
	old, new int // 0-based; -1 = the file has none here
}

// steps yields all lines of both files in order. A line that has moved comes twice: where
// it was, without the new file's line, and where it is.
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

// line returns the line of a step; false = it has none.
func (d *diff) line(s step) (Line, bool) {
	line := Line{Op: s.op}
	if s.op == Moved {
		if s.new < 0 {
			return line, false // it is listed where it is now
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
