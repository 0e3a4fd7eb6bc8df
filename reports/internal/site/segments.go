package site

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"robots-audit/audit/pattern"
	"robots-audit/engine"
)

// Segment is a part of sites that the user has named: the pages whose path and query match a
// pattern, and no earlier segment.
type Segment struct {
	Name    string `json:"name"`
	Pattern string `json:"pattern"` // as in a rule of robots.txt, "/blog/", "/*?page=" or "/shop/*.html$"; or "re:" and a regular expression
}

// Bounds of the segments of a run: every page is compared with each pattern, and each has a row in
// the summaries of every site.
const (
	maxSegments       = 200
	maxSegmentName    = 100 // bytes
	maxSegmentPattern = 2000
)

// NoSegment is the name for pages without a segment.
const NoSegment = "(no segment)"

// regexpPrefix begins a pattern that is a regular expression.
const regexpPrefix = "re:"

// Segments are the compiled segments of a run. Several goroutines may use them.
type Segments struct {
	list     []Segment
	patterns []func(loc string) bool
}

// NewSegments compiles segments. An error names the invalid one.
func NewSegments(list []Segment) (*Segments, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if len(list) > maxSegments {
		return nil, fmt.Errorf("%d segments, and a run has %d at most", len(list), maxSegments)
	}
	s := &Segments{}
	for _, of := range list {
		matches, err := of.compile()
		if err == nil && slices.ContainsFunc(s.list, func(before Segment) bool { return before.Name == of.Name }) {
			err = fmt.Errorf("there are two of that name; join their patterns, as in re:^/(blog|news)/")
		}
		if err != nil {
			return nil, fmt.Errorf("segment %.60q: %w", of.Name, err)
		}
		s.list, s.patterns = append(s.list, of), append(s.patterns, matches)
	}
	return s, nil
}

// Check returns an error that says why a segment is invalid.
func (of Segment) Check() error {
	_, err := of.compile()
	return err
}

// compile returns a function that reports whether a page matches.
func (of Segment) compile() (func(loc string) bool, error) {
	switch expression, isRegexp := strings.CutPrefix(of.Pattern, regexpPrefix); {
	case of.Name == "":
		return nil, fmt.Errorf("it has no name")
	case len(of.Name) > maxSegmentName || of.Name == NoSegment:
		return nil, fmt.Errorf("a name is up to %d bytes, and not %q", maxSegmentName, NoSegment)
	case of.Pattern == "":
		return nil, fmt.Errorf("it has no pattern")
	case len(of.Pattern) > maxSegmentPattern:
		return nil, fmt.Errorf("a pattern is up to %d bytes", maxSegmentPattern)
	case isRegexp:
		r, err := regexp.Compile(expression)
		if err != nil {
			return nil, fmt.Errorf("%q is not a regular expression", expression)
		}
		return func(loc string) bool { return r.MatchString(pattern.PathPart(loc)) }, nil
	case of.Pattern[0] != '/' && of.Pattern[0] != '*':
		return nil, fmt.Errorf("the pattern %.60q does not begin with /, with *, or with %s for a regular expression", of.Pattern, regexpPrefix)
	case strings.ContainsAny(of.Pattern, "#\r\n"):
		return nil, fmt.Errorf("a pattern cannot contain #, because crawlers never request it")
	}
	group := (&engine.Profile{}).Parse([]byte("User-agent: *\nDisallow: " + of.Pattern + "\n")).Group(engine.Crawler{})
	return func(loc string) bool { return group.Verdict(loc).Verdict == engine.Disallow }, nil
}

// of returns the index of a page's segment; the number of segments = none.
func (s *Segments) of(loc string) int {
	for i, matches := range s.patterns {
		if matches(loc) {
			return i
		}
	}
	return len(s.patterns)
}

// Name returns the name of a page's segment; "" = no segments were named.
func (s *Segments) Name(loc string) string {
	if s == nil {
		return ""
	}
	if i := s.of(loc); i < len(s.list) {
		return s.list[i].Name
	}
	return NoSegment
}

// Names are the names of the segments in the order of the user, then NoSegment; nil = none were named.
func (s *Segments) Names() (list []string) {
	if s == nil {
		return nil
	}
	for _, of := range s.list {
		list = append(list, of.Name)
	}
	return append(list, NoSegment)
}

// segmentCounts are the pages of a site by segment.
type segmentCounts struct {
	*Segments
	tallies []Tally // one for each segment, and one for pages without any
}

// CountSegments makes the site count later pages by segment; nil = do not count.
func (s *Site) CountSegments(of *Segments) {
	if of == nil {
		return
	}
	s.segments = &segmentCounts{of, make([]Tally, len(of.list)+1)}
	for i := range s.segments.tallies {
		s.segments.tallies[i].Blocked = make([]int64, len(s.Crawlers))
	}
}

// countSegment counts a page, and returns the index of its segment; -1 = pages are not counted by
// segment.
func (s *Site) countSegment(u *URL) int {
	if s.segments == nil {
		return -1
	}
	i := s.segments.of(u.Loc)
	s.segments.tallies[i].count(u)
	return i
}

// addSegment counts a page that a line blocks; segments is the number of counters.
func (l *lineBlocks) addSegment(i, segments int) {
	if l.segments == nil {
		l.segments = make([]int64, segments)
	}
	l.segments[i]++
}

// SegmentRow is a segment with its pages.
type SegmentRow struct {
	Segment
	*Tally
}

// Segments returns the segments in the order of the user, and at the end the pages without any; nil
// = none were named.
func (s *Site) Segments() (list []SegmentRow) {
	if s.segments == nil {
		return nil
	}
	for i := range s.segments.tallies {
		of := Segment{Name: NoSegment}
		if i < len(s.segments.list) {
			of = s.segments.list[i]
		}
		list = append(list, SegmentRow{of, &s.segments.tallies[i]})
	}
	return list
}

// SegmentCount is the number of pages of a segment that a cause affects.
type SegmentCount struct {
	Name string `json:"segment"`
	URLs int64  `json:"urls"`
}

// segmentsOf returns the segments of the pages that a line blocks, those with most pages first; nil
// = pages are not counted by segment.
func (s *Site) segmentsOf(blocks *lineBlocks) (list []SegmentCount) {
	for i, n := range blocks.segments {
		if n > 0 {
			list = append(list, SegmentCount{s.Segments()[i].Name, n})
		}
	}
	slices.SortStableFunc(list, func(a, b SegmentCount) int { return cmp.Compare(b.URLs, a.URLs) })
	return list[:min(len(list), maxCauseTemplates)]
}
