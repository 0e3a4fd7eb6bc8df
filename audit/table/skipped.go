package table

import (
	"fmt"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// maxShown bounds the rows that a Skipped shows.
const maxShown = 5

// Skipped has the rows that were skipped: all are counted, and the first are shown.
type Skipped struct {
	Rows  int64
	First []RowError // at most five
}

// Add adds a row.
func (s *Skipped) Add(e RowError) {
	if s.Rows++; len(s.First) < maxShown {
		e.Text = escape.Cut(escape.Printable(e.Text), 80)
		s.First = append(s.First, e)
	}
}

// String lists the lines with their texts and reasons: `line 5 "shoes": no absolute http or https
// URL; and 2 more`. It is "" if there are none. The same reason is given once.
func (s Skipped) String() string {
	var b strings.Builder
	last := ""
	for i, e := range s.First {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "line %d", e.Line)
		if e.Text != "" {
			fmt.Fprintf(&b, " %q", e.Text)
		}
		if e.Why != last {
			b.WriteString(": " + e.Why)
		}
		last = e.Why
	}
	if more := s.Rows - int64(len(s.First)); more > 0 {
		fmt.Fprintf(&b, "; and %s more", wording.Thousands(more))
	}
	return b.String()
}
