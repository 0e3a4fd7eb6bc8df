package compare

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

const (
	// slowReader is the time after which a crawler should have read a new robots.txt: AL16.
	slowReader = 48 * time.Hour
	// Quiet is the time without a request for a blocked URL after which a crawler obeys again: AL15. Old
	// requests may stay in the logs for weeks.
	Quiet = 7 * 24 * time.Hour
	// logsLookBack is the age of a robots.txt up to which earlier logs show whether it was read.
	logsLookBack = 14 * 24 * time.Hour
	// logsGap is the longest time without a request of any crawler between the logs of two runs, and
	// gapIntervals the most times that it may be longer than the mean time between requests: else a
	// part of the logs is missing.
	logsGap      = 6 * time.Hour
	gapIntervals = 24
	// maxUnlogged bounds the runs without access logs that are opened to find earlier ones.
	maxUnlogged = 10
)

// EarlierRun is an earlier run of a site.
type EarlierRun struct {
	Started time.Time
	Asked   func() (a *audit.Asked, crawlers []string) // the answers in the names of crawlers, and those of audit.Site.Asked; nil = they cannot be read
	Logs    func() (l *audit.Logs, any bool)           // nil = they have nothing of the site, or its records cannot be read; false = it was to read none
}

// addLogs reports what crawlers did by the access logs of the newer run. Without them nothing is known.
func (c *comparison) addLogs() {
	if c.new.Logs == nil {
		return
	}
	old, beforeOld := c.lastLogs()
	for i := range c.new.Logs.Crawlers {
		is := &c.new.Logs.Crawlers[i]
		was := logged(old, is.Name)
		c.addDisobeyed(old, was, is)
		if c.leads(is.Name) {
			c.addWaiting(is, waiting(old, was, beforeOld), waiting(c.new.Logs, is, func() []EarlierRun { return c.earlier(true) }))
		}
		c.addErrors(old, is)
	}
}

// lastLogs are the access logs of the older run, or of the last one before it that has some, and the
// runs before. So a day without a log makes nothing new. nil = there are none.
func (c *comparison) lastLogs() (l *audit.Logs, before func() []EarlierRun) {
	if c.old.Logs != nil || c.old.site == nil {
		return c.old.Logs, func() []EarlierRun { return c.earlier(false) }
	}
	list := c.earlier(false)
	for i, run := range list[:min(len(list), maxUnlogged)] {
		l, any := run.Logs()
		if l != nil {
			return l, func() []EarlierRun { return list[i+1:] }
		}
		if !any {
			break
		}
	}
	return nil, nil
}

// earlier are the runs of the site before the newer run or, with itself, up to the older one.
func (c *comparison) earlier(newer bool) []EarlierRun {
	if c.options.Earlier == nil {
		return nil
	}
	return c.options.Earlier(c.new.site.Name, newer)
}

// Logged returns the requests of a crawler in the access logs of a run; nil = there are none.
func (s *Side) Logged(crawler string) *audit.LogCrawler { return logged(s.Logs, crawler) }

func logged(l *audit.Logs, crawler string) *audit.LogCrawler {
	if l == nil {
		return nil
	}
	if i := slices.IndexFunc(l.Crawlers, func(c audit.LogCrawler) bool { return c.Name == crawler }); i >= 0 {
		return &l.Crawlers[i]
	}
	return nil
}

// leads reports whether a crawler is one of the newer run, and finds pages for a search engine.
func (c *comparison) leads(name string) bool {
	return slices.ContainsFunc(c.new.site.Crawlers, func(crawler audit.Crawler) bool { return crawler.Name == name && crawler.Leads() })
}

// addDisobeyed reports that a genuine crawler requests blocked URLs, or no longer does. The logs of two
// runs may have the same requests: those that the older logs could have are no news.
func (c *comparison) addDisobeyed(old *audit.Logs, was, is *audit.LogCrawler) {
	before, _, lastBefore := disobeyed(was)
	if before != "" && !lastBefore.IsZero() && old.To.Sub(lastBefore) > Quiet {
		before = ""
	}
	after, first, last := disobeyed(is)
	news := old == nil || last.IsZero() || last.After(old.To)
	switch {
	case before == "" && after != "" && news:
		c.add(Change{Kind: KindDisobeyed, What: is.Name, After: after, Severity: Medium, Condition: "AL15", Subjects: []string{is.Name}, Times: []time.Time{first, last}})
	case before != "" && after == "" && !gaps(c.new.Logs): // else requests are unclear or missing
		c.add(Change{Kind: KindDisobeyed, What: is.Name, Before: before, Severity: Info, Condition: ended})
	}
}

