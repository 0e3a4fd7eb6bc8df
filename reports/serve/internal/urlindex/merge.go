package urlindex

// merger merges sorted runs by a tree of losers. Each reader knows how many bytes its URL
// shares with the one that was handed out last. Of two, that which shares more comes first,
// and only where both share as many, the bytes after them are compared: no byte is
// compared twice, and mostly numbers alone.
type merger struct {
	readers []*runReader
	losers  []int // of the match at each node of the tree, an index into readers; the leaf of reader i is node len(readers)+i
	winner  int
}

// newMerger returns a merger of at least one run; each reader stands before its first URL.
func newMerger(readers []*runReader) (*merger, error) {
	m := &merger{readers: readers, losers: make([]int, len(readers))}
	for _, r := range readers {
		if err := r.next(); err != nil {
			return nil, err
		}
	}
	m.winner = m.begin(1)
	return m, nil
}

// begin plays all matches below a node, and returns who wins.
func (m *merger) begin(node int) int {
	if node >= len(m.readers) {
		return node - len(m.readers)
	}
	winner, loser := m.play(m.begin(2*node), m.begin(2*node+1))
	m.losers[node] = loser
	return winner
}

// top is the reader whose URL comes next, sharing top.shared bytes with the one before it; nil at the end.
func (m *merger) top() *runReader {
	if r := m.readers[m.winner]; r.shared >= 0 {
		return r
	}
	return nil
}

// next goes on. Those on the way from the winner's leaf to the root have all lost to it,
// which is why the bytes they share are with the URL that was handed out last.
func (m *merger) next() error {
	if err := m.readers[m.winner].next(); err != nil {
		return err
	}
	for node := (m.winner + len(m.readers)) / 2; node > 0; node /= 2 {
		m.winner, m.losers[node] = m.play(m.winner, m.losers[node])
	}
	return nil
}

// play says which of two comes first, and has the other one know how much it shares with it.
func (m *merger) play(i, j int) (winner, loser int) {
	a, b := m.readers[i], m.readers[j]
	switch {
	case a.shared > b.shared:
		return i, j
	case a.shared < b.shared:
		return j, i
	case a.shared < 0: // both have ended
		return i, j
	}
	n := a.shared + sharedBytes(a.loc[a.shared:], b.loc[a.shared:])
	first := false
	switch {
	case n < len(a.loc) && n < len(b.loc):
		first = a.loc[n] < b.loc[n]
	case len(a.loc) != len(b.loc):
		first = len(a.loc) < len(b.loc)
	default:
		first = a.meta.less(b.meta)
	}
	if !first {
		a.shared = n
		return j, i
	}
	b.shared = n
	return i, j
}
