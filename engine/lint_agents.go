package engine

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// obsoleteTokens are product tokens, in lower case, that no crawler uses (any
// more), with the token to write instead; "" = there is none. The crawler list
// has further ones, called retired or legacy.
var obsoleteTokens = map[string]string{
	"googlebot-images":          "Googlebot-Image",
	"googlebot-videos":          "Googlebot-Video",
	"googlebot-mobile":          "Googlebot",
	"googlebot-smartphone":      "Googlebot",
	"googlebot-desktop":         "Googlebot",
	"adsbot-google-mobile-apps": "AdsBot-Google",
	"msnbot":                    "bingbot",
	"msnbot-media":              "bingbot",
	"msnbot-newsblogs":          "bingbot",
	"msnbot-products":           "bingbot",
	"anthropic-ai":              "ClaudeBot",
	"claude-web":                "Claude-User",
	"teoma":                     "", "askjeeves": "", "scooter": "", "twiceler": "", "gigabot": "", "infoseek": "",
	"lycos": "", "architextspider": "", "cuil": "", "fast-webcrawler": "",
}

// lintAgent checks the value of a user-agent line.
func lintAgent(l *linter, n *lintLine) {
	if n.kind != lineAgent {
		return
	}
	value := n.value
	switch {
	case value == "*", value == "＊": // of the latter lintFullWidth speaks
		return
	case value == "":
		if f := l.reportValue("GRP010", n); f != nil && (len(n.group.agents) > 1 || n.group.blocksNothing()) {
			f.Severity = Info
		}
		return
	case isAddress(value):
		l.reportValue("GRP013", n)
		return
	case value[0] == '*' && isSpace(value[1]):
		if f := l.reportValue("PRS006", n); f != nil {
			if !strings.Contains(value, ":") {
				f.Replacement = n.rewrite(n.field, "*")
			}
		}
		return
	}
	if lintQuotedAgent(l, n) {
		return
	}
	token := productToken(value)
	if l.listed.tokens[strings.ToLower(value)] != "" { // "MJ12bot": its operator writes it so
		token = value
	}
	known := l.listed.tokens[strings.ToLower(token)]
	if lintVersion(l, n, token, known) || lintObsoleteToken(l, n, token) {
		return
	}
	if known == "" {
		lintNearMiss(l, n)
		return
	}
	if known != token {
		if f := l.reportValue("GRP009", n, l.profilesOf(known)...); f != nil {
			f.What = fmt.Sprintf("%s is %q in another case", quote(value, 60), known)
			f.Replacement = n.rewrite(n.field, known)
		}
	}
}

// lintQuotedAgent reports a value in quotes. It returns whether the value is one.
func lintQuotedAgent(l *linter, n *lintLine) bool {
	name := strings.Trim(n.value, "\"'`“”„«»‘’ ")
	if name == "" || productToken(n.value) != "" || n.value[0] == name[0] || name != "*" && name != productToken(name) {
		return false
	}
	lost := l.profilesWhere(func(p *Profile) bool { return p.Agents != AgentWithin && (name == "*" || l.isNamed(p, name)) })
	if f := l.reportValue("GRP008", n, lost...); f != nil {
		f.Severity = Error
		f.What = escape.Prefix(n.value, 60) + " matches no crawler: the quotes are part of the value"
		f.Why = "No crawler obeys this group, so its rules are lost."
		f.Fix = fmt.Sprintf("Write %s without quotes.", name)
		f.Replacement = n.rewrite(n.field, name)
	}
	return true
}

// blocksNothing reports whether a group has rules, and no disallow with a path.
func (g *lintGroup) blocksNothing() bool {
	return len(g.rules) > 0 && !slices.ContainsFunc(g.rules, func(n *lintLine) bool { return n.kind == lineDisallow && n.value != "" })
}

// isAddress reports whether a user agent is an address of some kind.
func isAddress(value string) bool {
	if strings.Contains(value, "://") && !strings.ContainsAny(value, " ;(") || hasPrefixFold(value, "www.") {
		return true
	}
	address, _, _ := strings.Cut(value, "/")
	_, err := netip.ParseAddr(address)
	return err == nil
}

// lintVersion reports a value that is more than a product token. It returns
// true if there is nothing else to say about the value.
func lintVersion(l *linter, n *lintLine, token, known string) bool {
	if len(token) == len(n.value) {
		return false
	}
	near := l.listed.near(n.value)
	if near != "" && known == "" { // "Bing Bot": lintNearMiss says more
		return false
	}
	f := l.report("GRP002", n, n.valueAt+len(token), n.valueAt+len(n.value))
	if f == nil {
		return known == ""
	}
	rest := n.value[len(token):]
	switch {
	case known == "" && strings.Trim(n.value, alphanumeric+"-_./") == "":
		// The crawler itself may well compare the whole text, as MJ12bot does.
		f.Severity = Info
		f.What = fmt.Sprintf("%s has characters that a product token cannot have", quote(n.value, 60))
		f.Why = "Crawlers that follow Google or RFC 9309 exactly compare only the leading letters, \"-\" and \"_\"."
		f.Fix = "Check that the crawler's operator writes it this way."
	case token == "":
		f.Severity = Info
		f.What = fmt.Sprintf("%s does not begin with a letter, so it names no crawler", quote(n.value, 60))
	case known != "":
		f.What = fmt.Sprintf("%s is read as %q", quote(n.value, 60), token)
		if rest[0] == '/' || rest == "*" { // readers that cut the value find the crawler that is intended
			f.Severity, f.Replacement = Info, n.rewrite(n.field, token)
		}
	default:
		f.Severity = Info // no crawler that is known follows it
		f.What = fmt.Sprintf("%s is read as %q, which may be another crawler or none", quote(n.value, 60), token)
	}
	return known == ""
}

