package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// parting is a point on which another profile differs from the chosen one.
type parting struct {
	*audit.Difference
	other *engine.Profile
	group *engine.Group // the crawler's group by the chosen profile, with that point from the other
	says  *engine.Group // the crawler's group by the other profile
}

// partingsOf are the points on which other profiles may give another verdict. If the rules are not
// read, access decides all.
func partingsOf(c engine.Crawler, answers *audit.Answers, robots *engine.Robots, rest []audit.Reader) []parting {
	var list []parting
	file := answers.File(0, robots.Profile, c)
	for _, other := range rest {
		if robots.Access != engine.Parsed || other.Robots.Access != engine.Parsed {
			continue
		}
		for d, p := range audit.Differences(robots.Profile, other.Robots.Profile) {
			if d.Says(p) != "" {
				list = append(list, parting{d, other.Robots.Profile, p.Read(file).Group(c), other.Group})
			}
		}
	}
	return list
}

// voice is what some profiles say about a point.
type voice struct {
	class, says string
	by          []string // profiles
}

// printPartings prints the points on which other profiles with another verdict differ from p, with
// the sentences of both.
func printPartings(w io.Writer, partings []parting, url string, own engine.Verdict, p *engine.Profile) {
	var said []voice
	add := func(d *audit.Difference, of *engine.Profile) {
		says := d.Says(of)
		i := slices.IndexFunc(said, func(v voice) bool { return v.class == d.Class && v.says == says })
		if i < 0 {
			i = len(said)
			said = append(said, voice{class: d.Class, says: says})
		}
		if !slices.Contains(said[i].by, of.Name) {
			said[i].by = append(said[i].by, of.Name)
		}
	}
	for i := range partings {
		part := &partings[i]
		if v := part.says.Verdict(url).Verdict; v != own && part.group.Verdict(url).Verdict == v {
			add(part.Difference, p)
			add(part.Difference, part.other)
		}
	}
	for _, v := range said {
		fmt.Fprintf(w, "  %s\t%s: %s\n", v.class, strings.Join(v.by, ", "), v.says)
	}
}
