package compare

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Options are the settings of a comparison. The zero value is useful.
type Options struct {
	Temp string // folder for temporary files, whose names are removed after opening; "" = the system's

	// Conditions for changes that the user wants to see.
	Watch     []string              // labels or names of the crawlers for which a blocked "/" is AL01, and critical; nil = all, and only those that lead are critical
	Important func(url string) bool // whether a page is on the list of important URLs, for AL02, in addition to those with clicks; nil = no list
	Share     float64               // change of the blocked share of pages, in percentage points, for AL11; 0 = 5

	// Earlier lists runs of a site, newest first: those before the newer run or else, with itself, up
	// to the older one. Their access logs show what those of the two sides no longer have. nil = there
	// is no history.
	Earlier func(site string, newer bool) []EarlierRun

	// Initial reports as changes what is wrong with a site that the older side does not know.
	Initial bool
}

// Sides compares two sides: records of the same site, each read once from the beginning. nil = that
// run does not know the site. Flips come as they are found; the Site is the last item. An error of
// the records, or of a temporary file, ends the items.
func Sides(old, new iter.Seq2[audit.Record, error], o Options) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		c := &comparison{options: o, old: &judged{side: newSide()}, new: &judged{side: newSide()}, known: map[[2]*governed]*judges{}}
		old, stopOld, err := c.old.open(old)
		defer stopOld()
		if err != nil {
			yield(Item{}, fmt.Errorf("the older run: %w", err))
			return
		}
		new, stopNew, err := c.new.open(new)
		defer stopNew()
		if err != nil {
			yield(Item{}, fmt.Errorf("the newer run: %w", err))
			return
		}
		c.begin()
		if !yield(Item{Begin: &c.site}, nil) {
			return
		}
		for p, err := range c.join(old, new) {
			if err != nil {
				yield(Item{}, err)
				return
			}
			if flip := c.count(p); flip != nil && !yield(Item{Flip: flip}, nil) {
				return
			}
		}
		c.finish()
		yield(Item{Site: &c.site}, nil)
	}
}

// comparison is the state of Sides.
type comparison struct {
	options   Options
	old, new  *judged
	site      Site
	known     map[[2]*governed]*judges
	judges    *judges // the one used last
	facts     facts
	kinds     map[audit.Kind]*Totals // of URLs that are not pages
	sections  sections
	reverters map[int]*reverter // by index into Site.Origins; nil = nothing can be undone there
	decisions []engine.Decision // of the current URL: one for each crawler on the old side, then on the new side
	logged    *judged           // the side whose hits count: the new one if it has access logs; nil = neither has
	hits      []int64           // reused for those of the current page
	room      Flip              // of the current URL, reused for the next one
}

// judged is a side with its readers.
type judged struct {
	*side
	readers []reader
}

// open reads the first record of a side, which describes the site, and returns the records that
// follow. stop ends the reading.
func (s *judged) open(records iter.Seq2[audit.Record, error]) (rest iter.Seq2[audit.Record, error], stop func(), err error) {
	if records == nil {
		return func(func(audit.Record, error) bool) {}, func() {}, nil
	}
	next, stop := iter.Pull2(records)
	first, err, ok := next()
	switch {
	case err != nil:
		return nil, stop, err
	case !ok || first.Site == nil:
		return nil, stop, errors.New("its records do not begin with a site. Run the audit again")
	}
	s.add(first)
	return func(yield func(audit.Record, error) bool) {
		for {
			rec, err, ok := next()
			if !ok || !yield(rec, err) {
				return
			}
		}
	}, stop, nil
}

