package migrate

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// judge evaluates everything found for a pair. It sends no requests.
type judge struct {
	crawlers []audit.Crawler
	leading  []int // indices of the crawlers that decide the severity
}

// judge adds the remarks on a pair, and sets its class. sources is the number of old URLs that lead
// to its target.
func (j *judge) judge(r *Result, end ending, sources int) {
	for i := range r.Hops {
		class := ClassHopBlocked
		switch {
		case i == 0:
			class = ClassSourceBlocked
		case r.Hops[i].URL == r.New:
			class = ClassTargetBlocked
		}
		j.verdicts(r, &r.Hops[i], class)
	}
	if !r.Target.Reached {
		j.verdicts(r, &r.Target.Hop, ClassTargetBlocked)
	}
	j.chain(r, end)
	j.answers(r, end)
	j.target(r, sources)
	r.settle()
}

func (r *Result) remark(class, url, form string, args ...any) *Remark {
	r.Remarks = append(r.Remarks, Remark{Class: class, URL: url, Text: fmt.Sprintf(form, args...)})
	return &r.Remarks[len(r.Remarks)-1]
}

// verdicts adds remarks on how the robots.txt of a hop's host treats it. If that could not be
// fetched, the remark is about the host, and not about a rule.
func (j *judge) verdicts(r *Result, h *Hop, class string) {
	if h.File.Status == 0 && h.File.Code != "" {
		j.trouble(r, h.URL, "robots.txt: ", h.File.Code)
		return
	}
	if transient(h.File.Status, h.File.Code) {
		r.Passing = true
	}
	var leading, others, unclear []string
	first := -1
	for i := range h.Verdicts {
		name := j.crawlers[i].Label
		leads := slices.Contains(j.leading, i)
		switch v := h.Verdicts[i].Verdict; {
		case v == engine.Disallow && leads:
			if leading = append(leading, name); first < 0 || len(leading) == 1 {
				first = i
			}
		case v == engine.Disallow:
			if others = append(others, name); first < 0 {
				first = i
			}
		case v != engine.Allow && leads:
			unclear = append(unclear, name)
		}
	}
	if len(leading)+len(others) > 0 {
		blocked := append(slices.Clone(leading), others...)
		if leading == nil {
			class = ClassOthersBlocked
		}
		v := &h.Verdicts[first]
		by := "by line " + fmt.Sprint(v.Line)
		if v.Line == 0 {
			by = h.File.Why
		}
		m := r.remark(class, h.URL, "blocked for %s: %s", wording.And(blocked), by)
		m.Rule, m.Line, m.File = v.Rule, v.Line, h.File.Name
	}
	if unclear != nil {
		r.remark(ClassUnknown, h.URL, "no clear verdict for %s", wording.And(unclear))
	}
}

// chain adds remarks on the redirects themselves.
func (j *judge) chain(r *Result, end ending) {
	secure := strings.HasPrefix(r.New, "https:")
	for i := range r.Hops {
		h := &r.Hops[i]
		if h.redirects() && h.Status != 301 && h.Status != 308 {
			r.remark(ClassTemporary, h.URL, "HTTP %d", h.Status)
		}
		if i > 0 && secure && strings.HasPrefix(h.URL, "http:") {
			r.remark(ClassHTTP, h.URL, "http in the chain to an https URL")
		}
	}
	n := r.Redirects()
	switch {
	case end == endLoop:
		r.remark(ClassLoop, r.Hops[len(r.Hops)-1].Location, "%s, then back to an earlier URL", wording.Plural(n, "redirect"))
	case end == endTooLong:
		r.remark(ClassLongChain, "", "no end after %s", wording.Plural(n, "redirect"))
	case n > maxRedirects:
		r.remark(ClassLongChain, "", "%s", wording.Plural(n, "redirect"))
	}
}

