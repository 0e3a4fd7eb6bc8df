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

var simulateHelp = cli.Help{
	Use: `robots-audit simulate RUN shows what another robots.txt would change for all URLs of a run.
It lists newly blocked and newly allowed URLs, for which crawler, and which line decides.
It fetches nothing. RUN is the folder of a run, or the records of one site.

Examples:
  robots-audit simulate -robots new-robots.txt monday
  robots-audit simulate -robots new-robots.txt -site www.example.com monday -fail-on newly-blocked
  robots-audit simulate -robots a.example=a.txt -robots b.example=b.txt monday
  robots-audit simulate monday -free https://www.example.com/shop/a -write robots.txt
  robots-audit simulate monday -block urls.txt -crawler purpose:ai-training -write robots.txt
`,
	More: `The other robots.txt is one of these:
  -robots FILE     a file. If a run has several sites, name the site with -site or with
                   -robots HOST=FILE. The flag can be repeated
  -free URLS       the smallest change of the current file that allows these URLs and
                   changes no other URL. If there is none, it shows what else changes
  -block URLS      the same, to block them

URLS is a URL, a path ("/shop/a"), or a file with one of them per line. The flag can be
repeated. All URLS are of one site, and need not be in the run. -crawler says for whom
(default: all crawlers of the run). For the other crawlers nothing changes. With -robots
as well, FILE is what is changed. The change is printed, and -write writes the new file.

The URLs are those of the run. Sitemaps that only FILE names are not read. To audit the
site with FILE and read them: robots-audit HOST -robots HOST=FILE

It writes index.html, changes.xlsx, changes.json and changes.md, as compare does. If
there is nothing to change, it writes nothing.
`,
	Exit: `Exit codes: 0 done; 1 a change that -fail-on names, or -free or -block is not possible
without changing other URLs; 2 wrong usage, or a run that cannot be read; 3 done, but the
run was cut short, a verdict is unclear, or no URL was found; 4 the simulation failed; 130 stopped by a signal.
`,
}

func runSimulate(args []string, std cli.Streams) int {
	var c comparing
	var robots cli.List
	var w wishing
	f := c.flags("simulate")
	f.Var(&robots, "robots", "`FILE` to try as robots.txt, or HOST=FILE. Can be repeated for several hosts")
	f.Var(&w.free, "free", "find the smallest change that allows these `URLs`: a URL, a path or a file. Can be repeated")
	f.Var(&w.block, "block", "find the smallest change that blocks these `URLs`: a URL, a path or a file. Can be repeated")
	f.StringVar(&w.crawler, "crawler", "", "`list` of crawlers for -free and -block (default: all of the run). purpose:ai-training is all crawlers with this purpose")
	w.further.Flag(f)
	w.Tables.Flags(f)
	f.StringVar(&w.write, "write", "", "write the robots.txt with the change of -free or -block to this `file`")
	if code, ok := cli.ParseFlags(f, args, simulateHelp, std); !ok {
		return code
	}
	wished, err := w.read()
	switch {
	case f.NArg() != 1:
		return cli.Usage(std, errors.New("simulate needs one argument: the folder of a run, as in: robots-audit simulate monday -robots new-robots.txt"))
	case err != nil:
		return cli.Usage(std, err)
	case len(robots) == 0 && wished == nil:
		return cli.Usage(std, errors.New("-robots is missing: name the file to try, as in -robots new-robots.txt. Or name URLs with -free or -block"))
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

// runWished finds the smallest change, and compares the run with it.
func (c *comparing) runWished(w *wishing, wished *edit.Wish, run *reports.StoredRun, list []pairs.Pair, site string, std cli.Streams) int {
	if list == nil {
		if site != "" {
			list = pairs.Pick(pairs.Of(run, run), site)
		}
		if list == nil && c.site != "" {
			return cli.Usage(std, fmt.Errorf("-site %s: %s does not have this site. Check the name", c.site, run.Path))
		}
	}
	if err := c.check(run); err != nil {
		return cli.Usage(std, err)
	}
	c.wished = true
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

// proposedSites are the sites of a run that have a proposed robots.txt.
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
			if _, err = audits.ProposedHost(host); err == nil { // its scheme may tell sites apart
				of = pairs.Pick(all, host)
			}
		case site != "":
			of = pairs.Pick(all, site)
		}
		switch {
		case named && err != nil:
			return nil, fmt.Errorf("-robots %s: %w", entry, err)
		case len(of) == 0 && named:
			return nil, fmt.Errorf("-robots %s: %s has no site %s", entry, run.Path, host)
		case len(of) == 0:
			return nil, fmt.Errorf("-site %s: %s has no such site", site, run.Path)
		case len(of) > 1 && !named && site == "":
			return nil, fmt.Errorf("-robots %s: %s has %d sites. Name one, as in -site %s", entry, run.Path, len(of), of[0].Name)
		}
		body, err := audits.ReadRobots(file)
		if err != nil {
			return nil, fmt.Errorf("-robots: %w", err)
		}
		tried := of[0]
		if slices.ContainsFunc(list, func(s pairs.Pair) bool { return s.Name == tried.Name }) {
			return nil, fmt.Errorf("-robots %s: %s already has a file. Name only one", entry, tried.Name)
		}
		tried.Robots, tried.Host, tried.Body = filepath.Base(file), audit.HostName(tried.Name), body
		list = append(list, tried)
	}
	if site != "" && len(robots) > 0 && pairs.Pick(list, site) == nil {
		return nil, fmt.Errorf("-site %s: no file of -robots is for this site", site)
	}
	return list, nil
}