// begin pairs the crawlers by label, then by name, because a crawler with another profile is still
// the same crawler.
func (c *comparison) begin() {
	var olds []audit.Crawler
	if c.old.site != nil {
		c.site.Name, olds = c.old.site.Name, c.old.site.Crawlers
	}
	if c.new.site == nil {
		return
	}
	c.site.Name = c.new.site.Name
	if olds == nil {
		olds = c.initialCrawlers()
	}
	taken := map[int]bool{}
	find := func(is func(audit.Crawler) bool) int {
		return slices.IndexFunc(olds, func(o audit.Crawler) bool { return is(o) })
	}
	for i, crawler := range c.new.site.Crawlers {
		at := find(func(o audit.Crawler) bool { return o.Label == crawler.Label })
		if at < 0 {
			at = find(func(o audit.Crawler) bool { return o.Name == crawler.Name })
		}
		if at < 0 || taken[at] {
			continue
		}
		taken[at] = true
		was, wasBy, known := olds[at].Robot()
		is, isBy, knownNow := crawler.Robot()
		if !known || !knownNow {
			continue
		}
		c.site.Crawlers = append(c.site.Crawlers, Crawler{Label: crawler.Label, Old: olds[at], New: crawler})
		c.old.readers = append(c.old.readers, reader{was, wasBy, at})
		c.new.readers = append(c.new.readers, reader{is, isBy, i})
	}
	c.decisions = make([]engine.Decision, 2*len(c.site.Crawlers))
	c.site.Flips = make([]CrawlerTotals, len(c.site.Crawlers))
	c.site.Causes = map[Cause]int64{}
	for _, s := range [...]*judged{c.old, c.new} {
		if s.site != nil && s.site.Logs != nil {
			c.logged, c.site.Hits = s, make([]Traffic, len(c.site.Crawlers))
		}
	}
}

// countHits counts the hits of a page, and returns them for each crawler; nil = none.
func (c *comparison) countHits(p pair) []int64 {
	of := p.new
	if c.logged == c.old {
		of = p.old
	}
	if c.hits = c.hits[:0]; of.hits == nil {
		return nil
	}
	for i, r := range c.logged.readers {
		n := int64(0)
		if r.column < len(of.hits) {
			n = of.hits[r.column]
		}
		if c.hits = append(c.hits, n); n > 0 {
			c.site.Hits[i].Pages++
			c.site.Hits[i].Known += n
		}
	}
	return c.hits
}

// count counts a URL, and returns it if its verdicts differ, or if it appeared and is blocked.
func (c *comparison) count(p pair) *Flip {
	was, is, same := c.verdicts(p)
	c.countFacts(p, was, is, same)
	if p.old != nil && audit.IsPage(p.old.kind) {
		c.old.URLs++
		p.old.origin.pages++
		if blocked(was) || same && blocked(is) {
			c.old.Blocked++
		}
	}
	if p.new != nil && audit.IsPage(p.new.kind) {
		c.new.URLs++
		p.new.origin.pages++
		if blocked(is) {
			c.new.Blocked++
		}
	}
	of := p.new
	if of == nil {
		of = p.old
	}
	t := c.totals(of.kind)
	switch {
	case p.new == nil:
		t.Vanished++
		return nil
	case p.old == nil:
		return c.appeared(t, p.new, is)
	}
	t.Known++
	page := audit.IsPage(p.new.kind)
	weight := p.new.weight
	if !weight.HasClicks() {
		weight = p.old.weight
	}
	var hits []int64
	if page {
		c.countJudged(was, is, same)
		if c.logged != nil {
			hits = c.countHits(p)
		}
		if weight.HasClicks() {
			c.site.Clicks.Pages++
			c.site.Clicks.Known += weight.Clicks
		}
	}
	if same {
		return nil
	}
	var flip *Flip
	for i := range is {
		class := ClassOf(was[i].Verdict, is[i].Verdict)
		if class == Same {
			continue
		}
		if flip == nil {
			flip = c.flip(p.new)
			flip.Weight, flip.Hits = weight, hits
			for k := range is {
				flip.Verdicts[k] = Verdicts{Was: was[k].Verdict, Is: is[k].Verdict, Old: ruleOf(was[k]), New: ruleOf(is[k])}
			}
		}
		flip.Verdicts[i].Class, flip.Verdicts[i].Cause = class, c.cause(i, p, is[i])
	}
	if flip != nil {
		c.putBack(flip, page)
		classes := classesOf(flip)
		t.count(classes)
		t.Weight += Clicks(flip.Weight)
		if page {
			c.tally(flip)
			c.site.Origins[flip.Origin].count(classes)
			c.countImportant(flip)
			c.sections.add(flip, c.new.origins[0], classes)
		}
	}
	return flip
}

// countJudged counts a page if it is unclear for a crawler whether it is newly blocked: the verdict is
// unclear now, or it was unclear and is to block. A verdict that stays undefined is no news.
func (c *comparison) countJudged(was, is []engine.Decision, same bool) {
	unclear := false
	for i := range is {
		is := is[i].Verdict
		if is == engine.Unknown || !same && (ClassOf(was[i].Verdict, is) == NowUnclear || is == engine.Disallow && !isClear(was[i].Verdict)) {
			c.site.Flips[i].Unjudged++
			unclear = true
		}
	}
	if unclear {
		c.site.Unjudged++
	}
}

