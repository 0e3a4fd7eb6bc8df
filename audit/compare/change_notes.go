package compare

import (
	"fmt"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// addNotes adds notes about how the sides were compared.
func (c *comparison) addNotes() {
	note := func(format string, args ...any) {
		c.site.Notes = append(c.site.Notes, fmt.Sprintf(format, args...))
	}
	for _, s := range []struct {
		name  string
		other string
		*judged
	}{{"older", "appeared", c.old}, {"newer", "vanished", c.new}} {
		if s.site == nil {
			note("This site is not in the %s run.", s.name)
			continue
		}
		if s.done == nil {
			note("The %s run stopped early on this site. URLs shown as %s may only be missing from that run.", s.name, s.other)
		} else if b := s.done.Bound(); b != "" {
			note("The %s run %s. URLs shown as %s may be beyond that limit.", s.name, b, s.other)
		}
		var recorded []string
		for _, g := range s.asked() {
			if g.recorded {
				recorded = append(recorded, g.record.Origin)
			}
		}
		if recorded != nil {
			note("The %s run did not store the robots.txt of %s. The comparison uses the verdicts recorded then.", s.name, names(recorded))
		}
	}
	if c.old.site == nil || c.new.site == nil {
		return
	}
	c.noteGiven(note)
	var unread []string
	for _, crawler := range c.new.site.Crawlers {
		asked := slices.ContainsFunc(c.old.site.Crawlers, func(o audit.Crawler) bool { return o.Label == crawler.Label || o.Name == crawler.Name })
		compared := slices.ContainsFunc(c.site.Crawlers, func(o Crawler) bool { return o.Label == crawler.Label })
		if asked && !compared {
			unread = append(unread, crawler.Label)
		}
	}
	if unread != nil {
		note("%s %s not compared. One of the runs used a profile that this version does not have, or the two do not match.", names(unread), wording.Verb(len(unread), "is", "are"))
	}
}

// noteGiven notes the robots.txt that a run did not request because the user gave it a file.
func (c *comparison) noteGiven(note func(format string, args ...any)) {
	given := func(s *judged) (urls []string) {
		for _, g := range s.asked() {
			if g.record.File.Given {
				urls = append(urls, g.record.File.URL)
			}
		}
		return urls
	}
	old, new := given(c.old), given(c.new)
	if old != nil && slices.Equal(old, new) {
		note("Both runs used your draft of robots.txt instead of %s.", names(new))
		return
	}
	for _, s := range []struct {
		name string
		urls []string
	}{{"older", old}, {"newer", new}} {
		if s.urls != nil {
			note("The %s run used your draft of robots.txt instead of %s.", s.name, names(s.urls))
		}
	}
}

// addOrigins reports origins whose robots.txt only one run requested.
func (c *comparison) addOrigins() {
	old, new := c.old.own(), c.new.own()
	if old != nil && new != nil && old.record.Origin != new.record.Origin {
		c.add(Change{Kind: KindOrigin, What: "the audited origin", Before: old.record.Origin, After: new.record.Origin, Severity: Medium, Condition: ""})
	}
	if c.old.done == nil || c.new.done == nil {
		return
	}
	for i := range c.site.Origins {
		switch o := &c.site.Origins[i]; {
		case o.Old == nil && !c.isOwn(o):
			c.add(Change{Kind: KindOrigin, What: o.Name, Before: "", After: "URLs of the site are there: " + o.New.Words(), Severity: Info, Condition: ""})
		case o.New == nil && !c.isOwn(o):
			c.add(Change{Kind: KindOrigin, What: o.Name, Before: "URLs of the site were there: " + o.Old.Words(), After: "", Severity: Info, Condition: ""})
		}
	}
}

// isOwn reports whether one of the runs audited an origin as the site's own.
func (c *comparison) isOwn(o *Origin) bool {
	old, new := c.old.own(), c.new.own()
	return old != nil && old.record.Origin == o.Name || new != nil && new.record.Origin == o.Name
}

// addAskers reports for which User-Agents or addresses robots.txt newly differs, or no longer does.
// Each is reported separately: a site whose other address always differs may still start to give
// Googlebot another file.
func (c *comparison) addAskers() {
	was, is := c.old.differing(), c.new.differing()
	for _, p := range is {
		if !hasAsker(was, p) {
			c.add(Change{Kind: KindAsker, What: p.URL, Before: "", After: p.Detail, Severity: High, Condition: "AL06", Subjects: []string{AskerSubject(p)}, Asker: p})
		}
	}
	for _, p := range was {
		if !hasAsker(is, p) && c.new.done != nil {
			c.add(Change{Kind: KindAsker, What: p.URL, Before: p.Detail, After: "", Severity: Info, Condition: ended})
		}
	}
}

// differing returns the answers to robots.txt that differ from the first one, one for each asker.
func (s *side) differing() (list []*audit.Problem) {
	for _, p := range s.problems {
		if p.Code == audit.CodeRobotsDiffers && !hasAsker(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// hasAsker reports whether the list has an answer to the same asker.
func hasAsker(list []*audit.Problem, p *audit.Problem) bool {
	return slices.ContainsFunc(list, func(o *audit.Problem) bool { return AskerSubject(o) == AskerSubject(p) })
}

// AskerSubject names an asker, as the subject of AL06: the requested address, and the User-Agent if
// it is not ours.
func AskerSubject(p *audit.Problem) string {
	if asker := audit.Asker(p); asker != "" {
		return p.URL + " " + asker
	}
	return p.URL
}
