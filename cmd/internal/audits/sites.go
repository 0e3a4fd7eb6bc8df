package audits

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
)

// namedSites is the list of the sites that are named without a file, to be read after
// the list of a file, which may end within a line.
func (s *Settings) namedSites() io.Reader {
	return strings.NewReader("\n" + strings.Join(s.named, "\n") + "\n")
}

// countSites counts the sites, so that progress knows where the end is; 0 where the
// list can be read but once, such as a pipe.
func (s *Settings) countSites() (n int64) {
	list, end := s.wholeList()
	if list == nil {
		return 0
	}
	defer end()
	for _, err := range audit.Domains(list) {
		if err == nil {
			n++
		}
	}
	return n
}

// wholeList opens all that is to be audited once more; nil = it can be read but once.
func (s *Settings) wholeList() (list io.Reader, end func()) {
	if s.Domains == "" && len(s.named) > 0 {
		return s.namedSites(), func() {}
	}
	file, ok := s.openAgain()
	if !ok {
		return nil, nil
	}
	return io.MultiReader(file, s.namedSites()), func() { file.Close() }
}

// openAgain opens the list of sites once more, where it is a file that gives the same
// each time.
func (s *Settings) openAgain() (*os.File, bool) {
	if info, err := os.Stat(s.Domains); s.Domains == "-" || err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	file, err := os.Open(s.Domains)
	return file, err == nil
}

// maxPiped bounds a list of sites that can be read but once, where it is needed twice.
const maxPiped = 64 << 20

// AssignKnown tells the known URLs which sites the list has, and returns the list
// to be read for the audit. Where it can be read but once, such as from a pipe, it
// is held in memory. It stops reading when ctx is done.
func (s *Settings) AssignKnown(ctx context.Context, known *audit.Known, in io.Reader) (io.Reader, error) {
	if known == nil {
		return in, nil
	}
	if list, end := s.wholeList(); list != nil {
		defer end()
		known.Assign(audit.Domains(cli.NewStoppable(ctx, list)))
		return in, nil
	}
	text, err := io.ReadAll(io.LimitReader(cli.NewStoppable(ctx, in), maxPiped+1))
	if len(text) > maxPiped {
		return nil, fmt.Errorf("-urls: the list of sites is longer than %d MB. It is read twice: name it as a file with -domains", maxPiped>>20)
	}
	known.Assign(audit.Domains(bytes.NewReader(text)))
	return &pipedList{*bytes.NewReader(text), err}, nil
}

// pipedList is a list that was read, with the error that ended it.
type pipedList struct {
	bytes.Reader
	err error // nil = the list was whole
}

// Read reads on in the list.
func (l *pipedList) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if err == io.EOF && l.err != nil {
		err = l.err
	}
	return n, err
}
