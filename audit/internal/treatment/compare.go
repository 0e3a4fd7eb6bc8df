package treatment

import (
	"slices"
	"strings"

	"robots-audit/crawl"
)

// Reasons for a difference, as package audit writes them (ReplyWhy).
const (
	Status    = "status"
	NoAnswer  = "no_answer"
	Challenge = "challenge"
	Payment   = "payment"
	Redirect  = "redirect"
	Empty     = "empty"
	Type      = "type"
	NoIndex   = "noindex"
	Title     = "title"
	Size      = "size"
	Content   = "content"
	RefusesUs = "refuses_us"
	Unstable  = "unstable"
)

// Barred returns why the answer keeps its reader from the URL; "" = it does not. A missing page
// (HTTP 404, 410) bars nobody, and a redirect does not.
func (f *Facts) Barred() string {
	switch {
	case f.Pays:
		return Payment
	case f.Challenge != "":
		return Challenge
	case f.Missing() || f.strays():
		return ""
	case f.Status != 0 && f.Status/100 != 2:
		return Status
	case f.Code != "":
		return NoAnswer
	}
	return ""
}

// Missing reports whether the server says that there is no such URL.
func (f *Facts) Missing() bool { return f.Status == 404 || f.Status == 410 }

// strays reports whether the answer is a redirect that was not followed.
func (f *Facts) strays() bool {
	switch f.Code {
	case crawl.CodeDisallowed, crawl.CodeRedirectLoop, crawl.CodeTooManyRedirects, crawl.CodeBadRedirect:
		return true
	}
	return false
}

// Compare returns why an answer differs from all answers to us for the same URL; "" = it is not known to
// differ. tokens are the names in directives of the crawler that was named. What differs among the answers
// to us proves nothing.
func Compare(theirs *Facts, ours []*Facts, tokens []string) string {
	var pages []*Facts // ours that are not barred
	missing, paid := 0, false
	for _, f := range ours {
		if paid = paid || f.Pays; f.Barred() == "" {
			pages = append(pages, f)
		}
		if f.Missing() {
			missing++
		}
	}
	why, n := theirs.Barred(), len(ours)
	if why == "" && theirs.Missing() && missing < n {
		why = Status
	}
	switch {
	case why == Payment && !paid:
		return why
	case why != "" && len(pages) == 0:
		return RefusesUs
	case why != "" && (len(pages) < n || theirs.Missing() && missing > 0):
		return Unstable
	case why != "" || len(pages) == 0: // or we alone are refused
		return why
	case missing == n && !theirs.Missing() && theirs.Sum != "":
		return Content
	case missing == n:
		return ""
	case missing > 0:
		return Unstable
	}
	if why = compareAspects(theirs, pages, tokens); why != "" && why != Unstable && theirs.isChallengeUnlike(why, pages) {
		return Challenge
	}
	return why
}

// isChallengeUnlike reports whether an answer that differs is a challenge that only its difference shows.
func (f *Facts) isChallengeUnlike(why string, ours []*Facts) bool {
	return why == Redirect && leadsToChallenge(f.Where) || f.widget != "" && !slices.ContainsFunc(ours, func(our *Facts) bool { return our.widget != "" })
}

// aspect is a property of an answer that is compared.
type aspect struct {
	why  string
	of   func(f *Facts, tokens []string) any
	soft func(f *Facts) bool // it changes at each request on many servers, which is no fault; nil = it does not
}

// aspects are in the order of their importance.
var aspects = []aspect{
	{Redirect, func(f *Facts, _ []string) any {
		if f.Code != "" && f.Code != crawl.CodeDisallowed {
			return f.Code
		}
		path, _, _ := strings.Cut(f.Where, "?") // a query may have the key of a session
		_, path, _ = strings.Cut(path, "://")
		return strings.TrimPrefix(path, "www.") // the same page at the other name of the site
	}, nil},
	{Empty, func(f *Facts, _ []string) any { return f.empty() }, nil},
	{Type, func(f *Facts, _ []string) any { return family(f.Type) }, nil},
	{NoIndex, func(f *Facts, tokens []string) any { return f.NoIndexFor(tokens) }, nil},
	{Title, func(f *Facts, _ []string) any { return f.Title }, func(*Facts) bool { return true }},
	{Content, func(f *Facts, _ []string) any { return f.Sum }, func(f *Facts) bool { return f.changes }},
}

// empty reports whether the page has no content.
func (f *Facts) empty() bool { return f.Bytes == 0 && !f.strays() }

// compareAspects compares pages.
func compareAspects(theirs *Facts, ours []*Facts, tokens []string) string {
	unstable := ""
	alone := !theirs.moved && !slices.ContainsFunc(ours, func(f *Facts) bool { return !f.moved }) // we were redirected, as to a page about cookies
	fuller := theirs.isFuller(ours)
	if !theirs.empty() && !slices.ContainsFunc(ours, func(f *Facts) bool { return !f.empty() }) {
		return "" // we alone get no content
	}
	for _, a := range aspects {
		value, first := a.of(theirs, tokens), a.of(ours[0], tokens)
		stable := !slices.ContainsFunc(ours, func(f *Facts) bool { return a.of(f, tokens) != first })
		switch {
		case value == false: // neither empty nor noindex, which is no fault
		case alone && a.why == Redirect, (alone || fuller) && a.why == Title:
		case stable && value != first:
			return a.why
		case !stable && (a.soft == nil || !a.soft(theirs)) && !slices.ContainsFunc(ours, func(f *Facts) bool { return a.of(f, tokens) == value }):
			unstable = Unstable
		}
	}
	if !fuller && !(alone && theirs.Bytes > ours[0].Bytes) && !slices.ContainsFunc(ours, func(f *Facts) bool { return !otherSize(theirs.Bytes, f.Bytes) || otherSize(f.Bytes, ours[0].Bytes) }) {
		return Size
	}
	return unstable
}

// isFuller reports whether a page is far larger than all of ours, and has more links, as one that is rendered for
// crawlers. No page that keeps a crawler out is like this.
func (f *Facts) isFuller(ours []*Facts) bool {
	return f.links > challengeLinks && !slices.ContainsFunc(ours, func(our *Facts) bool {
		return f.links <= our.links || f.Bytes <= our.Bytes || !otherSize(f.Bytes, our.Bytes)
	})
}

// Differ reports whether answers to the same request differ so much that the server is not stable.
func Differ(list []*Facts) bool {
	for _, f := range list[min(1, len(list)):] {
		if first := list[0]; f.Barred() != first.Barred() || f.Missing() != first.Missing() || f.Barred() == Status && f.Status != first.Status {
			return true
		}
	}
	return false
}

// Limits of otherSize.
const (
	sizeFactor = 4
	sizeBytes  = 2 << 10
)

// otherSize reports whether two bodies are of very different size.
func otherSize(a, b int64) bool {
	a, b = min(a, b), max(a, b)
	return b > sizeFactor*a && b-a > sizeBytes
}

// family returns the kind of a media type: several names of one mean the same.
func family(kind string) string {
	switch {
	case kind == "application/xhtml+xml":
		return "text/html"
	case strings.HasSuffix(kind, "/xml"), strings.HasSuffix(kind, "+xml"):
		return "xml"
	case strings.Contains(kind, "javascript"), strings.Contains(kind, "ecmascript"):
		return "javascript"
	}
	return kind
}
