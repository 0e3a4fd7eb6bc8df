package engine

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/engine/wording"
)

// Crawler is a robot as data. Only Tokens, Agent and IgnoresGlobal change
// verdicts. A Crawler made by hand needs only Tokens.
type Crawler struct {
	Name          string
	Operator      string
	Purpose       string   // "search", "ads", "AI training", "AI search", "user fetch", "control token", …
	Profile       string   // name of the profile it follows
	Tokens        []string // product tokens in order of preference, without "*"
	Agent         string   // full name ("YandexBot/3.0"), for profiles that compare more than product tokens; "" = the first token
	IgnoresGlobal bool     // does not obey "*"
	Obeys         string   // whether its operator says it obeys robots.txt: "yes", "no", "unclear"
	CrawlDelay    string   // with its own Profile: "own" = obeys the Crawl-delay of its group, "inherit" = else the one of "*"; "" = as the profile says
	Source        string   // address of the source
	Dated         string   // the day the source was read, or the day it refers to
}

//go:embed crawlers.tsv
var crawlersTSV string

var crawlers = parseCrawlers(crawlersTSV)

// parseCrawlers reads the embedded list, which must be valid.
func parseCrawlers(text string) []Crawler {
	list, err := ReadCrawlers("crawlers.tsv", text)
	if err != nil {
		panic("engine: " + err.Error())
	}
	return list
}

// crawlerColumns are the names in CrawlerColumns, as the header line has them.
var crawlerColumns = strings.ReplaceAll(CrawlerColumns, ", ", "\t")

// CrawlerColumns names the columns of a crawler list, in order.
const CrawlerColumns = "name, operator, purpose, profile, tokens, agent, star, obeys, delay, source, dated"

// ReadCrawlers reads a crawler list in the format of crawlers.tsv: tab-separated, one
// crawler a line. Comments begin with "#", and a header line may come first. The error
// names every line that cannot be read, with the name of the file.
func ReadCrawlers(name, text string) (list []Crawler, err error) {
	var errs []error
	seen := map[string]int{}
	begun := false
	for i, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if !begun && strings.HasPrefix(line, "name\t") {
			begun = true
			if line != crawlerColumns {
				errs = append(errs, fmt.Errorf("%s:%d: wrong columns: expected %s", name, i+1, CrawlerColumns))
			}
			continue
		}
		begun = true
		c, err := readCrawler(line)
		key := strings.ToLower(c.Name)
		if err == nil && seen[key] > 0 {
			err = fmt.Errorf("%s is already in line %d", c.Name, seen[key])
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, i+1, err))
			continue
		}
		seen[key] = i + 1
		list = append(list, c)
	}
	if list == nil && errs == nil {
		errs = append(errs, fmt.Errorf("%s:1: no crawler found: expected lines with the columns %s, separated by tabs", name, CrawlerColumns))
	}
	return list, errors.Join(errs...)
}

// readCrawler reads a line of a crawler list.
func readCrawler(line string) (Crawler, error) {
	f := strings.Split(line, "\t")
	if want := 1 + strings.Count(crawlerColumns, "\t"); len(f) != want {
		return Crawler{}, fmt.Errorf("%d columns instead of %d (%s), separated by tabs", len(f), want, CrawlerColumns)
	}
	c := Crawler{
		Name: f[0], Operator: f[1], Purpose: f[2], Profile: f[3], Tokens: strings.Split(f[4], ","), Agent: f[5],
		IgnoresGlobal: f[6] == "no", Obeys: f[7], CrawlDelay: f[8], Source: f[9], Dated: f[10],
	}
	_, err := ParseProfile(c.Profile)
	switch {
	case !utf8.ValidString(line) || strings.ContainsFunc(strings.ReplaceAll(line, "\t", ""), unicode.IsControl):
		return c, errors.New("not UTF-8, or a control character")
	case c.Name == "" || len(c.Name) > longestQuote || c.Name != strings.TrimSpace(c.Name) || strings.ContainsAny(c.Name, ",@:"):
		return c, fmt.Errorf("name %.200q: expected a name without comma, @ and colon", c.Name)
	case err != nil:
		return c, err
	case f[6] != "yes" && f[6] != "no":
		return c, fmt.Errorf("star %q: expected yes or no: whether it obeys the * group", f[6])
	case c.CrawlDelay != "" && c.CrawlDelay != delayOwn && c.CrawlDelay != delayInherit:
		return c, fmt.Errorf("delay %q: expected %s, %s or nothing", c.CrawlDelay, delayOwn, delayInherit)
	}
	for _, token := range c.Tokens {
		if token == "" || token != strings.TrimSpace(token) || strings.ContainsAny(token, "*#") {
			return c, fmt.Errorf("tokens %q: expected product tokens separated by commas", f[4])
		}
	}
	return c, nil
}

