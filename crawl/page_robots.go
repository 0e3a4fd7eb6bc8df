package crawl

import (
	"net/http"
	"strings"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// metaAgents are names of meta elements for one crawler; "robots" is for all.
// Other names are ignored: for example, the content of a description may be
// "none".
var metaAgents = map[string]bool{
	"googlebot": true, "googlebot-news": true, "googlebot-image": true, "googlebot-video": true, "google": true, "otherbot": true,
	"bingbot": true, "msnbot": true, "yandex": true, "yandexbot": true, "baiduspider": true, "slurp": true, "duckduckbot": true,
	"applebot": true, "teoma": true, "seznambot": true, "naverbot": true, "yeti": true, "petalbot": true,
	"gptbot": true, "oai-searchbot": true, "claudebot": true, "perplexitybot": true, "ccbot": true, "bytespider": true,
}

// addMeta adds the directives of a meta element for crawlers.
func (p *Page) addMeta(name, content string) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch {
	case name == "robots":
		p.addDirective("", content, false)
	case metaAgents[name]:
		p.addDirective(name, content, false)
	}
}

// robotsHeader reads X-Robots-Tag. In a value, a crawler's name and a colon
// begin the directives for that crawler: "noindex, otherbot: nofollow".
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

// addDirective adds one robots directive of the page.
func (p *Page) addDirective(agent, rules string, header bool) {
	rules = strings.TrimSpace(rules)
	if rules == "" || !p.hasRoom("directives", len(p.Directives), maxDirectives) {
		return
	}
	m := RobotsMeta{weburl.Truncate(agent, maxHeaderValue), weburl.Truncate(rules, maxHeaderValue), header}
	p.Directives = append(p.Directives, m)
	p.NoIndex = p.NoIndex || agent == "" && m.SaysNoIndex()
}

// isAgent distinguishes names of crawlers from directives with a value after a
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

// saysNoIndex reads a list of robots directives at a given time: after the date
// of unavailable_after a page must not be shown either (Google, robots meta
// tag).
func saysNoIndex(directives string, now time.Time) bool {
	for len(directives) > 0 {
		d, rest, _ := strings.Cut(directives, ",")
		name, value, _ := strings.Cut(d, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "noindex", "none":
			if value == "" {
				return true
			}
		case "unavailable_after":
			day, more, _ := strings.Cut(rest, ",") // dates with the day of the week contain a comma
			if at, ok := dateOf(value); ok {
				if at.Before(now) {
					return true
				}
			} else if at, ok := dateOf(value + "," + day); ok {
				if at.Before(now) {
					return true
				}
				rest = more
			}
		}
		directives = rest
	}
	return false
}

// dateLayouts are the formats that Google names: RFC 822 and 850, with and without the
// day of the week, and ISO 8601.
var dateLayouts = []string{
	time.RFC822, time.RFC822Z, "02 Jan 2006 15:04:05 MST", "02 Jan 2006 15:04:05 -0700", "02 Jan 2006", time.RFC1123, time.RFC1123Z, time.RFC850, "02-Jan-2006 15:04:05 MST",
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02",
}

// dateOf reads a date. An unknown zone name counts as UTC, so the result may be half
// a day off.
func dateOf(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
