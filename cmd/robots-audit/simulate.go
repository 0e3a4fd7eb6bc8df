package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports"
)

const simulateHelp = `robots-audit simulate -robots FILE RUN tells what another robots.txt would do to
all URLs that a run knows: which would be newly blocked from crawling, which newly
allowed, for which crawler, by which line. Nothing is fetched. RUN is the folder of a
run, or the records of one site. Where a run has several sites, -site names the one
that FILE is for, or -robots HOST=FILE does, which may be repeated.

The URLs are those of the run: sitemaps that only FILE names are not read. To audit
a site anew as if it served FILE, with these as well: robots-audit HOST -robots HOST=FILE

Written are index.html, changes.xlsx, changes.json and changes.md, as by compare.

Examples:
  robots-audit simulate -robots new-robots.txt monday
  robots-audit simulate -robots new-robots.txt -site www.example.com monday -fail-on newly-blocked
  robots-audit simulate -robots a.example=a.txt -robots b.example=b.txt monday

Exit codes: 0 done; 1 something would change that -fail-on names; 2 usage, or a run that
cannot be read; 3 done, but the run was cut short, or a verdict would be unclear; 4 the
simulation itself failed; 130 stopped by a signal.
`

func runSimulate(args []string, std streams) int {
	var c comparing
	var robots list
	f := c.flags("simulate")
	f.Var(&robots, "robots", "`FILE`, or HOST=FILE: the robots.txt that is tried; may be repeated for several hosts")
	if code, ok := parseFlags(f, args, simulateHelp, std); !ok {
		return code
	}
	switch {
	case f.NArg() != 1:
		return usage(std, errors.New("simulate takes one argument: the folder of a run"))
	case len(robots) == 0:
		return usage(std, errors.New("-robots is missing: the file that is tried, as in -robots new-robots.txt"))
	}
	run, err := openStored(f.Arg(0))
	if err != nil {
		return notOpened(std, err)
	}
	list, err := proposedSites(run, robots, c.site)
	if err != nil {
		return usage(std, err)
	}
	return c.run(run, run, list, std)
}

// proposedSites are the sites of a run for which there is another robots.txt.
func proposedSites(run *reports.StoredRun, robots []string, site string) (list []sidesOf, err error) {
	for _, entry := range robots {
		host, file, named := strings.Cut(entry, "=")
		if _, why := audit.ParseDomain(host); !named || why != "" || strings.ContainsAny(host, `/\`) {
			host, file, named = "", entry, false
		}
		var of *reports.StoredSite
		for i, s := range run.Sites {
			name := hostName(s.Name)
			if named && name == host || !named && (site == s.Name || site == name || site == "" && len(run.Sites) == 1) {
				of = &run.Sites[i]
			}
		}
		switch {
		case of == nil && named:
			return nil, fmt.Errorf("-robots %s: %s has no site %s", entry, run.Path, host)
		case of == nil && site != "":
			return nil, fmt.Errorf("-site %s: %s has no such site", site, run.Path)
		case of == nil:
			return nil, fmt.Errorf("-robots %s: %s has %d sites: name the one it is for, as in -site %s", entry, run.Path, len(run.Sites), run.Sites[0].Name)
		}
		body, err := readBounded(file, maxProposed)
		if err != nil {
			return nil, fmt.Errorf("-robots: %w", err)
		}
		for _, other := range list {
			if other.name == of.Name {
				return nil, fmt.Errorf("-robots %s: %s has a file already", entry, of.Name)
			}
		}
		list = append(list, sidesOf{name: of.Name, old: of, new: of, robots: filepath.Base(file), host: hostName(of.Name), body: body})
	}
	return list, nil
}
