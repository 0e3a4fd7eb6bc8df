package reports

import (
	"errors"
	"fmt"

	"robots-audit/reports/internal/disk"
)

// Check holds a site's file of records to what the run says of it, where OpenUnchecked has not, and sets
// Damage where it is another. Records does so, too, but tells it when all of them have been read.
func (s *StoredSite) Check() {
	if !s.unchecked {
		return
	}
	s.unchecked = false
	buf := sumBuffers.Get(func() *[sumBuffer]byte { return new([sumBuffer]byte) })
	defer sumBuffers.Put(buf)
	sum, err := disk.Sum(s.disk, s.records, buf[:])
	if err == nil && s.facts.sum == disk.FormatSum(sum) {
		return
	}
	if err == nil && s.facts.sum != "" && s.facts.ended.IsZero() {
		err = errSeal
	}
	if err != nil {
		s.Damage = fmt.Errorf("%s: %w", s.records, err)
		return
	}
	s.begin()
}

// sumBuffer is how much of a file is read at once for its checksum.
const sumBuffer = 64 << 10

var sumBuffers disk.FreeList[[sumBuffer]byte]

// begin reads when the site was begun.
func (s *StoredSite) begin() {
	if s.Damage != nil || !s.Started.IsZero() {
		return
	}
	first, err := firstRecord(s.disk, s.records)
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
