package compare

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// slowReader is the time after which a crawler should have read a new robots.txt: AL16.
const slowReader = 48 * time.Hour

// addLogs reports what crawlers did by the access logs of the newer run. Without them nothing is known.
func (c *comparison) addLogs() {
	if c.new.Logs == nil {
		return
	}
	for i := range c.new.Logs.Crawlers {
		is := &c.new.Logs.Crawlers[i]
		was := c.old.Logged(is.Name)
		c.addDisobeyed(was, is)
		if c.leads(is.Name) {
			c.addWaiting(was, is)
		}
		c.addErrors(is)
	}
}

// Logged returns the requests of a crawler in the access logs of a run; nil = there are none.
func (s *Side) Logged(crawler string) *audit.LogCrawler {
	if s.Logs == nil {
		return nil
	}
	if i := slices.IndexFunc(s.Logs.Crawlers, func(c audit.LogCrawler) bool { return c.Name == crawler }); i >= 0 {
		return &s.Logs.Crawlers[i]
	}
	return nil
}

// leads reports whether a crawler is one of the newer run, and finds pages for a search engine.
func (c *comparison) leads(name string) bool {
	return slices.ContainsFunc(c.new.site.Crawlers, func(crawler audit.Crawler) bool { return crawler.Name == name && crawler.Leads() })
}

// addDisobeyed reports that a genuine crawler requests blocked URLs, or no longer does. The logs of two
// runs may have the same requests: those that the older logs could have are no news.
func (c *comparison) addDisobeyed(was, is *audit.LogCrawler) {
	before, _, _ := disobeyed(was)
	after, first, last := disobeyed(is)
	news := c.old.Logs == nil || last.IsZero() || last.After(c.old.Logs.To)
	switch {
	case before == "" && after != "" && news:
		c.add(Change{Kind: KindDisobeyed, What: is.Name, After: after, Severity: Medium, Condition: "AL15", Subjects: []string{is.Name}, Times: []time.Time{first}})
	case before != "" && after == "":
		c.add(Change{Kind: KindDisobeyed, What: is.Name, Before: before, Severity: Info, Condition: ended})
	}
}

// disobeyed describes the requests of a genuine crawler for blocked URLs, and the times of the first and
// the last one; "" = there are none.
func disobeyed(c *audit.LogCrawler) (words string, first, last time.Time) {
	if c == nil || c.Genuine.Disobeyed == 0 {
		return "", first, last
	}
	var most *audit.LogRule
	by := ", by"
	for i := range c.Rules {
		r := &c.Rules[i]
		if r.Disobeyed == 0 {
			continue
		}
		if most != nil {
			by = ", most by"
		}
		if most == nil || r.Disobeyed > most.Disobeyed {
			most = r
		}
		if first.IsZero() || r.First.Before(first) {
			first = r.First
		}
		if r.Last.After(last) {
			last = r.Last
		}
	}
	words = wording.Plural(c.Genuine.Disobeyed, "request") + " for blocked URLs"
	if !first.IsZero() {
		words += " since " + Moment(first)
	}
	if most != nil && most.Line > 0 {
		words += fmt.Sprintf("%s line %s (%s)", by, wording.Thousands(most.Line), most.Rule)
	}
	return words, first, last
}

// addWaiting reports that a search crawler has not read a new robots.txt, or has read it now.
func (c *comparison) addWaiting(was, is *audit.LogCrawler) {
	before, after := waiting(c.old.Logs, was), waiting(c.new.Logs, is)
	switch {
	case before.IsZero() && !after.IsZero():
		c.add(Change{Kind: KindWaiting, What: is.Name, After: "without the robots.txt of " + Moment(after), Severity: Medium, Condition: "AL16", Subjects: []string{is.Name}, Times: []time.Time{after}})
	case !before.IsZero() && after.IsZero() && !is.Robots.Read.IsZero():
		c.add(Change{Kind: KindWaiting, What: is.Name, Before: "without the robots.txt of " + Moment(before), Severity: Info, Condition: ended})
	}
}

// waiting is the time of the robots.txt that a crawler should have read by the end of the logs; zero =
// none. It is the first one that it did not read: a newer one does not give it more time.
func waiting(l *audit.Logs, c *audit.LogCrawler) (since time.Time) {
	if c == nil || !c.Robots.Waiting {
		return since
	}
	for _, v := range c.Robots.Learned {
		if v.Read.IsZero() && l.To.Sub(v.Changed) > slowReader {
			return v.Changed
		}
	}
	return since
}

// addErrors reports that robots.txt answered errors to a genuine crawler since the older run. A client
// error is one only if the runs got a file.
func (c *comparison) addErrors(is *audit.LogCrawler) {
	if is.Genuine.Requests == 0 {
		return
	}
	since := c.old.Started
	if c.old.Logs != nil {
		since = c.old.Logs.To
	}
	var kinds []string
	var requests int64
	var first, last time.Time
	answers := is.Robots.Answers
	status := slices.ContainsFunc(answers, func(a audit.LogAnswer) bool { return a.Status > 0 }) // some logs have none
	for _, a := range answers {
		bad := a.Status >= 500 || a.Status == http.StatusTooManyRequests || a.Status == 0 && status
		refused := a.Status >= 400 && a.Status != statusClientClosed && c.hadFile()
		if !bad && !refused || !a.Last.After(since) {
			continue
		}
		kind := "no answer"
		if a.Status > 0 {
			kind = fmt.Sprintf("HTTP %d", a.Status)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		if first.IsZero() {
			first = a.First
		}
		last = a.Last
		requests += a.Requests
	}
	if kinds == nil {
		return
	}
	words := fmt.Sprintf("%s to %s for robots.txt", names(kinds), wording.Plural(requests, "request"))
	if Moment(first) == Moment(last) {
		words += ", at " + Moment(last)
	} else {
		words += ", from " + Moment(first) + " to " + Moment(last)
	}
	severity := Medium
	if c.leads(is.Name) {
		severity = High
	}
	c.add(Change{Kind: KindErrors, What: is.Name, After: words, Severity: severity, Condition: "AL17", Subjects: []string{is.Name}, Times: []time.Time{first, last}})
}

// statusClientClosed is in logs of nginx if the crawler hung up: no answer of the site.
const statusClientClosed = 499

// hadFile reports whether the runs got a file from the site's own robots.txt.
func (c *comparison) hadFile() bool {
	o := c.site.Own()
	had := func(a *Answer) bool { return a != nil && a.Status == http.StatusOK && !a.Given }
	return o != nil && had(o.New) && (c.old.site == nil || had(o.Old))
}

// Moment is a time as changes write it.
func Moment(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04 UTC") }
