package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/edit"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/cmd/robots-audit/internal/gate"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// wishing are the flags of simulate that request the smallest change.
type wishing struct {
	free, block cli.List
	crawler     string
	further     audits.CrawlerList
	audits.Tables
	write string
}

// read reads the requested change; nil = none.
func (w *wishing) read() (*edit.Wish, error) {
	of, name, texts := edit.Wish{Want: engine.Allow}, "-free", w.free
	switch {
	case w.free != nil && w.block != nil:
		return nil, errors.New("-free and -block exclude each other. Run simulate twice: the second time with -robots and the file of -write")
	case w.free == nil && w.block == nil && w.crawler != "":
		return nil, errors.New("-crawler needs -free or -block. Name the URLs with one of them")
	case w.free == nil && w.block == nil && w.write != "":
		return nil, errors.New("-write needs -free or -block. Name the URLs with one of them")
	case w.free == nil && w.block == nil:
		return nil, nil
	case w.block != nil:
		of.Want, name, texts = engine.Disallow, "-block", w.block
	}
	for _, text := range texts {
		urls, err := w.readURLs(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if of.URLs = append(of.URLs, urls...); len(of.URLs) > edit.MaxURLs {
			return nil, fmt.Errorf("%s: more than %s URLs", name, wording.Thousands(edit.MaxURLs))
		}
	}
	if w.crawler == "" {
		return &of, nil
	}
	own, err := w.further.Read()
	if err != nil {
		return nil, err
	}
	if of.Crawlers, err = audit.ParseCrawlers(w.crawler, own...); err != nil {
		return nil, fmt.Errorf("-crawler: %w", err)
	}
	return &of, nil
}

// readURLs reads the value of -free or -block: a URL, a path, or a file with a list of them.
func (w *wishing) readURLs(text string) ([]string, error) {
	if edit.IsURL(text) && (text[0] != '/' || noFile(text) != nil) {
		return []string{text}, edit.Check(text)
	}
	lines, err := cli.ReadBounded(text, edit.MaxFile)
	if err != nil {
		return nil, err
	}
	return edit.ReadList(text, lines, w.Tables.Options())
}

// wishedSite names the site of a run to which URLs belong: the only one, or that of the first host
// named; "" = unknown.
func wishedSite(run *reports.StoredRun, w *edit.Wish) string {
	if len(run.Sites) == 1 {
		return run.Sites[0].Name
	}
	for _, url := range w.URLs {
		at, ok := engine.RobotsURL(url)
		if !ok {
			continue
		}
		for _, site := range run.Sites {
			if host := audit.HostName(strings.TrimSuffix(at, "/robots.txt")); host == audit.HostName(site.Name) {
				return site.Name
			}
		}
	}
	return ""
}

// find finds the smallest change of one site's robots.txt, prints it, and sets the site up for a
// comparison with it.
func (w *wishing) find(of *edit.Wish, sites []pairs.Pair, site string, out, notes io.Writer) (*edit.Answer, error) {
	picked := pairs.Pick(sites, site)
	at := slices.IndexFunc(sites, func(s pairs.Pair) bool { return picked != nil && s.Name == picked[0].Name })
	if at < 0 {
		return nil, errors.New("the run has several sites. Name one with -site HOST, or write URLs with their host")
	}
	s := &sites[at]
	a, err := edit.Find(context.Background(), of, func() iter.Seq2[audit.Record, error] { return s.Proposed() })
	if err != nil {
		return nil, err
	}
	file := a.Origins[0] + "/robots.txt"
	if s.Robots != "" {
		file = s.Robots
	}
	fmt.Fprintf(out, "%s:\n%s\n", cli.OnOneLine(file), edit.Describe(a.Result))
	for i, f := range a.Samples {
		if i == maxFlipsTold {
			fmt.Fprintln(out, "  and more: see the report")
			break
		}
		fmt.Fprintf(out, "  %s  %s: %s, was %s\n", escape.Cut(cli.OnOneLine(f.URL), maxURLTold), f.Crawler, f.Is, f.Was)
	}
	if others := a.Origins[1:]; len(others) > 0 && s.Robots == "" {
		cli.Complain(notes, "%s %s the same file, and %s tested with it", wording.And(others), wording.Verb(len(others), "serves", "serve"), wording.Verb(len(others), "is", "are"))
	}
	if a.NoLine != nil && a.Edits == nil && s.Robots == "" {
		cli.Complain(notes, "there is no file to edit. Name one with -robots. It can be empty")
	}
	if a.Unknown > 0 {
		cli.Complain(notes, "the run does not have %s, such as %s. They are tested, but not in the report", wording.Thousands(a.Unknown)+" of the URLs", escape.Cut(cli.Named(a.UnknownURL), maxURLTold))
	}
	for i := range sites {
		sites[i].Crawlers = a.Further
	}
	if a.Edits != nil {
		s.Origins, s.Edited = a.Origins, a.Body
		s.Robots = "the edited " + cmp.Or(s.Robots, "robots.txt")
	}
	return a, nil
}

// Limits of the list of changes that were not requested.
const (
	maxFlipsTold = 10
	maxURLTold   = 200 // bytes
)

// writeFile writes the edited robots.txt if the user wants one, and if it makes at least part of
// the requested change.
func (w *wishing) writeFile(a *edit.Answer, out io.Writer) error {
	if w.write == "" || a.Edits == nil && !a.Met() {
		return nil
	}
	var files gate.Files
	defer files.Abort()
	file, err := files.Create(w.write)
	if err != nil {
		return err
	}
	if _, err := file.Write(a.Body); err != nil {
		return err
	}
	if err := files.Commit(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Written: %s\n", cli.OnOneLine(w.write))
	return err
}
