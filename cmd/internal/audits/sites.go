package audits

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"sync"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/cmd/internal/cli"
)

// namedSites is the list of the sites named as arguments. It begins with a line break, because the
// file before it may end within a line.
func (s *Settings) namedSites() io.Reader {
	return strings.NewReader("\n" + strings.Join(s.named, "\n") + "\n")
}

// survey reads a list that can be read again, before anything is requested or written. It returns an
// error if the list names no site. whole also counts the sites, for the progress, and tells of
// paths. Otherwise it stops at the first site, because a long list takes seconds.
func (s *Settings) survey(whole bool, w io.Writer) error {
	file, ok := s.openAgain()
	if !ok {
		return nil
	}
	defer file.Close()
	var sites int64
	list := listRead{in: file, table: s.list.table}
	for d, err := range audit.Domains(io.MultiReader(&list, s.namedSites())) {
		if list.add(d, err); err == nil {
			sites++
		}
		if list.sites > 0 && !whole {
			return nil
		}
	}
	if whole {
		s.sites, s.told = sites, true
		list.tellPaths(w, s.Domains)
	}
	return list.noSite(s.Domains)
}

// Sites yields the entries of an opened list until ctx is done, and counts them.
func (s *Settings) Sites(ctx context.Context, in io.Reader, w io.Writer) iter.Seq2[audit.Domain, error] {
	return func(yield func(audit.Domain, error) bool) {
		for d, err := range audit.Domains(cli.NewStoppable(ctx, in)) {
			if s.list.add(d, err); !yield(d, err) {
				return
			}
		}
		if !s.told {
			s.list.tellPaths(w, s.Domains)
		}
	}
}

// NoSite says why the list that was read names no site; nil = it names one, or there is no list.
func (s *Settings) NoSite() error {
	if s.Domains == "" {
		return nil
	}
	return s.list.noSite(s.Domains)
}

// wholeList opens the whole list again; nil = it can be read only once.
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

// openAgain opens the list of sites again, if it is a file that can be read repeatedly.
func (s *Settings) openAgain() (io.ReadCloser, bool) {
	if info, err := os.Stat(s.Domains); s.Domains == "-" || err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	list, _, err := audit.OpenDomains(s.Domains, s.Encoding, s.Tables.Options().Columns[table.Domain])
	return list, err == nil
}

// onlySite returns the origin of the site if the list has only one, and "" otherwise. Paths in lists
// of URLs are on it.
func (s *Settings) onlySite() (origin string) {
	list, end := s.wholeList()
	if list == nil {
		return ""
	}
	defer end()
	for d, err := range audit.Domains(list) {
		if err != nil || origin != "" {
			return ""
		}
		origin = d.Origin(cmp.Or(d.Scheme, "https"))
	}
	return origin
}

// siteTest returns a function that reports whether a host is that of a site in the list. Only hosts beyond ASCII are asked for.
func (s *Settings) siteTest() func(host string) bool {
	read := sync.OnceValue(func() map[string]bool {
		hosts := map[string]bool{}
		list, end := s.wholeList()
		if list == nil {
			return hosts
		}
		defer end()
		for d, err := range audit.Domains(list) {
			if err == nil && strings.Contains(d.Host, "xn--") {
				hosts[strings.TrimPrefix(d.Host, "www.")] = true
			}
		}
		return hosts
	})
	return func(host string) bool {
		d, why := audit.ParseDomain(host)
		return why == "" && read()[strings.TrimPrefix(d.Host, "www.")]
	}
}

// maxPiped limits a list that can be read only once but is needed twice.
const maxPiped = 64 << 20

// AssignKnown assigns the known URLs to the sites of the list, and returns the list for the audit.
// A list that can be read only once, such as a pipe, is kept in memory. It stops reading when ctx
// is done.
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

// pipedList is a list in memory, with the error that ended it.
type pipedList struct {
	bytes.Reader
	err error // nil = the list was complete
}

// Read reads on in the list.
func (l *pipedList) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if err == io.EOF && l.err != nil {
		err = l.err
	}
	return n, err
}
