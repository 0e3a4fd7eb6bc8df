package agent

import (
	"bytes"
	"slices"
	"strings"
)

// phrase is a name in user agents without its first word: "" for "Googlebot", " web spider" for
// "Sogou web spider".
type phrase struct {
	rest string
	id   int
}

// logNames are names of listed crawlers in logs, if they differ from those in the crawler list.
var logNames = map[string][]string{
	"Googlebot": {"Googlebot", "Googlebot-Mobile"}, // the second for phones without a browser, until 2016
	"msnbot":    {"msnbot", "msnbot-media"},
	"Slurp":     {"Yahoo! Slurp"},
	"Sogou":     {"Sogou web spider"}, // "Sogou" alone is in the names of its other spiders
}

// addNames fills s.names. The name of a crawler wins over the product tokens of others.
func (s *Set) addNames() {
	add := func(name string, id int) {
		name = strings.ToLower(name)
		first, _, _ := strings.Cut(name, " ")
		rest := name[len(first):]
		if first != "" && !slices.ContainsFunc(s.names[first], func(p phrase) bool { return p.rest == rest }) {
			s.names[first] = append(s.names[first], phrase{rest, id})
			s.begins[first[0]] |= 1 << (len(first) % 64)
		}
	}
	for pass := range 3 {
		for id, c := range s.crawlers[:s.listed] {
			switch {
			case c.Purpose == "control token": // no crawler calls itself that
			case pass == 0 && logNames[c.Name] != nil:
				for _, name := range logNames[c.Name] {
					add(name, id)
				}
			case pass == 0:
				add(c.Name, id)
			case logNames[c.Name] != nil:
			case pass == 1:
				add(c.Agent, id)
			case len(c.Tokens) > 0:
				add(c.Tokens[0], id)
			}
		}
	}
}

// Finder finds crawlers by user agents that it has seen in no time. A goroutine has its own.
type Finder struct {
	set      *Set
	now, old map[string]found // by user agent: old has those before now was begun
	lower    []byte
}

// found is the crawler of a user agent.
type found struct {
	id   int
	name string // of a crawler that is not listed
}

// Limits of a Finder: of user agents in each of its two caches, of the length of a user agent
// there, and of the part of a user agent that is read.
const (
	maxCached   = 8192
	longCached  = 512
	longestRead = 2048
)

// NewFinder makes a finder for one goroutine.
func (s *Set) NewFinder() *Finder { return &Finder{set: s, now: map[string]found{}} }

// Visitor is the id of a user agent that names no crawler.
const Visitor = -1

// Find returns the id of the crawler that a user agent names, or Visitor. A name is a whole
// product token: "Claude-User" is not ClaudeBot. If there are several, the longest wins. If the
// crawler is not listed, the id is that of OtherCrawlers, and name is its own one if it has one.
func (f *Finder) Find(agent []byte) (id int, name string) {
	of, ok := f.now[string(agent)]
	if ok {
		return of.id, of.name
	}
	if of, ok = f.old[string(agent)]; !ok {
		of.id, of.name = f.find(agent)
	}
	if len(agent) > longCached {
		return of.id, of.name
	}
	if len(f.now) >= maxCached {
		f.now, f.old = make(map[string]found, maxCached), f.now
	}
	f.now[string(agent)] = of
	return of.id, of.name
}

