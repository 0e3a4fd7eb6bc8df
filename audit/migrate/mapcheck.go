package migrate

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// MapError has the errors of a map: all of them, up to maxProblems lines.
type MapError struct {
	Name     string
	Problems []MapProblem // by line
	More     int          // number of further problems
}

// MapProblem is the error of one line of a map.
type MapProblem struct {
	Line int // 1-based
	Text string
}

// maxProblems bounds the listed lines.
const maxProblems = 50

// Error returns a line for each problem: "map.csv:3: …".
func (e *MapError) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d: %s", e.Name, p.Line, p.Text)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\n%s: %s more lines have errors", e.Name, wording.Plural(e.More, "problem"))
	}
	return b.String()
}

func (e *MapError) add(line int, text string) {
	if len(e.Problems) < maxProblems {
		e.Problems = append(e.Problems, MapProblem{line, text})
	} else {
		e.More++
	}
}

// mapCheck checks the pairs of a map while they are read for the first time.
type mapCheck struct {
	m     *Map
	wrong MapError
	links []link
	byOld map[uint64]int32 // index into links
	all   map[uint64]int32 // number of old URLs for a new one
	hosts map[string]int64 // number of URLs on a host
}

// link is a pair of the map, with URLs given by their hashes.
type link struct {
	new   uint64
	line  int32
	round int32 // round of the search for circles that reached it; 0 = none
}

func newMapCheck(m *Map) *mapCheck {
	return &mapCheck{m: m, wrong: MapError{Name: m.Name}, byOld: map[uint64]int32{}, all: map[uint64]int32{}, hosts: map[string]int64{}}
}

// add adds a pair.
func (c *mapCheck) add(p *Pair) {
	old, target := maphash.String(c.m.seed, p.Old), maphash.String(c.m.seed, p.New)
	if first, known := c.byOld[old]; known {
		c.wrong.add(p.Line, fmt.Sprintf("old: the same URL as in line %d: %s", c.links[first].line, p.Old))
		return
	}
	if old == target {
		c.wrong.add(p.Line, "the new URL is the same as the old one: "+p.Old)
		return
	}
	c.byOld[old] = int32(len(c.links))
	c.links = append(c.links, link{new: target, line: int32(p.Line)})
	c.all[target]++
	c.m.Len++
	noteOrigin(&c.m.oldOrigins, p.Old)
	noteOrigin(&c.m.newOrigins, p.New)
	c.count(p.Old)
	if c.all[target] == 1 { // it is requested only once
		c.count(p.New)
	}
}

// count counts a URL of its host. Hosts beyond maxOrigins get no request.
func (c *mapCheck) count(url string) {
	host := hostOf(url)
	n, known := c.hosts[host]
	if !known && len(c.hosts) == maxOrigins {
		return
	}
	c.hosts[strings.Clone(host)] = n + 1
	if n+1 > c.m.most {
		c.m.busiest, c.m.most = strings.Clone(host), n+1
	}
}

func noteOrigin(list *[]string, url string) {
	if origin := originOf(url); len(*list) < maxOrigins && (len(*list) == 0 || (*list)[len(*list)-1] != origin) && !slices.Contains(*list, origin) {
		*list = append(*list, origin)
	}
}

// end returns the errors of the map; nil = none.
func (c *mapCheck) end() error {
	c.findCircles()
	for target, n := range c.all {
		if n > 1 {
			c.m.targets[target] = n
		}
	}
	if c.m.Len == 0 && len(c.wrong.Problems) == 0 {
		c.wrong.add(1, "the file has no pairs. Write one per line: old,new[,clicks]")
	}
	if len(c.wrong.Problems) == 0 {
		return nil
	}
	slices.SortStableFunc(c.wrong.Problems, func(a, b MapProblem) int { return cmp.Compare(a.Line, b.Line) })
	return &c.wrong
}

// findCircles follows the map from each pair to the pair of its new URL. It visits each pair once.
func (c *mapCheck) findCircles() {
	for i := range c.links {
		round := int32(i + 1)
		at := int32(i)
		for known := true; known && c.links[at].round == 0; {
			c.links[at].round = round
			var next int32
			if next, known = c.byOld[c.links[at].new]; known {
				at = next
				if c.links[at].round == round {
					c.tellCircle(at)
				}
			}
		}
	}
}

// tellCircle reports the lines of a circle; at is one of its pairs.
func (c *mapCheck) tellCircle(at int32) {
	const most = 10
	var lines []int
	for next := at; len(lines) == 0 || next != at; next = c.byOld[c.links[next].new] {
		lines = append(lines, int(c.links[next].line))
	}
	first := slices.Index(lines, slices.Min(lines))
	lines = append(lines[first:], lines[:first]...)
	text := ""
	for _, line := range lines[1:min(len(lines), most+1)] {
		text = wording.Join(text, fmt.Sprint(line))
	}
	if len(lines) > most+1 {
		text += ", …"
	}
	c.wrong.add(lines[0], fmt.Sprintf("circular: the new URL leads back to the old one through line %s", text))
}
