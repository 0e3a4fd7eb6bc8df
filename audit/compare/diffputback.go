package compare

import (
	"cmp"
	"slices"
)

// putBack returns the new file with some of its changes undone. They are indices into the result of
// diffLines. An added line is left out, a removed line is back in its old place, an edited line has its old
// text, and a moved line is back in its old place. With all changes undone the result is the old lines.
func putBack(new, old []byte, changes []Line, which []int) []byte {
	d := &diff{}
	d.old.cut(string(old))
	d.new.cut(string(new))
	d.take(changes)
	back := map[[2]int]bool{} // 1-based lines of undone changes
	for _, i := range which {
		back[[2]int{changes[i].OldLine, changes[i].NewLine}] = true
	}
	end := usualEnd(&d.new, &d.old)
	text := append(make([]byte, 0, len(new)+len(old)/8), d.new.head...)
	add := func(l textLine) {
		if n := len(text); n > len(d.new.head) && text[n-1] != '\n' && text[n-1] != '\r' {
			text = append(text, end...)
		}
		if n := len(text); n > 0 && text[n-1] == '\r' && l.text == "" && l.end == "\n" {
			l.end = "\r\n" // otherwise CR and LF would merge into one line end
		}
		text = append(append(text, l.text...), l.end...)
	}
	for s := range d.steps {
		was := s // the change that the step belongs to
		if s.op == Moved && s.new < 0 {
			was.new = d.old.pair[s.old]
		} else if s.op == Moved {
			was.old = d.new.pair[s.new]
		}
		undone := back[[2]int{was.old + 1, was.new + 1}]
		if undone && s.old >= 0 {
			add(textLine{d.old.lines[s.old].text, cmp.Or(d.old.lines[s.old].end, end)})
		} else if !undone && s.new >= 0 {
			add(d.new.lines[s.new])
		}
	}
	return text
}

// take rebuilds the alignment of two files from the reported lines: all other lines are equal, in
// order.
func (d *diff) take(changes []Line) {
	for _, s := range []*sideLines{&d.old, &d.new} {
		s.match, s.ops, s.pair = make([]int32, len(s.lines)), make([]Op, len(s.lines)), map[int]int{}
	}
	for _, c := range changes {
		if c.OldLine > 0 {
			d.old.match[c.OldLine-1], d.old.ops[c.OldLine-1] = -1, c.Op
		}
		if c.NewLine > 0 {
			d.new.match[c.NewLine-1], d.new.ops[c.NewLine-1] = -1, c.Op
		}
		if c.OldLine > 0 && c.NewLine > 0 {
			d.setPair(c.Op, c.OldLine-1, c.NewLine-1)
		}
	}
}

// usualEnd returns the line end for a restored line that has none.
func usualEnd(files ...*sideLines) string {
	for _, s := range files {
		if i := slices.IndexFunc(s.lines, func(l textLine) bool { return l.end != "" }); i >= 0 {
			return s.lines[i].end
		}
	}
	return "\n"
}
