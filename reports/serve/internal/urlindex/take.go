package urlindex

import "fmt"

// take takes those URLs of a stretch into the result that belong there.
func (s *search) take(b stretch) error {
	r := s.rooms.Get().(*reading)
	defer s.rooms.Put(r)
	before := s.result.Total // URLs that were found before the one at hand
	for i := b.from; i < b.to && len(s.result.URLs) < s.q.Limit; i++ {
		e := &s.table.blocks[i]
		if b.whole && before+int64(e.count) <= s.q.Offset {
			before += int64(e.count)
			continue
		}
		if err := s.takeFrom(i, r, b.whole, &before); err != nil {
			return err
		}
	}
	return nil
}

// takeFrom takes the URLs of a block. Of small letters there is a copy, which is walked beside it.
func (s *search) takeFrom(block int, r *reading, whole bool, before *int64) error {
	if err := s.read(block, r); err != nil {
		return err
	}
	tested := &r.lines
	if s.small() && !whole {
		e := &s.table.blocks[block]
		r.folded = append(r.folded[:0], r.raw...)
		if err := r.small.read(r.folded, e.site, e.mixed); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		toLower(r.small.text)
		tested = &r.small
	}
	test := s.test()
	for len(s.result.URLs) < s.q.Limit {
		more, err := r.lines.next()
		if err == nil && tested != &r.lines {
			more, err = tested.next()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if !more {
			return nil
		}
		if found := whole || test(tested.loc, tested.same); !found || !s.of(r.lines.meta.site) {
			continue
		}
		if *before >= s.q.Offset {
			s.result.URLs = append(s.result.URLs, r.lines.meta.url(r.lines.loc))
		}
		*before++
	}
	return nil
}
