package compare

import (
	"slices"

	"robots-audit/engine"
)

// judges are the robots.txt of two origins, one of each side, that apply to one URL. Both are
// combined in one Matrix, which searches the URL once for both sides.
type judges struct {
	old, new *governed
	causes   []Cause        // of flips, for each crawler, see answersCause; nil until one is needed
	same     bool           // all crawlers read them alike: no verdict differs
	matrix   *engine.Matrix // over the groups of the old side, then the new side; nil = a verdict was recorded, or both are the same
}

// judgesOf returns the judges of two origins.
func (c *comparison) judgesOf(old, new *governed) *judges {
	if j := c.judges; j != nil && j.old == old && j.new == new {
		return j
	}
	key := [2]*governed{old, new}
	j := c.known[key]
	if j == nil {
		j = &judges{old: old, new: new}
		if !old.recorded && !new.recorded {
			j.matrix = engine.NewMatrix(slices.Concat(old.groups, new.groups)...)
			j.same = true
			for i := range new.groups {
				j.same = j.same && j.matrix.Same(len(old.groups)+i) == j.matrix.Same(i)
			}
		}
		c.known[key] = j
	}
	c.judges = j
	return j
}

// verdicts judges a URL on both sides. The decisions are valid until the next call. same = the
// verdicts are equal, and only those of the new side are returned.
func (c *comparison) verdicts(p pair) (was, is []engine.Decision, same bool) {
	n := len(c.site.Crawlers)
	was, is = c.decisions[:n], c.decisions[n:]
	switch {
	case p.old == nil:
		c.new.verdicts(p.new, is)
		return nil, is, false
	case p.new == nil:
		c.old.verdicts(p.old, was)
		return was, nil, false
	}
	j := c.judgesOf(p.old.origin, p.new.origin)
	switch {
	case j.same && p.old.loc == p.new.loc:
		c.new.verdicts(p.new, is)
		return nil, is, true
	case j.matrix != nil && p.old.loc == p.new.loc:
		j.matrix.Verdicts(p.new.loc, c.decisions)
	default: // two spellings of one address, which some readers distinguish
		c.old.verdicts(p.old, was)
		c.new.verdicts(p.new, is)
	}
	return was, is, false
}
