package audit

import (
	"strings"

	"robots-audit/crawl"
)

// meanings say in words what the codes of this package mean; those of troubles on the
// way are crawl's.
var meanings = map[string]string{
	CodeSitemapBlocked: "the sitemap is itself blocked from crawling",
	CodeRobotsHTML:     "robots.txt answers with an HTML page; only lines that happen to look like rules count",
	CodeRobotsNotText:  "robots.txt is UTF-16 or binary: none of its lines counts",
	CodeRobotsDiffers:  "robots.txt is another one to other askers, or on another address of the site",
	CodeRobotsTooBig:   "robots.txt is longer than 500 KiB: crawlers need not read what lies beyond",
	CodeSitemapUnread:  "robots.txt names sitemaps only in lines that crawlers do not take, and there is none at the usual places",
	CodeSiteTimeout:    "the site took longer than the time allowed for one site; what was read until then is reported",
	CodeTriedTooOften:  "the audit of the site was begun several times, and never came to its end",
	CodeBadDomain:      "a line of the list that names no site",
	LeftEmpty:          "an entry without text",
	LeftRelative:       "text that is no URL",
	LeftScheme:         "neither http nor https",
	LeftInvalid:        "no readable host",
	LeftOrigins:        "on a host past the limit of hosts for one site",
	LeftTooLong:        "longer than the limit of a URL",
	LeftBudget:         "past the limit of URLs for one site, where reading stopped: at least so many",
	CodeNotListed:      "URLs of your own list whose host is none of the sites in the list",
	CodeNoURL:          "rows of your own list without an absolute http or https URL",
	CodeLongRow:        "rows of your own list that are too long",
	NoteUndeclared:     "a sitemap at one of the usual places, which robots.txt does not name",
	NoteCrossSubmitted: "URLs of other hosts, whose robots.txt names this sitemap",
}

// Meaning says in words what a stable code means: that of a Problem, of a note on a
// sitemap, or of a reason why a URL was left out. Of one that is not known, it returns
// the code itself with spaces.
func Meaning(code string) string {
	if words := meanings[code]; words != "" {
		return words
	}
	if words := crawl.Meaning(code); words != "" {
		return words
	}
	return strings.ReplaceAll(code, "_", " ")
}

// ReadWhy returns why a robots.txt is read as it is (engine.Robots.Why) with the
// meaning of the code that stands in it where there was no answer: the engine, which
// has no network, knows such troubles by name alone.
func ReadWhy(why string) string {
	const unasked = "not asked for: "
	trouble, isOurs := strings.CutPrefix(why, unasked)
	code, rest, more := strings.Cut(trouble, ": ")
	words := crawl.Meaning(code)
	if words == "" {
		return why
	}
	if isOurs {
		words = unasked + words
	}
	if more {
		words += ": " + rest
	}
	return words
}
