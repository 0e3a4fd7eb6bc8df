package compare

// waitingBytes bounds each of the two generations of the URLs that wait in memory: some
// 40,000 URLs, by which the sides may be out of step before temporary files are needed.
const waitingBytes = 4 << 20

// waiting are URLs of one side for which the other side has not come yet: the latest
// ones. They are kept in two generations: once the younger one is full, the older one
// is handed out, to a temporary file, and its room is used again.
type waiting struct {
	hasher      *hasher
	side        *judged
	limit       int      // of each generation, in bytes
	generations [2]entry // entries, one after the other
	young       int      // which of the two is the younger one
	table       table    // of both: twice the offset, plus the generation
	found       known    // what find has found
}

// find returns the URL that waits, the first one of those that are the same, and takes
// it out; nil = there is none. It holds until a URL is put.
func (w *waiting) find(hash keyHash, k *known) *known {
	for at, slot, ok := w.table.find(hash.sum, w.table.begin(hash.sum)); ok; at, slot, ok = w.table.find(hash.sum, slot) {
		e := w.generations[at&1][at>>1:]
		if e.sum() != hash.sum || e.taken() {
			continue
		}
		if e.read(w.side, &w.found); w.hasher.equal(&w.found, k) {
			e.take()
			return &w.found
		}
	}
	return nil
}

// put has a URL wait. out gets those that must not wait any longer.
func (w *waiting) put(k *known, hash keyHash, out func(entry) error) error {
	at := len(w.generations[w.young])
	w.generations[w.young] = appendEntry(w.generations[w.young], k, hash)
	if w.table.full() {
		w.index(2 * w.table.used)
	} else {
		w.table.add(hash.sum, uint32(at<<1|w.young))
	}
	if len(w.generations[w.young]) < w.limit {
		return nil
	}
	w.young ^= 1
	err := w.generations[w.young].each(out)
	w.generations[w.young] = w.generations[w.young][:0]
	w.index(w.table.used)
	return err
}

// index makes the table anew, with room for n entries.
func (w *waiting) index(n int) {
	w.table.reset(max(n, 32))
	for _, generation := range [...]int{w.young ^ 1, w.young} {
		at := 0
		for e := w.generations[generation]; len(e) > 0; e = e.rest() {
			if !e.taken() {
				w.table.add(e.sum(), uint32(at<<1|generation))
			}
			at += e.size()
		}
	}
}

// each hands out the URLs that still wait, those that came first before others, and
// ends the waiting.
func (w *waiting) each(out func(entry) error) error {
	for _, generation := range [...]int{w.young ^ 1, w.young} {
		if err := w.generations[generation].each(out); err != nil {
			return err
		}
		w.generations[generation] = nil
	}
	w.table = table{}
	return nil
}

// each hands out the entries, one after the other, that were not taken.
func (e entry) each(out func(entry) error) error {
	for ; len(e) > 0; e = e.rest() {
		if e.taken() {
			continue
		}
		if err := out(e.first()); err != nil {
			return err
		}
	}
	return nil
}

// left yields the URLs that still wait, in that order.
func (w *waiting) left(yield func(*known) bool) (more bool) {
	for _, generation := range [...]int{w.young ^ 1, w.young} {
		for e := w.generations[generation]; len(e) > 0; e = e.rest() {
			if e.taken() {
				continue
			}
			if e.read(w.side, &w.found); !yield(&w.found) {
				return false
			}
		}
	}
	return true
}
