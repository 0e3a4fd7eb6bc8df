package deflate

import "sync"

// Stretch is text that many streams hold, compressed once in a code.
type Stretch struct {
	Text   []byte
	tokens []token
	of     counts // of tokens
	bits   bitString
}

// NewStretch compresses text, MaxText bytes at most.
func (c *Code) NewStretch(text []byte) *Stretch { return c.stretch(text, new(table)) }

func (c *Code) stretch(text []byte, known *table) *Stretch {
	s := &Stretch{Text: text, tokens: bestTokens(text, known)}
	s.of.add(s.tokens)
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

// Sample is what a code is made from: how often symbols occur in a text.
type Sample struct{ of counts }

// NewSample looks at a text, of MaxText bytes at most.
func NewSample(text []byte) *Sample {
	s := new(Sample)
	s.of.add(bestTokens(text, new(table)))
	return s
}

// NewCode returns a code for texts like these.
func NewCode(samples ...*Sample) *Code {
	var of counts
	for _, s := range samples {
		for i, n := range s.of {
			of[i] += n
		}
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

// ownCodeFrom is the number of tokens from which on a code of their own pays: it takes some 65
// bytes to tell, and as long to make as 200 tokens do. From 1,500 on, the workbook of a site of 100
// URLs and 63 rules would have 35.5 instead of 36.6 kB, and a run of such sites take 2 % longer.
const ownCodeFrom = 3000

// Append appends a stream of one block to dst.
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
	first, out := len(dst), &w.out
	*out = bitString{bytes: dst}
	if len(w.tokens) >= ownCodeFrom && w.setOwn(c, p) {
		out.addString(&w.own.header)
		out.addStretch(p.Start, &w.own)
		out.addText(p.After, &w.own)
		out.addStretch(p.Head.stretch(), &w.own)
		out.addTokens(w.tokens, &w.own)
		out.addStretch(p.Tail, &w.own)
		out.end(&w.own)
	} else {
		out.addString(&c.header)
		out.addPacked(p.Start)
		out.addText(p.After, c)
		out.addPacked(p.Head.stretch())
		out.addTokens(w.tokens, c)
		out.addPacked(p.Tail)
		out.end(c)
	}
	out.markLast(first)
	out.fill()
	dst, out.bytes = out.bytes, nil
	return dst
}

// stretch is the text of a head; of none, there is none.
func (h *Head) stretch() *Stretch {
	if h == nil {
		return nil
	}
	return h.Stretch
}

// addPacked adds a stretch in the code for which it was made.
func (b *bitString) addPacked(s *Stretch) {
	if s != nil {
		b.addString(&s.bits)
	}
}

// addStretch adds a stretch in another code.
func (b *bitString) addStretch(s *Stretch, c *Code) {
	if s != nil {
		b.addTokens(s.tokens, c)
	}
}

// setOwn makes a code for the tokens and all that stands around them, and reports whether it
// is better than c.
func (w *compressor) setOwn(c *Code, p *Pieces) bool {
	clear(w.of[:])
	w.of.add(w.tokens)
	for _, s := range []*Stretch{p.Start, p.Head.stretch(), p.Tail} {
		if s != nil {
			for i, n := range s.of {
				w.of[i] += n
			}
		}
	}
	for _, at := range p.After {
		w.of[at]++
	}
	w.own.set(&w.of)
	return w.own.size(&w.of)+8*len(w.own.header.bytes) < c.size(&w.of)+8*len(c.header.bytes)
}
