package expect

import (
	"iter"
	"strings"

	"robots-audit/engine"
)

// patterns finds the patterns that match a URL. It uses the engine: the patterns are the rules of a
// robots.txt, so that they have the same meaning, and ten thousand are searched at once.
type patterns struct {
	matrix *engine.Matrix
	out    []engine.Decision
	of     [][]int // the expectations of each pattern; those of line i+2 are at i
}

// everyLine reads a robots.txt of patterns like RFC 9309, without a size limit.
var everyLine = &engine.Profile{Limit: -1}

// newPatterns makes patterns from the expectations that are patterns; nil = none is.
func newPatterns(list []Expectation, some []int) *patterns {
	p := &patterns{out: make([]engine.Decision, 1)}
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	lines := map[string]int{}
	for _, i := range some {
		if !list[i].pattern {
			continue
		}
		at, known := lines[list[i].loc]
		if !known {
			at = len(p.of)
			lines[list[i].loc] = at
			p.of = append(p.of, nil)
			text.WriteString("Allow: " + list[i].loc + "\n")
		}
		p.of[at] = append(p.of[at], i)
	}
	if p.of == nil {
		return nil
	}
	group := everyLine.Read(engine.File{Status: 200, Body: []byte(text.String())}).Group(engine.Crawler{Tokens: []string{"robots-audit"}})
	p.matrix = engine.NewMatrix(group)
	for rule := range group.Rules {
		p.matrix.Watch(0, rule)
	}
	return p
}

// match yields the expectations whose patterns match a URL.
func (p *patterns) match(url string) iter.Seq[int] {
	return func(yield func(int) bool) {
		if p == nil {
			return
		}
		p.matrix.Verdicts(url, p.out)
		for line := range p.matrix.Watched {
			for _, i := range p.of[line-2] {
				if !yield(i) {
					return
				}
			}
		}
	}
}