// lintObsoleteToken reports a token that no crawler uses any more. It returns
// whether the token is one.
func lintObsoleteToken(l *linter, n *lintLine, token string) bool {
	instead, dead := obsoleteTokens[strings.ToLower(token)]
	if !dead && !l.listed.retired[strings.ToLower(token)] {
		return false
	}
	id := "GRP007"
	if strings.HasPrefix(strings.ToLower(token), "googlebot-") && instead == "Googlebot" {
		id = "GRP008" // often taken for a valid token
	}
	f := l.reportValue(id, n)
	if f == nil {
		return true
	}
	f.What = fmt.Sprintf("no crawler uses the token %q", token)
	f.Fix = "Remove the group with its rules. Do not remove only this line: the rules would then belong to the group above."
	if len(n.group.agents) > 1 {
		f.Fix = "Remove only this line: its group is also for other crawlers."
	}
	if strings.EqualFold(token, "msnbot") {
		l.adviseMsnbot(f)
	} else if instead != "" {
		f.What += fmt.Sprintf("; today it is %q", instead)
		f.Fix = fmt.Sprintf("If %q is intended, write it here: it then obeys this group. If not, r%s", instead, f.Fix[1:])
	}
	return true
}

// adviseMsnbot says of a group of msnbot whether Bingbot obeys it: by Bing's posts of
// 2010 and 2012 it does where no group names bingbot.
func (l *linter) adviseMsnbot(f *Finding) {
	for n := range l.agents {
		if strings.EqualFold(productToken(n.value), "bingbot") {
			f.What += fmt.Sprintf("; Bingbot obeys the group of bingbot in line %d", n.number)
			f.Related = []int{n.number}
			return
		}
	}
	f.What = "\"msnbot\" is the old name of Bingbot; no group names bingbot, so Bingbot obeys this one"
	f.Why = "Bing's posts of 2010 and 2012 say so. Others who read the file may not know it."
	f.Fix = "Write \"bingbot\" instead."
}

// lintNearMiss reports a value that is nearly the token of a known crawler.
func lintNearMiss(l *linter, n *lintLine) {
	near := l.listed.near(n.value)
	if near == "" {
		return
	}
	if f := l.reportValue("GRP008", n, l.profilesOf(near)...); f != nil {
		f.What = fmt.Sprintf("%s is almost %q", quote(n.value, 60), near)
		f.Replacement = n.rewrite(n.field, near)
	}
}

// crawlerIndex is a crawler list with what Lint looks up in it. A list of its
// own keeps the tests of lint as they are when crawlers.tsv grows.
type crawlerIndex struct {
	all       []Crawler
	search    []Crawler            // those of search engines: blocking one of them concerns the whole site
	retired   map[string]bool      // names in lower case of crawlers that are retired or legacy
	tokens    map[string]string    // product tokens as their operators write them, by their lower-case form
	operators map[string][]Crawler // crawlers by the operator whose profile they read by; those that read by a standard are not in it
	byLetters map[string]string    // product tokens by their letters and digits alone
	long      []string             // product tokens so long that one typing error does not make another word of them
}

// listedCrawlers is the index of crawlers.tsv.
var listedCrawlers = newCrawlerIndex(crawlers)

// searchEngines are the names of the crawlers in crawlerIndex.search.
var searchEngines = []string{googlebot, "Bingbot", "YandexBot"}

// googlebot is the name of the crawler without which hardly any site is found.
const googlebot = "Googlebot"

func newCrawlerIndex(list []Crawler) *crawlerIndex {
	x := &crawlerIndex{all: list, retired: map[string]bool{}, tokens: map[string]string{}, operators: map[string][]Crawler{}, byLetters: map[string]string{}}
	for _, c := range list {
		if slices.Contains(searchEngines, c.Name) {
			x.search = append(x.search, c)
		}
		if strings.Contains(c.Purpose, "retired") || strings.Contains(c.Purpose, "legacy") {
			x.retired[strings.ToLower(c.Name)] = true
		}
		if operator := operatorOf(c.Profile); operator != "rfc9309" && operator != "rep" {
			x.operators[operator] = append(x.operators[operator], c)
		}
		for _, token := range c.Tokens {
			if lowered := strings.ToLower(token); x.tokens[lowered] == "" {
				x.tokens[lowered] = token
			}
			if bare := wording.Letters(token); x.byLetters[bare] == "" {
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

// near finds the product token that a value was probably intended to be: the
// same letters with other separators, or a long one with one typing error.
// "" = there is none, or the value is a token of the list itself.
func (x *crawlerIndex) near(value string) string {
	lowered := strings.ToLower(value)
	if x.tokens[lowered] != "" || len(value) > 40 || hasPrefixFold(value, "yandex") {
		return ""
	}
	if bare := wording.Letters(value); len(bare) >= 5 && x.byLetters[bare] != "" {
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
