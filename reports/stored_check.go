package reports

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"robots-audit/audit"
	"robots-audit/reports/internal/buffer"
	"robots-audit/reports/internal/disk"
)

// Check reads the beginning of a site's records where OpenUnchecked has not, and sets Damage
// where they are not those of the site.
func (s *StoredSite) Check() {
	if s.unchecked && s.beginsAsWritten() {
		s.unchecked = false
	}
	s.checkFirst()
}

// checkFirst is Check for those who want to know when the site was begun.
func (s *StoredSite) checkFirst() {
	if !s.unchecked {
		return
	}
	s.unchecked = false
	first, err := firstRecord(s.records)
	switch {
	case err != nil:
	case first == nil:
		err = errNoSite
	case first.Name != s.Name:
		err = otherSite(first.Name)
	default:
		s.Started = first.Started
	}
	if err != nil {
		s.Damage = fmt.Errorf("%s: %w", s.records, err)
	}
}

// Errors of a file of records that is none of the site's.
var errNoSite = errors.New("line 1: it does not begin with a site, as records do")

func otherSite(name string) error { return fmt.Errorf("it holds the records of %.200s", name) }

// beginsAsWritten reports whether the first frame of a site's records is whole, by its checksum,
// and opens the site in the very form that is written. To decode that record would take several
// times as long: it may hold a past.
func (s *StoredSite) beginsAsWritten() bool {
	f, err := disk.Open(s.records, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	z := decoders.Get(newDecoder)
	defer decoders.Put(z)
	defer z.Reset(nil)
	begin := beginnings.Get(func() *beginning { return new(beginning) })
	defer beginnings.Put(begin)
	begin.in.Reset(f)
	if err := z.Reset(&begin.in); err != nil {
		return false
	}
	n, err := io.ReadFull(z, begin.text[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return false
	}
	opening := audit.Encode(nil, audit.Record{Domain: s.Name, Site: &audit.Site{Name: s.Name}})
	opening, _, _ = bytes.Cut(opening, []byte(`"line":`))
	return bytes.HasPrefix(begin.text[:n], opening)
}

// beginning is what it takes to read the first frame of a file of records, and one byte more,
// so that its checksum counts.
type beginning struct {
	in   bufio.Reader
	text [recordChunk + 1]byte
}

var beginnings buffer.FreeList[beginning]
