package compare

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"

	"robots-audit/audit"
)

// pair is a URL as both sides know it; one of the two may be nil. It is valid until the next one.
type pair struct{ old, new *known }

// joiner pairs the URLs of both sides in little memory.
//
// Two audits of one site mostly find its URLs in the same order, so the joiner walks both sides in
// step. If both sides are at the same URL, it pairs them at once. Otherwise it looks for each URL
// among the waiting ones of the other side, and lets it wait if it is not there. So an extra URL on
// one side delays only one URL. URLs that wait for long go to a temporary file, in partitions by
// their hash, which are paired one by one at the end.
//
// A URL that is on both sides twice is paired twice. If one side has it more often, the rest has
// appeared or vanished. If no URL waits for long, pairs come in the order of the new side.
type joiner struct {
	hasher     hasher
	old, new   joinSide
	blockBytes int
	found, put int                         // URLs found among the waiting ones, and URLs that had to wait
	yield      func(old, new *known) error // errEnded = no more pairs are needed
}

// errEnded says that the consumer needs no more pairs.
var errEnded = errors.New("no more pairs are wanted")

// newJoiner returns a joiner. waitingLimit bounds the bytes of waiting URLs that a side has in
// memory, blockLimit those of a partition.
func newJoiner(old, new *judged, temp string, waitingLimit, blockLimit int) *joiner {
	j := &joiner{blockBytes: blockLimit}
	j.hasher.seed = maphash.MakeSeed()
	j.old = joinSide{side: old, hasher: &j.hasher, limit: waitingLimit, spill: spill{folder: temp}}
	j.new = joinSide{side: new, hasher: &j.hasher, limit: waitingLimit, spill: spill{folder: temp}}
	return j
}

// join pairs the URLs of both sides.
func (c *comparison) join(old, new iter.Seq2[audit.Record, error]) iter.Seq2[pair, error] {
	return newJoiner(c.old, c.new, c.options.Temp, waitingBytes, blockBytes).pairs(old, new)
}

// pairs yields the pairs, and the error that ends them.
func (j *joiner) pairs(old, new iter.Seq2[audit.Record, error]) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		var stopOld, stopNew func()
		j.old.next, stopOld = iter.Pull2(old)
		defer stopOld()
		j.new.next, stopNew = iter.Pull2(new)
		defer stopNew()
		j.yield = func(old, new *known) error {
			if !yield(pair{old, new}, nil) {
				return errEnded
			}
			return nil
		}
		err := j.walk()
		if err == nil {
			err = j.finish()
		}
		ended := err == errEnded
		if err = errors.Join(err, j.old.spill.close(), j.new.spill.close()); err != nil && !ended {
			yield(pair{}, err)
		}
	}
}

// walk walks both sides in step to their ends.
func (j *joiner) walk() error {
	for {
		a, err := j.old.peek()
		if err != nil {
			return fmt.Errorf("the older run: %w", err)
		}
		b, err := j.new.peek()
		if err != nil {
			return fmt.Errorf("the newer run: %w", err)
		}
		switch {
		case a == nil && b == nil:
			return nil
		case b == nil:
			err = alone(&j.old, &j.new, j.yield)
		case a == nil:
			err = alone(&j.new, &j.old, func(new, old *known) error { return j.yield(old, new) })
		case a.loc == b.loc && classOf(a.kind) == classOf(b.kind):
			j.old.pass()
			j.new.pass()
			err = j.yield(a, b)
		default:
			err = j.apart(a, b)
		}
		if err != nil {
			return err
		}
	}
}

// apart takes a step when the two sides are at different URLs (as written).
func (j *joiner) apart(a, b *known) error {
	was, is := j.old.hash(), j.new.hash()
	if j.hopeless() {
		j.old.pass()
		j.new.pass()
		return errors.Join(j.old.spill.add(j.old.entry(a, was)), j.new.spill.add(j.new.entry(b, is)))
	}
	if found := j.new.find(was, a); found != nil {
		j.found++
		j.old.pass()
		return j.yield(a, found)
	}
	if found := j.old.find(is, b); found != nil {
		j.found++
		j.new.pass()
		return j.yield(found, b)
	}
	j.old.pass()
	j.new.pass()
	if was == is && j.hasher.equal(a, b) {
		return j.yield(a, b)
	}
	j.put++
	if err := j.old.wait(a, was); err != nil {
		return err
	}
	return j.new.wait(b, is)
}

// hopeless reports whether the sides have no common order: the memory for waiting URLs was full,
// and hardly any of them was found.
func (j *joiner) hopeless() bool {
	return j.old.spill.parts != nil && j.new.spill.parts != nil && j.found < j.put/16
}

// alone takes a step of one side after the other one has ended.
func alone(s, ended *joinSide, yield func(k, other *known) error) error {
	hash := s.hash()
	s.pass()
	found := ended.find(hash, &s.at)
	if found == nil && ended.spill.parts != nil {
		return s.spill.add(s.entry(&s.at, hash))
	}
	return yield(&s.at, found)
}

// finish pairs the remaining URLs once both sides have ended.
func (j *joiner) finish() error {
	if j.old.spill.parts != nil || j.new.spill.parts != nil {
		return j.finishOnDisk()
	}
	for e := range j.new.left() {
		if err := j.yield(nil, j.new.read(e)); err != nil {
			return err
		}
	}
	for e := range j.old.left() {
		if err := j.yield(j.old.read(e), nil); err != nil {
			return err
		}
	}
	return nil
}

// finishOnDisk pairs them with the temporary files.
func (j *joiner) finishOnDisk() error {
	for _, s := range [...]*joinSide{&j.old, &j.new} {
		s.spill.begin()
		for e := range s.left() {
			if err := s.spill.add(e); err != nil {
				return err
			}
		}
		s.waiting = [2]lookup{}
	}
	for part := range partitions {
		if err := j.joinPartition(part); err != nil {
			return err
		}
	}
	return nil
}

// joinPartition pairs the URLs of one partition, in the order of the new side, followed by those
// that vanished. A partition of the old side that is too large for memory is processed in blocks,
// and the new side is read again for each block.
func (j *joiner) joinPartition(part int) error {
	block := &j.old.waiting[0]
	block.reset()
	paired := make([]bool, j.new.spill.parts[part].count)
	for e, err := range j.old.spill.entries(part) {
		if err == nil && len(block.entries) > 0 && len(block.entries)+len(e) > j.blockBytes {
			err = j.joinBlock(part, paired, false)
			block.reset()
		}
		if err != nil {
			return err
		}
		block.add(e)
	}
	return j.joinBlock(part, paired, true)
}

// joinBlock pairs the unpaired URLs of the new side with those of the old side that are in memory.
// last = this is the last block.
func (j *joiner) joinBlock(part int, paired []bool, last bool) error {
	n := -1
	for e, err := range j.new.spill.entries(part) {
		if err != nil {
			return err
		}
		if n++; paired[n] {
			continue
		}
		k := j.new.read(e)
		was := j.old.find(keyHash{sum: e.sum()}, k)
		paired[n] = was != nil
		if was == nil && !last {
			continue
		}
		if err := j.yield(was, k); err != nil {
			return err
		}
	}
	for e := range j.old.waiting[0].entries.left() {
		if err := j.yield(j.old.read(e), nil); err != nil {
			return err
		}
	}
	return nil
}
