package compare

import (
	"fmt"
	"slices"
	"strings"
)

// patchContext is the number of unchanged lines around a change.
const patchContext = 3

// Patch returns a unified diff of two versions of a file, for "git apply" and patch; "" = they are equal. name
// is the file's path with slashes. old is nil if there was no file.
func Patch(name string, old, new []byte) string {
	d := &diff{}
	d.old.cutLF(string(old))
	d.new.cutLF(string(new))
	d.align()
	all := slices.Collect(d.hunks)
	if len(all) == 0 && old != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%s b/%[1]s\n", name)
	from := "a/" + name
	if old == nil {
		from = "/dev/null"
		b.WriteString("new file mode 100644\n")
	}
	if len(all) > 0 {
		fmt.Fprintf(&b, "--- %s\n+++ b/%s\n", from, name)
	}
	for len(all) > 0 {
		n := 1 // changes with the same lines around them
		for n < len(all) && all[n].oldFrom-all[n-1].oldTo <= 2*patchContext {
			n++
		}
		d.writePart(&b, all[:n])
		all = all[n:]
	}
	return b.String()
}

// CountLines counts the lines that a version of a file has more, and those that it has less.
func CountLines(old, new []byte) (added, removed int) {
	d := &diff{}
	d.old.cut(string(old))
	d.new.cut(string(new))
	d.align()
	for h := range d.hunks {
		added, removed = added+h.newTo-h.newFrom, removed+h.oldTo-h.oldFrom
	}
	return added, removed
}

// writePart writes changes that are next to each other, with the lines around them.
func (d *diff) writePart(b *strings.Builder, part []hunk) {
	first, last := part[0], part[len(part)-1]
	before, after := min(patchContext, first.oldFrom), min(patchContext, len(d.old.lines)-last.oldTo)
	at, to := first.oldFrom-before, last.oldTo+after
	fmt.Fprintf(b, "@@ -%s +%s @@\n", patchRange(at, to-at), patchRange(first.newFrom-before, last.newTo+after-(first.newFrom-before)))
	for _, h := range part {
		writeLines(b, ' ', d.old.lines[at:h.oldFrom])
		writeLines(b, '-', d.old.lines[h.oldFrom:h.oldTo])
		writeLines(b, '+', d.new.lines[h.newFrom:h.newTo])
		at = h.oldTo
	}
	writeLines(b, ' ', d.old.lines[at:to])
}

// writeLines writes lines of a patch with a mark: ' ' is in both files, '-' is removed, '+' is added.
func writeLines(b *strings.Builder, mark byte, lines []textLine) {
	for _, l := range lines {
		b.WriteByte(mark)
		b.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// patchRange names n lines after some others. If there are none, it names the last of the others.
func patchRange(before, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", before)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}

// cutLF splits a file into lines with their ends, as patches do: at LF only, also where crawlers see several lines.
func (s *sideLines) cutLF(text string) {
	for line := range strings.Lines(text) {
		s.lines = append(s.lines, textLine{text: line})
	}
}
