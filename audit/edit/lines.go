package edit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"robots-audit/engine"
)

// Op is the operation of an edit on a line.
type Op string

const (
	Delete  Op = "delete"
	Insert  Op = "insert"  // a new line after Line
	Replace Op = "replace" // another text in place of Line
)

// Edit is one inserted, deleted or replaced line.
type Edit struct {
	Op   Op     `json:"op"`
	Line int    `json:"line"` // 1-based, in the old file; for an insertion the line before, 0 = at the beginning
	Text string `json:"text"` // the new line, without its line end
	Was  string `json:"was"`  // the old line
}

// octets returns the size of the inserted and deleted lines, with their line ends.
func (e Edit) octets() int {
	switch e.Op {
	case Delete:
		return len(e.Was) + 1
	case Insert:
		return len(e.Text) + 1
	}
	return len(e.Was) + len(e.Text) + 2
}

// ruleOf returns the field and the value of a line as written.
func ruleOf(text string) (field, value string) {
	field, value, _ = strings.Cut(text, ":")
	value, _, _ = strings.Cut(value, "#")
	return strings.TrimSpace(field), strings.TrimSpace(value)
}

// structural is the reach of an edit of a line that is no rule. It changes to which crawlers rules
// apply.
const structural = 2

// reach says how far an edit may affect URLs that are unknown: 0 = a rule without a wildcard, 1 = a
// rule with one, or structural.
func (e Edit) reach() int {
	text := e.Was
	if e.Op == Insert {
		text = e.Text
	}
	field, value := ruleOf(text)
	switch field = strings.ToLower(field); {
	case field != "allow" && !strings.HasPrefix(field, "dis"): // some crawlers accept misspelt ones
		return structural
	case strings.Contains(bare(value), "*"):
		return 1
	}
	return 0
}

// file is a robots.txt in lines.
type file struct {
	head  string // a byte order mark
	lines []line
	end   string // its usual line end
	size  int
	rules int // lines, and wildcards in them: the cost of comparing a URL with all of them
}

type line struct {
	text, end string
}

// split splits a body into lines with the engine's numbers.
func split(body []byte) *file {
	f := &file{end: "\n", size: len(body)}
	all := engine.Profile{Limit: -1}
	for l := range all.Parse(body).Lines() {
		if l.Number == 1 {
			f.head = string(body[:l.Offset])
			if l.End != "" {
				f.end = l.End
			}
		}
		f.lines = append(f.lines, line{l.Text, l.End})
	}
	if f.lines == nil {
		f.head = string(body)
	}
	f.rules = len(f.lines) + bytes.Count(body, []byte("*"))
	return f
}

// text returns a line of the file (1-based).
func (f *file) text(number int) string { return f.lines[number-1].text }

// apply applies edits, which are in the order of the file.
func (f *file) apply(edits []Edit) []byte {
	body := make([]byte, 0, f.size+256)
	body = append(body, f.head...)
	for n := 0; n <= len(f.lines); n++ {
		var now []Edit
		for len(edits) > 0 && edits[0].Line <= n {
			now, edits = append(now, edits[0]), edits[1:]
		}
		if n > 0 {
			l := f.lines[n-1]
			at := slices.IndexFunc(now, func(e Edit) bool { return e.Op != Insert })
			switch {
			case at < 0:
				body = append(append(body, l.text...), l.end...)
			case now[at].Op == Replace:
				body = append(append(body, now[at].Text...), l.end...)
			}
		}
		for _, e := range now {
			if e.Op != Insert {
				continue
			}
			if last := len(body) - 1; last >= len(f.head) && body[last] != '\n' && body[last] != '\r' {
				body = append(body, f.end...)
			}
			body = append(append(body, e.Text...), f.end...)
		}
	}
	return body
}

// change is a candidate with one or more edits.
type change struct {
	edits  []Edit
	reach  int // the maximum of its edits
	ragged int // total of how badly its new rules read
	octets int
	covers bitset // needed pairs that get the verdict
	flips  int64
	clean  bool // no other verdict changes
	dirty  bool // other verdicts change, but the number is not known yet
}

func (f *finder) newChange(edits ...Edit) *change {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Line, b.Line) })
	c := &change{edits: edits}
	for _, e := range edits {
		c.octets += e.octets()
		c.reach = max(c.reach, e.reach())
		switch pattern, is := strings.CutPrefix(e.Text, f.rule("")); {
		case e.Op == Insert && is:
			c.ragged += f.ragged(pattern)
		case e.Op != Insert:
			c.ragged += f.raggedGone(e.Was)
		}
	}
	return c
}

// compare puts the smaller change first. Changes that differ only in their places are equal.
func (c *change) compare(other *change) int {
	return cmp.Or(cmp.Compare(c.reach/structural, other.reach/structural), cmp.Compare(len(c.edits), len(other.edits)),
		cmp.Compare(c.reach, other.reach), cmp.Compare(c.ragged, other.ragged), cmp.Compare(c.octets, other.octets),
		slices.CompareFunc(c.edits, other.edits, func(a, b Edit) int {
			return cmp.Or(cmp.Compare(a.Op, b.Op), cmp.Compare(a.Text, b.Text))
		}))
}
