package urlindex

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"robots-audit/audit"
)

// Search runs a query on all cores. If the context's time runs out, it returns the matches so far and sets
// More. If the context is cancelled otherwise, that is the error. Any other error is ErrDamaged or comes
// from the disk.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	began := time.Now()
	q.Limit = max(0, min(q.Limit, MaxLimit))
	q.Offset = max(0, q.Offset)
	conditions := q.conditions()
	for i := range conditions {
		s := &search{Index: x, q: &q, c: &conditions[i]}
		err := s.run(ctx)
		s.result.Prefix, s.result.Took = i < len(conditions)-1, time.Since(began)
		if err != nil || s.result.Total > 0 || s.result.More || !s.result.Prefix {
			return s.result, err
		}
	}
	panic("a query without a condition")
}

// Find returns the URLs with this Loc, sorted by site and kind; none if it is unknown.
func (x *Index) Find(loc string) ([]URL, error) {
	text := []byte(loc)
	s := &search{Index: x, q: &Query{Limit: math.MaxInt}, c: &condition{text: text, begins: [][]byte{text}, place: whole}}
	err := s.run(context.Background())
	return s.result.URLs, err
}

// search is one search for one condition.
type search struct {
	*Index
	q      *Query
	c      *condition
	result Result
}

// counted is the result for one block.
type counted struct {
	at    int // the block
	count int64
	err   error // may be the context's error
}

func (s *search) run(ctx context.Context) error {
	var err error
	for c := range audit.InOrder(s.candidates, func(at int) counted {
		c := counted{at: at, err: ctx.Err()}
		if e := &s.table.Blocks[at]; c.err == nil && (!e.Mixed || s.q.Site == nil) && s.c.all(e.First, s.next(at)) {
			c.count = int64(e.Count)
		} else if c.err == nil {
			c.count, _, c.err = s.scan(at, 0, 0)
		}
		return c
	}) {
		if err = c.err; err != nil {
			break
		}
		if skip, room := s.q.Offset-s.result.Total, s.q.Limit-len(s.result.URLs); c.count > skip && room > 0 {
			var urls []URL
			if _, urls, err = s.scan(c.at, skip, room); err != nil {
				break
			}
			s.result.URLs = append(s.result.URLs, urls...)
		}
		s.result.Total += c.count
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.result.More, err = true, nil
	}
	return err
}

// candidates yields the blocks that may have a match, in order.
func (s *search) candidates(yield func(int) bool) {
	blocks := s.table.Blocks
	for i := range blocks {
		if (blocks[i].Mixed || s.asked(blocks[i].Site)) && s.c.between(blocks[i].First, s.next(i)) && !yield(i) {
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

// asked reports whether the query includes URLs of a site.
func (s *search) asked(site uint32) bool {
	return s.q.Site == nil || uint32(*s.q.Site) == site
}

// scan counts the matching URLs of a block, skips as many as asked for, and returns at most limit of the
// rest. Many goroutines may call it.
func (s *search) scan(at int, skip int64, limit int) (count int64, urls []URL, err error) {
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	entry, small := &s.table.Blocks[at], s.c.place == anywhere
	if err := b.read(s.file, entry, small); err != nil {
		return 0, nil, err
	}
	var found []int
	i := 0
	for from := 0; from < len(b.text); from = b.lines[i].to + 1 {
		at := bytes.Index(b.text[from:], s.c.text)
		if at < 0 {
			break
		}
		for at += from; b.lines[i].to < at; {
			i++
		}
		if at+len(s.c.text) > b.lines[i].to || !s.asked(b.lines[i].meta.site) || !s.c.holds(b.loc(i)) {
			continue // the match crosses into the next URL, or this URL has another one
		}
		if count++; count > skip && len(found) < limit {
			found = append(found, i)
		}
	}
	if len(found) > 0 && small {
		err = b.read(s.file, entry, false)
	}
	for _, i := range found {
		if err == nil {
			urls = append(urls, b.url(i))
		}
	}
	return count, urls, err
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
