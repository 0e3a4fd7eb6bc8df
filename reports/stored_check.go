package reports

import (
	"errors"
	"fmt"

	"robots-audit/reports/internal/disk"
)

// Check compares a site's file of records with the run's facts, if OpenUnchecked has not, and sets
// Damage if they differ. Records does so too, but reports it only after reading all records.
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

// sumBuffer is the number of bytes read at once for a checksum.
const sumBuffer = 64 << 10

var sumBuffers disk.FreeList[[sumBuffer]byte]

// begin reads the start time of the site.
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

// Errors of a file that does not contain the site's records.
var errNoSite = errors.New("line 1: it does not begin with a site, as records do")

func otherSite(name string) error { return fmt.Errorf("it holds the records of %.200s", name) }
