package jsonline

import (
	"bytes"
	"io"
	"slices"
)

// readSize is how much is read at once: the capacity of a pipe.
const readSize = 64 << 10

// Lines reads lines from a source. Short lines are cut from a buffer. The middle of a long line is
// read directly into its destination, which saves a copy.
type Lines struct {
	from  io.Reader
	most  int    // maximum length of a line in bytes
	buf   []byte // buffer; its unread part is
	ready []byte
	err   error // error to return after that part
}

// NewLines makes a Lines of a source. Lines may have up to most bytes. It skips a byte order mark,
// which some shells add to piped text.
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

// Read reads a line without its end into buf, and returns buf, which may have grown. A line that is
// too long is discarded and reported. With an error, io.EOF at the end of the source, it may have
// read the last line.
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

// readInto reads more of a line and reports whether it is complete. It keeps what it read of the
// next line.
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

// read reads from the source, which may return 0 bytes a few times.
func (l *Lines) read(to []byte) (n int, err error) {
	for range 100 {
		if n, err = l.from.Read(to); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
