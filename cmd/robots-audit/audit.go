package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

const auditHelp = `robots-audit -domains FILE [flags] audits a list of sites: it fetches robots.txt
and sitemaps, tests every URL they name for each crawler, and writes one
workbook a site and a summary of the run.

Examples:
  robots-audit -domains list.txt
  robots-audit -domains list.txt -crawlers Googlebot,GPTBot,Googlebot@google-2019
  robots-audit -domains list.txt -out monday -resume
  echo https://example.com | robots-audit -domains - -rows all

Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or
configuration; 3 done, but part of the sites is unknown; 4 the run itself
failed; 130 stopped by a signal.

Flags:
`

func runAudit(args []string, std streams) int {
	var s settings
	f := s.flags("audit")
	if code, ok := parse(&s, f, args, auditHelp, std); !ok {
		return code
	}
	if s.domains == "" {
		return usage(std, errors.New("-domains is missing: name a file with one host or origin a line, or - for standard input"))
	}
	in := std.in
	if s.domains != "-" {
		file, err := os.Open(s.domains)
		if err != nil {
			return usage(std, fmt.Errorf("-domains: the list of sites: %w", err))
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return usage(std, fmt.Errorf("-domains %s: that is a folder; name a file with one host or origin a line", s.domains))
		}
		in = file
		if terminal(std.err) && !s.quiet {
			s.sites = countSites(s.domains)
		}
	}
	list := bufio.NewReader(in)
	if mark, _ := list.Peek(2); string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff" {
		return usage(std, fmt.Errorf("-domains %s: the list is written in UTF-16; save it as UTF-8", s.domains))
	}
	return runOver(&s, list, std)
}
