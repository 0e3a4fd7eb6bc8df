package compare

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
)

// Bounds of the directories that are counted separately.
const (
	maxSections    = 256
	longestSection = 200 // bytes of a name
)

// sections count the flipped pages by the first directory of their paths.
type sections struct {
	byName map[Section]*Section // the key has only names
	other  Section

	last   *Section // of the URL before, if it is in a directory
	prefix []byte   // of that URL, up to the end of the directory: URLs with this prefix are in the same section
}

// add counts a flipped page; own is the site's own origin.
func (s *sections) add(f *Flip, own *governed, found classes) {
	if !found[NewlyBlocked] && !found[NewlyAllowed] {
		return
	}
	of := s.last
	if of == nil || !strings.HasPrefix(f.Loc, string(s.prefix)) {
		of = s.of(f.Loc, own)
	}
	weight := Clicks(f.Weight)
	if found[NewlyBlocked] {
		of.NewlyBlocked++
		of.WeightBlocked += weight
	}
	if found[NewlyAllowed] {
		of.NewlyAllowed++
		of.WeightAllowed += weight
	}
}

// rawHost returns the host of a URL as written.
func rawHost(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	for i := range len(rest) {
		if c := rest[i]; c == '/' || c == '?' || c == '#' {
			return rest[:i]
		}
	}
	return rest
}

// of returns the section of a URL.
func (s *sections) of(loc string, own *governed) *Section {
	key := Section{Path: audit.TopDirectory(loc)}
	if own == nil || !strings.EqualFold(rawHost(loc), hostOf(own.record.Origin)) {
		key.Host = hostOf(originOf(loc))
	}
	of := s.find(key)
	if s.last = nil; key.Path != "/" {
		_, rest, _ := strings.Cut(loc, "://")
		s.last, s.prefix = of, append(s.prefix[:0], loc[:len(loc)-len(rest)+strings.IndexByte(rest, '/')+len(key.Path)]...)
	}
	return of
}

func (s *sections) find(key Section) *Section {
	if of := s.byName[key]; of != nil {
		return of
	}
	if len(s.byName) >= maxSections || len(key.Path)+len(key.Host) > longestSection {
		return &s.other
	}
	if s.byName == nil {
		s.byName = map[Section]*Section{}
	}
	key.Path, key.Host = strings.Clone(key.Path), strings.Clone(key.Host)
	of := &Section{Path: key.Path, Host: key.Host}
	s.byName[key] = of
	return of
}

// ranked returns the directories, most weight first. The section for all uncounted directories
// comes last.
func (s *sections) ranked() (list []Section) {
	for _, of := range s.byName {
		list = append(list, *of)
	}
	slices.SortFunc(list, func(a, b Section) int {
		return cmp.Or(cmp.Compare(b.WeightBlocked+b.WeightAllowed, a.WeightBlocked+a.WeightAllowed),
			cmp.Compare(b.NewlyBlocked+b.NewlyAllowed, a.NewlyBlocked+a.NewlyAllowed), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Path, b.Path))
	})
	if s.other != (Section{}) {
		list = append(list, s.other)
	}
	return list
}
