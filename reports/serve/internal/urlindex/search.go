package urlindex

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit"
)

// Search looks for what a query asks for, by as many goroutines as there are cores. Where the
// context's time runs out, what was found so far is returned, and More is set; where it is
// cancelled otherwise, that is the error. Any other error is ErrDamaged or of the disk.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	began := time.Now()
	q.Limit = max(0, min(q.Limit, MaxLimit))
	q.Offset = max(0, q.Offset)
	q.Sites = slices.Clone(q.Sites)
	slices.Sort(q.Sites)
	conditions := q.conditions()
	for {
		s := &search{Index: x, q: &q, condition: conditions[0]}
		conditions = conditions[1:]
		err := s.run(ctx)
		s.result.Prefix, s.result.Took = len(conditions) > 0, time.Since(began)
		if err != nil || s.result.Total > 0 || s.result.More || !s.result.Prefix {
			return s.result, err
		}
	}
}

// search is one search for one condition.
type search struct {
	*Index
	q *Query
	condition
	result Result
	rows   []byte // of the part at hand: for each block a bit, whether it may hold what is looked for; nil = that is not known
	failed error
}

// stretch are blocks that follow each other.
type stretch struct {
	from, to int
	whole    bool // all of their URLs are found; else it is one block, to be looked at
}

// counted is how many URLs of a stretch are found.
type counted struct {
	stretch
	count int64
	err   error // the context's too
}

func (s *search) run(ctx context.Context) error {
	count := func(b stretch) counted {
		n, err := s.count(ctx, b)
		return counted{b, n, err}
	}
	var err error
	for c := range audit.InOrder(s.stretches, count) {
		if err = c.err; err == nil && c.count > 0 && s.result.Total+c.count > s.q.Offset && len(s.result.URLs) < s.q.Limit {
			err = s.take(c.stretch)
		}
		if err != nil {
			break
		}
		s.result.Total += c.count
	}
	if err == nil {
		err = s.failed
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.result.More, err = true, nil
	}
	return err
}

// stretches yields the blocks in which something is found, or may be, in order.
func (s *search) stretches(yield func(stretch) bool) {
	blocks := s.table.blocks
	var wait stretch // of whole blocks, which may go on
	for i := range blocks {
		if i%partBlocks == 0 {
			if s.failed = s.readRows(i / partBlocks); s.failed != nil {
				return
			}
		}
		answer := s.answer(i)
		if wait.to > wait.from && (answer != all || i%partBlocks == 0) {
			if !yield(wait) {
				return
			}
			wait = stretch{}
		}
		switch answer {
		case all:
			if wait.to == wait.from {
				wait = stretch{from: i, whole: true}
			}
			wait.to = i + 1
		case some:
			if !yield(stretch{from: i, to: i + 1}) {
				return
			}
		}
	}
	if wait.to > wait.from {
		yield(wait)
	}
}

// answer says which URLs of a block are found, as far as table and filter tell.
func (s *search) answer(i int) answer {
	blocks, n := s.table.blocks, i%partBlocks
	e := &blocks[i]
	if s.rows != nil && s.rows[n/8]&(1<<(n%8)) == 0 {
		return none
	}
	if !e.mixed && !s.of(e.site) {
		return none
	}
	var next []byte
	if i+1 < len(blocks) {
		next = blocks[i+1].first
	}
	found := s.between(e.first, next)
	if found == all && e.mixed && s.q.Sites != nil {
		found = some
	}
	return found
}

// of reports whether a site is one of those that are asked for.
func (s *search) of(site uint32) bool {
	if s.q.Sites == nil {
		return true
	}
	_, found := slices.BinarySearch(s.q.Sites, int32(site))
	return found
}

// count counts the URLs of a stretch that are found; many goroutines do so.
func (s *search) count(ctx context.Context, b stretch) (count int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if b.whole {
		for _, e := range s.table.blocks[b.from:b.to] {
			count += int64(e.count)
		}
		return count, nil
	}
	r := s.rooms.Get().(*reading)
	defer s.rooms.Put(r)
	if err := s.read(b.from, r); err != nil {
		return 0, err
	}
	l := &r.lines
	if s.small() {
		toLower(l.text)
	}
	test := s.test()
	for {
		more, err := l.next()
		if err != nil {
			return 0, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if !more {
			return count, nil
		}
		if test(l.loc, l.same) && (!l.mixed || s.of(l.meta.site)) {
			count++
		}
	}
}
