package policyfile

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"robots-audit/engine/escape"
)

// item is an item of a list in Markdown that begins with a link.
var item = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])\s*\[.*?\]\(\s*<?([^\s<>]+?)>?(?:\s+"[^"]*")?\s*\)(?:[\s:.,;]|$)`)

// readLLMs reads llms.txt: Markdown that begins with a heading of level 1, with lists of links below. It
// guides readers, and says nothing about permission. Links to other sites are skipped.
// Source: https://llmstxt.org, "Format"
func readLLMs(f *File, body []byte, site string) {
	base, _ := url.Parse(site)
	first, fenced := true, false
	seen := map[string]bool{}
	for line := range bytes.Lines(body) {
		text := strings.TrimRight(string(line[:min(len(line), 2*longURL)]), " \t\r\n")
		if text == "" {
			continue
		}
		if first && (!strings.HasPrefix(text, "#") || strings.HasPrefix(text, "##")) {
			f.fault("The file does not begin with a heading of level 1, such as \"# Name of the site\".")
		}
		first = false
		if strings.HasPrefix(strings.TrimSpace(text), "```") {
			fenced = !fenced
		}
		found := item.FindStringSubmatch(text)
		if fenced || found == nil || base == nil {
			continue
		}
		link, err := base.Parse(found[1])
		if err != nil || !sameHost(link, base) {
			continue
		}
		link.User, link.Fragment, link.RawFragment = nil, "", ""
		loc := escape.ShowInvalid(link.String())
		switch {
		case seen[loc] || len(loc) > longURL:
		case len(f.Links) == most:
			f.More++
		default:
			seen[loc] = true
			f.Links = append(f.Links, loc)
		}
	}
}

// sameHost reports whether a URL is on the host of a site, with or without "www.".
func sameHost(u, site *url.URL) bool {
	plain := func(of *url.URL) string { return strings.TrimPrefix(strings.ToLower(of.Host), "www.") }
	return (u.Scheme == "http" || u.Scheme == "https") && plain(u) == plain(site)
}
