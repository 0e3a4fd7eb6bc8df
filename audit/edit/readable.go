package edit

import (
	"strings"

	"robots-audit/engine"
)

// Ratings of how badly a pattern reads as the beginning of URLs of a set.
const (
	wholeCut  = iota // it ends at the end of a directory or a whole URL
	wordCut          // at the end of a word
	oddCut           // within a word, or it is for the whole site, or against a rule with the same path
	brokenCut        // within an encoded letter, or stars only make it longer
)

// reader rates how patterns read as parts of the paths of a set.
type reader struct {
	paths    []string        // of the set, in each form
	against  map[string]bool // paths of the rules that decide cells
	verdicts map[string]int
}

func (f *finder) newReader() reader {
	r := reader{against: map[string]bool{}, verdicts: map[string]int{}}
	for i := range f.set {
		m := &f.set[i]
		encoded := string(engine.AppendPath(nil, m.url))
		if r.paths = append(r.paths, encoded); m.path != encoded {
			r.paths = append(r.paths, m.path)
		}
	}
	for _, c := range f.cells {
		if rule := f.set[c.member].was[c.crawler].Rule; rule != nil {
			r.against[bare(rule.Value)] = true
		}
	}
	return r
}

// bare returns a pattern without stars at the end, which do not change its meaning.
func bare(pattern string) string { return strings.TrimRight(pattern, "*") }

// ragged rates how badly a pattern reads, by its worst cut in the paths of the set.
func (r *reader) ragged(pattern string) int {
	worst, known := r.verdicts[pattern]
	if known {
		return worst
	}
	switch {
	case strings.Contains(pattern, "**"):
		worst = brokenCut
	case bare(pattern) == "/" || r.against[bare(pattern)]:
		worst = oddCut
	}
	worst = max(worst, r.cuts(pattern))
	r.verdicts[pattern] = worst
	return worst
}

// raggedGone rates how well a deleted rule fits the set, because the deletion affects all URLs that
// it matches, known or not.
func (r *reader) raggedGone(text string) int {
	_, value := ruleOf(text)
	if value == "/" {
		return wordCut
	}
	return r.cuts(bare(value))
}

// cuts returns the worst cut of a pattern in the paths of the set.
func (r *reader) cuts(pattern string) (worst int) {
	for strings.Contains(pattern, "**") { // a rule may contain thousands
		pattern = strings.ReplaceAll(pattern, "**", "*")
	}
	for _, path := range r.paths {
		if worst = max(worst, cutsOf(pattern, path)); worst == brokenCut {
			break
		}
	}
	return worst
}

// cutsOf returns the worst cut of a pattern in a path, which it may not match.
func cutsOf(pattern, path string) (worst int) {
	whole, anchored := strings.CutSuffix(pattern, "$")
	at := 0
	for i, part := range strings.Split(whole, "*") {
		if part == "" {
			continue
		}
		if i == 0 && !strings.HasPrefix(path, part) {
			return wholeCut
		}
		begin := strings.Index(path[at:], part)
		if last := strings.HasSuffix(whole, part); i > 0 && last && anchored && strings.HasSuffix(path[at:], part) {
			begin = len(path) - at - len(part)
		}
		if begin < 0 {
			return wholeCut
		}
		begin += at
		at = begin + len(part)
		worst = max(worst, cutAt(path, begin), cutAt(path, at))
	}
	return worst
}

// cutAt rates a cut of a path before an octet.
func cutAt(path string, at int) int {
	if at == 0 || at == len(path) || path[at-1] == '/' {
		return wholeCut
	}
	before, after := path[:at], path[at:]
	switch {
	case after[0]&0xC0 == 0x80, before[at-1] == '%', at > 1 && before[at-2] == '%', len(after) > 1 && after[0] == '%' && strings.IndexByte("89ABab", after[1]) >= 0:
		return brokenCut
	case strings.IndexByte(delimiters, before[at-1]) >= 0, strings.IndexByte(delimiters, after[0]) >= 0:
		return wordCut
	}
	return oddCut
}
