// Package expect checks sites against the expectations of a team: that a crawler may fetch a URL,
// or may not, or has the same verdict as before. A file of expectations is a gate that a change of
// robots.txt must pass before it goes live.
//
// [Read] reads the file into a [Set], or reports the error of every invalid line. A [Judge] takes
// the records of sites, of a run, of a running audit or of a single robots.txt ([Single]), in their
// order and in one pass. At the end of each site it returns a [Suite]: a [Result] for each
// expectation about the site.
//
//	judge, err := expect.NewJudge(set, proposals)
//	for rec := range records {
//		if suite := judge.Add(rec); suite != nil { … }
//	}
//	for _, suite := range judge.End() { … } // of origins that are no site's own
//
// An expectation for a URL is judged even if the URL is not known. A pattern contains "*" or "$" as
// in robots.txt, and is about the known URLs. All matching URLs must have the verdict, and at least
// one must match, because a pattern without matches would always pass. An absolute URL or pattern
// is about its origin (scheme, host and port); a path is about every judged site.
//
// Verdicts that are undefined or unknown never count as one of the others: expectations that depend
// on them could not be judged ([Unclear]).
//
// Memory does not grow with known URLs, except by some 16 bytes for each that a pattern of its site
// matches.
package expect

import (
	"robots-audit/engine"
)

// Want is the expected verdict.
type Want uint8

const (
	Allow    Want = iota // the crawler may fetch the URL
	Disallow             // it is blocked
	Same                 // the same verdict as before, or as on the live site
)

var wantNames = [...]string{Allow: "allow", Disallow: "disallow", Same: "same"}

// String returns "allow", "disallow" or "same".
func (w Want) String() string { return wantNames[w] }

// Expectation is one line of the file.
type Expectation struct {
	File    string // its name, as passed to Read
	Line    int    // 1-based
	URL     string // as written: an absolute URL, a path, or a pattern of either
	Crawler string // "Googlebot@google": the crawler's name and its profile
	Want    Want
	Note    string // a comment of the team

	reader  int    // index into Set.readers
	origin  string // "https://example.com"; "" = URL is a path
	loc     string // what is judged: the URL or path as a crawler requests it; the path of a pattern
	pattern bool
}

// Pattern reports whether the expectation is about all known URLs that a pattern matches.
func (e *Expectation) Pattern() bool { return e.pattern }

// Origin returns the origin that the expectation is about, "https://example.com"; "" = every site.
func (e *Expectation) Origin() string { return e.origin }

// reader is a crawler with a profile.
type reader struct {
	robot   engine.Crawler
	profile *engine.Profile
}

// Set has the expectations of a file. Judging does not change it.
type Set struct {
	List []Expectation // in the order of the file

	readers  []reader
	paths    scope            // of every site
	byOrigin map[string]scope // of one origin
	origins  []string         // keys of byOrigin, in the order of the file
}

// scope has the expectations about the same URLs: indices into Set.List.
type scope struct {
	exact    []int
	patterns *patterns // nil = none
	all      []int     // both, in the order of the file
}

// Patterns reports whether known URLs are needed to judge the set.
func (s *Set) Patterns() bool { return s.first(func(e *Expectation) bool { return e.pattern }) != nil }

// Compares returns the first expectation that needs two sides; nil = none.
func (s *Set) Compares() *Expectation {
	return s.first(func(e *Expectation) bool { return e.Want == Same })
}

// first returns the first expectation that satisfies holds; nil = none.
func (s *Set) first(holds func(*Expectation) bool) *Expectation {
	for i := range s.List {
		if holds(&s.List[i]) {
			return &s.List[i]
		}
	}
	return nil
}

// index sorts the expectations by their URLs.
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
