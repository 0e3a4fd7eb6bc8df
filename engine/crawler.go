package engine

import (
	_ "embed"
	"fmt"
	"strings"
)

// Crawler is a robot as data. Only Tokens, Agent and IgnoresGlobal decide
// anything; a Crawler made by hand needs no more than Tokens.
type Crawler struct {
	Name          string
	Operator      string
	Purpose       string   // "search", "ads", "AI training", "AI search", "user fetch", "control token", …
	Profile       string   // name of the profile it follows
	Tokens        []string // product tokens in order of preference, without "*"
	Agent         string   // full name ("YandexBot/3.0"), for readers that compare more than product tokens; "" = the first token
	IgnoresGlobal bool     // does not obey "*"
	Obeys         string   // whether its operator says that it obeys robots.txt: "yes", "no", "unclear"
	CrawlDelay    string   // read with Profile: "own" = obeys the Crawl-delay of its group, "inherit" = else that of "*"; "" = as the profile says
	Source        string   // address of the source
	Dated         string   // the day the source was read, or speaks of
}

//go:embed crawlers.tsv
var crawlersTSV string

var crawlers = parseCrawlers(crawlersTSV)

// parseCrawlers reads the crawler list: tab-separated, one crawler a line,
// comments begin with "#", the first other line names the columns.
func parseCrawlers(text string) []Crawler {
	var list []Crawler
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "name\t") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 11 {
			panic(fmt.Sprintf("engine: crawlers.tsv:%d: %d columns", i+1, len(f)))
		}
		list = append(list, Crawler{
			Name: f[0], Operator: f[1], Purpose: f[2], Profile: f[3], Tokens: strings.Split(f[4], ","), Agent: f[5],
			IgnoresGlobal: f[6] == "no", Obeys: f[7], CrawlDelay: f[8], Source: f[9], Dated: f[10],
		})
	}
	return list
}

// Crawlers returns the crawler list.
func Crawlers() []Crawler { return append([]Crawler(nil), crawlers...) }

// ParseCrawler reads "Googlebot", "Googlebot@google-2019" or "FooBot". A name
// that is not in the list is a product token of its own, read by rfc9309. The
// case of a listed name does not count, but is kept for its token, since one
// profile compares with case. Only an unknown profile or an empty name is an
// error.
func ParseCrawler(s string) (Crawler, error) {
	name, profile, asked := strings.Cut(s, "@")
	name = strings.TrimSpace(name)
	if name == "" {
		return Crawler{}, fmt.Errorf("engine: no crawler in %q", s)
	}
	// The full name lets "MJ12bot" find its group, though RFC 9309 has no digits
	// in product tokens.
	c := Crawler{Name: name, Profile: "rfc9309", Tokens: []string{name}, Agent: name}
	for _, listed := range crawlers {
		if strings.EqualFold(listed.Name, name) {
			c = listed
			c.Tokens = append([]string(nil), c.Tokens...)
			for i, token := range c.Tokens {
				if strings.EqualFold(token, name) {
					c.Tokens[i] = name
				}
			}
			break
		}
	}
	if asked {
		if _, ok := ProfileByName(profile); !ok {
			return Crawler{}, fmt.Errorf("engine: unknown profile %q in %q", profile, s)
		}
		if profile != c.Profile {
			c.Profile, c.CrawlDelay = profile, "" // read so, it obeys what the profile obeys
		}
	}
	return c, nil
}
