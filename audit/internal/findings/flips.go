package findings

import (
	"robots-audit/engine"
)

// Bounds of the tests of edited files, which need additional groups for each URL: the number of
// findings of a file, and its size in bytes.
const (
	maxEdits    = 4
	maxEditFile = 256 << 10
)

// editedFile counts the URLs whose verdict changes with the edit that would fix a finding of Lint.
type editedFile struct {
	lint   int // index into Collector.lint
	pairs  []editedPair
	groups []*engine.Group // of the pairs
	flips  int64
}

// editedPair has the indices of a reader's decision and of that by the edited file.
type editedPair struct{ reader, edited int }

// edit returns the new text of the line that fixes a finding; false = unknown, or no verdict
// changes.
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

// maxText is the length above which Finding.Text may be cut.
const maxText = 1024

// prepareEdits reads the file with each finding fixed separately. It adds the groups that readers
// then obey to the extraGroups, if their rules differ. Readers that are judged together usually
// stay so after an edit. Another site's file is not tested, because the owner cannot edit it.
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
			if files[r.Robots] == nil { // the file was not read to its end
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

// dropSame removes the pairs that are equal by the matrix.
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

// setFlips sets how many URLs have another verdict because of the k-th finding of Lint, if that is
// known.
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
