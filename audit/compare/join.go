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
	found, put int // URLs for which waiting was of use, and those that have been put to wait

	olds, news entryReader
	block      block
	line       entry // of a URL on its way to a temporary file
	room       entry // of the new side's URLs on their way back
	k          known
}

// joinSide is one of the two sides.
type joinSide struct {
	side    *judged
	cursor  cursor
	waiting waiting
	spill   spill
}

// newJoiner returns a joiner whose sides hold so many bytes of waiting URLs in memory,
// and of a partition.
func newJoiner(old, new *judged, temp string, waitingLimit, blockLimit int) *joiner {
	j := &joiner{blockBytes: blockLimit}
	j.hasher.seed = maphash.MakeSeed()
	j.old.init(old, &j.hasher, temp, waitingLimit)
	j.new.init(new, &j.hasher, temp, waitingLimit)
	return j
}

func (s *joinSide) init(side *judged, h *hasher, temp string, limit int) {
	s.side, s.cursor.side, s.spill.folder = side, side, temp
	s.waiting = waiting{hasher: h, side: side, limit: limit}
}

// join pairs the URLs of both sides.
func (c *comparison) join(old, new iter.Seq2[audit.Record, error]) iter.Seq2[pair, error] {
	return newJoiner(c.old, c.new, c.options.Temp, waitingBytes, blockBytes).pairs(old, new)
}

// pairs yields the pairs, and the error that ends them.
func (j *joiner) pairs(old, new iter.Seq2[audit.Record, error]) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		var stopOld, stopNew func()
		j.old.cursor.next, stopOld = iter.Pull2(old)
		defer stopOld()
		j.new.cursor.next, stopNew = iter.Pull2(new)
		defer stopNew()
		ended := false
		give := func(old, new *known) bool {
			ended = ended || !yield(pair{old, new}, nil)
			return !ended
		}
		err := j.walk(give)
		if err == nil && !ended {
			err = j.finish(give)
		}
		if err = errors.Join(err, j.old.spill.close(), j.new.spill.close()); err != nil && !ended {
			yield(pair{}, err)
		}
	}
}

// walk walks both sides in step to their ends. It ends early where give says so.
func (j *joiner) walk(give func(old, new *known) bool) error {
	for {
		a, err := j.old.cursor.peek()
		if err != nil {
			return fmt.Errorf("the older run: %w", err)
		}
		b, err := j.new.cursor.peek()
		if err != nil {
			return fmt.Errorf("the newer run: %w", err)
		}
		more := true
		switch {
		case a == nil && b == nil:
			return nil
		case b == nil:
			more, err = j.alone(&j.old, &j.new, give)
		case a == nil:
			more, err = j.alone(&j.new, &j.old, func(new, old *known) bool { return give(old, new) })
		case a.loc == b.loc && classOf(a.kind) == classOf(b.kind):
			j.old.cursor.pass()
			j.new.cursor.pass()
			more = give(a, b)
		default:
			more, err = j.apart(a, b, give)
		}
		if err != nil || !more {
			return err
		}
	}
}

// apart takes a step where the two sides stand at different URLs, as they are written.
func (j *joiner) apart(a, b *known, give func(old, new *known) bool) (more bool, err error) {
	was, is := j.old.hash(), j.new.hash()
	if j.hopeless() {
		j.old.cursor.pass()
		j.new.cursor.pass()
		return true, errors.Join(j.spill(&j.old, a, was), j.spill(&j.new, b, is))
	}
	if found := j.new.waiting.find(was, a); found != nil {
		j.found++
		j.old.cursor.pass()
		return give(a, found), nil
	}
	if found := j.old.waiting.find(is, b); found != nil {
		j.found++
		j.new.cursor.pass()
		return give(found, b), nil
	}
	j.old.cursor.pass()
	j.new.cursor.pass()
	if was == is && j.hasher.equal(a, b) {
		return give(a, b), nil
	}
	j.put++
	if err := j.old.waiting.put(a, was, j.old.spill.add); err != nil {
		return false, err
	}
	return true, j.new.waiting.put(b, is, j.new.spill.add)
}

// hopeless reports whether the sides have no order in common: as many URLs have waited
// as there is room for, and hardly any other one was found among them.
func (j *joiner) hopeless() bool {
	return j.old.spill.parts != nil && j.new.spill.parts != nil && j.found < j.put/16
}

// spill has a URL wait outside of the memory.
func (j *joiner) spill(s *joinSide, k *known, hash keyHash) error {
	j.line = appendEntry(j.line[:0], k, hash)
	return s.spill.add(j.line)
}

// alone takes a step of one side after the other one has ended.
func (j *joiner) alone(s, ended *joinSide, give func(k, other *known) bool) (more bool, err error) {
	hash, k := s.hash(), &s.cursor.k
	s.cursor.pass()
	found := ended.waiting.find(hash, k)
	if found == nil && ended.spill.parts != nil {
		return true, j.spill(s, k, hash)
	}
	return give(k, found), nil
}

// finish pairs what is left once both sides have ended.
func (j *joiner) finish(give func(old, new *known) bool) error {
	if j.old.spill.parts == nil && j.new.spill.parts == nil {
		if more := j.new.waiting.left(func(k *known) bool { return give(nil, k) }); more {
			j.old.waiting.left(func(k *known) bool { return give(k, nil) })
		}
		return nil
	}
	for _, s := range [...]*joinSide{&j.old, &j.new} {
		if err := s.waiting.each(s.spill.add); err != nil {
			return err
		}
	}
	for part := range partitions {
		more, err := j.joinPartition(part, give)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// hash is that of the URL at which the side stands.
func (s *joinSide) hash() keyHash {
	if !s.cursor.hashed {
		s.cursor.hash, s.cursor.hashed = s.waiting.hasher.hash(&s.cursor.k), true
	}
	return s.cursor.hash
}
