package compare

import (
	"slices"
	"strings"
)

// findMoved pairs equal lines at different places of the two files, in order. Only lines with a
// field count, because blank lines and comments occur everywhere.
func (d *diff) findMoved() {
	gone := map[int32][]int{} // old lines, by kind
	for i, kind := range d.old.kinds {
		if field, _ := cutField(d.old.lines[i].text); d.old.match[i] < 0 && field != "" {
			gone[kind] = append(gone[kind], i)
		}
	}
	for k, kind := range d.new.kinds {
		if list := gone[kind]; d.new.match[k] < 0 && len(list) > 0 {
			d.setPair(Moved, list[0], k)
			gone[kind] = list[1:]
		}
	}
}

func (d *diff) setPair(op Op, i, k int) {
	d.old.ops[i], d.new.ops[k] = op, op
	d.old.pair[i], d.new.pair[k] = k, i
}

// maxAkin bounds the pairs of lines of one hunk whose likeness is computed. In a larger hunk, lines
// are compared by position.
const maxAkin = 10_000

// findEdited pairs the lines of a hunk that are edits of each other: in order, with the greatest
// total likeness.
func (d *diff) findEdited(h hunk) {
	olds, news := d.old.open(h.oldFrom, h.oldTo), d.new.open(h.newFrom, h.newTo)
	if len(olds)*len(news) > maxAkin {
		for n := range min(len(olds), len(news)) {
			if d.likeness(olds[n], news[n]) > 0 {
				d.setPair(Edited, olds[n], news[n])
			}
		}
		return
	}
	// best[i][k] is the greatest total likeness of the lines after the first i and k.
	best := make([][]int, len(olds)+1)
	for i := range best {
		best[i] = make([]int, len(news)+1)
	}
	like := make([]int, len(olds)*len(news))
	for i, o := range slices.Backward(olds) {
		for k, n := range slices.Backward(news) {
			l := d.likeness(o, n)
			like[i*len(news)+k] = l
			best[i][k] = max(best[i+1][k], best[i][k+1])
			if l > 0 {
				best[i][k] = max(best[i][k], l+best[i+1][k+1])
			}
		}
	}
	for i, k := 0, 0; i < len(olds) && k < len(news); {
		switch l := like[i*len(news)+k]; {
		case l > 0 && best[i][k] == l+best[i+1][k+1]:
			d.setPair(Edited, olds[i], news[k])
			i, k = i+1, k+1
		case best[i][k] == best[i+1][k]:
			i++
		default:
			k++
		}
	}
}

// open returns the lines of a part without an operation.
func (s *sideLines) open(from, to int) (list []int) {
	for i := from; i < to; i++ {
		if s.ops[i] == "" {
			list = append(list, i)
		}
	}
	return list
}

// likeness measures how similar an old and a new line are; 0 = not related. Lines are related if
// they have the same field, or different fields with the same value (such as a rule that now
// allows, or a fixed spelling), or mostly the same text.
func (d *diff) likeness(i, k int) int {
	a, b := d.old.lines[i].text, d.new.lines[k].text
	field, value := cutField(a)
	fieldNow, valueNow := cutField(b)
	switch {
	case field != "" && field == fieldNow:
		return 10 + alike(value, valueNow)
	case field != "" && fieldNow != "" && value != "" && value == valueNow:
		return 60
	}
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == "" || b == "" || (field == "") != (fieldNow == "") && !strings.EqualFold(strings.Trim(a, "# "), strings.Trim(b, "# ")) {
		return 0
	}
	if n := alike(a, b); n >= 60 {
		return n
	}
	return 0
}

// alike measures how much two texts share at their beginnings and ends: 0 to 90.
func alike(a, b string) int {
	const most = 200 // number of bytes compared
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	begin := 0
	for begin < min(len(a), len(b)) && a[begin] == b[begin] {
		begin++
	}
	end := 0
	for end < min(len(a), len(b))-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if len(a)+len(b) == 0 {
		return 90
	}
	return 90 * 2 * (begin + end) / (len(a) + len(b))
}