// find reads a user agent.
func (f *Finder) find(agent []byte) (id int, name string) {
	agent = agent[:min(len(agent), longestRead)]
	f.lower = f.lower[:0]
	for _, c := range agent {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		f.lower = append(f.lower, c)
	}
	crawls := bytes.Contains(f.lower, []byte("bot")) || bytes.Contains(f.lower, []byte("spider")) || bytes.Contains(f.lower, []byte("crawl"))
	listed, longest := Visitor, 0
	other, preview := "", ""
	meta, x, like := false, false, false
	before := 0 // where the words without version before this one begin
	for i := 0; i < len(agent); {
		if separates(agent[i]) {
			if agent[i] != ' ' {
				before = i + 1
			}
			i++
			continue
		}
		start := i
		for i < len(agent) && !separates(agent[i]) {
			i++
		}
		word := f.lower[start:i]
		if like || isAddress(word) {
			like, before = false, i
			continue
		}
		product, _, version := bytes.Cut(word, []byte("/"))
		if id, n := f.set.listedAt(f.lower, start, len(word), len(product)); n > longest {
			listed, longest = id, n
		}
		switch string(product) {
		case "like": // "like Gecko", "like FeedFetcher-Google"
			like = true
		case "facebookexternalhit":
			meta = true
		case "twitterbot":
			x = true
		case "kakaotalk-scrap", "line-poker":
			preview = string(product)
		case "bot", "robot", "spider", "crawler": // no name without the words before it: "Screaming Frog SEO Spider"
			if other == "" {
				other = strings.TrimSpace(string(agent[before : start+len(product)]))
			}
		default:
			if crawls && other == "" && isOther(product) {
				other = withoutVersion(string(agent[start : start+len(product)]))
			}
		}
		if version {
			before = i
		}
	}
	switch {
	case meta && x: // a phone of Apple's makes a preview for a person, and names both
		return Visitor, ""
	case meta && preview != "": // other services make previews, too
		return f.set.listed, preview
	case listed != Visitor:
		return listed, ""
	case other == "":
		return Visitor, ""
	case len(other) > longestOther || !isName(other):
		return f.set.listed, ""
	}
	return f.set.listed, other
}

// listedAt returns the id of the listed crawler whose name is at start, and the length of the
// name. The word there has a product of that length. The longest name wins, because
// "YandexMetrika/2.0" is not "YandexMetrika".
func (s *Set) listedAt(lower []byte, start, word, product int) (id, n int) {
	for _, size := range [...]int{word, product} {
		if n > 0 || s.begins[lower[start]]>>(size%64)&1 == 0 {
			continue
		}
		for _, p := range s.names[string(lower[start:start+size])] {
			rest := lower[start+size:]
			if len(p.rest) >= n && bytes.HasPrefix(rest, []byte(p.rest)) &&
				(p.rest == "" || len(rest) == len(p.rest) || separates(rest[len(p.rest)]) || rest[len(p.rest)] == '/') {
				id, n = p.id, size+len(p.rest)
			}
		}
	}
	return id, n
}

// separates reports whether c is between words of user agents.
func separates(c byte) bool {
	switch c {
	case ' ', '\t', ';', ',', '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '|', '+':
		return true
	}
	return false
}

// isAddress reports whether a word is a URL or a mail address.
func isAddress(word []byte) bool {
	return bytes.IndexByte(word, '@') >= 0 || bytes.Contains(word, []byte("://"))
}

// longestOther limits the name of a crawler that is not listed.
const longestOther = 64

// isOther reports whether a product names a crawler that is not listed. Phones of the brand Cubot
// and the host names of sites about crawlers do not.
func isOther(product []byte) bool {
	if i := bytes.LastIndex(product, []byte("bot")); i >= 0 {
		rest := product[i+len("bot"):]
		if len(rest) == 0 || !isLetter(rest[0]) || string(rest) == "s" {
			return !bytes.HasPrefix(product, []byte("cubot")) && !isHost(product)
		}
	}
	crawls := bytes.Contains(product, []byte("spider")) || bytes.Contains(product, []byte("crawl")) && len(product) > len("crawl")
	return crawls && !isHost(product)
}

// withoutVersion is a name without a version behind "-" or the like: "FooBot-v1.2" is FooBot.
func withoutVersion(name string) string {
	bare := strings.TrimRight(name, "0123456789.")
	numbered := len(bare) < len(name)
	for _, v := range []string{"", "v", "V"} {
		if rest, ok := strings.CutSuffix(bare, v); ok && numbered && strings.TrimRight(rest, "-_:~") != rest {
			return strings.TrimRight(rest, "-_:~")
		}
	}
	return name
}

// isHost reports whether a word ends like a host name or a file name: "mj12bot.com", "robots.txt".
func isHost(word []byte) bool {
	end := word[bytes.LastIndexByte(word, '.')+1:]
	return len(end) < len(word) && len(end) >= 2 && len(end) <= 6 && !slices.ContainsFunc(end, func(c byte) bool { return !isLetter(c) })
}

// isName reports whether a crawler that is not listed can have this name.
func isName(s string) bool {
	for _, c := range []byte(s) {
		if !isLetter(c|0x20) && !('0' <= c && c <= '9') && !strings.ContainsRune("-_. !~&:", rune(c)) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
