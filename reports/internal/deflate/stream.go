package deflate

import "sync"

// Stretch is text that many streams hold, compressed once in a code.
type Stretch struct {
	Text   []byte
	tokens []token
	bits   bitString
}

// NewStretch compresses text, MaxText bytes at most.
func (c *Code) NewStretch(text []byte) *Stretch { return c.stretch(text, new(table)) }

func (c *Code) stretch(text []byte, known *table) *Stretch {
	s := &Stretch{Text: text, tokens: bestTokens(text, known)}
	s.bits.addTokens(s.tokens, c)
	return s
}

// Bytes are the text of a stretch; of none, there are none.
func (s *Stretch) Bytes() []byte {
	if s == nil {
		return nil
	}
	return s.Text
}

// Head is text with which many texts begin.
type Head struct {
	*Stretch
	known table // places in it
}

// NewHead compresses text, MaxText bytes at most.
func (c *Code) NewHead(text []byte) *Head {
	h := new(Head)
	h.Stretch = c.stretch(text, &h.known)
	return h
}

// NewCode returns a code for texts like these, of MaxText bytes each at most.
func NewCode(samples ...[]byte) *Code {
	var of counts
	for _, text := range samples {
		of.add(bestTokens(text, new(table)))
	}
	for i := range of { // each symbol may occur, though seldom
		of[i] = 16*of[i] + 1
	}
	c := new(Code)
	c.set(&of)
	return c
}

// Pieces are what a stream is made of, in this order.
type Pieces struct {
	Start *Stretch // nil = none
	After []byte   // what follows it, a few bytes
	Head  *Head    // with which Text begins; nil = none
	Text  []byte   // MaxText bytes at most
	Tail  *Stretch // nil = none
}

// compressor is memory for compressing.
type compressor struct {
	known  table
	tokens []token
	of     counts
	own    Code
	out    bitString
}

var compressors = sync.Pool{New: func() any { return new(compressor) }}

// ownCodeFrom is the number of tokens from which on a code of their own may pay: it takes
// some 75 bytes to tell, and as long to make as hundreds of tokens do.
const ownCodeFrom = 1500

// Append appends a stream to dst.
func (c *Code) Append(dst []byte, p *Pieces) []byte {
	w := compressors.Get().(*compressor)
	defer compressors.Put(w)
	from := 0
	if p.Head != nil {
		w.known, from = p.Head.known, len(p.Head.Text)
	} else {
		clear(w.known[:])
	}
	w.tokens = appendTokens(w.tokens[:0], p.Text, from, &w.known)
	own := len(w.tokens) >= ownCodeFrom && w.setOwn(c, p.Tail)
	first, out := len(dst), &w.out
	*out = bitString{bytes: dst}
	out.addString(&c.header)
	if p.Start != nil {
		out.addString(&p.Start.bits)
	}
	out.addText(p.After, c)
	if p.Head != nil {
		out.addString(&p.Head.bits)
	}
	if own {
		out.end(c)
		w.own.header.markLast(0)
		out.addString(&w.own.header)
		out.addTokens(w.tokens, &w.own)
		if p.Tail != nil {
			out.addTokens(p.Tail.tokens, &w.own)
		}
		out.end(&w.own)
	} else {
		out.markLast(first)
		out.addTokens(w.tokens, c)
		if p.Tail != nil {
			out.addString(&p.Tail.bits)
		}
		out.end(c)
	}
	if out.n > 0 {
		out.add(0, 8-out.n)
	}
	dst, out.bytes = out.bytes, nil
	return dst
}

// setOwn makes a code for the tokens and those of tail, and reports whether it is better
// than c.
func (w *compressor) setOwn(c *Code, tail *Stretch) bool {
	clear(w.of[:])
	w.of.add(w.tokens)
	if tail != nil {
		w.of.add(tail.tokens)
	}
	w.own.set(&w.of)
	return w.own.size(&w.of)+8*len(w.own.header.bytes)+maxBits < c.size(&w.of)
}
