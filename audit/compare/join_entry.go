package compare

import (
	"encoding/binary"
	"iter"
	"unsafe"

	"robots-audit/audit"
	"robots-audit/engine"
)

// An entry is a URL that waits for its pair on the other side, as bytes. The format is the same in
// memory and in a temporary file.
//
//	4 bytes   length of the whole entry
//	8 bytes   keyHash.sum
//	1 byte    keyHash.part
//	1 byte    flags
//	1 byte    audit.Kind
//	uvarint   Robots.Index
//	uvarint   length of the URL, and the URL
//	2 varint  clicks and impressions, where there is a weight
//	n bytes   verdicts that were recorded, and their lines as uvarints, where the origin's answer is not in the records
//	n bytes   hits as uvarints, where there are some
type entry []byte

const (
	entrySum   = 4
	entryPart  = 12
	entryFlags = 13
	entryKind  = 14
	entryBody  = 15
)

// The flags of an entry.
const (
	entryTaken  = 1 << iota // the other side has it: it needs no further work
	entryListed             // known.listed
	entryWeight             // a weight follows
	entryClicks             // Weight.ClicksGiven
	entryShown              // Weight.ImpressionsGiven
	entryIndexed
	entryVerdicts // recorded verdicts follow
	entryHits     // hits follow
)

// appendEntry appends a URL as an entry.
func appendEntry(dst []byte, k *known, hash keyHash) []byte {
	at := len(dst)
	flags := byte(0)
	for flag, is := range [...]bool{
		false, k.listed, k.weight != audit.Weight{}, k.weight.ClicksGiven, k.weight.ImpressionsGiven, k.weight.Indexed, k.origin.recorded, k.hits != nil,
	} {
		if is {
			flags |= 1 << flag
		}
	}
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, hash.sum)
	dst = append(dst, hash.part, flags, byte(k.kind))
	dst = binary.AppendUvarint(dst, uint64(k.origin.record.Index))
	dst = binary.AppendUvarint(dst, uint64(len(k.loc)))
	dst = append(dst, k.loc...)
	if flags&entryWeight != 0 {
		dst = binary.AppendVarint(dst, k.weight.Clicks)
		dst = binary.AppendVarint(dst, k.weight.Impressions)
	}
	if flags&entryVerdicts != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(k.recorded)))
		for _, v := range k.recorded {
			dst = append(dst, byte(v))
		}
		dst = binary.AppendUvarint(dst, uint64(len(k.lines)))
		for _, line := range k.lines {
			dst = binary.AppendUvarint(dst, uint64(uint32(line)))
		}
	}
	if flags&entryHits != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(k.hits)))
		for _, n := range k.hits {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at))
	return dst
}

func (e entry) size() int          { return int(binary.LittleEndian.Uint32(e)) }
func (e entry) sum() uint64        { return binary.LittleEndian.Uint64(e[entrySum:]) }
func (e entry) taken() bool        { return e[entryFlags]&entryTaken != 0 }
func (e entry) take()              { e[entryFlags] |= entryTaken }
func (e entry) part() uint8        { return e[entryPart] }
func (e entry) has(flag byte) bool { return e[entryFlags]&flag != 0 }

// left yields the entries that were not taken, one after the other.
func (e entry) left() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for at := 0; at < len(e); {
			one := e[at:][:e[at:].size()]
			if at += len(one); !one.taken() && !yield(one) {
				return
			}
		}
	}
}

// read reads an entry of a side into k, which is valid as long as the entry's bytes.
func (e entry) read(s *judged, k *known) {
	b := e[entryBody:]
	number := func() uint64 {
		n, w := binary.Uvarint(b)
		b = b[w:]
		return n
	}
	signed := func() int64 {
		n, w := binary.Varint(b)
		b = b[w:]
		return n
	}
	k.kind, k.listed = audit.Kind(e[entryKind]), e.has(entryListed)
	k.origin = s.judge(int(number()), s.readers)
	n := number()
	k.loc = unsafe.String(unsafe.SliceData(b), n) // no copy: nearly all of them are looked at once
	b = b[n:]
	k.weight = audit.Weight{ClicksGiven: e.has(entryClicks), ImpressionsGiven: e.has(entryShown), Indexed: e.has(entryIndexed)}
	if e.has(entryWeight) {
		k.weight.Clicks, k.weight.Impressions = signed(), signed()
	}
	k.recorded, k.lines = k.recorded[:0:0], k.lines[:0:0]
	if e.has(entryVerdicts) {
		for range number() {
			k.recorded = append(k.recorded, engine.Verdict(b[0]))
			b = b[1:]
		}
		for range number() {
			k.lines = append(k.lines, int32(uint32(number())))
		}
	}
	k.hits = nil
	if e.has(entryHits) {
		k.hits = make([]int64, number())
		for i := range k.hits {
			k.hits[i] = int64(number())
		}
	}
}
