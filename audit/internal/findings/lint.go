package findings

import (
	"fmt"
	"slices"

	"robots-audit/engine"
)

// addLint adds what the file alone shows, with the URLs that it touches. Of a
// file of which all that was told before, it adds only what touches URLs.
func (b *builder) addLint(repeated bool) {
	for _, found := range b.lint {
		if found.ID == robotsClientError && b.missing {
			found.Severity = engine.Info // no file, and no rules: that is in order (RFC 9309 2.3.1.3)
		}
		counted := Finding{Finding: found}
		key := subject{found.ID, int32(found.Line), ""}
		switch rule := b.rule(int32(found.Line)); {
		case b.tested == 0:
		case found.ID == groupHidesStar:
			if slices.ContainsFunc(b.ownGroups, func(own ownGroup) bool { return own.line == key.line }) {
				counted.Counted = true
				counted.setCount(b.counts[key])
				if counted.URLs > 0 {
					counted.What += fmt.Sprintf("; %s open to it alone", urls(counted.URLs, "is", "are"))
				}
				delete(b.counts, key)
			}
		case found.ID == readersDiffer:
			b.addDiffering(&counted, key.line)
			if counted.Counted && counted.URLs == 0 {
				counted.Severity = engine.Info // it can happen, and does not
			}
		case rule != nil:
			counted.setCount(rule.decides)
			counted.URLs = b.matched[found.Line]
		}
		if !repeated || counted.URLs > 0 {
			b.list = append(b.list, counted)
		}
	}
}

// addDiffering adds the URLs on which readers differ at a line to what Lint
// has shown about it.
func (b *builder) addDiffering(counted *Finding, line int32) {
	counted.Counted = b.rule(line) != nil
	for _, key := range b.subjects() {
		if key.id == readersDiffer && key.line == line {
			t := b.counts[key]
			counted.URLs += t.n
			counted.Samples = append(counted.Samples, t.samples[:min(len(t.samples), MaxSamples-len(counted.Samples))]...)
			counted.What += fmt.Sprintf("; %s concerned (%s)", urls(t.n, "is", "are"), key.detail)
			delete(b.counts, key)
		}
	}
}
