package crawls

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Answer answers a question that people ask about crawlers. In its sentences `back quotes` surround code.
type Answer struct {
	Question  string
	Sentences []string
	Class     string // "critical", "warn", "unknown", "ok"; "" = nothing is good or bad
}

func (a *Answer) add(sentences ...string) {
	for _, s := range sentences {
		if s != "" {
			a.Sentences = append(a.Sentences, s)
		}
	}
}

// about adds sentences about a crawler, which the first one names.
func (a *Answer) about(c *Crawler, sentences []string) {
	for i, words := range sentences {
		if i == 0 {
			words = label(c.Name) + ": " + words
		}
		a.add(words)
	}
}

// most returns the crawlers for which a number is above zero, the largest first, and their sum.
func (s *Site) most(of func(*Crawler) int64) (list []*Crawler, sum int64) {
	for _, c := range s.Crawlers {
		if n := of(c); n > 0 {
			list, sum = append(list, c), sum+n
		}
	}
	slices.SortStableFunc(list, func(a, b *Crawler) int { return cmp.Compare(of(b), of(a)) })
	return list, sum
}

// Numbers of a crawler by which most sorts.
func disobeyed(c *Crawler) int64   { return c.Own.Disobeyed }
func unproved(c *Crawler) int64    { return c.Own.Blocked }
func grace(c *Crawler) int64       { return c.Own.Grace }
func unclear(c *Crawler) int64     { return c.Own.Unclear }
func ownRequests(c *Crawler) int64 { return c.Own.Requests }
func claimed(c *Crawler) int64     { return c.LogCrawler.Claimed.Requests }
func unchecked(c *Crawler) int64   { return c.Unknown.Requests }

func waiting(c *Crawler) int64 {
	if !c.Waiting() {
		return 0
	}
	return max(1, c.Own.Requests)
}

// notAllowed counts requests to URLs that the newest robots.txt blocks, if it applies to the crawler.
func notAllowed(c *Crawler) int64 {
	if c.free() {
		return 0
	}
	return c.Waste.Blocked
}

// Headline is the first sentence about a site.
func (s *Site) Headline() string {
	if s.Requests+s.Claimed == 0 {
		return "The logs have no request of a crawler for this site."
	}
	if s.Requests == 0 {
		return "No request comes from a crawler's own addresses. " + requests(s.Claimed) + " only " + wording.Verb(s.Claimed, "claims", "claim") + " to be one."
	}
	words := wording.Plural(s.Active(), "crawler") + " made " + requests(s.Requests)
	if period := Period(s.From, s.To); period != "" {
		words += wording.Verb(min(2, int64(s.To.Sub(s.From)/(24*time.Hour))+1), " on ", " from ") + period
	}
	return words + "."
}

// Basis says which robots.txt the requests were judged by, and how counts are to be read.
func (s *Site) Basis() (list []string) {
	switch newest := s.newest(); {
	case s.Judged == audit.LogFile:
		list = append(list, "One robots.txt judges all requests, as if it had been in force for the whole period.")
		if n, all := s.withoutFile(); n > 0 {
			list = append(list, sentence("But ", part(n, all), " of ", wording.Plural(all, "request"), " of crawlers for robots.txt got no file"))
		}
	case newest == nil:
		list = append(list, "No robots.txt of this site is known for this period. No request could be judged.")
	case s.Judged == audit.LogRun:
		list = append(list, "Only the robots.txt of "+newest.Name+" is known. Where it may not have been in force, no crawler is said to disobey.")
	default:
		list = append(list, wording.Plural(len(s.Versions), "version")+" of robots.txt "+wording.Verb(len(s.Versions), "was", "were")+" in force. A request is judged by the version that the crawler had read, or could know.")
	}
	if d := s.DNS; d != nil {
		list = append(list, "DNS was also asked where no address list proves who sent a request.")
		var proved []string
		if d.Genuine > 0 {
			proved = append(proved, requests(d.Genuine)+wording.Verb(d.Genuine, " is", " are")+" genuine")
		}
		if d.Claimed > 0 {
			proved = append(proved, requests(d.Claimed)+wording.Verb(d.Claimed, " is", " are")+" not")
		}
		if proved == nil {
			list = append(list, "It proves nothing more.")
		} else {
			list = append(list, sentence("It proves that ", wording.And(proved)))
		}
		if d.Failed > 0 {
			list = append(list, sentence(wording.Verb(d.Failed, "The address", "The addresses"), " of ", requests(d.Failed), " could not be looked up"))
		}
	}
	if s.Scaled > 1 {
		list = append(list, "The log has one line for "+strconv.FormatFloat(s.Scaled, 'f', -1, 64)+" requests. All counts are multiplied, so they are estimates.")
	}
	return append(list, s.Incomplete()...)
}

