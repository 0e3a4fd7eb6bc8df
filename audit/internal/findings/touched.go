package findings

import (
	"fmt"
	"slices"

	"robots-audit/engine"
)

// Descriptions of the URLs counted for a finding of the file alone; see Finding.URLs.
const (
	decidedByLine = "decided by this line"
	matchedByLine = "matched by this line, which changes no verdict"
)

// Idle describes the counted URLs if Lint says that the line changes no verdict.
const Idle = matchedByLine

// groupedLines counts the URLs of a Lint finding about several lines: those that one of the lines
// decides.
type groupedLines struct {
	lint  int   // index into Collector.lint
	last  int64 // number of the URL counted last
	count urlCount
}

// maxGrouped bounds such findings. There are no more kinds of them, and each occurs once in a file.
const maxGrouped = 8

// idleLine counts the URLs that a line matches if Lint says that it changes nothing. The URLs that
// it decides would not show its purpose.
type idleLine struct {
	last  int64 // number of the URL counted last
	count urlCount
}

// changesNothing reports whether a Lint finding says that its line never decides, or that another
// has the same effect.
func changesNothing(id string) bool {
	return id == ruleAddsNothing || id == ruleSamePath || id == ruleShadowed
}

// prepareTouched notes which lines share a count of URLs, and which count matches.
func (c *Collector) prepareTouched() {
	for k := range c.lint {
		found := &c.lint[k]
		if len(found.Lines) > 0 && len(c.grouped) < maxGrouped {
			for _, line := range found.Lines {
				if r := c.rule(int32(line)); r != nil {
					r.groups |= 1 << len(c.grouped)
				}
			}
			c.grouped = append(c.grouped, groupedLines{lint: k})
		}
		if r := c.rule(int32(found.Line)); r != nil && r.idle == 0 && changesNothing(found.ID) {
			c.idle = append(c.idle, idleLine{})
			r.idle = int32(len(c.idle))
		}
	}
	for i := range c.readers {
		if c.matrix.Same(i) != i || len(c.idle) == 0 {
			continue
		}
		for k, rule := range c.readers[i].Group.Rules {
			if c.rule(int32(rule.Line)).idle > 0 {
				c.matrix.Watch(i, k)
			}
		}
	}
}

// addGrouped counts a URL for the findings whose lines decide it.
func (c *Collector) addGrouped(groups uint8, loc string) {
	for i := range c.grouped {
		if g := &c.grouped[i]; groups>>i&1 != 0 && g.last != c.number {
			g.last = c.number
			g.count.addURL(loc)
		}
	}
}

// addMatched counts the last judged URL for the lines that match it.
func (c *Collector) addMatched(loc string) {
	for line := range c.matrix.Watched {
		idle := &c.idle[c.rule(int32(line)).idle-1]
		if idle.last != c.number {
			idle.last = c.number
			idle.count.addURL(loc)
		}
	}
}

// setTouched sets the URLs of the k-th Lint finding. It counts none if no reader obeys its lines,
// or if the finding is not about URLs.
func (b *builder) setTouched(found *Finding, k int) {
	if len(found.Lines) > 0 {
		obeyed := 0
		for _, line := range found.Lines {
			if b.rule(int32(line)) != nil {
				obeyed++
			}
		}
		at := slices.IndexFunc(b.grouped, func(g groupedLines) bool { return g.lint == k })
		if at >= 0 && obeyed > 0 {
			found.setCount(&b.grouped[at].count, fmt.Sprintf("decided by one of the %d lines", len(found.Lines)))
			if len(found.Lines) == engine.MaxLines {
				found.Touched = fmt.Sprintf("at least: decided by one of the first %d lines", engine.MaxLines)
			}
		}
		return
	}
	rule := b.rule(int32(found.Line))
	switch {
	case rule == nil, found.ID == ruleWithoutPath && rule.blocksNothing:
	case changesNothing(found.ID):
		found.setCount(&b.idle[rule.idle-1].count, matchedByLine)
	default:
		found.setCount(rule.decides, decidedByLine)
	}
}