// totals returns the totals of a kind of URLs.
func (c *comparison) totals(kind audit.Kind) *Totals {
	if audit.IsPage(kind) {
		return &c.site.Totals
	}
	of := c.kinds[kind]
	if of == nil {
		if c.kinds == nil {
			c.kinds = map[audit.Kind]*Totals{}
		}
		of = &Totals{}
		c.kinds[kind] = of
	}
	return of
}

// blocked reports whether a URL is blocked for a crawler.
func blocked(list []engine.Decision) bool {
	for i := range list {
		if list[i].Verdict == engine.Disallow {
			return true
		}
	}
	return false
}

// classes are the classes of a URL's flips, over all crawlers.
type classes [len(classNames)]bool

// classesOf returns the classes of a URL that flips.
func classesOf(f *Flip) (found classes) {
	for _, v := range f.Verdicts {
		found[v.Class] = true
	}
	return found
}

// count counts a URL once in each class of its flips.
func (c *Counts) count(found classes) {
	for class := NewlyBlocked; class <= ClearAgain; class++ {
		if found[class] {
			*c.Of(class)++
		}
	}
}

// tally counts a flipped page for its crawlers and causes.
func (c *comparison) tally(f *Flip) {
	weight := Clicks(f.Weight)
	var causes [len(causeNames)]bool
	for class, is := range classesOf(f) {
		if is && Class(class) != Same {
			*c.site.Clicks.Of(Class(class)) += f.Weight.Clicks
		}
	}
	for i, v := range f.Verdicts {
		per := &c.site.Flips[i]
		switch v.Class {
		case Same:
			continue
		case NewlyBlocked:
			per.WeightBlocked += weight
		case NewlyAllowed:
			per.WeightAllowed += weight
		}
		*per.Of(v.Class)++
		*per.Clicks.Of(v.Class) += f.Weight.Clicks
		if f.Hits != nil {
			*c.site.Hits[i].Of(v.Class) += f.Hits[i]
		}
		per.Weight += weight
		causes[v.Cause] = true
	}
	for cause, is := range causes {
		if is {
			c.site.Causes[Cause(cause)]++
		}
	}
}

// flip returns a URL with room for its verdicts, in reused memory. On a large site where every URL
// flips, allocating each took a tenth of the time.
func (c *comparison) flip(k *known) *Flip {
	if c.room.Verdicts == nil {
		c.room.Verdicts = make([]Verdicts, len(c.site.Crawlers))
	}
	clear(c.room.Verdicts)
	c.room = Flip{Loc: k.loc, Origin: c.originOf(k), Kind: k.kind, Listed: k.listed, Weight: k.weight, Verdicts: c.room.Verdicts}
	return &c.room
}

// Clone returns a copy that may be kept.
func (f *Flip) Clone() *Flip {
	kept := *f
	kept.Loc, kept.Verdicts, kept.Hits = strings.Clone(f.Loc), slices.Clone(f.Verdicts), slices.Clone(f.Hits)
	for i := range kept.Verdicts {
		kept.Verdicts[i].Lines = slices.Clone(kept.Verdicts[i].Lines)
	}
	return &kept
}

// appeared counts a URL that only the new side knows.
func (c *comparison) appeared(t *Totals, k *known, is []engine.Decision) *Flip {
	t.Appeared++
	if !blocked(is) {
		return nil
	}
	t.AppearedBlocked++
	flip := c.flip(k)
	flip.Appeared = true
	for i, d := range is {
		flip.Verdicts[i] = Verdicts{Is: d.Verdict, New: ruleOf(d)}
		if d.Verdict == engine.Disallow && audit.IsPage(k.kind) {
			c.site.Flips[i].AppearedBlocked++
		}
	}
	if audit.IsPage(k.kind) {
		c.countAppeared(flip)
	}
	return flip
}

func ruleOf(d engine.Decision) engine.Rule {
	if d.Rule == nil {
		return engine.Rule{}
	}
	return *d.Rule
}

// finish adds the differences other than verdicts.
func (c *comparison) finish() {
	if c.old.site != nil {
		c.site.Old = &c.old.Side
	}
	if c.new.site != nil {
		c.site.New = &c.new.Side
	}
	c.site.Sections = c.sections.ranked()
	for kind, t := range c.kinds {
		if !t.same() {
			if c.site.Kinds == nil {
				c.site.Kinds = map[string]Totals{}
			}
			c.site.Kinds[kind.String()] = *t
		}
	}
	c.finishChanges()
}
