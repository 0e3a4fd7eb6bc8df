package main

import (
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
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

func runAudit(args []string, std cli.Streams) int {
	var s audits.Settings
	f := s.Flags("audit")
	if code, ok := audits.Parse(&s, f, args, auditHelp, std); !ok {
		return code
	}
	if err := s.Name(f.Args()); err != nil {
		return cli.Usage(std, err)
	}
	return audits.AuditList(&s, std)
}
