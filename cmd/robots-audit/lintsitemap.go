package main

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"net/url"
	"path"
	"strings"
	"time"

	"robots-audit/crawl"
)

// maxHead is how much of a file is looked at to see whether it is a sitemap.
const maxHead = 64 << 10

// read reads a robots.txt or a sitemap: a URL by its name, standard input by its content, a file by both.
func (f *lintedFile) read(run *lintRun, in io.Reader) (err error) {
	switch {
	case isURL(f.name) && isSitemapURL(f.name):
		f.sitemap, err = f.askSitemap(run.client)
		return err
	case isURL(f.name):
		f.answers, f.options.Cache, err = readRobots(f.name, f.credentials, in, run.client)
		return err
	}
	file, pipe, err := openNamed(f.name, in)
	if err != nil {
		return err
	}
	defer file.Close()
	text := bufio.NewReaderSize(file, maxHead)
	if head, _ := text.Peek(maxHead); crawl.IsSitemap(head) || isSitemapURL(f.name) {
		f.sitemap = crawl.ReadSitemap(text, f.shownName(run))
		return nil
	}
	f.answers, _, err = atHand(pipe, text)
	return err
}

// isSitemapURL reports whether a URL or file names a sitemap by its ending. Any other URL stands for its site. Of text
// files, only those with "sitemap" in their name do.
func isSitemapURL(name string) bool {
	u, err := url.Parse(name)
	if err != nil {
		return false
	}
	name = path.Base(strings.TrimSuffix(strings.ToLower(u.Path), ".gz"))
	return strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".txt") && strings.Contains(name, "sitemap")
}

// askSitemap requests a sitemap.
func (f *lintedFile) askSitemap(client *crawl.Client) (*crawl.SitemapFile, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	u, err := url.Parse(f.name)
	if err != nil {
		return nil, err
	}
	site := client.Site(u.Host)
	defer site.Close()
	if f.credentials != nil {
		if err := site.Authenticate(u.Scheme+"://"+u.Host, *f.credentials); err != nil {
			return nil, err
		}
	}
	return site.LintSitemap(ctx, f.name), nil
}

// shownName is the name of the file in findings.
func (f *lintedFile) shownName(run *lintRun) string {
	if f.name == "-" {
		return cmp.Or(run.stdinName, "stdin")
	}
	return f.name
}
