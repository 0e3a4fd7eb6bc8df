package expect

import (
	"iter"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Single is one robots.txt that is judged by itself, with URLs that somebody knows.
type Single struct {
	Name    string         // of the file, or its address
	Origin  string         // that it is of, "https://example.com"; "" = not known: whatever is given is judged by it
	Answers *audit.Answers // of which it is no. 0
	Known   iter.Seq[string]
	Local   bool // Name is that of a file
}

// Single judges one robots.txt; nil = no expectation is about it. elsewhere is the number
// of known URLs that it does not govern, since they lie on another origin.
func (j *Judge) Single(of *Single) (suite *Suite, elsewhere int64) {
	s := newSite(j.set, of.Name, 0)
	s.anywhere = of.Origin == ""
	o := &origin{name: of.Origin, now: newSide(j.set, of.Answers, 0)}
	if of.Local {
		o.proposed = &Proposal{File: of.Name}
	}
	s.origins = []*origin{o}
	suite = &Suite{Name: of.Name}
	for i := range j.set.List {
		e := &j.set.List[i]
		if e.origin != "" && e.origin != of.Origin && !s.anywhere {
			continue
		}
		if j.owned[e.origin] = true; !e.pattern {
			s.judgeURL(i, o)
		}
	}
	if of.Known != nil {
		elsewhere = s.addKnown(o, of.Known)
	}
	for i := range j.set.List {
		if e := &j.set.List[i]; e.origin == "" || j.owned[e.origin] {
			suite.Results = append(suite.Results, s.result(i, of.Name))
		}
	}
	suite.Known = s.known
	if !s.anywhere {
		j.origins[hostOf(of.Origin)] = []string{of.Origin}
	}
	if suite.Results == nil {
		suite = nil
	}
	return suite, elsewhere
}

// addKnown takes known URLs, and counts those that lie on another origin than o.
func (s *site) addKnown(o *origin, known iter.Seq[string]) (elsewhere int64) {
	var head, of string // of the URL before, which is mostly that of the next one, too
	for url := range known {
		url = asked(url)
		if end := headEnd(url); head == "" || url[:end] != head {
			head = strings.Clone(url[:end])
			of, _, _ = cutOrigin(head)
		}
		if of == "" || !s.anywhere && of != o.name {
			elsewhere++
			continue
		}
		s.known++
		s.addURL(o, of, url)
	}
	return elsewhere
}

// vacuous says that a pattern matches no URL.
func (s *site) vacuous() string {
	if s.known == 0 {
		return "no URL of the site was found"
	}
	return lower(wording.NoURL(s.known)) + " matched"
}

// lower writes the first letter of a sentence small, inside of another.
func lower(s string) string { return string(s[0]|0x20) + s[1:] }
