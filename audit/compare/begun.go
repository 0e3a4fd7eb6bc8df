package compare

import "iter"

// mostBegun is how many items of a comparison may wait for whoever asks for them: a flip has
// some 100 bytes for each crawler.
const mostBegun = 256

// Begun is a comparison that was begun before anybody asks for its items, so that
// several are made side by side and taken one after the other. Mostly it is over by then:
// few sites have more flips than may wait.
type Begun struct {
	items []Item
	next  func() (Item, error, bool)
	stop  func()
	err   error
}

// Begin goes through a comparison until it ends, or as many items wait as may. What holds the
// items keeps the memory of a comparison: it is for those of sites that are not large.
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

// Items yields all items of the comparison, once: those that wait, and then what else there is.
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

// Stop ends a comparison of which nobody wants more. It may be called at any time.
func (b *Begun) Stop() { b.stop() }
