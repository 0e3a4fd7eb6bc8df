package gate

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Flips are the URLs of one site whose verdict changes with the proposed robots.txt, grouped by the
// rules that decide on both sides.
type Flips struct {
	Site *compare.Site

	lines []*deciding
	more  int64 // changes of pages that have no place in lines
	byKey map[string]*deciding
	key   []byte // reused
}

// deciding is a set of pages that change in one way, for the same crawlers, by the same lines.
type deciding struct {
	class         compare.Class
	crawlers      []string
	origin        int // index into Site.Origins
	was, is       engine.Verdict
	old, new      engine.Rule // Line 0 = none
	pages, clicks int64
	hits          int64  // requests of the crawlers for these pages, in access logs
	example       string // the page with most clicks, or the first
	most          int64  // its clicks
}

// maxDeciding limits the sets that are kept for a site.
const maxDeciding = 1000

// ReadFlips reads a comparison of the two sides of a site; nil = there is no site in it.
func ReadFlips(items iter.Seq2[compare.Item, error]) (*Flips, error) {
	f := &Flips{byKey: map[string]*deciding{}}
	for item, err := range items {
		switch {
		case err != nil:
			return nil, err
		case item.Begin != nil:
			f.Site = item.Begin
		case item.Site != nil:
			f.Site = item.Site
		case !item.Flip.Appeared && audit.IsPage(item.Flip.Kind):
			f.add(item.Flip)
		}
	}
	if f.Site == nil {
		return nil, nil
	}
	slices.SortFunc(f.lines, func(a, b *deciding) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.clicks, a.clicks), cmp.Compare(b.hits, a.hits), cmp.Compare(b.pages, a.pages), cmp.Compare(a.new.Line, b.new.Line), cmp.Compare(a.old.Line, b.old.Line), slices.Compare(a.crawlers, b.crawlers))
	})
	return f, nil
}

// add counts a page whose verdict changes.
func (f *Flips) add(flip *compare.Flip) {
	for i := range flip.Verdicts {
		v := &flip.Verdicts[i]
		if v.Class == compare.Same || slices.ContainsFunc(flip.Verdicts[:i], func(before compare.Verdicts) bool { return decidedAlike(v, &before) }) {
			continue
		}
		key := f.key[:0]
		for _, n := range []int{flip.Origin, int(v.Was), int(v.Is), v.Old.Line, v.New.Line} {
			key = binary.AppendVarint(key, int64(n))
		}
		for k := i; k < len(flip.Verdicts); k++ {
			if decidedAlike(v, &flip.Verdicts[k]) {
				key = binary.AppendVarint(key, int64(k))
			}
		}
		f.key = key
		of := f.byKey[string(key)]
		switch {
		case of != nil:
		case len(f.lines) == maxDeciding:
			f.more++
			continue
		default:
			of = f.begin(flip, v)
			f.byKey[string(key)] = of
			f.lines = append(f.lines, of)
		}
		of.pages++
		of.clicks += flip.Weight.Clicks
		for k := i; k < len(flip.Hits); k++ {
			if decidedAlike(v, &flip.Verdicts[k]) {
				of.hits += flip.Hits[k]
			}
		}
		if flip.Weight.Clicks > of.most {
			of.most, of.example = flip.Weight.Clicks, escape.Cut(flip.Loc, longestURL)
		}
	}
}

// begin makes the set for its first change.
func (f *Flips) begin(flip *compare.Flip, v *compare.Verdicts) *deciding {
	of := &deciding{class: v.Class, origin: flip.Origin, was: v.Was, is: v.Is, old: v.Old, new: v.New, example: escape.Cut(flip.Loc, longestURL)}
	for i := range flip.Verdicts {
		if decidedAlike(v, &flip.Verdicts[i]) {
			of.crawlers = append(of.crawlers, f.Site.Crawlers[i].Label)
		}
	}
	return of
}

// decidedAlike reports whether two crawlers have the same verdicts by the same lines.
func decidedAlike(a, b *compare.Verdicts) bool {
	return a.Class == b.Class && a.Was == b.Was && a.Is == b.Is && a.Old.Line == b.Old.Line && a.New.Line == b.New.Line
}

// change is a set of pages that a proposed robots.txt decides otherwise, for code review.
type change struct {
	class      compare.Class
	file       string
	line       int    // the deciding one of the file; 0 = none
	text       string // in sentences, without the last end
	identifies string // it, even after lines have moved
}

// changes yields the changes of all sites, each at the file of -robots by which it happens.
func (s *Summary) changes() iter.Seq[change] {
	return func(yield func(change) bool) {
		for _, f := range s.Flips {
			for _, of := range f.lines {
				host := audit.HostName(f.Site.Origins[of.origin].Name)
				text := wording.URLs(of.pages) + " of " + host + wording.Verb(of.pages, " is ", " are ") + of.class.Words() + lineOf(of.new) + " for " + escape.Cut(wording.And(of.crawlers), longestRule) + ", such as " + of.example + ". Before: " + word(of.was) + lineOf(of.old)
				prints := strings.Join(append([]string{host, of.class.String(), Rule(of.old), Rule(of.new)}, of.crawlers...), "\x00")
				if !yield(change{of.class, s.Files[host], of.new.Line, escape.Printable(text), prints}) {
					return
				}
			}
		}
	}
}
