package audits

import (
	"errors"
	"fmt"
	"io"
	"os"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/cmd/internal/cli"
)

// Name takes the arguments as names of sites. Without a list there must be at least one.
func (s *Settings) Name(args []string) error {
	for _, arg := range args {
		if !LooksLikeSite(arg) {
			return SiteArgument(arg)
		}
	}
	s.named = args
	if s.Domains == "" && len(s.named) == 0 {
		return errors.New("no site is named. Name sites, as in robots-audit example.com, or a list with -domains FILE")
	}
	return nil
}

// AuditList audits the list of sites that the settings name, and then the sites named as arguments.
func AuditList(s *Settings, std cli.Streams) int {
	in, end, err := s.OpenSites(std)
	if err != nil {
		return cli.Usage(std, err)
	}
	defer end()
	return RunOver(s, in, std)
}

// quicklyCounted is the size of a list, in bytes, up to which its sites are counted also for the
// progress in a browser. This takes some milliseconds.
const quicklyCounted = 256 << 10

// OpenSites opens the list of sites that the settings name, followed by the sites named as
// arguments.
func (s *Settings) OpenSites(std cli.Streams) (in io.Reader, end func(), err error) {
	in, end = std.In, func() {}
	s.list = &listRead{}
	for _, name := range s.named {
		TellPath(std.Err, name, "", "auditing")
	}
	if s.Domains == "" {
		s.sites = int64(len(s.named))
		return s.namedSites(), end, nil
	}
	if info, statErr := os.Stat(s.Domains); s.Domains != "-" && statErr == nil && info.Mode().IsRegular() {
		list, took, err := audit.OpenDomains(s.Domains, s.Encoding, s.Tables.Options().Columns[table.Domain])
		if err != nil {
			return nil, nil, fmt.Errorf("-domains %s: %w", s.Domains, err)
		}
		if s.list.table = took != ""; s.list.table {
			s.took = append(s.took, "-domains "+s.Domains+": "+took)
		}
		if err := s.survey(cli.Terminal(std.Err) && !s.Quiet || info.Size() < quicklyCounted, std.Err); err != nil {
			list.Close()
			return nil, nil, err
		}
		in, end = list, func() { list.Close() }
	} else if s.Domains != "-" {
		file, err := os.Open(s.Domains)
		if err != nil {
			return nil, nil, ListError(s.Domains, err)
		}
		if info, err := file.Stat(); err == nil && info.IsDir() {
			file.Close()
			return nil, nil, fmt.Errorf("-domains %s: this is a folder. Name a text file with one host per line", s.Domains)
		}
		in, end = file, func() { file.Close() }
	}
	list, what := OpenList(in)
	if what != "" {
		end()
		return nil, nil, fmt.Errorf("-domains %s: %s", s.Domains, what)
	}
	s.list.in = list
	return io.MultiReader(s.list, s.namedSites()), end, nil
}
