package gate

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit/expect"
	"robots-audit/engine/escape"
)

// Text writes a line for each expectation that is not met, and a count:
//
//	FAIL expect.csv:14  /de/produkte/  Googlebot@google: expected allow, got disallow by line 14 "Disallow: /de/p"
type Text struct {
	Out     io.Writer
	Several bool // there are several sites, so lines name the site
	All     bool // write a line also for expectations that are met
}

// Suite writes the lines of a site.
func (t *Text) Suite(s *expect.Suite) error {
	for i := range s.Results {
		r := &s.Results[i]
		if r.Outcome == expect.Met && !t.All {
			continue
		}
		line := Word(r.Outcome) + " " + place(r) + "  " + named(r, t.Several) + "  " + r.Crawler + ": " + What(r)
		if r.Note != "" {
			line += " [" + escape.Cut(r.Note, longestRule) + "]"
		}
		if _, err := fmt.Fprintln(t.Out, onOneLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// End writes the count.
func (t *Text) End(s *Summary) error {
	_, err := fmt.Fprintln(t.Out, onOneLine(s.Headline()))
	return err
}

// onOneLine makes a text safe for a line on a terminal.
func onOneLine(s string) string {
	return strings.NewReplacer("\t", " ", "\n", " ").Replace(escape.Printable(s))
}
