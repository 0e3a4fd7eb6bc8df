package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
)

// differingURLs describes the counted URLs.
const differingURLs = "with different verdicts for crawlers that should agree"

// Limits of the differences between crawlers.
const (
	maxDifferences   = 256 // different combinations of verdicts
	shownDifferences = 3   // for one line
	shownReaders     = 4   // with one verdict
)

// otherDifferences is used for combinations beyond maxDifferences.
const otherDifferences = "in other ways"

// addDifference notes a URL with different verdicts of readers that should agree. It counts once at
// each line that gives one of the verdicts, with the verdicts of those readers.
func (c *Collector) addDifference(loc string, decisions []engine.Decision) {
	c.lines, c.buffer, c.differ = c.lines[:0], c.buffer[:0], c.differ[:0]
	for i, peer := range c.peers {
		if peer < 0 || decisions[i].Verdict == decisions[peer].Verdict {
			continue
		}
		d, other := decisions[i], decisions[peer]
		c.differ = append(c.differ, c.alike[i])
		line := d.Line()
		if d.Verdict == engine.Allow || line == 0 {
			line = other.Line()
		}
		if line == 0 {
			line = d.Line()
		}
		if !slices.Contains(c.lines, int32(line)) {
			c.lines = append(c.lines, int32(line))
		}
	}
	for i, like := range c.alike {
		verdict := byte(0)
		if slices.Contains(c.differ, like) {
			verdict = 1 + byte(decisions[i].Verdict)
		}
		c.buffer = append(c.buffer, verdict)
	}
	words, ok := c.differences[string(c.buffer)]
	if !ok {
		words = otherDifferences
		if len(c.differences) < maxDifferences {
			words = c.describeVerdicts(c.buffer)
			if c.differences == nil {
				c.differences = map[string]string{}
			}
			c.differences[string(c.buffer)] = words
		}
	}
	for _, line := range c.lines {
		c.countURL(readersDiffer, line, words, loc)
	}
}

// describeVerdicts names the readers of each verdict: "blocked for Googlebot (google), allowed for
// Bingbot (rfc9309)". verdicts has for each reader its verdict plus 1; 0 = not affected.
func (c *Collector) describeVerdicts(verdicts []byte) string {
	var parts []string
	for _, v := range [...]engine.Verdict{engine.Disallow, engine.Allow, engine.Undefined, engine.Unknown} {
		var names []string
		for i := range verdicts {
			if verdicts[i] == 1+byte(v) {
				r := &c.readers[i]
				name := r.Label
				if !strings.Contains(name, r.Profile.Name) {
					name += " (" + r.Profile.Name + ")"
				}
				names = append(names, name)
			}
		}
		if more := len(names) - shownReaders; more > 0 {
			names = append(names[:shownReaders], fmt.Sprintf("%d more", more))
		}
		if n := len(names); n > 1 {
			names = []string{strings.Join(names[:n-1], ", ") + " and " + names[n-1]}
		}
		if len(names) > 0 {
			parts = append(parts, v.Word()+" for "+names[0])
		}
	}
	return strings.Join(parts, ", ")
}

// differing returns the sum of the URLs on which readers differ at a line, and describes the most
// frequent differences. It returns nil if there is none.
func (b *builder) differing(line int32) (sum *urlCount, ways string) {
	type way struct {
		words string
		n     int64
	}
	var list []way
	for _, key := range b.subjects() {
		if key.id != readersDiffer || key.line != line {
			continue
		}
		t := b.counts[key]
		if sum == nil {
			sum = &urlCount{}
		}
		sum.n += t.n // each URL has only one combination
		sum.samples = append(sum.samples, t.samples[:min(len(t.samples), MaxSamples-len(sum.samples))]...)
		list = append(list, way{key.detail, t.n})
		delete(b.counts, key)
	}
	if len(list) == 1 {
		return sum, list[0].words
	}
	slices.SortStableFunc(list, func(x, y way) int { return cmp.Compare(y.n, x.n) })
	var parts []string
	others := int64(0)
	for i, w := range list {
		if i < shownDifferences {
			parts = append(parts, fmt.Sprintf("%d: %s", w.n, w.words))
		} else {
			others += w.n
		}
	}
	if others > 0 {
		parts = append(parts, fmt.Sprintf("%d: %s", others, otherDifferences))
	}
	return sum, strings.Join(parts, "; ")
}

// addDifferences adds the lines at which readers differ and for which Lint has no finding.
func (b *builder) addDifferences() {
	var lines []int32
	for key := range b.counts {
		if key.id == readersDiffer {
			lines = append(lines, key.line)
		}
	}
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		t, ways := b.differing(line)
		b.addFinding(readersDiffer, line, t, engine.Warning, urls(t.n, "gets", "get")+" different verdicts: "+ways, differingURLs)
	}
}
