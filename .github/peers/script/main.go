// Command script is what an afternoon's work gives: for each site of a list robots.txt and the
// sitemaps it names are fetched, each URL is tested by temoto/robotstxt for one crawler, and the
// blocked ones stand in a workbook of excelize. It has neither rules with line numbers nor several
// crawlers, nor pages, records, resuming or limits, and is what the cost of a site is held against.
//
//	go run ./script -domains list.txt -connect-to :80:127.0.0.1:8080 -out DIR
package main

import (
	"bufio"
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/temoto/robotstxt"
	"github.com/xuri/excelize/v2"
)

func main() {
	domains := flag.String("domains", "", "a file with one site a line, http://HOST")
	out := flag.String("out", "", "a folder for the workbooks")
	connect := flag.String("connect-to", "", "ask ADDRESS instead of every host: :PORT:ADDRESS")
	workers := flag.Int("workers", 16, "sites at once")
	flag.Bool("quiet", true, "as robots-audit has it; nothing is said anyway")
	flag.Bool("no-cache", true, "likewise")
	flag.Parse()
	log.SetFlags(0)
	if err := run(*domains, *out, *connect, *workers); err != nil {
		log.Fatal("script: ", err)
	}
}

func run(domains, out, connect string, workers int) error {
	list, err := os.Open(domains)
	if err != nil {
		return err
	}
	defer list.Close()
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Second}
	if connect != "" {
		_, address, _ := strings.Cut(strings.TrimPrefix(connect, ":"), ":")
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		}
	}
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	sites, failed := make(chan string), make(chan error, workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for site := range sites {
				if err := audit(client, site, out); err != nil {
					select {
					case failed <- fmt.Errorf("%s: %w", site, err):
					default:
					}
				}
			}
		})
	}
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		sites <- lines.Text()
	}
	close(sites)
	group.Wait()
	close(failed)
	if err := lines.Err(); err != nil {
		return err
	}
	return <-failed // the first, or nil
}

// urlset is a sitemap.
type urlset struct {
	URLs []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
	} `xml:"url"`
}

func audit(client *http.Client, site, out string) error {
	answer, err := client.Get(site + "/robots.txt")
	if err != nil {
		return err
	}
	rules, err := robotstxt.FromResponse(answer)
	answer.Body.Close()
	if err != nil {
		return err
	}
	group := rules.FindGroup("Googlebot")
	book := excelize.NewFile()
	defer book.Close()
	if err := book.SetSheetName("Sheet1", "Blocked"); err != nil {
		return err
	}
	sheet, err := book.NewStreamWriter("Blocked")
	if err != nil {
		return err
	}
	row := 1
	if err := sheet.SetRow("A1", []any{"URL", "Last modified", "Sitemap"}); err != nil {
		return err
	}
	for _, sitemap := range rules.Sitemaps {
		found, err := read(client, sitemap)
		if err != nil {
			return err
		}
		for _, u := range found.URLs {
			loc, err := url.Parse(u.Loc)
			if err != nil || group.Test(loc.RequestURI()) {
				continue
			}
			row++
			if err := sheet.SetRow(fmt.Sprintf("A%d", row), []any{u.Loc, u.LastMod, sitemap}); err != nil {
				return err
			}
		}
	}
	if err := sheet.Flush(); err != nil {
		return err
	}
	return book.SaveAs(filepath.Join(out, strings.TrimPrefix(site, "http://")+".xlsx"))
}

func read(client *http.Client, sitemap string) (found urlset, err error) {
	answer, err := client.Get(sitemap)
	if err != nil {
		return found, err
	}
	defer answer.Body.Close()
	return found, xml.NewDecoder(answer.Body).Decode(&found)
}
