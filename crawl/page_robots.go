package crawl

import (
	"net/http"
	"strings"

	"robots-audit/crawl/internal/truncate"
)

// metaAgents are the names of meta elements that speak to one crawler as
// "robots" does to all. A name that is not here is another matter: the
// content of a description may well be "none".
var metaAgents = map[string]bool{
	"googlebot": true, "googlebot-news": true, "googlebot-image": true, "googlebot-video": true, "google": true, "otherbot": true,
	"bingbot": true, "msnbot": true, "yandex": true, "yandexbot": true, "baiduspider": true, "slurp": true, "duckduckbot": true,
	"applebot": true, "teoma": true, "seznambot": true, "naverbot": true, "yeti": true, "petalbot": true,
	"gptbot": true, "oai-searchbot": true, "claudebot": true, "perplexitybot": true, "ccbot": true, "bytespider": true,
}

// addMeta adds the directives of a meta element that speaks to crawlers.
func (p *Page) addMeta(name, content string) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch {
	case name == "robots":
		p.addDirective("", content, false)
	case metaAgents[name]:
		p.addDirective(name, content, false)
	}
}

// robotsHeader takes X-Robots-Tag. Within a value the name of a crawler and a
// colon begin what is said to that one: "noindex, otherbot: nofollow".
func (p *Page) robotsHeader(h http.Header) {
	for _, value := range h.Values("X-Robots-Tag") {
		agent, rules := "", ""
		for part := range strings.SplitSeq(value, ",") {
			if name, rest, named := strings.Cut(part, ":"); named && isAgent(name) {
				p.addDirective(agent, rules, true)
				agent, rules, part = strings.ToLower(strings.TrimSpace(name)), "", rest
			}
			if rules != "" {
				rules += ","
			}
			rules += part
		}
		p.addDirective(agent, rules, true)
	}
}

// addDirective adds one statement of the page about itself.
func (p *Page) addDirective(agent, rules string, header bool) {
	rules = strings.TrimSpace(rules)
	if rules == "" || !p.hasRoom("directives", len(p.Directives), maxDirectives) {
		return
	}
	p.Directives = append(p.Directives, RobotsMeta{truncate.String(agent, maxHeaderValue), truncate.String(rules, maxHeaderValue), header})
	p.NoIndex = p.NoIndex || agent == "" && saysNoIndex(rules)
}

// isAgent tells names of crawlers from directives that take a value after a
// colon, and from the time of day in "unavailable_after: 25 Jun 2027 15:00:00 PST".
func isAgent(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "", "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && c != '-' && c != '_' && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return true
}

// saysNoIndex reads a list of robots directives.
func saysNoIndex(directives string) bool {
	for d := range strings.SplitSeq(directives, ",") {
		switch strings.ToLower(strings.TrimSpace(d)) {
		case "noindex", "none":
			return true
		}
	}
	return false
}