// disobeyed describes the requests of a genuine crawler for blocked URLs, and the times of the first and
// the last one; "" = there are none.
func disobeyed(c *audit.LogCrawler) (words string, first, last time.Time) {
	if c == nil || c.Genuine.Disobeyed == 0 {
		return "", first, last
	}
	for i := range c.Rules {
		r := &c.Rules[i]
		if r.Disobeyed == 0 {
			continue
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
	if most := c.Worst(); most.Line > 0 {
		by := "by"
		if most.Rules > 1 {
			by = "most by"
		}
		words += fmt.Sprintf(", %s line %s (%s)", by, wording.Thousands(most.Line), most.Rule)
	}
	return words, first, last
}

// addWaiting reports that a search crawler has not read a new robots.txt, or has read it now.
func (c *comparison) addWaiting(is *audit.LogCrawler, before, after time.Time) {
	switch {
	case before.IsZero() && !after.IsZero():
		c.add(Change{Kind: KindWaiting, What: is.Name, After: "without the robots.txt of " + Moment(after), Severity: Medium, Condition: "AL16", Subjects: []string{is.Name}, Times: []time.Time{after}})
	case !before.IsZero() && after.IsZero() && !is.Robots.Read.IsZero() && !gaps(c.new.Logs):
		c.add(Change{Kind: KindWaiting, What: is.Name, Before: "without the robots.txt of " + Moment(before), Severity: Info, Condition: ended})
	}
}

// waiting is the time of the robots.txt that a crawler should have read by the end of the logs of a run;
// zero = none. It is the first one that it has certainly not read: a newer one does not give it more time.
func waiting(l *audit.Logs, crawler *audit.LogCrawler, before func() []EarlierRun) (since time.Time) {
	switch {
	case crawler == nil, crawler.Genuine.Requests+crawler.Unknown.Requests == 0: // others only claim its name
		return since
	case gaps(l): // its last read may be missing
		return since
	}
	read := crawler.Robots.Read
	for i := range l.Versions {
		v := &l.Versions[i]
		age := l.To.Sub(v.First)
		if v.Before.IsZero() || age <= slowReader || read.IsZero() && age > logsLookBack {
			continue
		}
		if read.IsZero() {
			if read = lastRead(l, crawler.Name, before()); read.IsZero() { // another may read it for this crawler, or it is not logged
				return since
			}
		}
		if !v.Before.Before(read) { // between Before and First, it may have read either
			return v.First
		}
	}
	return since
}

// gaps reports whether requests for robots.txt may be missing.
func gaps(l *audit.Logs) bool { return l.Lacks(audit.LogLimitReads) || l.Lacks(audit.LogLimitFiles) }

// lastRead is the last time at which a crawler read robots.txt by the logs of earlier runs, as far as they
// follow on each other; zero = it did not.
func lastRead(l *audit.Logs, crawler string, list []EarlierRun) time.Time {
	for {
		begin := l.From
		since := begin.Add(-gapBefore(l))
		follows := func(t time.Time) bool { return !t.Before(since) }
		n := 0
		for n < len(list) && follows(list[n].Started) {
			n++
		}
		for n--; n >= 0; n-- { // the oldest one shows most
			if l, _ = list[n].Logs(); l != nil && follows(l.To) && l.From.Before(begin) && !gaps(l) {
				break
			}
		}
		if n < 0 {
			return time.Time{}
		}
		if of := logged(l, crawler); of != nil && !of.Robots.Read.IsZero() {
			return of.Robots.Read
		}
		list = list[n+1:]
	}
}

// gapBefore is the time without a request that there may be before the logs of a run begin.
func gapBefore(l *audit.Logs) time.Duration {
	requests := l.Others
	for i := range l.Crawlers {
		c := &l.Crawlers[i]
		requests += c.Genuine.Requests + c.Unknown.Requests + c.Claimed.Requests
	}
	return min(logsGap, time.Duration(float64(l.To.Sub(l.From))/float64(max(requests, 1))*gapIntervals))
}

// addErrors reports that robots.txt answered errors to a genuine crawler since the older run. A client
// error is one only if the runs got a file.
func (c *comparison) addErrors(old *audit.Logs, is *audit.LogCrawler) {
	if is.Genuine.Requests == 0 {
		return
	}
	since := c.old.Started
	if old != nil {
		since = old.To
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
