package compare

import "iter"

// mostBegun is the maximum number of items buffered before the consumer asks for them. A flip takes
// some 100 bytes for each crawler.
const mostBegun = 256

// Begun is a comparison that starts before its items are needed, so that several can run in
// parallel and be consumed one after the other. Mostly it is complete by then, since few sites have
// more flips than the buffer.
type Begun struct {
	items []Item
	next  func() (Item, error, bool)
	stop  func()
	err   error
}

// Begin runs a comparison until it ends or the buffer is full. The buffered items keep the
// comparison in memory, so it is not for large sites.
func Begin(items iter.Seq2[Item, error]) *Begun {
	b := &Begun{}
	b.next, b.stop = iter.Pull2(items)
	for len(b.items) < mostBegun {
		item, err, ok := b.next()
		if err != nil {
			b.err = err
		}
		if !ok || err != nil {
			b.Stop()
			break
		}
		if item.Flip != nil {
			item.Flip = item.Flip.Clone()
		}
		b.items = append(b.items, item)
	}
	return b
}

// Items yields all items of the comparison, once: first the buffered ones, then the rest.
func (b *Begun) Items() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		defer b.Stop()
		for _, item := range b.items {
			if !yield(item, nil) {
				return
			}
		}
		if b.err != nil {
			yield(Item{}, b.err)
			return
		}
		for {
			item, err, ok := b.next()
			if !ok || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Stop ends a comparison whose remaining items are not needed. It may be called at any time.
func (b *Begun) Stop() { b.stop() }
