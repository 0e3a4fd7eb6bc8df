package expect

import (
	"iter"
	"strings"

	"robots-audit/audit"
)

// Single is one robots.txt judged alone, with URLs given by the user.
type Single struct {
	Name    string         // of the file, or its address
	Origin  string         // its origin, "https://example.com"; "" = unknown: all given URLs are judged by it
	Answers *audit.Answers // answers with this file as no. 0
	Known   iter.Seq2[string, audit.Weight]
	Local   bool // Name is the name of a file
}

// Single judges one robots.txt; nil = no expectation is about it. elsewhere is the number of known
// URLs on other origins, to which it does not apply.
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
		j.note(of.Origin)
		j.ended, j.first = 1, of.Origin
	}
	if suite.Results == nil {
		suite = nil
	}
	return suite, elsewhere
}

// addKnown adds known URLs, and counts those on another origin than o.
func (s *site) addKnown(o *origin, known iter.Seq2[string, audit.Weight]) (elsewhere int64) {
	var head, of string // of the previous URL, which is usually the same for the next one
	for url := range known {
		url = asked(url)
		if end := headEnd(url); head == "" || url[:end] != head {
			head = strings.Clone(url[:end])
			of, _, _ = cutOrigin(head)
		}
		s.count(of)
		if of == "" || !s.anywhere && of != o.name {
			elsewhere++
			continue
		}
		s.known++
		s.addURL(o, of, url)
	}
	return elsewhere
}
