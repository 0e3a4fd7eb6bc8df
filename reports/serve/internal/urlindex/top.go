package urlindex

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"robots-audit/audit"
)

// ranked is a match with the number by which matches are sorted.
type ranked struct {
	number   int64
	at, line int32 // its place: block and line
}

func (r ranked) compare(o ranked) int {
	return cmp.Or(cmp.Compare(o.number, r.number), cmp.Compare(r.at, o.at), cmp.Compare(r.line, o.line))
}

// top keeps the first matches by number. It has up to twice as many, and drops the others at times.
type top struct {
	most  int
	list  []ranked
	floor int64
}

// add adds matches, which come in the order of their places. It reports whether floor has changed.
func (t *top) add(list []ranked) bool {
	t.list = append(t.list, list...)
	if len(t.list) < 2*t.most+1024 || t.most == 0 {
		return false
	}
	t.cut()
	t.floor = t.list[t.most-1].number
	return true
}

// cut sorts the matches, and drops those beyond the first ones.
func (t *top) cut() {
	slices.SortFunc(t.list, ranked.compare)
	t.list = t.list[:min(t.most, len(t.list))]
}

// most is the greatest number of a block's URLs.
func (s *search) most(e *entry) int64 {
	switch s.q.Sort {
	case ByClicks:
		return e.Clicks
	case ByImpressions:
		return e.Impressions
	}
	return e.Hits
}

// rank returns the matches of a block that may be among the first.
func (s *search) rank(b *block, at int) (list []ranked, err error) {
	floor := s.floor.Load()
	var n numbers
	for _, line := range b.found {
		of := ranked{0, int32(at), int32(line)}
		if err := n.read(b.columns.numbers(line)); err != nil {
			return nil, err
		}
		switch s.q.Sort {
		case ByClicks:
			of.number = n.clicks
		case ByImpressions:
			of.number = n.impressions
		default:
			of.number = n.hitsOf(s.selection.place(b.columns.class(line)))
		}
		if of.number > floor || floor == math.MinInt64 {
			list = append(list, of)
		}
	}
	return list, nil
}

// placed yields the matches after the first Offset, block by block: on disk, those of a block are together.
func (s *search) placed(ctx context.Context, yield func(n int, loc []byte, c *class, amounts []byte) error) error {
	list := slices.Clone(s.top.list[min(int(s.q.Offset), len(s.top.list)):])
	for n := range list {
		list[n].number = int64(n)
	}
	slices.SortFunc(list, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.line, b.line)) })
	jobs := func(yield func([]ranked) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].at == list[0].at {
				n++
			}
			if !yield(list[:n]) {
				return
			}
			list = list[n:]
		}
	}
	type together struct { // matches of one block, and the block
		of  []ranked
		b   *block
		err error
	}
	for t := range audit.InOrder(jobs, func(of []ranked) together {
		t := together{of, blocks.Get().(*block), ctx.Err()}
		if t.err == nil {
			t.err = t.b.read(s.file, &s.table.Blocks[of[0].at])
		}
		return t
	}) {
		err := t.err
		for _, r := range t.of {
			if line := int(r.line); err == nil {
				err = yield(int(r.number), t.b.loc(line), t.b.columns.class(line), t.b.columns.numbers(line))
			}
		}
		blocks.Put(t.b)
		if err != nil {
			return err
		}
	}
	return nil
}

// readTop reads the URLs of the result.
func (s *search) readTop(ctx context.Context) error {
	urls := make([]URL, max(0, len(s.top.list)-int(min(s.q.Offset, MaxSorted))))
	err := s.placed(ctx, func(n int, loc []byte, c *class, amounts []byte) error {
		return s.read(&urls[n], string(loc), c, amounts)
	})
	if errors.Is(err, context.DeadlineExceeded) {
		s.result.More = true
		return nil
	}
	s.result.URLs = urls
	return err
}
