package main

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// lintSource is a page that documents a finding.
type lintSource struct{ title, url string }

// ownSources are sources of findings that are not documented by the profiles they concern, by ID or
// prefix; the first match counts.
var ownSources = []struct {
	ids     string
	sources []lintSource
}{
	{"SM", []lintSource{{"the sitemap protocol", "https://www.sitemaps.org/protocol.html"}}},
	{"AI004", []lintSource{{"Google's list of common crawlers", "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"}}},
	{"AI", []lintSource{{"OpenAI's list of crawlers", "https://developers.openai.com/docs/bots"}, {"Anthropic's", "https://support.claude.com/en/articles/8896518"}, {"Google's user-triggered fetchers", "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers"}}},
	{"GRP006", []lintSource{{"Google's list of special-case crawlers", "https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers"}, {"Yandex's list of robots", "https://www.yandex.com/support/webmaster/en/robot-workings/user-agent"}}},
	{"DIR005", []lintSource{{"the drafts of the IETF on AI preferences", "https://datatracker.ietf.org/wg/aipref/documents"}}},
	{"DIR006", []lintSource{{"the drafts of the IETF on AI preferences", "https://datatracker.ietf.org/wg/aipref/documents"}}},
	{"DIR007", []lintSource{{"Really Simple Licensing", "https://rslstandard.org"}}},
	{"PRS005", []lintSource{{"Google's open-source parser", "https://github.com/google/robotstxt"}}},
	{"PRS006", []lintSource{{"Google's open-source parser", "https://github.com/google/robotstxt"}}},
	{"PRS", []lintSource{{"Yandex's parser as published in 2022-23, and its help", "https://yandex.com/support/webmaster/controlling-robot/robots-txt.html"}}},
}

// sourcesOf returns at least one source of a finding: those of the profiles that it concerns,
// current ones if there are any. If it concerns all, the sources are RFC 9309 and the pages of
// Google and Yandex.
func sourcesOf(k *engine.FindingKind) []lintSource {
	for _, own := range ownSources {
		if strings.HasPrefix(k.ID, own.ids) {
			return own.sources
		}
	}
	if slices.Contains(k.Profiles, "all") {
		var all []lintSource
		for _, name := range []string{"rfc9309", "google", "yandex"} {
			p, _ := engine.ProfileByName(name)
			all = append(all, lintSource{p.Title, p.Source})
		}
		return all
	}
	var today, before []lintSource
	for _, p := range engine.Profiles() {
		list := &today
		if p.Superseded {
			list = &before
		}
		known := slices.ContainsFunc(*list, func(s lintSource) bool { return s.url == p.Source })
		if k.Concerns(p) && !known {
			*list = append(*list, lintSource{p.Title, p.Source})
		}
	}
	if today == nil {
		return before
	}
	return today
}
