package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"

	"robots-audit/engine"
)

// maxCrawlerList bounds the file of -crawler-list, in bytes.
const maxCrawlerList = 1 << 20

// crawlerList is the flag -crawler-list. It is not called crawlers, since that flag and
// that key of the configuration name the crawlers of a run.
type crawlerList string

func (l *crawlerList) flag(f *flag.FlagSet) {
	f.StringVar((*string)(l), "crawler-list", "", "`file` of further crawlers, one a line, with a tab between the columns ("+engine.CrawlerColumns+"); a crawler of the same name wins over the program's")
}

// read reads the file; nil = no file is named.
func (l crawlerList) read() ([]engine.Crawler, error) {
	if l == "" {
		return nil, nil
	}
	text, err := readBounded(string(l), maxCrawlerList)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("-crawler-list: %s: no such file", l)
	case err != nil:
		return nil, fmt.Errorf("-crawler-list: %w", err)
	}
	return engine.ReadCrawlers(string(l), string(text))
}

// readCrawlerList reads the crawlers of -crawler-list. The setting gets the file's checksum,
// so that a run is not resumed with another file of the same name.
func (s *settings) readCrawlerList() ([]engine.Crawler, error) {
	own, err := s.further.read()
	if own != nil && s.used != nil {
		s.used["crawler-list"] = fmt.Sprintf("%s %.16s", filepath.Base(string(s.further)), hexSum([]byte(fmt.Sprint(own))))
	}
	return own, err
}
