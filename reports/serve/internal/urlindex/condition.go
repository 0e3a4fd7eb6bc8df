package urlindex

import (
	"bytes"
	"math"
)

// condition is what is looked for in URLs.
type condition interface {
	// between says of which URLs between two, both included, it holds; last is nil where
	// nothing is known of the end.
	between(first, last []byte) answer
	// letters is a text in small letters that all URLs of which it holds have; nil = none is known.
	letters() []byte
	// test returns what says of each URL of a block, one after the other, whether it holds. shared is
	// how many bytes it has in common with the one before it, 0 of the first.
	test() func(loc []byte, shared int) bool
	// small: URLs are tested in small letters.
	small() bool
}

// answer is for which of several URLs a condition holds.
type answer int

const (
	none answer = iota
	some        // perhaps: they must be looked at
	all
)

// beginnings: the URL begins with one of these.
type beginnings [][]byte

func (b beginnings) between(first, last []byte) answer {
	found := none
	for _, text := range b {
		found = max(found, beginsBetween(text, first, last))
	}
	return found
}

// beginsBetween says which texts between two begin with one.
func beginsBetween(text, first, last []byte) answer {
	begins := bytes.HasPrefix(first, text)
	switch {
	case begins && last != nil && bytes.HasPrefix(last, text):
		return all
	case last != nil && bytes.Compare(last, text) < 0, !begins && bytes.Compare(first, text) > 0:
		return none
	}
	return some
}

func (beginnings) letters() []byte { return nil }
func (beginnings) small() bool     { return false }

func (b beginnings) test() func([]byte, int) bool {
	return func(loc []byte, _ int) bool {
		for _, text := range b {
			if bytes.HasPrefix(loc, text) {
				return true
			}
		}
		return false
	}
}

// path: path and query begin with this.
type path struct{ text []byte }

// pathBegin is where the host of a URL ends; -1 = it does not, in what there is of it.
func pathBegin(loc []byte) int {
	at := bytes.Index(loc, []byte("://"))
	if at < 0 {
		return -1
	}
	end := bytes.IndexAny(loc[at+3:], "/?")
	if end < 0 {
		return -1
	}
	return at + 3 + end
}

func (p *path) between(first, last []byte) answer {
	same := sharedBytes(first, last)
	if at := pathBegin(first[:same]); at >= 0 { // all are of one host
		return beginsBetween(p.text, first[at:], last[at:])
	}
	return some
}

func (p *path) letters() []byte { return bytes.ToLower(p.text) }
func (p *path) small() bool     { return false }

func (p *path) test() func([]byte, int) bool {
	end, held := math.MaxInt, false // up to where the last URL told whether it holds
	return func(loc []byte, shared int) bool {
		if shared >= end {
			return held
		}
		at := pathBegin(loc)
		if at < 0 {
			end, held = math.MaxInt, false
			return false
		}
		end, held = at+len(p.text), bytes.HasPrefix(loc[at:], p.text)
		return held
	}
}

// substring: the URL has this anywhere, in small letters.
type substring struct {
	text []byte
	room []byte
}

func (s *substring) between(first, last []byte) answer {
	s.room = append(s.room[:0], first[:sharedBytes(first, last)]...)
	toLower(s.room)
	if bytes.Contains(s.room, s.text) {
		return all
	}
	return some
}

func (s *substring) letters() []byte { return s.text }
func (s *substring) small() bool     { return true }

// test looks where it may be for the first time: what lies within the shared bytes, the URL
// before had too.
func (s *substring) test() func([]byte, int) bool {
	end := math.MaxInt // of the first one in the last URL
	return func(loc []byte, shared int) bool {
		if shared >= end {
			return true
		}
		from := max(0, min(shared, shared-len(s.text)+1))
		at := bytes.Index(loc[from:], s.text)
		if at < 0 {
			end = math.MaxInt
			return false
		}
		end = from + at + len(s.text)
		return true
	}
}
