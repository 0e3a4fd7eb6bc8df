package sitemap

import (
	"bufio"
	"fmt"
	"io"

	"robots-audit/engine/wording"

	"github.com/klauspost/compress/gzip"
)

// maxEmptyMembers is how many members without content a gzip stream may have.
// Writers that flush, and block formats that mark their end with one, produce a few.
// Without a limit, a server could send them forever.
const maxEmptyMembers = 1000

// errEmptyMembers is the cause if a stream has more of them.
var errEmptyMembers = fmt.Errorf("more than %s gzip members without content", wording.Thousands(maxEmptyMembers))

// GzipReader inflates the members of a gzip stream, one after the other. Other bytes after a
// complete member are skipped, as in browsers. It limits empty members, and counts what its
// user may want to note. The user must limit the inflated bytes. Reset must be called before
// the first Read.
type GzipReader struct {
	in     *bufio.Reader
	z      gzip.Reader
	begun  bool
	filled bool // the current member has content

	Empty   int64 // members without content so far
	Garbage bool  // bytes after the last member are not a member
}

// Reset starts another stream; nil releases the last one.
func (m *GzipReader) Reset(in *bufio.Reader) {
	m.in, m.begun, m.filled, m.Empty, m.Garbage = in, false, false, 0, false
}

// Read reads the content of the members. Its error is io.EOF after the last member, the input's error, or
// an error of inflating.
func (m *GzipReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !m.begun {
		m.begun = true
		if err := m.member(); err != nil {
			return 0, err
		}
	}
	for {
		n, err := m.z.Read(p)
		m.filled = m.filled || n > 0
		if err == io.EOF {
			err = m.next()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next starts the next member; io.EOF: there is none.
func (m *GzipReader) next() error {
	if !m.filled {
		if m.Empty++; m.Empty > maxEmptyMembers {
			return errEmptyMembers
		}
	}
	switch _, none := m.in.Peek(1); {
	case none != nil:
		return none // io.EOF, or the error of the body
	case !gzipBegins(m.in):
		m.Garbage = true
		return io.EOF
	}
	return m.member()
}

func (m *GzipReader) member() error {
	if err := m.z.Reset(m.in); err != nil {
		return err
	}
	m.filled = false
	m.z.Multistream(false)
	return nil
}

// gzipBegins reports whether a member begins here: gzip's magic number and its only
// method.
func gzipBegins(in *bufio.Reader) bool {
	head, _ := in.Peek(3)
	return string(head) == "\x1f\x8b\x08"
}