// Crawlers returns the crawler list.
func Crawlers() []Crawler { return append([]Crawler(nil), crawlers...) }

// withOwn returns the own crawlers, then the listed crawlers with other names.
func withOwn(own []Crawler) []Crawler {
	if len(own) == 0 {
		return crawlers
	}
	list := slices.Clone(own)
	for _, c := range crawlers {
		if !slices.ContainsFunc(own, func(o Crawler) bool { return strings.EqualFold(o.Name, c.Name) }) {
			list = append(list, c)
		}
	}
	return list
}

// purposePrefix begins a name that means all crawlers with a purpose.
const purposePrefix = "purpose:"

// CrawlerNames returns the names that [ParseCrawler] reads for s. This is s itself,
// or for "purpose:ai-training" all crawlers with this purpose, from own and the list.
// A profile named in s is added to each.
func CrawlerNames(s string, own ...Crawler) (names []string, err error) {
	name, profile, asked := strings.Cut(strings.TrimSpace(s), "@")
	if len(name) < len(purposePrefix) || !strings.EqualFold(name[:len(purposePrefix)], purposePrefix) {
		return []string{s}, nil
	}
	purpose := wording.Letters(name[len(purposePrefix):])
	var purposes []string
	for _, c := range withOwn(own) {
		if slug := strings.ToLower(strings.ReplaceAll(c.Purpose, " ", "-")); !slices.Contains(purposes, slug) {
			purposes = append(purposes, slug)
		}
		if wording.Letters(c.Purpose) != purpose {
			continue
		}
		if name := c.Name; asked {
			names = append(names, name+"@"+profile)
		} else {
			names = append(names, name)
		}
	}
	if names == nil {
		slices.Sort(purposes)
		meant := slices.DeleteFunc(slices.Clone(purposes), func(slug string) bool {
			return len(purpose) < 2 || !strings.HasPrefix(wording.Letters(slug), purpose)
		})
		if near := wording.Nearest(purpose, purposes); len(meant) == 0 && near != "" {
			meant = []string{near}
		}
		if len(meant) > 0 {
			return nil, fmt.Errorf("no crawler has the purpose %.200q: did you mean %s?", name[len(purposePrefix):], purposePrefix+strings.Join(meant, " or "+purposePrefix))
		}
		return nil, fmt.Errorf("no crawler has the purpose %.200q: expected one of %s", name[len(purposePrefix):], strings.Join(purposes, ", "))
	}
	return names, nil
}

// tokenPrefix begins the name of a crawler that is not in the list.
const tokenPrefix = "token:"

// ParseCrawler reads the name of a listed crawler, "Googlebot", or a product token,
// "token:MyBot", which gets the profile rfc9309. Either can name another profile:
// "Googlebot@google-2019", "token:MyBot@google". Case does not matter in a listed
// name, but its token keeps the case given, since one profile compares with case. Own
// crawlers replace listed crawlers of the same name.
//
// A name that is not in the list is an [UnknownCrawlerError]. Other errors are an
// unknown profile, an empty name, and a token that cannot be in a User-agent line.
func ParseCrawler(s string, own ...Crawler) (Crawler, error) {
	name, profile, asked := strings.Cut(strings.TrimSpace(s), "@")
	name = strings.TrimSpace(name)
	if name == "" {
		return Crawler{}, fmt.Errorf("no crawler in %q", s)
	}
	c, err := crawlerByName(name, s, own)
	if err != nil {
		return Crawler{}, err
	}
	if asked {
		if _, ok := ProfileByName(profile); !ok {
			return Crawler{}, fmt.Errorf("unknown profile %q in %q: %s", profile, s, profileMeant(profile))
		}
		if profile != c.Profile {
			c.Profile, c.CrawlDelay = profile, "" // the delay was for its own profile
		}
	}
	return c, nil
}

