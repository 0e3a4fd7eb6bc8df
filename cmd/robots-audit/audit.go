package main

import (
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
)

var auditHelp = cli.Help{
	Use: `robots-audit SITE… audits these sites. robots-audit -domains FILE audits a list of them.
It tests all URLs of the sitemaps for each crawler. It writes a page and a
workbook for each site, and a summary. A SITE is a host or an origin.

Examples:
  robots-audit example.com
  robots-audit https://example.com:8443 -crawl -out monday
  robots-audit -domains list.txt -crawlers Googlebot,GPTBot,Googlebot@google-2019
  robots-audit -domains list.txt -out monday -resume
  echo https://example.com | robots-audit -domains - -rows all
`,
	More: `A SITE of a single word needs its scheme: https://intranet. A SITE with a path is
audited as its whole site. With -domains as well, the sites come after the list.
Flags can be before and after sites, with one dash or two.
`,
	Exit: `Exit codes: 0 done; 1 a site fails -fail-on or -fail-on-blocked; 2 wrong usage or
configuration, or a list without a site; 3 done, but a site is unknown, or no site has a host that -robots
names; 4 the run failed; 130 stopped by a signal.
`,
}

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
