package audits

import (
	"flag"
	"fmt"
	"path/filepath"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
)

// maxCrawlerList limits the file of -crawler-list, in bytes.
const maxCrawlerList = 1 << 20

// CrawlerList is the flag -crawler-list. It is not called crawlers, because that flag and key name
// the crawlers of a run.
type CrawlerList string

// Flag declares -crawler-list.
func (l *CrawlerList) Flag(f *flag.FlagSet) {
	f.StringVar((*string)(l), "crawler-list", "", "`file` of more crawlers, one per line. They replace built-in crawlers of the same name. Columns, with a tab between them: "+engine.CrawlerColumns)
}

// Read reads the file; nil = no file is named.
func (l CrawlerList) Read() ([]engine.Crawler, error) {
	if l == "" {
		return nil, nil
	}
	text, err := cli.ReadBounded(string(l), maxCrawlerList)
	if err != nil {
		return nil, fmt.Errorf("-crawler-list %w", err)
	}
	return engine.ReadCrawlers(string(l), string(text))
}

// readCrawlerList reads the crawlers of -crawler-list. It adds the file's checksum to the setting,
// so that a run cannot be resumed with another file of that name.
func (s *Settings) readCrawlerList() ([]engine.Crawler, error) {
	own, err := s.Further.Read()
	if own != nil && s.Used != nil {
		s.Used["crawler-list"] = fmt.Sprintf("%s %.16s", filepath.Base(string(s.Further)), HexSum([]byte(fmt.Sprint(own))))
	}
	return own, err
}
