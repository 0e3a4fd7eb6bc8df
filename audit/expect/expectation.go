// Package expect holds sites to what a team expects of them: that a crawler may fetch
// a URL, or may not, or has the same verdict as before. A file of expectations is the
// gate that a change of robots.txt passes, or does not, before it is live.
//
// [Read] reads the file into a [Set], or says of every line what is wrong with it. A
// [Judge] takes the records of sites, of a run, of an audit at work or of a single
// robots.txt ([Single]), in their order and in one pass, and answers at each site's end
// with a [Suite]: a [Result] for each expectation that is about the site.
//
//	judge, err := expect.NewJudge(set, proposals)
//	for rec := range records {
//		if suite := judge.Add(rec); suite != nil { … }
//	}
//	for _, suite := range judge.End() { … } // of origins that are no site's own
//
// What is expected of a URL is judged whether or not anybody knows the URL. A pattern,
// which holds "*" or "$" as in robots.txt, is a statement about the known URLs: all that
// it matches must have the verdict, and it must match one at least, since an
// expectation of nothing would pass for ever. An absolute URL or pattern is about its
// origin (scheme, host and port); a path is about every site that is judged.
//
// Verdicts that are undefined or unknown are never taken for one of the others: what
// rests on them could not be judged ([Unclear]).
//
// Memory does not grow with known URLs, but by some 16 bytes for each that a pattern of
// its site matches.
package expect

import (
	"robots-audit/engine"
)

// Want is what is expected.
type Want uint8

const (
	Allow    Want = iota // the crawler may fetch the URL
	Disallow             // it is blocked
	Same                 // the verdict is that of before, or of the live site
)

var wantNames = [...]string{Allow: "allow", Disallow: "disallow", Same: "same"}

// String returns "allow", "disallow" or "same".
func (w Want) String() string { return wantNames[w] }

// Expectation is one line of the file.
type Expectation struct {
	File    string // its name, as it was given to Read
	Line    int    // 1-based
	URL     string // as written: an absolute URL, a path, or a pattern of either
	Crawler string // "Googlebot@google": the crawler's name, and the profile that it is read by
	Want    Want
	Note    string // what the team has to say about it

	reader  int    // index into Set.readers
	origin  string // "https://example.com"; "" = URL is a path
	loc     string // what is judged: the URL or path as a crawler asks for it; the path of a pattern
	pattern bool
}

// Pattern reports whether the expectation is about all known URLs that a pattern matches.
func (e *Expectation) Pattern() bool { return e.pattern }

// Origin returns the origin that the expectation is about, "https://example.com"; "" =
// that of every site.
func (e *Expectation) Origin() string { return e.origin }

// reader is a crawler that reads by a profile.
type reader struct {
	robot   engine.Crawler
	profile *engine.Profile
}

// Set is the expectations of a file. It is not changed by judging.
type Set struct {
	List []Expectation // in the order of the file

	readers  []reader
	paths    scope            // of every site
	byOrigin map[string]scope // of one origin
	origins  []string         // keys of byOrigin, in the order of the file
}

// scope is the expectations that are about the same URLs: indices into Set.List.
type scope struct {
	exact    []int
	patterns *patterns // nil = none
	all      []int     // both, in the order of the file
}

// Patterns reports whether known URLs are needed to judge the set.
func (s *Set) Patterns() bool { return s.first(func(e *Expectation) bool { return e.pattern }) != nil }

// Compares returns the first expectation that needs two sides, nil = none does.
func (s *Set) Compares() *Expectation {
	return s.first(func(e *Expectation) bool { return e.Want == Same })
}

// first returns the first expectation of which something holds; nil = it holds of none.
func (s *Set) first(holds func(*Expectation) bool) *Expectation {
	for i := range s.List {
		if holds(&s.List[i]) {
			return &s.List[i]
		}
	}
	return nil
}

// index sorts the expectations by what they are about.
func (s *Set) index() {
	s.byOrigin = map[string]scope{}
	for i := range s.List {
		e := &s.List[i]
		to := s.paths
		if e.origin != "" {
			var known bool
			if to, known = s.byOrigin[e.origin]; !known {
				s.origins = append(s.origins, e.origin)
			}
		}
		if to.all = append(to.all, i); !e.pattern {
			to.exact = append(to.exact, i)
		}
		if e.origin == "" {
			s.paths = to
		} else {
			s.byOrigin[e.origin] = to
		}
	}
	s.paths.patterns = newPatterns(s.List, s.paths.all)
	for origin, of := range s.byOrigin {
		of.patterns = newPatterns(s.List, of.all)
		s.byOrigin[origin] = of
	}
}