// answers adds remarks on the end of the redirects, and on the target's answer.
func (j *judge) answers(r *Result, end ending) {
	last := &r.Hops[len(r.Hops)-1]
	switch {
	case end == endLoop, end == endTooLong:
	case last.Code == crawl.CodeBadRedirect:
		r.remark(ClassBadRedirect, last.URL, "HTTP %d without a valid Location", last.Status)
	case last.Status == 0, last.Status == 429:
		j.trouble(r, last.URL, "", last.Code, last.Status)
	case len(r.Hops) == 1 && last.Status >= 400:
		r.Passing = r.Passing || transient(last.Status, last.Code)
		r.remark(ClassSourceError, last.URL, "HTTP %d", last.Status)
	case len(r.Hops) == 1:
		r.remark(ClassNotRedirected, last.URL, "HTTP %d", last.Status)
	case last.Status >= 400:
		r.Passing = r.Passing || transient(last.Status, last.Code)
		r.remark(ClassTargetError, last.URL, "HTTP %d", last.Status)
	}
	if end == endAnswer && len(r.Hops) > 1 && last.URL != r.New {
		r.remark(ClassWrongTarget, last.URL, "the redirects end at %s", last.URL)
	}
	if t := &r.Target.Hop; !r.Target.Reached {
		switch {
		case t.Status == 0, t.Status == 429:
			j.trouble(r, t.URL, "", t.Code, t.Status)
		case t.Status >= 400:
			r.Passing = r.Passing || transient(t.Status, t.Code)
			r.remark(ClassTargetError, t.URL, "HTTP %d", t.Status)
		case t.redirects():
			r.remark(ClassWrongTarget, t.URL, "the new URL itself redirects to %s", t.Location)
		case t.Code == crawl.CodeBadRedirect:
			r.remark(ClassBadRedirect, t.URL, "HTTP %d without a valid Location", t.Status)
		}
	}
}

// trouble adds a remark on a URL without an answer.
func (j *judge) trouble(r *Result, url, what, code string, status ...int) {
	answered := 0
	for _, s := range status {
		answered = s
	}
	for i := range r.Remarks {
		if m := &r.Remarks[i]; m.URL == url && (m.Class == ClassUnknown || m.Class == ClassHostUnknown) {
			return // there is a remark on its robots.txt or the hop already
		}
	}
	class := ClassHostUnknown
	if transient(answered, code) || code == CodeKept || code == CodeTooMany {
		class = ClassUnknown
	}
	r.Passing = r.Passing || transient(answered, code)
	if code == CodeKept && slices.ContainsFunc(r.Remarks, func(m Remark) bool {
		return m.URL == url && (m.Class == ClassSourceBlocked || m.Class == ClassHopBlocked || m.Class == ClassTargetBlocked)
	}) {
		return // it is blocked for this program and the crawlers alike
	}
	r.remark(class, url, "%s%s", what, meaning(answered, code))
}

// target adds remarks on the planned new URL itself.
func (j *judge) target(r *Result, sources int) {
	if isHome(r.New) && !isHome(r.Old) {
		r.remark(ClassHomePage, r.New, "a home page")
	}
	if f := &r.Target.File; f.Status >= 400 && f.Status < 500 && f.Status != 429 {
		r.remark(ClassNoRobots, r.New, "%s answers HTTP %d", f.Name, f.Status)
	}
	if r.Listed == "no" {
		r.remark(ClassNotInSitemap, r.New, "not in the sitemaps that were read")
	}
	if sources > 1 {
		r.remark(ClassManyToOne, r.New, "%s redirect to it", wording.Plural(sources, "old URL"))
	}
}

// transient reports whether a failure may be temporary.
func transient(status int, code string) bool {
	if status == 429 || status >= 500 {
		return true
	}
	switch code {
	case crawl.CodeDNSTemporary, crawl.CodeConnectRefused, crawl.CodeConnectTimeout, crawl.CodeConnectFailed, crawl.CodeTimeout,
		crawl.CodeConnectionReset, crawl.CodeBodyIncomplete, crawl.CodeBadHTTP, crawl.CodeCancelled, CodeGaveUp:
		return status == 0
	}
	return false
}

// meaning says in words why a URL has no valid answer.
func meaning(status int, code string) string {
	switch {
	case code == CodeKept:
		return "not tested: robots.txt blocks this program"
	case code == CodeGaveUp:
		return "not tested: its host failed too often"
	case code == CodeTooMany:
		return "not tested: too many hosts in the map and its redirects"
	case status != 0:
		return fmt.Sprintf("HTTP %d", status)
	}
	return audit.Meaning(code)
}