// withoutFile counts the requests for robots.txt that got an HTTP error, and all.
func (s *Site) withoutFile() (n, all int64) {
	for _, c := range s.Crawlers {
		for _, of := range c.Robots.Statuses {
			if strings.HasPrefix(of.Name, "4") || strings.HasPrefix(of.Name, "5") {
				n += of.Requests
			}
			all += of.Requests
		}
	}
	return n, all
}

// Answers answers the questions about a site.
func (s *Site) Answers() []Answer {
	if s.Requests+s.Claimed == 0 {
		return nil
	}
	list := []Answer{s.obey(), s.know(), s.waste()}
	return append(list, s.never(), s.pretend())
}

// notInForce says why requests to blocked URLs prove nothing, if only one run is known.
const notInForce = "It is not known whether it was in force then."

func (s *Site) obey() Answer {
	a := Answer{Question: "Do crawlers obey robots.txt?", Class: "ok"}
	bad, proved := s.most(disobeyed)
	if len(bad) > 0 {
		a.Class = "critical"
		if len(bad) == 1 {
			a.add(sentence(named(bad, disobeyed), " disobeyed with ", requests(proved)))
		} else {
			a.add(sentence(wording.Thousands(int64(len(bad))), " of ", wording.Plural(s.Active(), "crawler"), " disobeyed with ", requests(proved), ": ", named(bad, disobeyed)))
		}
		if words := bad[0].worstRule(); len(bad) > 1 && words != "" {
			a.about(bad[0], []string{words})
		} else {
			a.add(words)
		}
	}
	_, obeyed := s.most(func(c *Crawler) int64 { return c.Own.Obeyed })
	doubt, blocked := s.most(unproved)
	if len(doubt) > 0 {
		if len(bad) == 0 {
			a.Class = "unknown"
			a.add("No crawler is proved to have disobeyed.")
		}
		a.add(sentence(requests(blocked), " to blocked URLs came from addresses that do not prove who sent them: ", named(doubt, unproved)))
	}
	if s.Judged == audit.LogRun && len(bad)+len(doubt) == 0 {
		if list, n := s.most(notAllowed); n > 0 {
			a.Class = "unknown"
			a.add(sentence(requests(n), " ", wording.Verb(n, "was", "were"), " to URLs that this robots.txt blocks: ", named(list, notAllowed)), notInForce)
			return a
		}
	}
	switch {
	case len(bad)+len(doubt) > 0:
	case obeyed > 0:
		a.add(sentence("Yes. ", all(obeyed, "judged request"), was(obeyed), " to ", wording.Verb(obeyed, "an allowed URL", "allowed URLs")))
	default:
		a.Class = "unknown"
		a.add("Unknown. No request could be judged.", s.beforeHistory())
	}
	if late, n := s.most(grace); n > 0 {
		_, old := s.most(func(c *Crawler) int64 { return c.Own.Stale })
		a.add(sentence(requests(n), was(n), " to URLs that ", s.notYet(), ": ", named(late, grace)), s.stale(old))
	}
	if absent := s.absent(); len(absent) > 0 {
		a.add(sentence("The logs have no requests of ", wording.And(absent)))
	}
	if _, n := s.most(unclear); n > 0 && obeyed+proved+blocked > 0 {
		a.add(sentence(requests(n), " ", wording.Verb(n, "is", "are"), " unclear: ", s.unclear()))
	}
	return a
}

// expected are crawlers that people look for.
var expected = []string{"Googlebot", "Bingbot", "GPTBot", "ClaudeBot", "PerplexityBot"}

