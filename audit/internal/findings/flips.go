package findings

import (
	"robots-audit/engine"
)

// Bounds of what is tested besides the file itself, at the cost of further groups for
// each URL: the findings of a file, and its size in bytes.
const (
	maxEdits    = 4
	maxEditFile = 256 << 10
)

// editedFile counts the URLs that get another verdict by the edit that would fix a
// finding of Lint.
type editedFile struct {
	lint   int // index into Collector.lint
	pairs  []editedPair
	groups []*engine.Group // of the pairs
	flips  int64
}

// editedPair are a reader's decision and the one by the edited file.
type editedPair struct{ reader, edited int }

// edit is what fixes a finding: the line with another text; false = it is not known,
// or changes no verdict.
func edit(f *engine.Finding) (text string, ok bool) {
	switch {
	case f.Harmless || f.Severity < engine.Warning || f.Line == 0 || f.More > 0:
		return "", false
	case f.Replacement != "":
		return f.Replacement, true
	case f.ID == siteBlocked && f.Severity == engine.Critical:
		return "Disallow:", true
	case f.ID == ruleInNoGroup && len(f.Text) < maxText:
		return "User-agent: *\n" + f.Text, true
	}
	return "", false
}

// maxText is the length from which on Finding.Text may be cut.
const maxText = 1024

// prepareEdits reads the file as it is once the findings are fixed, each by itself, and
// adds the groups that readers obey then to the extraGroups, where they say anything
// else. A reader that is tested as an earlier one is so after most edits. Of another
// site's file no one asks, since it is not the owner's to edit.
func (c *Collector) prepareEdits() {
	if c.foreign || c.bytes > maxEditFile {
		return
	}
	extra := len(c.readers) + len(c.ownGroups)
	for k := range c.lint {
		text, ok := edit(&c.lint[k])
		if !ok {
			continue
		}
		if len(c.edits) == maxEdits {
			return
		}
		e := editedFile{lint: k}
		files := map[*engine.Robots]*engine.Robots{}
		for i := range c.readers {
			r := &c.readers[i]
			if r.Robots.Access != engine.Parsed {
				continue
			}
			if files[r.Robots] == nil {
				files[r.Robots] = r.Robots.Rewritten(c.lint[k].Line, text)
			}
			if files[r.Robots] == nil { // the file goes on beyond what was read of it
				ok = false
				break
			}
			if g := files[r.Robots].Group(*r.Crawler); !g.SameAs(r.Group) {
				e.groups = append(e.groups, g)
				e.pairs = append(e.pairs, editedPair{i, extra + len(e.groups) - 1})
			}
		}
		if ok {
			extra += len(e.groups)
			c.edits = append(c.edits, e)
		}
	}
}

// dropSame leaves out the pairs of which the matrix says that both are the same.
func (c *Collector) dropSame() {
	for k := range c.edits {
		e := &c.edits[k]
		pairs := e.pairs[:0]
		seen := map[editedPair]bool{}
		for _, p := range e.pairs {
			if same := (editedPair{c.matrix.Same(p.reader), c.matrix.Same(p.edited)}); same.reader != same.edited && !seen[same] {
				seen[same] = true
				pairs = append(pairs, p)
			}
		}
		e.pairs = pairs
	}
}

// countFlips counts a URL for the edits that change its verdict for any reader.
func (c *Collector) countFlips(decisions []engine.Decision) {
	for k := range c.edits {
		e := &c.edits[k]
		for _, p := range e.pairs {
			if decisions[p.reader].Verdict != decisions[p.edited].Verdict {
				e.flips++
				break
			}
		}
	}
}

// setFlips says how many URLs have another verdict for what the k-th finding of Lint
// speaks of, where that is known.
func (b *builder) setFlips(found *Finding, k int) {
	if found.Harmless {
		found.FlipsKnown = true
	}
	for i := range b.edits {
		if e := &b.edits[i]; e.lint == k {
			found.Flips, found.FlipsKnown = e.flips, true
		}
	}
}
