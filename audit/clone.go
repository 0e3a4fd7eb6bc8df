package audit

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// Clone returns a copy of the batch that the caller may keep beyond the loop's next record. Its
// texts share one allocation.
func (u *URLs) Clone() *URLs {
	size, verdicts, lines, hits := 0, 0, 0, 0
	for i := range u.List {
		size += len(u.List[i].Loc) + len(u.List[i].LastMod) + len(u.List[i].Written)
		verdicts += len(u.List[i].Verdicts)
		lines += len(u.List[i].Lines)
		hits += len(u.List[i].Hits)
	}
	var texts strings.Builder
	texts.Grow(size)
	c := &URLs{List: make([]URL, len(u.List)), verdicts: make([]engine.Verdict, 0, verdicts), lines: make([]int32, 0, lines), hits: make([]int64, 0, hits)}
	for i, url := range u.List {
		url.Loc = appended(&texts, url.Loc)
		url.LastMod = appended(&texts, url.LastMod)
		url.Written = appended(&texts, url.Written)
		c.verdicts, url.Verdicts = moved(c.verdicts, url.Verdicts)
		c.lines, url.Lines = moved(c.lines, url.Lines)
		c.hits, url.Hits = moved(c.hits, url.Hits)
		c.List[i] = url
	}
	return c
}

// CopyTo copies the whole batch into c, reusing c's memory. The copy stays valid beyond the loop's
// next record. Both share their texts, which do not change.
func (u *URLs) CopyTo(c *URLs) {
	verdicts, lines, hits := 0, 0, 0
	for i := range u.List {
		verdicts += len(u.List[i].Verdicts)
		lines += len(u.List[i].Lines)
		hits += len(u.List[i].Hits)
	}
	c.List, c.verdicts = append(c.List[:0], u.List...), slices.Grow(c.verdicts[:0], verdicts)
	c.lines, c.hits = slices.Grow(c.lines[:0], lines), slices.Grow(c.hits[:0], hits)
	for i := range u.List {
		c.verdicts, c.List[i].Verdicts = moved(c.verdicts, u.List[i].Verdicts)
		c.lines, c.List[i].Lines = moved(c.lines, u.List[i].Lines)
		c.hits, c.List[i].Hits = moved(c.hits, u.List[i].Hits)
	}
}

// appended appends a text to a builder with enough room, and returns the copy.
func appended(b *strings.Builder, text string) string {
	at := b.Len()
	b.WriteString(text)
	return b.String()[at:]
}

// moved appends a list to a slice with enough room, and returns both. Its capacity is limited so
// that the list cannot overwrite what follows it.
func moved[T any](all, list []T) (grown, copied []T) {
	if list == nil {
		return all, nil
	}
	all = append(all, list...)
	return all, all[len(all)-len(list) : len(all) : len(all)]
}
