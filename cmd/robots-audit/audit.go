package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

const auditHelp = `robots-audit SITE… audits these sites, robots-audit -domains FILE a list of them:
it fetches robots.txt and sitemaps, tests every URL they name for each crawler,
and writes one workbook a site and a summary of the run. A SITE is a host or an
origin, such as example.com or https://example.com:8443; one of a single word
needs its https://. Where there is a list as well, the sites come after it.
Flags may stand before and after sites, with one dash or two.

Examples:
  robots-audit example.com
  robots-audit example.com shop.example.com -crawl -out monday
  robots-audit -domains list.txt
  robots-audit -domains list.txt -crawlers Googlebot,GPTBot,Googlebot@google-2019
  robots-audit -domains list.txt -out monday -resume
  echo https://example.com | robots-audit -domains - -rows all

Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or
configuration; 3 done, but part of the sites is unknown, or none has a host that
-robots names; 4 the run itself failed; 130 stopped by a signal.
`

func runAudit(args []string, std streams) int {
	var s settings
	f := s.flags("audit")
	if code, ok := parse(&s, f, args, auditHelp, std); !ok {
		return code
	}
	if err := s.name(f.Args()); err != nil {
		return usage(std, err)
	}
	return auditList(&s, std)
}

// name takes the arguments as names of sites. There must be some, or a list.
func (s *settings) name(args []string) error {
	for _, arg := range args {
		if !looksLikeSite(arg) {
			return siteArgument(arg)
		}
	}
	s.named = args
	if s.domains == "" && len(s.named) == 0 {
		return errors.New("no site is named: name some, as in robots-audit example.com, or a list of them with -domains FILE, where - is standard input")
	}
	return nil
}

// auditList audits the list of sites that the settings name, and then the sites that they
// name without a file.
func auditList(s *settings, std streams) int {
	in, end, err := s.openSites(std)
	if err != nil {
		return usage(std, err)
	}
	defer end()
	return runOver(s, in, std)
}

// quicklyCounted is the size of a list, in bytes, up to which its sites are counted for whoever looks
// on in a browser, too: some milliseconds.
const quicklyCounted = 256 << 10

// openSites opens the list of sites that the settings name, with the sites that they name without
// a file after it.
func (s *settings) openSites(std streams) (in io.Reader, end func(), err error) {
	in, end = std.in, func() {}
	if s.domains == "" {
		s.sites = int64(len(s.named))
		return s.namedSites(), end, nil
	}
	if s.domains != "-" {
		file, err := os.Open(s.domains)
		if err != nil {
			return nil, nil, listError(s.domains, err)
		}
		info, err := file.Stat()
		if err == nil && info.IsDir() {
			file.Close()
			return nil, nil, fmt.Errorf("-domains %s: that is a folder; name a file with one host or origin a line", s.domains)
		}
		in, end = file, func() { file.Close() }
		if terminal(std.err) && !s.quiet || err == nil && info.Size() < quicklyCounted {
			s.sites = s.countSites()
		}
	}
	list, what := openList(in)
	if what != "" {
		end()
		return nil, nil, fmt.Errorf("-domains %s: %s", s.domains, what)
	}
	s.list.in = list
	return io.MultiReader(&s.list, s.namedSites()), end, nil
}