// absent are those of expected that the logs do not name.
func (s *Site) absent() []string {
	return slices.DeleteFunc(slices.Clone(expected), func(name string) bool {
		return slices.ContainsFunc(s.Crawlers, func(c *Crawler) bool { return strings.EqualFold(c.Name, name) })
	})
}

// beforeHistory says that the first known robots.txt is newer than all requests; "" = it is not.
func (s *Site) beforeHistory() string {
	if s.Judged != audit.LogHistory || len(s.Versions) == 0 || !s.To.Before(s.Versions[0].First) {
		return ""
	}
	return "The first audit of this site is newer (" + Moment(s.Versions[0].First) + ")."
}

// oldRanges says that the address lists are too old to find impostors; "" = they are not.
func (s *Site) oldRanges() string {
	if s.Believed == "" || s.From.Format(time.DateOnly) < s.Believed {
		return ""
	}
	return "They are too old to find impostors in this period."
}

// uncovered says why n requests could not be checked.
func (s *Site) uncovered(n int64) string {
	words := "no address list covers "
	if s.DNS != nil {
		words = "neither an address list nor DNS covers "
	}
	return words + wording.Verb(n, "it", "them")
}

// notYet says why a crawler may have requested blocked URLs without knowing it.
func (s *Site) notYet() string {
	if s.Judged == audit.LogFile {
		return "this robots.txt blocks, but the log shows that the crawler got no file"
	}
	return "a newer robots.txt blocks, which the crawler had not read yet"
}

// unclear says why requests are unclear.
func (s *Site) unclear() string {
	if s.Judged == audit.LogFile {
		return "robots.txt gave other answers around that time, or the path is not known"
	}
	return "robots.txt had just changed, or is not known for that time"
}

// stale says how many requests came long after a change; "" = none.
func (s *Site) stale(n int64) string {
	if n == 0 || s.Judged == audit.LogFile {
		return ""
	}
	return sentence(wording.Thousands(n), " of them came more than a day after the change")
}

func (s *Site) know() Answer {
	a := Answer{Question: "Do crawlers know the current robots.txt?"}
	newest := s.newest()
	changed := s.Judged != audit.LogFile && newest != nil && len(s.Versions) > 1
	if changed {
		if newest.Before.IsZero() {
			a.add(sentence("The current version was first seen on ", Moment(newest.First)))
		} else {
			a.add(sentence("robots.txt last changed between ", Moment(newest.Before), " and ", Moment(newest.First)))
		}
	}
	first := s.firstOf(Search, 2)
	for _, c := range first {
		a.about(c, c.knows()[:1])
	}
	if words, bad := s.robotsNow(); words != "" {
		a.add(words)
		if bad {
			a.Class = "warn"
		}
	}
	if late, _ := s.most(waiting); len(late) > 0 {
		a.Class = "warn"
		if slices.ContainsFunc(late, func(c *Crawler) bool { return !slices.Contains(first, c) }) {
			a.add(sentence(wording.Plural(len(late), "crawler"), wording.Verb(len(late), " has", " have"), " not read the current version yet: ", wording.Some(names(late))))
		}
	} else if changed && s.Requests > 0 && a.Class == "" {
		a.Class = "ok"
	}
	if list, n := s.most((*Crawler).RobotsErrors); n > 0 {
		a.Class = "warn"
		a.add(sentence(wording.Plural(n, "request"), " for robots.txt got an error (429, 5xx or no answer): ", named(list, (*Crawler).RobotsErrors)))
	}
	return a
}

