package engine

import (
	"slices"
	"strings"
)

// crawlerIndex is a crawler list with what Lint looks up in it. A list of its
// own keeps the tests of lint as they are when crawlers.tsv grows.
type crawlerIndex struct {
	all       []Crawler
	search    []Crawler         // those of search engines: blocking one of them concerns the whole site
	retired   map[string]bool   // names in lower case of crawlers that are retired or legacy
	tokens    map[string]string // product tokens as their operators write them, by their lower-case form
	byLetters map[string]string // product tokens by their letters and digits alone
	long      []string          // product tokens so long that one typing error does not make another word of them
}

// listedCrawlers is the index of crawlers.tsv.
var listedCrawlers = newCrawlerIndex(crawlers)

// searchEngines are the names of the crawlers in crawlerIndex.search.
var searchEngines = []string{"Googlebot", "Bingbot", "YandexBot"}

func newCrawlerIndex(list []Crawler) *crawlerIndex {
	x := &crawlerIndex{all: list, retired: map[string]bool{}, tokens: map[string]string{}, byLetters: map[string]string{}}
	for _, c := range list {
		if slices.Contains(searchEngines, c.Name) {
			x.search = append(x.search, c)
		}
		if strings.Contains(c.Purpose, "retired") || strings.Contains(c.Purpose, "legacy") {
			x.retired[strings.ToLower(c.Name)] = true
		}
		for _, token := range c.Tokens {
			if lowered := strings.ToLower(token); x.tokens[lowered] == "" {
				x.tokens[lowered] = token
			}
			if bare := letters(token); x.byLetters[bare] == "" {
				x.byLetters[bare] = token
			}
		}
	}
	for _, token := range x.tokens {
		if len(token) >= 8 {
			x.long = append(x.long, token)
		}
	}
	slices.Sort(x.long)
	return x
}

// near finds the product token that a value was probably meant to be: the
// same letters with other separators, or a long one with one typing error.
// "" = there is none, or the value is a token of the list itself.
func (x *crawlerIndex) near(value string) string {
	lowered := strings.ToLower(value)
	if x.tokens[lowered] != "" || len(value) > 40 || hasPrefixFold(value, "yandex") {
		return ""
	}
	if bare := letters(value); len(bare) >= 5 && x.byLetters[bare] != "" {
		return x.byLetters[bare]
	}
	if len(value) < 7 || len(value) != len(productToken(value)) {
		return ""
	}
	for _, token := range x.long {
		if d := len(token) - len(value); d >= -1 && d <= 1 && distance(lowered, strings.ToLower(token)) == 1 {
			return token
		}
	}
	return ""
}
