package edit

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Wish is a wanted change of a site's robots.txt.
type Wish struct {
	Want     engine.Verdict  // engine.Allow or engine.Disallow
	URLs     []string        // URLs and paths of the site, as written by the user
	Crawlers []audit.Crawler // the crawlers; nil = all of the run
}

// Records returns the records of a site at each call. The wish applies to their robots.txt;
// compare.Serve can replace it.
type Records func() iter.Seq2[audit.Record, error]

// Answer is the smallest change found.
type Answer struct {
	*Result                    // Needed and Had count all of the URLs
	Origins    []string        // origins of the file: that of the URLs first, then others that serve the same file
	Further    []audit.Crawler // crawlers of Wish.Crawlers that the run does not have
	Unknown    int             // number of URLs that the run does not know
	UnknownURL string          // the first of them
}

// Met reports whether the whole wish is fulfilled, and nothing else flips.
func (a *Answer) Met() bool {
	return len(a.Unmet) == 0 && len(a.NoLine) == 0 && a.Flips == 0 && (a.Needed == 0 || a.Proved)
}

// RecordsError is an error of the records, not of the wish.
type RecordsError struct{ Err error }

func (e *RecordsError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the records.
func (e *RecordsError) Unwrap() error { return e.Err }

// governed is the robots.txt that the wish is about, with its data from the site's records.
type governed struct {
	answers  audit.Answers
	robots   []*audit.Robots // of the origins of the file, that of the URLs first
	crawlers []audit.Crawler // of the run
	urls     []string        // of the wish, as crawlers request them; each path once
	at       map[string]int  // by path: index into urls
}

// known yields all known URLs of the file. An error that ends them is stored in fault.
func (f *governed) known(records Records, fault *error) iter.Seq[string] {
	own := map[int]bool{}
	for _, r := range f.robots {
		own[r.Index] = true
	}
	return func(yield func(string) bool) {
		for rec, err := range records() {
			if err != nil {
				*fault = &RecordsError{err}
				return
			}
			if rec.URLs == nil {
				continue
			}
			for i := range rec.URLs.List {
				if u := &rec.URLs.List[i]; own[u.Origin] && !yield(u.Loc) {
					return
				}
			}
		}
	}
}

// findFile finds the file that applies to the URLs of a wish.
func findFile(w *Wish, records Records) (*governed, error) {
	f := &governed{at: map[string]int{}}
	all := map[string]*audit.Robots{}
	var names []string
	for rec, err := range records() {
		switch {
		case err != nil:
			return nil, &RecordsError{err}
		case rec.Site != nil:
			f.crawlers = rec.Site.Crawlers
		case rec.Robots != nil:
			f.answers.Add(rec.Robots.Index, rec.Robots.Origin, &rec.Robots.File)
			all[rec.Robots.Origin] = rec.Robots
			names = append(names, rec.Robots.Origin)
		}
	}
	if names == nil {
		return nil, errors.New("the run has no answer for its robots.txt")
	}
	for _, text := range w.URLs {
		if text[0] == '/' {
			text = names[0] + text
		}
		url, err := crawl.ResolveURL(text)
		if err != nil {
			return nil, fmt.Errorf("%s is not a URL: %w", quote(text), err)
		}
		at, _ := engine.RobotsURL(url)
		origin := strings.TrimSuffix(at, "/robots.txt")
		of := all[origin]
		switch {
		case of == nil:
			return nil, fmt.Errorf("%s: the run did not fetch %s/robots.txt, only that of %s", quote(text), quote(origin), wording.And(names[:min(len(names), maxTold)]))
		case f.robots == nil:
			f.robots = append(f.robots, of)
			for _, name := range names {
				if other := all[name]; other != of && sameFile(of, other) {
					f.robots = append(f.robots, other)
				}
			}
		case !slices.Contains(f.robots, of):
			return nil, fmt.Errorf("%s and %s have different robots.txt files. Ask for the URLs of %s and of %s in two steps", quote(w.URLs[0]), quote(text), f.robots[0].Origin, origin)
		}
		if _, twice := f.at[wishedPath(url)]; !twice {
			f.at[wishedPath(url)] = len(f.urls)
			f.urls = append(f.urls, url)
		}
	}
	return f, f.check()
}

// check returns an error if the file cannot be edited.
func (f *governed) check() error {
	of := f.robots[0]
	switch file := &of.File; {
	case file.Status/100 == 2 && file.Bytes > 0 && len(file.Body) == 0 && file.Code == "":
		return fmt.Errorf("the run did not store %s/robots.txt. Name the file with -robots", of.Origin)
	case file.Truncated:
		return fmt.Errorf("the run stored only the first %s of %s/robots.txt. Name the whole file with -robots", wording.Plural(len(file.Body), "byte"), of.Origin)
	}
	return nil
}

// sameFile reports whether two origins serve one file: with the same bytes from the same place, or
// by http and by https.
func sameFile(a, b *audit.Robots) bool {
	root := func(r *audit.Robots) string {
		if r.SameAs != "" {
			return r.SameAs
		}
		return r.Origin
	}
	end := func(r *audit.Robots) string {
		if n := len(r.File.Hops); n > 0 {
			return r.File.Hops[n-1].URL
		}
		return r.File.URL
	}
	return a.File.Status == b.File.Status && a.File.SHA256 != "" && a.File.SHA256 == b.File.SHA256 && (root(a) == root(b) || end(a) == end(b))
}

// wishedPath returns path and query of a URL as crawlers request it.
func wishedPath(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	return rest[max(0, strings.IndexByte(rest, '/')):]
}
