package migrate

import (
	"slices"

	"robots-audit/engine/wording"
)

// Class is a possible problem of a pair.
type Class struct {
	ID       string // stable: scripts and reports use it
	Severity Severity
	Words    string // description
	Todo     string // advice
}

// Severity says how severe a class is.
type Severity string

// The severities, most severe first. Unknown is not one of them: it is never counted as OK.
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

// AtLeast reports whether a severity is at least as severe as another.
func (s Severity) AtLeast(other Severity) bool {
	return s.Compare(other) <= 0
}

// Compare puts the more severe one first.
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

// maxRedirects is the number of redirects a chain may have. Crawlers may delay further ones or
// never follow them (RFC 9309 2.3.1.2 asks for five for a robots.txt).
const maxRedirects = 5

// Classes are all classes, most severe first: a pair has the first that applies.
var Classes = []Class{
	{ClassLoop, Critical, "The redirects go in a circle", "Redirect the old URL to the new one in one step."},
	{ClassTargetError, Critical, "The redirects end in an error", "Open the URL in a browser. If it answers people, let this audit in. If not, put the page there, or map the old URL to one that answers."},
	{ClassTargetBlocked, Critical, "The target is blocked from crawling", "Allow the new URL in the robots.txt of its host. Otherwise the rankings of the old URL are lost."},
	{ClassSourceBlocked, Critical, "The old URL is blocked from crawling, so crawlers never see its redirect", "Allow the old URL in the robots.txt of its host while it redirects."},
	{ClassHopBlocked, Critical, "A URL in the redirect chain is blocked from crawling", "Remove it from the chain, or allow it in the robots.txt of its host."},
	{ClassHostUnknown, Error, "A host in the redirect chain cannot be reached", "Check its name, its certificate and its DNS entry."},
	{ClassSourceError, Error, "The old URL answers with an error instead of a redirect", "Set up its redirect."},
	{ClassBadRedirect, Error, "A redirect has no valid target", "Set its Location header to an http or https URL."},
	{ClassNotRedirected, Error, "The old URL is not redirected", "Set up its redirect."},
	{ClassWrongTarget, Error, "The redirects end at a URL that is not planned", "Correct the redirect, or the map."},
	{ClassLongChain, Error, "More than " + wording.Plural(maxRedirects, "redirect"), "Redirect the old URL to the new one in one step."},
	{ClassUnknown, Unknown, "Could not be judged", "Check this pair again later."},
	{ClassHTTP, Warning, "A URL in the redirect chain is http, but https is planned", "Redirect to https directly."},
	{ClassHomePage, Warning, "The target is the home page", "Map the old URL to the page that replaces it. Search engines treat redirects to the home page as not found."},
	{ClassTemporary, Warning, "A redirect is temporary (302, 303 or 307)", "Use 301 or 308, which mean that the move is permanent."},
	{ClassNoRobots, Warning, "The target's host has no robots.txt", "Add one. The rules of another host, port or scheme do not apply."},
	{ClassNotInSitemap, Warning, "The target is not in the new site's sitemaps", "Add it to a sitemap, so that crawlers find it without the redirect."},
	{ClassManyToOne, Info, "Several old URLs lead to this target", "Check whether each old URL has its own new page."},
	{ClassOthersBlocked, Info, "Blocked for crawlers other than the main ones", "Check whether this is intended."},
	{ClassOK, Fine, "As planned", ""},
}

// Rank returns a class's index in Classes.
func Rank(id string) int {
	return slices.IndexFunc(Classes, func(c Class) bool { return c.ID == id })
}

// ClassOf returns a class by its ID; ClassUnknown for an unknown ID.
func ClassOf(id string) *Class {
	if at := Rank(id); at >= 0 {
		return &Classes[at]
	}
	return &Classes[Rank(ClassUnknown)]
}

// settle sets the pair's class, and sorts the remarks in the order of Classes.
func (r *Result) settle() {
	slices.SortStableFunc(r.Remarks, func(a, b Remark) int { return Rank(a.Class) - Rank(b.Class) })
	r.Class = ClassOK
	if len(r.Remarks) > 0 {
		r.Class = r.Remarks[0].Class
	}
}
