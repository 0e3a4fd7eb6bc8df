package crawls

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
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

// withoutFile counts the requests for robots.txt whose answer did not give the file, and all.
func (s *Site) withoutFile() (n, all int64) {
	for _, c := range s.Crawlers {
		for _, of := range c.Robots.Statuses {
			if status, _ := strconv.Atoi(of.Name); !givesFile(status) {
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

// worstRule says which rule the crawler disobeyed most; "" = not known.
func (c *Crawler) worstRule() string {
	worst := c.Worst()
	if worst.Versions == 0 {
		return ""
	}
	name, blocks := rule(worst.Line, worst.Rule), wording.Thousands(worst.Disobeyed)+" of them"
	if worst.Disobeyed == c.Own.Disobeyed {
		blocks = wording.Verb(worst.Disobeyed, "it", "all of them")
	}
	switch {
	case worst.Moved:
		name, blocks = "the rule "+escape.Quoted(upperFirst(worst.Rule), longestRule), blocks+", on different lines of "+wording.Plural(worst.Versions, "version")
	case worst.Versions > 1:
		blocks += ", in " + wording.Plural(worst.Versions, "version")
	case c.Site.Judged != audit.LogFile:
		name += " (version of " + worst.Version + ")"
	}
	words := upperFirst(name) + " blocks " + blocks + "."
	if !worst.Last.IsZero() {
		words += " The last one was on " + Moment(worst.Last) + "."
	}
	return words
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
	if len(rows) == 0 {
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

// knows says whether a crawler knows the current robots.txt.
func (c *Crawler) knows() (list []string) {
	r, newest, learned := &c.Robots, c.Site.newest(), c.learned()
	last := ""
	if !r.Last.IsZero() {
		last = Moment(r.Last) + " (" + answered(r.LastStatus) + ")"
	}
	waiting := c.Waiting()
	switch {
	case r.Requests == 0:
		return append(list, "Unknown. It did not request robots.txt in this period.")
	case r.Last.IsZero() && !waiting: // by HEAD, or of another scheme, or too many to keep
		return append(list, sentence("Unknown. ", none(r.Requests, "does not show", "shows"), " what it read"))
	case c.Site.Judged == audit.LogFile || newest == nil:
		list = append(list, sentence("It last requested robots.txt on ", last))
		if words := c.lastFile(); words != "" {
			list = append(list, words)
		}
	case waiting && r.Read.IsZero():
		list = append(list, sentence("Not yet. ", none(r.Requests, "did not give", "gave"), " it the file"))
	case waiting:
		list = append(list, sentence("Not yet. It last read robots.txt on ", Moment(r.Read), ", before the change"))
		if r.Knows != "" && r.Knows != newest.Name {
			list = append(list, sentence("It follows the version of ", r.Knows, " until it reads robots.txt again"))
		}
	case learned != nil && !learned.Read.IsZero():
		words := "Yes, since " + Moment(learned.Read)
		if d := learned.Read.Sub(learned.Changed); d > 0 {
			words += ", " + after(d) + " after the change was first seen"
		}
		list = append(list, words+".")
	case r.Knows == newest.Name:
		list = append(list, sentence("Yes. It last read robots.txt on ", Moment(r.Read), ", and got the current version"))
	default:
		list = append(list, sentence("Unclear. It last requested robots.txt on ", last))
	}
	if s := r.LastStatus; !r.Last.Equal(r.Read) && (s == 0 || s == 429 || s >= 500) {
		list = append(list, sentence("Its last request for robots.txt failed: ", last))
	}
	if n := c.RobotsErrors(); n > 0 && n < r.Requests {
		list = append(list, sentence(part(n, r.Requests), " of its ", wording.Plural(r.Requests, "request"), " for robots.txt got an error (429, 5xx or no answer)"))
	}
	read := 0
	for i := range r.Learned {
		if !r.Learned[i].Read.IsZero() {
			read++
		}
	}
	if r.MedianDays >= 0 && read > 1 {
		list = append(list, sentence("It reads a change after ", after(time.Duration(r.MedianDays*24*float64(time.Hour))), " (median of ", wording.Plural(read, "change"), ")"))
	}
	return list
}

// none says what none of a crawler's requests for robots.txt did; not says it of a single one.
func none(requests int64, not, does string) string {
	if requests == 1 {
		return "Its request for robots.txt " + not
	}
	return "None of its " + wording.Plural(requests, "request") + " for robots.txt " + does
}

// lastFile says when a crawler last got the file, if its last request did not get it; "" = it did.
func (c *Crawler) lastFile() string {
	answers := c.Robots.Answers
	for i := len(answers) - 1; i >= 0; i-- {
		switch a := &answers[i]; {
		case !givesFile(a.Status):
		case i == len(answers)-1:
			return ""
		default:
			now := &answers[len(answers)-1]
			return sentence("It last got the file on ", Moment(a.Last), ". Since ", Moment(now.First), " it has got ", answered(now.Status))
		}
	}
	for _, of := range c.Robots.Statuses { // of earlier answers, which are not listed
		if of.Name == "200" || of.Name == "206" || of.Name == "304" {
			return ""
		}
	}
	if len(answers) == 0 {
		return ""
	}
	return "It never got the file in this period."
}

// answered writes a status.
func answered(status int) string {
	if status == 0 {
		return "no answer"
	}
	return "HTTP " + strconv.Itoa(status)
}

// waste says what a crawler's requests were spent on without use.
func (c *Crawler) waste() (list []string) {
	w, n := &c.Waste, c.Own.Requests
	if n == 0 || w.Redirects+w.Errors+w.Parameters == 0 {
		return nil
	}
	parameters := " for URLs with parameters"
	if c.Site.Listed > 0 {
		parameters += " that no sitemap lists"
	}
	if page := slices.IndexFunc(c.Directories, func(d audit.LogPart) bool { return !strings.HasSuffix(d.Name, "/") }); page >= 0 && c.Directories[page].Requests*2 > w.Parameters && c.Directories[page].Requests <= w.Parameters {
		most := ", most of them for "
		if c.Directories[page].Requests == w.Parameters {
			most = ", all of them for "
		}
		parameters += most + escape.Quoted(c.Directories[page].Name, longestName)
	}
	for _, kind := range []struct {
		n     int64
		words string
	}{{w.Redirects, was(w.Redirects) + " redirected"}, {w.Errors, " got an error"}, {w.Parameters, was(w.Parameters) + parameters}} {
		if kind.n > 0 {
			words := part(kind.n, n) + " of " + requests(n)
			if list != nil {
				words = requests(kind.n) + " (" + wording.Percent(kind.n, n) + ")"
			}
			list = append(list, sentence(words, kind.words))
		}
	}
	return list
}

func (s *Site) waste() Answer {
	a := Answer{Question: "What is wasted?"}
	for _, c := range s.firstOf(Search, 2) {
		a.about(c, c.waste())
	}
	dirs := s.Directories()
	slices.SortStableFunc(dirs, func(a, b *Directory) int { return cmp.Compare(b.lost(), a.lost()) })
	if len(dirs) > 0 && dirs[0].lost() > 0 {
		d := dirs[0]
		a.Class = "warn"
		a.add(sentence(d.quoted(), " has most redirects and errors: ", part(d.lost(), d.Requests), " of ", requests(d.Requests)))
	}
	if a.Sentences == nil {
		a.Class = "ok"
		a.add("Nothing that the logs show: no redirects, errors or URLs with parameters.")
	}
	return a
}

// never says which URLs a crawler does not fetch, and which it fetches that the run did not find.
func (c *Crawler) never() (list []string) {
	switch {
	case c.Site.Listed == 0:
	case c.AboutURLs:
		list = append(list, "It requested too many URLs to say which sitemap URLs it ignores.")
	default:
		words := "It requested all "
		if n := c.NeverFetched; n > 0 {
			words = "It never requested " + part(n, c.Site.Listed) + " of "
		}
		list = append(list, sentence(words, wording.Plural(c.Site.Listed, "sitemap URL")))
		if n := c.NeverBlocked; n > 0 {
			list = append(list, sentence(wording.Thousands(n), " of them ", wording.Verb(n, "is", "are"), " blocked for it"))
		}
	}
	if c.Orphans > 0 && c.Site.Found > 0 {
		list = append(list, sentence("It fetched ", wording.URLs(c.Orphans), " that the audit found in no sitemap, link or list"))
	}
	return list
}

func (s *Site) never() Answer {
	a := Answer{Question: "Which sitemap URLs do search engines ignore?"}
	if s.Listed == 0 {
		a.Class = "unknown"
		a.add("Unknown. No sitemap of this site was read.")
	}
	for _, c := range s.firstOf(Search, 2) {
		a.about(c, c.never())
	}
	return a
}

// from says which networks only claim the crawler's name; "" = they are not known.
func (c *Crawler) from() string {
	networks := c.networks()
	if more := len(networks) - 3; more > 0 {
		networks = append(networks[:3], wording.Plural(more, "other"))
	}
	if len(networks) == 0 {
		return ""
	}
	return sentence("Requests in the name of ", label(c.Name), " came from ", wording.And(networks))
}

// networks are those that only claim the crawler's name: "198.51.100.0/24 (500)".
func (c *Crawler) networks() (list []string) {
	for _, of := range c.LogCrawler.Networks {
		list = append(list, label(of.Name)+" ("+wording.Thousands(of.Requests)+")")
	}
	return list
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

// Answers answers the questions about one crawler.
func (c *Crawler) Answers() []Answer {
	list := []Answer{c.obey()}
	add := func(question string, sentences []string, class string) {
		if len(sentences) > 0 {
			list = append(list, Answer{question, sentences, class})
		}
	}
	class := ""
	if waiting(c) > 0 || c.RobotsErrors() > 0 {
		class = "warn"
	}
	add("Does it know the current robots.txt?", c.knows(), class)
	add("What is wasted?", c.waste(), "")
	question := "Which sitemap URLs does it ignore?"
	if c.Site.Listed == 0 {
		question = "Which URLs did the audit not find?"
	}
	add(question, c.never(), "")
	genuine := Answer{Question: "Is it genuine?"}
	if n := claimed(c); n > 0 {
		genuine.Class = "warn"
		words := requests(n) + " only " + wording.Verb(n, "claims", "claim") + " to be " + label(c.Name)
		if blocked := c.LogCrawler.Claimed.Blocked; blocked > 0 {
			words += "; " + wording.Thousands(blocked) + " of them" + was(blocked) + " to blocked URLs"
		}
		genuine.add(words+".", c.from())
	}
	if n := c.Genuine.Requests; n > 0 {
		words := " from addresses that its operator publishes"
		if c.Site.DNS != nil && c.Site.DNS.Genuine > 0 {
			words += ", or that DNS proves"
		}
		genuine.add(sentence(requests(n), wording.Verb(n, " comes", " come"), words))
	}
	if n := c.Unknown.Requests; n > 0 {
		genuine.add(sentence(requests(n), " could not be checked, because ", c.Site.uncovered(n)))
	}
	add(genuine.Question, genuine.Sentences, genuine.Class)
	return list
}

func (c *Crawler) obey() Answer {
	a := Answer{Question: "Does it obey robots.txt?"}
	obeyed, judged := c.obedience()
	t := &c.Own
	switch {
	case t.Requests == 0:
		a.Class = "unknown"
		a.add("Unknown. No request came from its own addresses.")
	case t.Disobeyed > 0:
		a.Class = "critical"
		a.add(sentence("No: ", part(judged-obeyed, judged), " of ", wording.Plural(judged, "judged request"), was(t.Disobeyed), " to ", wording.Verb(t.Disobeyed, "a blocked URL", "blocked URLs")), c.worstRule())
	case t.Blocked > 0:
		a.Class = "unknown"
		a.add(sentence("Not proved. ", requests(t.Blocked), " to blocked URLs came from addresses that do not prove who sent them"))
	case c.Site.Judged == audit.LogRun && notAllowed(c) > 0:
		a.Class = "unknown"
		a.add(sentence("Unknown. ", requests(c.Waste.Blocked), was(c.Waste.Blocked), " to URLs that this robots.txt blocks"), notInForce)
	case t.Obeyed > 0:
		if c.Genuine.Obeyed > 0 {
			a.Class = "ok" // else others may have sent them
		}
		a.add(sentence("Yes. ", all(t.Obeyed, "judged request"), was(t.Obeyed), " to ", wording.Verb(t.Obeyed, "an allowed URL", "allowed URLs")))
	case c.free():
		a.add("It does not have to. Its operator says that it does not follow these rules.")
	default:
		a.Class = "unknown"
		a.add("Unknown. No request could be judged.")
	}
	if t.Disobeyed > 0 && t.Blocked > 0 {
		a.add(sentence(requests(t.Blocked), " more came from addresses that do not prove who sent them"))
	}
	if t.Grace > 0 {
		a.add(sentence(requests(t.Grace), was(t.Grace), " to URLs that ", c.Site.notYet()), c.Site.stale(t.Stale))
	}
	if t.Unclear > 0 {
		a.add(sentence(requests(t.Unclear), wording.Verb(t.Unclear, " is", " are"), " unclear: ", c.Site.unclear()))
	}
	if t.Exempt > 0 && t.Exempt < t.Requests {
		a.add(sentence(requests(t.Exempt), wording.Verb(t.Exempt, " is", " are"), " not judged: robots.txt does not apply to ", wording.Verb(t.Exempt, "it", "them"), ", or ", wording.Verb(t.Exempt, "it is", "they are"), " for robots.txt itself"))
	}
	return a
}
