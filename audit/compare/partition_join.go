package compare

// blockBytes bounds the entries of a partition of the old side that are in memory at once:
// those of a side with some fifty million URLs that wait.
const blockBytes = 16 << 20

// readBytes is how much of a partition of the new side is read at once.
const readBytes = 4 * chunkBytes

// block is a part of a partition of the old side, in memory, to be looked up.
type block struct {
	entries entry
	table   table
	found   known
}

// fill reads entries until the block is full, and reports whether they have all been
// read. limit is in bytes.
func (b *block) fill(in *entryReader, limit int) (all bool, err error) {
	if b.entries, all, err = in.read(b.entries, limit); err != nil {
		return false, err
	}
	count := 0
	for e := b.entries; len(e) > 0; e = e.rest() {
		count++
	}
	b.table.reset(count)
	at := uint32(0)
	for e := b.entries; len(e) > 0; e = e.rest() {
		b.table.add(e.sum(), at)
		at += uint32(e.size())
	}
	return all, nil
}

// find takes the first URL out that is the same; nil = there is none.
func (b *block) find(h *hasher, side *judged, sum uint64, k *known) *known {
	for at, slot, ok := b.table.find(sum, b.table.begin(sum)); ok; at, slot, ok = b.table.find(sum, slot) {
		e := b.entries[at:]
		if e.sum() != sum || e.taken() {
			continue
		}
		e.read(side, &b.found)
		if h.equal(&b.found, k) {
			e.take()
			return &b.found
		}
	}
	return nil
}

// joinPartition pairs the URLs of one partition, in the order of the new side; then
// come those that have vanished. A partition of the old side that is too large for
// the memory is taken in blocks, and the new side is read again for each.
func (j *joiner) joinPartition(part int, give func(old, new *known) bool) (more bool, err error) {
	var paired []uint64 // a bit for each URL of the new side; nil = the old side's are all in one block
	j.old.spill.open(part, &j.olds)
	for all := false; !all; {
		if all, err = j.block.fill(&j.olds, j.blockBytes); err != nil {
			return false, err
		}
		if !all && paired == nil {
			paired = make([]uint64, j.new.spill.count(part)/64+1)
		}
		if more, err = j.joinBlock(part, paired, all, give); err != nil || !more {
			return false, err
		}
		for e := j.block.entries; len(e) > 0; e = e.rest() {
			if e.taken() {
				continue
			}
			e.read(j.old.side, &j.k)
			if !give(&j.k, nil) {
				return false, nil
			}
		}
	}
	return true, nil
}

// joinBlock pairs the URLs of the new side, but for those that are paired already, with
// those of the old side that are in memory. last = no others come after these.
func (j *joiner) joinBlock(part int, paired []uint64, last bool, give func(old, new *known) bool) (more bool, err error) {
	j.new.spill.open(part, &j.news)
	n := 0
	for all := false; !all; {
		if j.room, all, err = j.news.read(j.room, readBytes); err != nil {
			return false, err
		}
		for e := j.room; len(e) > 0; e, n = e.rest(), n+1 {
			if paired != nil && paired[n/64]>>(n%64)&1 != 0 {
				continue
			}
			e.read(j.new.side, &j.k)
			was := j.block.find(&j.hasher, j.old.side, e.sum(), &j.k)
			if was != nil && paired != nil {
				paired[n/64] |= 1 << (n % 64)
			}
			if (was != nil || last) && !give(was, &j.k) {
				return false, nil
			}
		}
	}
	return true, nil
}
