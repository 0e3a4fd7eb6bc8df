package suppression

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"robots-audit/engine"
)

// Fingerprints names the findings of one file. A finding keeps its name when lines move and when
// comments or other findings are added or removed. The zero value is ready for the findings of a
// file from the first to the last.
type Fingerprints struct {
	seen map[string]int // number of findings so far, by hash
}

// Of returns the name of the file's next finding: a hash of its ID and line, and a number,
// "3f2a…:1". The number distinguishes findings with the same hash.
func (p *Fingerprints) Of(f *engine.Finding) string {
	sum := sha256.Sum256([]byte(f.ID + "\n" + normalise(f.Text)))
	hash := fmt.Sprintf("%x", sum[:8])
	if p.seen == nil {
		p.seen = map[string]int{}
	}
	p.seen[hash]++
	return fmt.Sprintf("%s:%d", hash, p.seen[hash])
}

// normalise removes from a line what has no effect: white space, the case of the field, and a
// comment unless it is the whole line.
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
