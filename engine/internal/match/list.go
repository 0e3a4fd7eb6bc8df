package match

// list is the patterns of a small Set, by rank, with data that quickly rules out
// most of them. It is searched from the strongest on, so the first match is the
// best.
type list []listEntry

// listEntry is a pattern in a list.
type listEntry struct {
	key, mask uint64    // the first eight bytes of its prefix, and a mask of those that exist
	need      signature // of its texts after the first wildcard
	size      uint8     // bytes of the key
	proven    bool      // it has no more than the key: every path that begins with the key matches
}

func newList(gs *globs) list {
	entries := make(list, len(gs.list))
	for i := range entries {
		g := &gs.list[i]
		prefix := gs.prefix(g)
		size := min(len(prefix), 8)
		entries[i] = listEntry{key: Load(prefix, 0, size), mask: 1<<(8*size) - 1, need: gs.need(g),
			size: uint8(size), proven: size == len(prefix) && !g.wild && !g.end}
	}
	return entries
}

// next returns the rank of the strongest pattern, starting at rank from, that
// matches the path; none = there is none. has is the signature of the path, 0 = not
// yet computed.
func (l list) next(gs *globs, path string, has *signature, from int) int32 {
	head := Load(path, 0, 8)
	for i := from; i < len(l); i++ {
		e := &l[i]
		if (head^e.key)&e.mask != 0 || len(path) < int(e.size) {
			continue
		}
		if e.need != 0 {
			if *has == 0 {
				*has = signatureOf(path)
			}
			if e.need&^*has != 0 {
				continue
			}
		}
		if e.proven || gs.match(int32(i), path) {
			return int32(i)
		}
	}
	return none
}
