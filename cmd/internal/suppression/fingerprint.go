package suppression

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"robots-audit/engine"
)

// Fingerprints names the findings of one file so that each keeps its name when lines
// move, when comments come and go, and when other findings do. The zero value is for
// the findings of a file from the first to the last.
type Fingerprints struct {
	seen map[string]int // findings so far, by hash
}

// Of returns the name of the file's next finding: a hash of its id and its line, and
// which one it is of those that have both in common, "3f2a…:1".
func (p *Fingerprints) Of(f *engine.Finding) string {
	sum := sha256.Sum256([]byte(f.ID + "\n" + normalise(f.Text)))
	hash := fmt.Sprintf("%x", sum[:8])
	if p.seen == nil {
		p.seen = map[string]int{}
	}
	p.seen[hash]++
	return fmt.Sprintf("%s:%d", hash, p.seen[hash])
}

// normalise writes a line without what changes nothing in it: white space, the case
// of the field, and a comment, unless nothing else is there.
func normalise(line string) string {
	if i := strings.IndexByte(line, '#'); i >= 0 && strings.TrimSpace(line[:i]) != "" {
		line = line[:i]
	}
	field, value, found := strings.Cut(line, ":")
	if !found {
		return strings.Join(strings.Fields(line), " ")
	}
	return strings.ToLower(strings.TrimSpace(field)) + ":" + strings.Join(strings.Fields(value), " ")
}
