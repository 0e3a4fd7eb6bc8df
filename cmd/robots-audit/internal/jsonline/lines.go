package jsonline

import (
	"bytes"
	"io"
	"slices"
)

// readSize is how much is read at once, as much as a pipe holds.
const readSize = 64 << 10

// Lines reads lines from a source. Short ones are cut from what was read; of a long
// one all but the ends is read to where it stays, which spares it a copy.
type Lines struct {
	from  io.Reader
	most  int    // bytes of a line
	buf   []byte // of which what is read and not yet handed out is
	ready []byte
	err   error // after that
}

// NewLines makes a Lines of a source, whose lines may have most bytes. A byte order mark, which some
// shells put before what they pipe, is left out.
func NewLines(from io.Reader, most int) *Lines {
	l := &Lines{from: from, most: most, buf: make([]byte, readSize)}
	mark := []byte("\xEF\xBB\xBF")
	for l.err == nil && len(l.ready) < len(mark) && bytes.HasPrefix(mark, l.ready) {
		var n int
		n, l.err = l.read(l.buf[len(l.ready):])
		l.ready = l.buf[:len(l.ready)+n]
	}
	l.ready = bytes.TrimPrefix(l.ready, mark)
	return l
}

// Read reads a line without its end into buf, which is returned grown; of one that is too long only that
// fact is kept. With an error, io.EOF where the source ends, it may have read the last line.
func (l *Lines) Read(buf []byte) (line []byte, tooLong bool, err error) {
	line = buf[:0]
	for {
		end := bytes.IndexByte(l.ready, '\n')
		whole := end >= 0
		if !whole {
			end = len(l.ready)
		}
		line = append(line, l.ready[:end]...)
		l.ready = l.ready[min(end+1, len(l.ready)):]
		for !whole && l.err == nil && len(line) >= readSize/2 && len(line) <= l.most {
			line, whole = l.readInto(line)
		}
		if tooLong = tooLong || len(line) > l.most; tooLong {
			line = line[:0]
		}
		switch {
		case whole:
			return line, tooLong, nil
		case l.err != nil:
			return line, tooLong, l.err
		case len(l.ready) == 0:
			var n int
			n, l.err = l.read(l.buf)
			l.ready = l.buf[:n]
		}
	}
}

// readInto reads more of a line, and reports whether that is its end. What is read of the next one
// is kept.
func (l *Lines) readInto(line []byte) ([]byte, bool) {
	line = slices.Grow(line, readSize)
	more := line[len(line) : len(line)+readSize]
	var n int
	n, l.err = l.read(more)
	end := bytes.IndexByte(more[:n], '\n')
	if end < 0 {
		return line[:len(line)+n], false
	}
	l.ready = l.buf[:copy(l.buf, more[end+1:n])]
	return line[:len(line)+end], true
}

// read reads from the source, which may return nothing a few times.
func (l *Lines) read(to []byte) (n int, err error) {
	for range 100 {
		if n, err = l.from.Read(to); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
