package sidebyside

import (
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// New returns the rows of a file: the changed lines, with the lines around them.
func New(o *compare.Origin) File { return build(o, func(*compare.Line) bool { return true }) }

// Changing is New without the changed lines that change no URL. Lines whose effect is not known stay.
func Changing(o *compare.Origin) File {
	return build(o, func(l *compare.Line) bool { return l.NotCounted || l.Flips() > 0 })
}

// build returns the rows of the changed lines that are shown.
func build(o *compare.Origin, shown func(*compare.Line) bool) (f File) {
	olds, news := map[int]*compare.Line{}, map[int]*compare.Line{}
	for i := range o.Diff {
		l := &o.Diff[i]
		if !shown(l) {
			f.Folded++
		}
		if l.OldLine > 0 {
			olds[l.OldLine] = l
		}
		if l.NewLine > 0 {
			news[l.NewLine] = l
		}
	}
	old, new := lines{body: o.Old.Body}, lines{body: o.New.Body}
	old.next()
	new.next()
	var before []Row // the latest unchanged lines
	skipped, folded, after := 0, 0, 0
	for old.more || new.more {
		row, line := nextRow(olds, news, &old, &new)
		switch {
		case line != nil && !shown(line):
			skipped, before, after = skipped+len(before), before[:0], 0
			if row.Margin { // a moved line comes twice
				folded++
			}
		case line != nil && len(f.Rows) >= maxRows:
			f.More = len(o.Diff) - f.Folded - f.changed()
			return f
		case line != nil:
			f.skip(skipped, folded)
			f.Rows = append(append(f.Rows, before...), row)
			before, skipped, folded, after = before[:0], 0, 0, context
		case after > 0:
			f.Rows = append(f.Rows, row)
			after--
		default:
			if before = append(before, row); len(before) > context {
				before = slices.Delete(before, 0, 1)
				skipped++
			}
		}
	}
	f.skip(skipped+len(before), folded)
	return f
}

// skip adds a row for lines that are not shown: unchanged ones, and changed ones that change no URL.
func (f *File) skip(unchanged, folded int) {
	var words []string
	if folded > 0 {
		words = append(words, wording.Plural(folded, "different line")+wording.Verb(folded, " changes no URL", " change no URL"))
	}
	if unchanged > 0 {
		words = append(words, wording.Plural(unchanged, "line")+wording.Verb(unchanged, " stays as it is", " stay as they are"))
	}
	if len(words) > 0 {
		f.Rows = append(f.Rows, Row{Skipped: unchanged + folded, Words: strings.Join(words, ", ")})
	}
}

// nextRow takes the next line of one version or of both. Lines that only one version has come first. line is nil
// for an unchanged line.
func nextRow(olds, news map[int]*compare.Line, old, new *lines) (row Row, line *compare.Line) {
	var was, is *compare.Line
	if old.more {
		was = olds[old.number]
	}
	if new.more {
		is = news[new.number]
	}
	edited := func(l *compare.Line) bool { return l != nil && l.Op == compare.Edited }
	switch {
	case was != nil && (!edited(was) || edited(is) && was != is):
		defer old.next()
		return changedRow(was, old, nil), was
	case is != nil && was != is && (!edited(is) || was == nil):
		defer new.next()
		return changedRow(is, nil, new), is
	case was != nil && was != is:
		defer old.next()
		return changedRow(was, old, nil), was
	}
	defer old.next()
	defer new.next()
	if was != nil {
		return changedRow(was, old, new), was
	}
	if old.more {
		row.OldLine, row.Old = old.number, &Side{Before: clip(old.text)}
	}
	if new.more {
		row.NewLine, row.New = new.number, &Side{Before: clip(new.text)}
	}
	return row, nil
}

// changed counts the changed lines that are shown. A moved line is shown twice.
func (f *File) changed() (n int) {
	for i := range f.Rows {
		if f.Rows[i].Margin {
			n++
		}
	}
	return n
}

// Trim keeps the first n rows.
func (f *File) Trim(n int) {
	if len(f.Rows) <= n {
		return
	}
	before := f.changed()
	f.Rows = f.Rows[:n]
	f.More += before - f.changed()
}

// changedRow is the row of a changed line; a side is nil if that version has no such line. The changed
// verdicts are next to the new line, or next to the old line if it was removed.
func changedRow(l *compare.Line, old, new *lines) (row Row) {
	row.Class = l.Op.Words()
	if old != nil {
		row.OldLine, row.Old = old.number, &Side{Before: clip(old.text), Sign: row.Class}
	}
	if new != nil {
		row.NewLine, row.New = new.number, &Side{Before: clip(new.text), Sign: row.Class}
	}
	switch {
	case l.Op == compare.Moved && old != nil:
		row.Old.Sign = "moved to line " + wording.Thousands(l.NewLine)
		return row
	case l.Op == compare.Moved:
		row.New.Sign = "moved from line " + wording.Thousands(l.OldLine)
	case l.Op == compare.Edited && old != nil && new != nil:
		row.Old.Sign = ""
		mark(row.Old, row.New)
	case l.Op == compare.Edited && old != nil:
		return row
	}
	row.Margin, row.Blocked, row.Allowed, row.Other = true, l.NewlyBlocked, l.NewlyAllowed, l.OtherFlips
	if l.NotCounted {
		row.Words = "not counted"
	} else if l.Together > 0 {
		row.Words = wording.Thousands(l.Together) + " with other lines"
	} else if row.Blocked+row.Allowed+row.Other == 0 {
		row.Words = "–"
	}
	return row
}

// mark splits two lines where they differ, but only between words: a word with half of it in another colour
// is hard to read.
func mark(a, b *Side) {
	x, y := a.Before, b.Before
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	for within(x, head) || within(y, head) {
		head--
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	for within(x, len(x)-tail) || within(y, len(y)-tail) {
		tail--
	}
	a.Before, a.Differs, a.After = x[:head], x[head:len(x)-tail], x[len(x)-tail:]
	b.Before, b.Differs, b.After = y[:head], y[head:len(y)-tail], y[len(y)-tail:]
}

// within reports whether a byte is inside a word, not at its start.
func within(s string, at int) bool {
	return at > 0 && at < len(s) && wordByte(s[at-1]) && wordByte(s[at])
}

func wordByte(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// clip shortens a line, and copies it.
func clip(text []byte) string { return strings.Clone(escape.Cut(string(text), longLine)) }

// lines splits a body into lines, with the line ends of robots.txt.
type lines struct {
	body   []byte
	number int // 1-based
	text   []byte
	more   bool // whether there is a line
}

func (l *lines) next() {
	l.number++
	if l.more = len(l.body) > 0; !l.more {
		l.text = nil
		return
	}
	end := 0
	for end < len(l.body) && l.body[end] != '\n' && l.body[end] != '\r' {
		end++
	}
	l.text = l.body[:end]
	if end < len(l.body) && l.body[end] == '\r' && end+1 < len(l.body) && l.body[end+1] == '\n' {
		end++
	}
	l.body = l.body[min(end+1, len(l.body)):]
}
