package audit

import (
	"strings"

	"robots-audit/crawl"
)

// meanings say in words what the codes of this package mean. Package crawl has those of request
// errors.
var meanings = map[string]string{
	CodeSitemapBlocked: "the sitemap is blocked from crawling",
	CodeRobotsHTML:     "robots.txt is an HTML page; only lines that look like rules count",
	CodeRobotsNotText:  "robots.txt is UTF-16 or binary, so crawlers ignore all its lines",
	CodeRobotsDiffers:  "robots.txt differs by User-Agent or by address of the site",
	CodeAnswerDiffers:  "a sitemap or page differs by User-Agent, address or attempt",
	CodeRobotsTooBig:   "robots.txt is longer than 500 KiB; crawlers may ignore the rest",
	CodeSitemapUnread:  "crawlers ignore the sitemap lines of robots.txt, and there is no sitemap at the usual addresses",
	CodeSiteTimeout:    "the site took longer than allowed; the report has what was read until then",
	CodeTriedTooOften:  "the audit of the site was started several times and never finished",
	CodeBadDomain:      "this line of the list names no site",
	LeftEmpty:          "an entry without text",
	LeftRelative:       "text that is not a URL",
	LeftScheme:         "neither http nor https",
	LeftInvalid:        "no readable host",
	LeftOrigins:        "on a host beyond the limit of hosts for one site",
	LeftTooLong:        "longer than the limit for a URL",
	LeftBudget:         "beyond the limit of URLs for one site; at least this many",
	CodeNotListed:      "URLs in your list whose host is not in the list of sites",
	CodeNoURL:          "rows of your list without an absolute http or https URL",
	CodeLongRow:        "rows of your list that are too long",
	NoteUndeclared:     "a sitemap at a usual address that robots.txt does not name",
	NoteCrossSubmitted: "URLs of other hosts, whose robots.txt names this sitemap",
	NoteHostUnknown:    "URLs of other hosts, whose robots.txt was not requested or could not be read",
	NoteMissingWWW:     "URLs with \"www.\" in a sitemap without it, which the robots.txt with \"www.\" does not name",
	NoteIncludesWWW:    "URLs without \"www.\" in a sitemap with it, which the robots.txt without \"www.\" does not name",
	NoteWrongBase:      "URLs, all of them on a host that is not this public site: the base address of the generator is wrong",
	NoteWrongHost:      "on a host that the public cannot reach, or a test host: the base address of the generator is wrong",

	crawl.NoteOtherHost: "URLs of another host, whose robots.txt does not name this sitemap",
}

// Meaning says in words what a stable code means: that of a Problem, of a note on a sitemap, or of
// the reason for a skipped URL. For an unknown code it returns the code with spaces.
func Meaning(code string) string {
	if words := meanings[code]; words != "" {
		return words
	}
	if words := crawl.Meaning(code); words != "" {
		return words
	}
	return strings.ReplaceAll(code, "_", " ")
}

// ReadWhy returns why a robots.txt is read as it is (engine.Robots.Why), with error codes replaced
// by their meaning. The engine has no network and knows only the codes.
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
