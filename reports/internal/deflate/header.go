package deflate

// metaOrder is the order in which the sizes of the symbols are told in which sizes are told
// (RFC 1951, 3.2.7).
var metaOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// metaExtra is how many extra bits a symbol has that repeats a size.
var metaExtra = [19]uint{16: 2, 17: 3, 18: 7}

// addHeader opens a block whose code has these sizes.
func (b *bitString) addHeader(sizes []uint8) {
	literalCount, distanceCount := symbols, distances
	for literalCount > endOfBlock+1 && sizes[literalCount-1] == 0 {
		literalCount--
	}
	for distanceCount > 1 && sizes[symbols+distanceCount-1] == 0 {
		distanceCount--
	}
	var memory [symbols + distances]uint8
	told := append(append(memory[:0], sizes[:literalCount]...), sizes[symbols:symbols+distanceCount]...)
	var list [symbols + distances]uint16 // symbols, with their extra bits from 8 on
	n := 0
	add := func(symbol uint8, extra int) { list[n] = uint16(symbol) | uint16(extra)<<8; n++ }
	for i := 0; i < len(told); {
		run := 1
		for i+run < len(told) && told[i+run] == told[i] {
			run++
		}
		size := told[i]
		i += run
		if size > 0 {
			add(size, 0)
			run--
		}
		for run >= 3 {
			switch part := min(run, 138); {
			case size > 0:
				part = min(run, 6)
				add(16, part-3)
				run -= part
			case part > 10:
				add(18, part-11)
				run -= part
			default:
				add(17, part-3)
				run -= part
			}
		}
		for ; run > 0; run-- {
			add(size, 0)
		}
	}
	var of [19]uint32
	for _, entry := range list[:n] {
		of[entry&0xff]++
	}
	var meta [19]uint8
	var words [19]word
	setSizes(meta[:], of[:], maxMeta)
	setWords(words[:], meta[:])
	metaCount := len(metaOrder)
	for metaCount > 4 && meta[metaOrder[metaCount-1]] == 0 {
		metaCount--
	}
	b.add(2<<1, 3) // a block with a code of its own, not the last
	b.add(uint64(literalCount-257)|uint64(distanceCount-1)<<5|uint64(metaCount-4)<<10, 14)
	for _, symbol := range metaOrder[:metaCount] {
		b.add(uint64(meta[symbol]), 3)
	}
	for _, entry := range list[:n] {
		symbol := entry & 0xff
		b.add(words[symbol].bits(), words[symbol].len())
		b.add(uint64(entry>>8), metaExtra[symbol])
	}
}

// markLast makes the block the last of its stream that begins at a byte.
func (b *bitString) markLast(at int) { b.bytes[at] |= 1 }
