package crawl

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// maxEmptyMembers is how many members without content a gzip stream may have.
// Writers that flush, and block formats that mark their end with one, leave a
// few. A server that sends them without end would be read for ever and give nothing.
const maxEmptyMembers = 1000

// NoteEmptyMembers is the code of a note on a sitemap in which gzip members
// without content were passed over. One is no note: block formats end so.
const NoteEmptyMembers = "empty_gzip_members"

// errEmptyMembers is the cause behind a stream that has more of them.
var errEmptyMembers = fmt.Errorf("more than %d gzip members without content", maxEmptyMembers)

// members inflates the members of a gzip stream, one after the other. What
// follows a whole member and is none itself is passed over, as browsers do.
type members struct {
	in      *bufio.Reader
	z       gzip.Reader
	begun   bool
	filled  bool  // the member at hand has content
	empty   int64 // members that have none
	garbage bool  // something follows the last member
}

// begin starts over with another stream.
func (m *members) begin(in *bufio.Reader) {
	m.in, m.begun, m.filled, m.empty, m.garbage = in, false, false, 0, false
}

// Read returns what in has to say about its end, or an error of inflating.
func (m *members) Read(p []byte) (int, error) {
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

// next goes on to the next member; io.EOF: there is none.
func (m *members) next() error {
	if !m.filled {
		if m.empty++; m.empty > maxEmptyMembers {
			return errEmptyMembers
		}
	}
	switch _, none := m.in.Peek(1); {
	case none != nil:
		return none // io.EOF, or what became of the body
	case !isGzip(m.in):
		m.garbage = true
		return io.EOF
	}
	return m.member()
}

func (m *members) member() error {
	if err := m.z.Reset(m.in); err != nil {
		return err
	}
	m.filled = false
	m.z.Multistream(false)
	return nil
}

// isGzip says whether a member begins here: gzip's magic number and its only method.
func isGzip(in *bufio.Reader) bool {
	head, _ := in.Peek(3)
	return string(head) == "\x1f\x8b\x08"
}

// inflating gives an error of inflating a code. What the wire or a limit said stands.
func inflating(code string, err error) error {
	var own *Error
	if err == nil || err == io.EOF || errors.As(err, &own) {
		return err
	}
	return &Error{code, err}
}
