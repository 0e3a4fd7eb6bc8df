package findings

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// urlCount counts URLs and keeps the first few.
type urlCount struct {
	n       int64
	last    int64 // number of the URL counted last, see countURL
	samples []string

	severity engine.Severity // of the finding; Info = that of its message
}

// MaxSamples is the number of URLs shown with a finding.
const MaxSamples = 5

func (t *urlCount) addURL(url string) {
	if t.n++; len(t.samples) < MaxSamples {
		t.samples = append(t.samples, strings.Clone(url)) // url is part of a batch's text
	}
}

// with returns t with one more URL; it makes t if it is nil.
func (t *urlCount) with(url string) *urlCount {
	if t == nil {
		t = new(urlCount)
	}
	t.addURL(url)
	return t
}

// subject is the subject of a count of URLs.
type subject struct {
	id     string
	line   int32  // the rule; 0 = the file as a whole
	detail string // distinguishes counts of one id at one line
}

// maxSubjects limits the counts in addition to those of rules. Further ones count for the file as a
// whole.
const maxSubjects = 4096

// AddOccurrence counts a URL for the finding of an id at a line; line 0 is the file as a whole.
// Occurrences with different details are counted and reported separately. Add a URL once for each
// id, line and detail.
func (c *Collector) AddOccurrence(id string, line int32, detail, url string) {
	c.number++
	c.countURL(id, line, detail, url)
}

// AddDiffering is AddOccurrence for answers that differ, of this severity.
func (c *Collector) AddDiffering(id string, line int, severity engine.Severity, detail, url string) {
	c.number++
	c.countURL(id, int32(line), detail, url).severity = severity
}

// Shows reports whether a URL is one of those shown with a finding of an id.
func (c *Collector) Shows(id, url string) bool {
	for about, t := range c.counts {
		if about.id == id && slices.Contains(t.samples, url) {
			return true
		}
	}
	return false
}

// AddBlocked counts a URL for the finding of an id once at each of the lines that block it. Lines
// may repeat.
func (c *Collector) AddBlocked(id string, lines []int32, url string) {
	c.number++
	for _, line := range lines {
		c.countURL(id, line, "", url)
	}
}

// countURL counts the current URL for an id at a line, only once, because several readers may cause
// the call. It returns the count.
func (c *Collector) countURL(id string, line int32, detail, url string) *urlCount {
	about := subject{id, line, detail}
	t := c.counts[about]
	if t == nil {
		if len(c.counts) >= maxSubjects {
			about.line = 0
			t = c.counts[about]
		}
		if t == nil {
			t = &urlCount{}
			c.counts[about] = t
		}
	}
	if t.last != c.number {
		t.last = c.number
		t.addURL(url)
	}
	return t
}