// crawlerByName finds or makes the crawler of a name without profile. written is for
// errors.
func crawlerByName(name, written string, own []Crawler) (Crawler, error) {
	if prefix := name[:min(len(tokenPrefix), len(name))]; strings.EqualFold(prefix, tokenPrefix) {
		token := strings.TrimSpace(name[len(tokenPrefix):])
		if len(token) > longestQuote {
			return Crawler{}, fmt.Errorf("a product token of %d bytes is too long", len(token))
		}
		if token == "" || !utf8.ValidString(token) || strings.ContainsAny(token, ",#") || strings.ContainsFunc(token, unicode.IsControl) {
			return Crawler{}, fmt.Errorf("%q: a User-agent line cannot contain this product token", written)
		}
		// The full name lets "MJ12bot" find its group, though RFC 9309 has no digits
		// in product tokens.
		return Crawler{Name: tokenPrefix + token, Profile: "rfc9309", Tokens: []string{token}, Agent: token}, nil
	}
	if len(name) >= len(purposePrefix) && strings.EqualFold(name[:len(purposePrefix)], purposePrefix) {
		return Crawler{}, fmt.Errorf("%.200q means several crawlers: name one of them", written)
	}
	list := withOwn(own)
	for _, listed := range list {
		if strings.EqualFold(listed.Name, name) {
			c := listed
			c.Tokens = slices.Clone(c.Tokens)
			for i, token := range c.Tokens {
				if strings.EqualFold(token, name) {
					c.Tokens[i] = name
				}
			}
			return c, nil
		}
	}
	return Crawler{}, &UnknownCrawlerError{Written: written, name: name, Meant: nearestCrawler(name, list)}
}

// UnknownCrawlerError is the error for a name that is not in the crawler list.
type UnknownCrawlerError struct {
	Written string // the name, with the profile if given
	Meant   string // the listed crawler that was probably intended; "" = no similar name
	name    string
}

// longestQuote limits how much of a name an error repeats.
const longestQuote = 200

func (e *UnknownCrawlerError) Error() string {
	token := "NAME"
	if IsProductToken(e.name) && len(e.name) < longestQuote {
		token = e.name
	}
	if e.Meant != "" {
		return e.Short() + " If not, write " + tokenPrefix + token
	}
	return e.Short() + ": to use a product token that is not in the list, write " + tokenPrefix + token
}

// Short is Error without the advice to write a product token.
func (e *UnknownCrawlerError) Short() string {
	written := strconv.Quote(e.Written)
	if len(written) > longestQuote { // not shortened, since a cut password could no longer be recognized and hidden
		written = fmt.Sprintf("of %d bytes", len(e.Written))
	}
	if e.Meant != "" {
		written += ": did you mean " + e.Meant + "?"
	}
	return "unknown crawler " + written
}

// nearestCrawler finds the crawler whose name or product token is nearest to a name.
func nearestCrawler(name string, list []Crawler) string {
	var names []string
	of := map[string]string{}
	for _, c := range list {
		for _, n := range append([]string{c.Name}, c.Tokens...) {
			if of[n] == "" {
				of[n] = c.Name
				names = append(names, n)
			}
		}
	}
	return of[wording.Nearest(name, names)]
}

// IsProductToken reports whether RFC 9309 allows a product token: letters, "-"
// and "_" only. Parsers that follow it cut any other token at the first other
// character.
func IsProductToken(token string) bool { return token != "" && productToken(token) == token }

// ParseProfile finds a profile by its name. The error names the profile that was
// probably intended, or lists all.
func ParseProfile(name string) (*Profile, error) {
	if p, ok := ProfileByName(name); ok {
		return p, nil
	}
	return nil, fmt.Errorf("unknown profile %q: %s", name, profileMeant(name))
}

// profileMeant suggests the profile with the most similar name, or lists all.
func profileMeant(name string) string {
	names := namesOf(profiles)
	if meant := wording.Nearest(name, names); meant != "" {
		return "did you mean " + meant + "?"
	}
	return "expected one of " + strings.Join(names, ", ")
}

// UserAgent is the User-Agent header of a crawler, as its operator publishes it, or as seen in logs.
type UserAgent struct {
	Name   string // Crawler.Name
	Header string // "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	Source string // address of the source
	Dated  string // the day or month the source was read, or refers to
}

//go:embed useragents.tsv
var userAgentsTSV string

var userAgents = func() map[string]UserAgent {
	list := map[string]UserAgent{}
	for line := range strings.Lines(userAgentsTSV) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 4 && f[0] != "name" {
			list[strings.ToLower(f[0])] = UserAgent{f[0], f[1], f[2], f[3]}
		}
	}
	return list
}()

// UserAgentOf returns the User-Agent header of a listed crawler; false = none is known, or the name is
// only a token of robots.txt. Case does not matter.
func UserAgentOf(name string) (UserAgent, bool) {
	of, ok := userAgents[strings.ToLower(name)]
	return of, ok
}
