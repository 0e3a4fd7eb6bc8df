package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/edit"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/reports"
)

const simulateHelp = `robots-audit simulate RUN tells what another robots.txt would do to all URLs
that a run knows: which would be newly blocked from crawling, which newly allowed, for
which crawler, by which line. Nothing is fetched. RUN is the folder of a run, or the
records of one site. The other robots.txt is one of these:

  -robots FILE     a file. Where a run has several sites, -site names the one that it is
                   for, or -robots HOST=FILE does, which may be repeated
  -free URLS       the smallest change of the site's own file that allows these URLs and
                   flips no other URL; where no change does without, what it flips
  -block URLS      the same, to block them

URLS is a URL, a path ("/shop/a"), or a file of them, one a line; the flag may be
repeated. They are of one site, and need not be known to the run. -crawler says for whom,
if not for all crawlers of the run; for the others nothing flips then, be it of URLS. With
-robots the change is one of FILE. It is printed; -write writes the file with it.

The URLs are those of the run: sitemaps that only FILE names are not read. To audit
a site anew as if it served FILE, with these as well: robots-audit HOST -robots HOST=FILE

Written are index.html, changes.xlsx, changes.json and changes.md, as by compare; where
there is nothing to change, nothing.

Examples:
  robots-audit simulate -robots new-robots.txt monday
  robots-audit simulate -robots new-robots.txt -site www.example.com monday -fail-on newly-blocked
  robots-audit simulate -robots a.example=a.txt -robots b.example=b.txt monday
  robots-audit simulate monday -free https://www.example.com/shop/a -write robots.txt
  robots-audit simulate monday -block urls.txt -crawler GPTBot,ClaudeBot
  robots-audit simulate monday -block urls.txt -crawler purpose:ai-training -write robots.txt

Exit codes: 0 done; 1 something would change that -fail-on names, or -free or -block
cannot be had, or not without flipping other URLs; 2 usage, or a run that cannot be read;
3 done, but the run was cut short, or a verdict would be unclear; 4 the simulation
itself failed; 130 stopped by a signal.
`

func runSimulate(args []string, std cli.Streams) int {
	var c comparing
	var robots cli.List
	var w wishing
	f := c.flags("simulate")
	f.Var(&robots, "robots", "`FILE`, or HOST=FILE: the robots.txt that is tried; may be repeated for several hosts")
	f.Var(&w.free, "free", "`file` of URLs, or a URL or path itself: find the smallest change that allows them; may be repeated")
	f.Var(&w.block, "block", "`file` of URLs, or a URL or path itself: find the smallest change that blocks them; may be repeated")
	f.StringVar(&w.crawler, "crawler", "", "`list` of the crawlers for which -free and -block are meant; purpose:ai-training is all that have a purpose (default: all of the run)")
	w.further.Flag(f)
	f.StringVar(&w.write, "write", "", "write the robots.txt that -free or -block has edited to this `file`")
	if code, ok := cli.ParseFlags(f, args, simulateHelp, std); !ok {
		return code
	}
	wished, err := w.read()
	switch {
	case f.NArg() != 1:
		return cli.Usage(std, errors.New("simulate takes one argument: the folder of a run"))
	case err != nil:
		return cli.Usage(std, err)
	case len(robots) == 0 && wished == nil:
		return cli.Usage(std, errors.New("-robots is missing: the file that is tried, as in -robots new-robots.txt; or -free or -block: the URLs for which a change is looked for"))
	}
	run, err := openStored(f.Arg(0))
	if err != nil {
		return notOpened(std, err)
	}
	site := c.site
	if wished != nil && site == "" {
		site = wishedSite(run, wished)
	}
	list, err := proposedSites(run, robots, site)
	if err != nil {
		return cli.Usage(std, err)
	}
	if wished == nil {
		return c.run(run, run, list, std)
	}
	return c.runWished(&w, wished, run, list, site, std)
}

// runWished finds the smallest change, and compares with it.
func (c *comparing) runWished(w *wishing, wished *edit.Wish, run *reports.StoredRun, list []pairs.Pair, site string, std cli.Streams) int {
	if list == nil {
		if site != "" {
			list = pairs.Pick(pairs.Of(run, run), site)
		}
		if list == nil && c.site != "" {
			return cli.Usage(std, fmt.Errorf("-site %s: %s has no such site", c.site, run.Path))
		}
	}
	if err := c.check(); err != nil {
		return cli.Usage(std, err)
	}
	out := std.Out
	if c.json {
		out = std.Err
	}
	if err := pairs.Damage(list); err != nil {
		return cli.Failed(std, err)
	}
	a, err := w.find(wished, list, site, out, std.Err)
	switch {
	case errors.As(err, new(*edit.RecordsError)):
		return cli.Failed(std, err)
	case err != nil:
		return cli.Usage(std, err)
	}
	code := cli.ExitDone
	if a.Edits != nil || len(list[0].Robots) > 0 {
		code = c.run(run, run, list, std)
	}
	if code == cli.ExitUsage || code == cli.ExitFailed {
		return code
	}
	if err := w.writeFile(a, out); err != nil {
		return cli.Failed(std, err)
	}
	if !a.Met() {
		return cli.ExitFindings
	}
	return code
}

// proposedSites are the sites of a run for which there is another robots.txt.
func proposedSites(run *reports.StoredRun, robots []string, site string) (list []pairs.Pair, err error) {
	all := pairs.Of(run, run)
	for _, entry := range robots {
		host, file, named := strings.Cut(entry, "=")
		if _, why := audit.ParseDomain(host); !named || why != "" || strings.ContainsAny(host, `/\`) && !strings.Contains(host, "://") {
			host, file, named = "", entry, false
		}
		of := all
		switch {
		case named:
			of = pairs.Pick(all, host)
		case site != "":
			of = pairs.Pick(all, site)
		}
		switch {
		case len(of) == 0 && named:
			return nil, fmt.Errorf("-robots %s: %s has no site %s", entry, run.Path, host)
		case len(of) == 0:
			return nil, fmt.Errorf("-site %s: %s has no such site", site, run.Path)
		case len(of) > 1 && !named && site == "":
			return nil, fmt.Errorf("-robots %s: %s has %d sites: name the one it is for, as in -site %s", entry, run.Path, len(of), of[0].Name)
		}
		body, err := cli.ReadBounded(file, audits.MaxProposed)
		if err != nil {
			return nil, fmt.Errorf("-robots: %w", err)
		}
		tried := of[0]
		if slices.ContainsFunc(list, func(s pairs.Pair) bool { return s.Name == tried.Name }) {
			return nil, fmt.Errorf("-robots %s: %s has a file already", entry, tried.Name)
		}
		tried.Robots, tried.Host, tried.Body = filepath.Base(file), audit.HostName(tried.Name), body
		list = append(list, tried)
	}
	if site != "" && len(robots) > 0 && pairs.Pick(list, site) == nil {
		return nil, fmt.Errorf("-site %s: no file of -robots is for it", site)
	}
	return list, nil
}
