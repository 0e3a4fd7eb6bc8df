package reports

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
)

// reader is an origin's robots.txt, read once more by the profiles of the
// crawlers asked about: for what the records do not say, such as the runner-up of
// a verdict. It is made when it is first needed.
type reader struct {
	readings []*engine.Robots // as the crawlers have it, each once
	groups   []*engine.Group  // of each crawler; nil = its profile is not one of this program
	same     []int            // of each crawler, the first one that obeys the same group by the same profile
}

// maxReaders bounds the files of one site that are kept read.
const maxReaders = 16

// reader returns an origin's robots.txt, read.
func (b *siteBook) reader(origin int) *reader {
	if r := b.readers[origin]; r != nil {
		return r
	}
	if len(b.readers) >= maxReaders {
		b.readers = nil
		b.answers.Forget()
	}
	r := &reader{groups: make([]*engine.Group, len(b.site.Crawlers))}
	for i := range b.site.Crawlers {
		r.same = append(r.same, i)
		c, p, ok := b.site.Crawlers[i].Robot()
		if !ok {
			continue
		}
		robots := b.answers.Read(origin, p, c)
		if !slices.Contains(r.readings, robots) {
			r.readings = append(r.readings, robots)
		}
		r.groups[i] = robots.Group(c)
		for k := range i {
			if r.groups[k] != nil && b.site.Crawlers[k].Profile == p.Name && slices.Equal(r.groups[k].Rules, r.groups[i].Rules) {
				r.same[i] = k
				break
			}
		}
	}
	if b.readers == nil {
		b.readers = map[int]*reader{}
	}
	b.readers[origin] = r
	return r
}

// ruleGroups tells in which groups the rules of an origin's robots.txt stand.
func (b *siteBook) ruleGroups(r *audit.Robots) []audit.RuleGroup {
	if r.Groups != nil || len(r.Rules) == 0 {
		return r.Groups
	}
	return audit.RuleGroups(r.Rules, b.reader(r.Index).readings)
}
