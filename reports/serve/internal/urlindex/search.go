package urlindex

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"robots-audit/audit"
)

// Search runs a query on all cores. If the context's time runs out, it returns the matches so far and sets
// More. If the context is cancelled otherwise, that is the error. Any other error is ErrDamaged or comes
// from the disk.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	began := time.Now()
	q.Limit = max(0, min(q.Limit, MaxLimit))
	s, err := x.search(ctx, &q)
	if err == nil && q.Sort != ByURL && q.Limit > 0 {
		err = s.readTop(ctx)
	}
	s.result.Took = time.Since(began)
	return s.result, err
}

// search runs a query, of which any number of URLs may be wanted.
func (x *Index) search(ctx context.Context, q *Query) (s *search, err error) {
	q.Offset = max(0, q.Offset)
	selected := x.newSelection(&q.Filter, q.Site)
	conditions := q.conditions()
	for i := range conditions {
		s = &search{Index: x, q: q, c: &conditions[i], selection: selected}
		err = s.run(ctx)
		s.result.Prefix = i < len(conditions)-1
		if err != nil || s.result.Total > 0 || s.result.More || !s.result.Prefix {
			break
		}
	}
	return s, err
}

// Find returns the URLs with this Loc, sorted by site and kind; none if it is unknown.
func (x *Index) Find(loc string) ([]URL, error) {
	text := []byte(loc)
	s := &search{Index: x, q: &Query{Limit: math.MaxInt}, c: &condition{text: text, begins: [][]byte{text}, place: whole}, selection: x.newSelection(&Filter{}, nil)}
	err := s.run(context.Background())
	return s.result.URLs, err
}

// search is one search for one condition.
type search struct {
	*Index
	q         *Query
	c         *condition
	selection *selection
	result    Result
	top       top
	floor     atomic.Int64 // in another order than ByURL: URLs with such a number, or a lower one, come too late
}

// counted is the result for one block.
type counted struct {
	at     int // the block
	count  int64
	ranked []ranked // in another order than ByURL
	err    error    // may be the context's error
}