// robotsNow says what the server answers for robots.txt at the end of the logs; "" = it gives the file, or
// no crawler asked. bad reports whether crawlers got the file before.
func (s *Site) robotsNow() (words string, bad bool) {
	rows := s.AnswerRows()
	if len(rows) == 0 || s.Bare {
		return "", false
	}
	now := slices.MaxFunc(rows, func(a, b *RobotsAnswer) int { return a.Last.Compare(b.Last) })
	if now.gives() {
		return "", false
	}
	since := now.Last
	var before time.Time // the last other answer
	for _, r := range rows {
		bad = bad || r.gives()
		if r.Status != now.Status && r.Last.After(before) {
			before = r.Last
		}
	}
	for _, r := range rows {
		if r.Status == now.Status && r.First.After(before) && r.First.Before(since) {
			since = r.First
		}
	}
	words = "Since " + Moment(since) + ", requests for robots.txt get " + answered(now.Status) + "."
	switch {
	case before.IsZero() && now.Status == 0:
		words = "Crawlers never got an answer for robots.txt."
	case before.IsZero():
		words = "Crawlers got only " + answered(now.Status) + " for robots.txt."
	}
	if now.Status/100 == 4 && now.Status != 429 {
		words += " Crawlers may then request all URLs."
	}
	return words, bad
}

func names(list []*Crawler) (names []string) {
	for _, c := range list {
		names = append(names, label(c.Name))
	}
	return names
}

// firstOf returns the crawlers of a group with most requests; without any, those of all.
func (s *Site) firstOf(g Group, n int) (list []*Crawler) {
	for _, c := range s.Crawlers {
		if c.Group == g && c.Own.Requests > 0 {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		list, _ = s.most(ownRequests)
	}
	return list[:min(n, len(list))]
}

// answered writes a status.
func answered(status int) string {
	if status == 0 {
		return "no answer"
	}
	return "HTTP " + strconv.Itoa(status)
}

// answered writes the status of an answer in the logs.
func (s *Site) answered(status int) string {
	if status == 0 && s.Bare {
		return "no status"
	}
	return answered(status)
}

func (s *Site) waste() Answer {
	a := Answer{Question: "What is wasted?"}
	for _, c := range s.firstOf(Search, 2) {
		a.about(c, c.waste())
	}
	dirs := slices.DeleteFunc(s.Directories(), func(d *Directory) bool { return d.Name == otherParts })
	slices.SortStableFunc(dirs, func(a, b *Directory) int { return cmp.Compare(b.lost(), a.lost()) })
	if len(dirs) > 0 && dirs[0].lost() > 0 {
		d := dirs[0]
		a.Class = "warn"
		a.add(sentence(d.words(), " most redirects and errors: ", part(d.lost(), d.Requests), " of ", requests(d.Requests)))
	}
	if a.Sentences == nil {
		a.Class = "ok"
		a.add("Nothing that the logs show: no redirects, errors or URLs with parameters.")
	}
	return a
}

func (s *Site) never() Answer {
	a := Answer{Question: "Which sitemap URLs do search engines ignore?"}
	if s.Listed == 0 {
		a.Class = "unknown"
		a.add("Unknown. No sitemap of this site was read.")
	}
	first := s.firstOf(Search, 2)
	if len(first) == 0 || first[0].Group != Search {
		a.Class, a.Sentences = "unknown", []string{"Unknown. The logs have no request of a search engine."}
		return a
	}
	for _, c := range first {
		a.about(c, c.never())
	}
	return a
}

func (s *Site) pretend() Answer {
	a := Answer{Question: "Who pretends to be a crawler?", Class: "ok"}
	fakes, n := s.most(claimed)
	if n > 0 {
		a.Class = "warn"
		a.add(sentence(requests(n), " only ", wording.Verb(n, "claims", "claim"), " to be a crawler: ", named(fakes, claimed)))
		whose := " that the operator does not publish."
		if s.DNS != nil && s.DNS.Claimed > 0 {
			whose = wording.Verb(n, " that is", " that are") + " not the operator's."
		}
		a.add(wording.Verb(n, "It comes from an address", "They come from addresses")+whose, "The figures of crawlers do not include "+wording.Verb(n, "it", "them")+".")
		for _, c := range fakes[:min(2, len(fakes))] {
			a.add(c.from())
		}
	} else {
		a.add("No request that could be checked comes from another address.")
	}
	if list, n := s.most(unchecked); n > 0 {
		a.add(sentence(requests(n), " could not be checked, because ", s.uncovered(n), ": ", named(list, unchecked)))
	}
	if s.Ranges != "" {
		a.add(sentence("The address lists are from ", RangesDay(s.Ranges)), s.oldRanges())
	}
	return a
}
