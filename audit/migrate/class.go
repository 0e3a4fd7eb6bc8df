package migrate

import (
	"slices"

	"robots-audit/engine/wording"
)

// Class is one of the things that can be wrong with a pair.
type Class struct {
	ID       string // stable: scripts and reports name it
	Severity Severity
	Words    string // what it is
	Todo     string // what to do about it
}

// Severity says how grave a class is.
type Severity string

// The severities, the most severe first. Unknown is none of them: it says that
// nobody knows, which is never counted as fine.
const (
	Critical Severity = "critical"
	Error    Severity = "error"
	Unknown  Severity = "unknown"
	Warning  Severity = "warning"
	Info     Severity = "info"
	Fine     Severity = "ok"
)

// severities in their order.
var severities = []Severity{Critical, Error, Unknown, Warning, Info, Fine}

// AtLeast reports whether a severity is as grave as another, or graver.
func (s Severity) AtLeast(other Severity) bool {
	return s.Compare(other) <= 0
}

// Compare puts the graver severity first.
func (s Severity) Compare(other Severity) int {
	return slices.Index(severities, s) - slices.Index(severities, other)
}

// The classes of pairs.
const (
	ClassLoop          = "loop"
	ClassTargetError   = "target_error"
	ClassTargetBlocked = "target_blocked"
	ClassSourceBlocked = "source_blocked"
	ClassHopBlocked    = "hop_blocked"
	ClassHostUnknown   = "host_unknown"
	ClassSourceError   = "source_error"
	ClassBadRedirect   = "bad_redirect"
	ClassNotRedirected = "not_redirected"
	ClassWrongTarget   = "wrong_target"
	ClassLongChain     = "long_chain"
	ClassUnknown       = "unknown"
	ClassHTTP          = "http_hop"
	ClassHomePage      = "home_page"
	ClassTemporary     = "temporary"
	ClassNoRobots      = "no_robots"
	ClassNotInSitemap  = "not_in_sitemap"
	ClassManyToOne     = "many_to_one"
	ClassOthersBlocked = "others_blocked"
	ClassOK            = "ok"
)

// maxRedirects is how many redirects a chain may have: what lies beyond, crawlers
// may leave for later or never reach (RFC 9309 2.3.1.2 asks for five of a robots.txt).
const maxRedirects = 5

// Classes are all classes, the most severe first: a pair has the first that applies.
var Classes = []Class{
	{ClassLoop, Critical, "The redirects go in a circle", "Let the old URL lead to the new one in one step."},
	{ClassTargetError, Critical, "The redirects end in an error", "Put the page there, or map the old URL to one that answers."},
	{ClassTargetBlocked, Critical, "The target is blocked from crawling", "Allow the new URL in the robots.txt of its host, or what the old one has is lost."},
	{ClassSourceBlocked, Critical, "The old URL is blocked from crawling: its redirect is never seen", "Allow the old URL in the robots.txt of its own host for as long as it redirects."},
	{ClassHopBlocked, Critical, "A URL between is blocked from crawling", "Redirect past it, or allow it in the robots.txt of its own host."},
	{ClassHostUnknown, Error, "A host on the way does not exist, or cannot be spoken to", "Look at its name, its certificate, and where DNS leads."},
	{ClassSourceError, Error, "The old URL answers an error in place of a redirect", "Set up its redirect."},
	{ClassBadRedirect, Error, "A redirect leads nowhere", "Give it a Location that is a URL of http or https."},
	{ClassNotRedirected, Error, "The old URL answers by itself: it is not redirected", "Set up its redirect."},
	{ClassWrongTarget, Error, "The redirects end elsewhere than planned", "Correct the redirect, or the map."},
	{ClassLongChain, Error, "More than " + wording.Plural(maxRedirects, "redirect"), "Let the old URL lead to the new one in one step."},
	{ClassUnknown, Unknown, "Could not be judged", "Ask again with -resume once the reason has passed."},
	{ClassHTTP, Warning, "A URL on the way is http, where https is planned", "Redirect to https at once."},
	{ClassHomePage, Warning, "The target is the home page", "Map the old URL to the page that takes its place: a home page for everything counts as not found."},
	{ClassTemporary, Warning, "A redirect is temporary (302, 303 or 307)", "Answer 301 or 308, which say that the move is meant to last."},
	{ClassNoRobots, Warning, "The target's host has no robots.txt", "Put one there: the rules of another host, port or scheme do not apply."},
	{ClassNotInSitemap, Warning, "The target is not in the new site's sitemaps", "Add it, so that it is found without the redirect."},
	{ClassManyToOne, Info, "Several old URLs lead to this target", "Look whether a page of its own takes the place of each."},
	{ClassOthersBlocked, Info, "Blocked for crawlers that do not lead", "Look whether that is meant."},
	{ClassOK, Fine, "As planned", ""},
}

// Rank returns a class's place in Classes.
func Rank(id string) int {
	return slices.IndexFunc(Classes, func(c Class) bool { return c.ID == id })
}

// ClassOf returns a class by its ID; one that is not known is ClassUnknown.
func ClassOf(id string) *Class {
	if at := Rank(id); at >= 0 {
		return &Classes[at]
	}
	return &Classes[Rank(ClassUnknown)]
}

// settle gives the pair its class, and puts the remarks in the order of Classes.
func (r *Result) settle() {
	slices.SortStableFunc(r.Remarks, func(a, b Remark) int { return Rank(a.Class) - Rank(b.Class) })
	r.Class = ClassOK
	if len(r.Remarks) > 0 {
		r.Class = r.Remarks[0].Class
	}
}
