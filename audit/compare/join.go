package compare

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"

	"robots-audit/audit"
)

// pair is a URL as both sides know it; one of the two may be nil. It holds until the
// next one.
type pair struct{ old, new *known }

// joiner pairs the URLs of both sides in little memory.
//
// Two audits of one site mostly come across its URLs in the same order, and so both
// sides are walked in step: where both stand at the same URL, it is paired, and no more
// is done. Where they do not, each is looked for among those of the other side that
// wait, and waits itself if it is not there; so a URL that one side has more puts
// them out of step for one URL only. What has waited for long goes to a temporary file,
// in partitions by its hash, which are paired one by one in the end.
//
// A URL that both sides have twice is paired twice; of one that one side has more
// often, what is over has appeared or vanished. Where nothing waits for long, pairs come
// in the order of the new side.
type joiner struct {
	hasher     hasher
	old, new   joinSide
	blockBytes int
	found, put int                         // URLs for which waiting was of use, and those that have been put to wait
	yield      func(old, new *known) error // errEnded = nobody wants more pairs
}

// errEnded is that whoever asked for pairs wants no more of them.
var errEnded = errors.New("no more pairs are wanted")

// newJoiner returns a joiner whose sides hold so many bytes of waiting URLs in memory,
// and of a partition.
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

// apart takes a step where the two sides stand at different URLs, as they are written.
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

// hopeless reports whether the sides have no order in common: as many URLs have waited
// as there is room for, and hardly any other one was found among them.
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

// finish pairs the URLs that are left once both sides have ended.
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

// finishOnDisk pairs them by way of the temporary files.
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

// joinPartition pairs the URLs of one partition, in the order of the new side; then
// come those that have vanished. A partition of the old side that is too large for
// the memory is taken in blocks, and the new side is read again for each.
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

// joinBlock pairs the URLs of the new side, but for those that are paired already, with
// those of the old side that are in memory. last = no others come after these.
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
