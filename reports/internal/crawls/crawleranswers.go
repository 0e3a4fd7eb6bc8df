package crawls

import (
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

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
	case c.Site.Bare:
		return append(list, "Unknown. The log does not say what its requests for robots.txt got.")
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
	if page := slices.IndexFunc(c.Directories, func(d audit.LogPart) bool { return !strings.HasSuffix(d.Name, "/") && d.Name != otherParts }); page >= 0 {
		switch d := &c.Directories[page]; { // its requests with parameters, and the URLs of sitemaps among them
		case d.Requests == w.Parameters:
			parameters += ", all of them for " + escape.Quoted(d.Name, longestName)
		case d.Requests < w.Parameters && d.Requests > w.Parameters/2:
			parameters += ", most of them for " + escape.Quoted(d.Name, longestName)
		}
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