func (s *search) run(ctx context.Context) error {
	var err error
	s.top.most = int(min(s.q.Offset+int64(s.q.Limit), MaxSorted))
	s.floor.Store(math.MinInt64)
	for c := range audit.InOrder(s.candidates, func(at int) counted {
		if err := ctx.Err(); err != nil {
			return counted{err: err}
		}
		return s.count(at)
	}) {
		if err = c.err; err != nil {
			break
		}
		if skip, room := s.q.Offset-s.result.Total, s.q.Limit-len(s.result.URLs); s.q.Sort == ByURL && c.count > skip && room > 0 {
			var urls []URL
			if urls, err = s.urls(c.at, skip, room); err != nil {
				break
			}
			s.result.URLs = append(s.result.URLs, urls...)
		}
		s.result.Total += c.count
		if s.top.add(c.ranked) {
			s.floor.Store(s.top.floor)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.result.More, err = true, nil
	}
	s.top.cut()
	return err
}

// candidates yields the blocks that may have a match, in order.
func (s *search) candidates(yield func(int) bool) {
	blocks := s.table.Blocks
	for i := range blocks {
		b := &blocks[i]
		if (b.Mixed || s.q.Site == nil || uint32(*s.q.Site) == b.Site) && b.Clicks >= s.selection.Clicks && b.Hits >= s.selection.Hits && s.c.between(b.First, s.next(i)) && !yield(i) {
			return
		}
	}
}

// next returns the first URL after a block, nil after the last block.
func (s *search) next(at int) []byte {
	if at+1 == len(s.table.Blocks) {
		return nil
	}
	return s.table.Blocks[at+1].First
}

// needs says which parts of a block tell whether its URLs match.
func (s *search) needs(at int) (text, columns bool) {
	e := &s.table.Blocks[at]
	return !s.c.all(e.First, s.next(at)), s.selection.active || e.Mixed && s.q.Site != nil
}

// count counts the matching URLs of a block, and ranks them.
func (s *search) count(at int) (c counted) {
	c.at = at
	e := &s.table.Blocks[at]
	text, columns := s.needs(at)
	rank := s.q.Sort != ByURL && s.top.most > 0 && s.most(e) > s.floor.Load()
	if !text && !columns && !rank {
		c.count = int64(e.Count)
		return c
	}
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	if c.err = s.match(b, at, rank); c.err == nil && rank {
		c.ranked, c.err = s.rank(b, at)
	}
	c.count = int64(len(b.found))
	return c
}

// match finds the lines of a block that match, and reads its columns if they are wanted or needed.
func (s *search) match(b *block, at int, wanted bool) error {
	e := &s.table.Blocks[at]
	text, columns := s.needs(at)
	b.found = b.found[:0]
	if columns || wanted {
		if err := b.readColumns(s.file, e); err != nil {
			return err
		}
	}
	if columns {
		b.wanted = b.wanted[:0]
		some := false
		for i := range b.columns.classes {
			b.wanted = append(b.wanted, s.selection.class(&b.columns.classes[i]))
			some = some || b.wanted[i]
		}
		if !some {
			return nil
		}
	}
	if text {
		if err := b.readText(s.file, e, s.c.place == anywhere); err != nil {
			return err
		}
		s.scan(b)
	} else {
		for i := range int(e.Count) {
			b.found = append(b.found, i)
		}
	}
	if !columns {
		return nil
	}
	kept := b.found[:0]
	var n numbers
	for _, i := range b.found {
		if !b.wanted[b.columns.of[i]] {
			continue
		}
		if s.selection.counts() {
			if err := n.read(b.columns.numbers(i)); err != nil {
				return err
			}
			if n.clicks < s.selection.Clicks && s.selection.Clicks > 0 || n.hitsOf(s.selection.place(b.columns.class(i))) < s.selection.Hits {
				continue
			}
		}
		kept = append(kept, i)
	}
	b.found = kept
	return nil
}

// scan finds the lines of a block whose text matches.
func (s *search) scan(b *block) {
	i := 0
	for from := 0; from < len(b.text); from = b.lines[i].to + 1 {
		at := bytes.Index(b.text[from:], s.c.text)
		if at < 0 {
			break
		}
		for at += from; b.lines[i].to < at; {
			i++
		}
		if at+len(s.c.text) > b.lines[i].to || !s.c.holds(b.loc(i)) {
			continue // the match crosses into the next URL, or this URL has another one
		}
		b.found = append(b.found, i)
	}
}

// urls returns the matching URLs of a block, without the first ones, and at most limit.
func (s *search) urls(at int, skip int64, limit int) ([]URL, error) {
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	if err := s.match(b, at, true); err != nil {
		return nil, err
	}
	found := b.found[max(0, min(int(skip), len(b.found))):]
	found = found[:min(limit, len(found))]
	if err := b.readText(s.file, &s.table.Blocks[at], false); err != nil {
		return nil, err
	}
	list := make([]URL, len(found))
	for k, i := range found {
		if err := s.read(&list[k], string(b.loc(i)), b.columns.class(i), b.columns.numbers(i)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read reads a URL from its text, class and numbers.
func (x *Index) read(u *URL, loc string, c *class, amounts []byte) error {
	words := &x.table.Words
	if c.kind == statusOnly || int(c.outcome) >= len(x.table.outcomes) || int(c.template) >= len(words.Templates) || int(c.segment) >= len(words.Segments) {
		return ErrDamaged
	}
	var n numbers
	err := n.read(amounts)
	*u = URL{
		Loc: loc, Site: int32(c.site), Kind: audit.Kind(c.kind - 1), Listed: c.marks&markListed != 0, Sitemap: c.marks&markSitemap != 0, Status: int(c.status),
		Outcome: &x.table.outcomes[c.outcome], Template: words.Templates[c.template], Segment: words.Segments[c.segment],
		Clicks: n.clicks, Impressions: n.impressions, Hits: n.hits,
	}
	return err
}

// toLower converts the ASCII letters of a text to lower case, eight bytes at a time: a search does this to
// everything it reads.
func toLower(b []byte) {
	const each = 0x0101010101010101
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		low := x & (0x7f * each)                                      // without the high bits, no sum overflows its byte
		letters := (low + (0x80-'A')*each) &^ (low + (0x7f-'Z')*each) // the high bit of each byte that is a capital letter
		binary.LittleEndian.PutUint64(b, x|(letters&^x&(0x80*each))>>2)
		b = b[8:]
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
}
