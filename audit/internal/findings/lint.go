package findings

import (
	"fmt"
	"slices"

	"robots-audit/engine"
)

// addLint adds the findings of the file alone, with the URLs that they affect. If the file's findings were
// added before, it adds only those that affect URLs or change their verdicts.
func (b *builder) addLint(repeated bool) {
	for k, found := range b.lint {
		if found.ID == robotsClientError && b.missing {
			found.Severity = engine.Info // no file and no rules are fine (RFC 9309 2.3.1.3)
		}
		counted := Finding{Finding: found}
		b.setFlips(&counted, k)
		switch {
		case b.tested == 0:
		case found.ID == groupHidesStar:
			b.addHidden(&counted)
		case found.ID == readersDiffer:
			b.addDiffering(&counted)
		default:
			b.setTouched(&counted, k)
		}
		if !repeated || counted.URLs > 0 || counted.Flips > 0 {
			b.list = append(b.list, counted)
		}
	}
}

// addHidden adds the URLs that a group allows for a reader and "*" would block.
func (b *builder) addHidden(counted *Finding) {
	line := int32(counted.Line)
	i := slices.IndexFunc(b.ownGroups, func(own ownGroup) bool { return own.line == line })
	if i < 0 {
		return
	}
	who := b.readers[b.ownGroups[i].reader].Label
	counted.setCount(b.counts[subject{groupHidesStar, line, ""}], "open to "+who+" by its own group, blocked by the * group")
	counted.Flips, counted.FlipsKnown = counted.URLs, true
	if counted.URLs > 0 {
		counted.What = fmt.Sprintf("%s open to %s, which has its own group", urls(counted.URLs, "that the * group blocks is", "that the * group blocks are"), who)
	}
}

// addDiffering adds the URLs on which readers differ at a line to Lint's finding about it.
func (b *builder) addDiffering(counted *Finding) {
	line := int32(counted.Line)
	sum, ways := b.differing(line)
	if sum == nil && b.rule(line) == nil {
		return
	}
	counted.setCount(sum, differingURLs)
	if sum == nil {
		counted.Severity = engine.Info // it is possible, but does not happen
		return
	}
	counted.What += fmt.Sprintf(". %s affected: %s", urls(sum.n, "is", "are"), ways)
}
