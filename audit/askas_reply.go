package audit

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/internal/treatment"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// treatmentOf says what a reason means.
var treatmentOf = map[ReplyWhy]Treatment{
	"": LetIn, WhyStatus: Refused, WhyNoAnswer: Refused, WhyChallenge: Challenged, WhyPayment: AskedToPay,
	WhyRedirect: Otherwise, WhyEmpty: Otherwise, WhyType: Otherwise, WhyNoIndex: Otherwise, WhyTitle: Otherwise, WhySize: Otherwise, WhyContent: Otherwise,
	WhyRefusesUs: Unclear, WhyUnstable: Unclear, WhyRateLimited: Unclear, WhyMissing: Unclear, WhyNotAsked: Unclear,
}

// conclude fills Asked. All answers to us count, also those that came after a crawler's.
func (a *asking) conclude(asked []*askedName) {
	if a.ctx.Err() != nil && a.busy < askBusy {
		a.limit(AskedLimitTime)
	}
	slices.Sort(a.out.Edge)
	a.out.Edge = slices.Compact(a.out.Edge)
	for _, n := range asked {
		a.noteWavering(n)
	}
	a.out.Unstable = a.changed || a.unsteady
	for i, t := range a.targets {
		a.out.URLs[i].Ours = a.ownReply(t)
	}
	for _, n := range asked {
		a.out.Agents = max(a.out.Agents, n.agent.Dated)
		c := AskedCrawler{
			Name: n.crawler.Name, Operator: n.crawler.Operator, Purpose: n.crawler.Purpose, UserAgent: n.agent.Header, Source: n.agent.Source, Dated: n.agent.Dated,
		}
		doubts := a.doubts(n)
		for i, t := range a.targets {
			c.Replies = append(c.Replies, a.reply(n, t, n.answers[i], doubts))
		}
		c.Treatment = Worst(c.Replies)
		a.out.Crawlers = append(a.out.Crawlers, c)
	}
}

// doubts returns the kinds of differences that were looked at again, and why they prove nothing; "" = they
// were the same each time, on all URLs that were confirmed.
func (a *asking) doubts(n *askedName) map[string]ReplyWhy {
	doubts := map[string]ReplyWhy{}
	for _, d := range n.kinds {
		if doubts[d.kind] = d.doubt; slices.ContainsFunc(d.urls, func(i int) bool { return a.kind(n, a.targets[i], n.answers[i]) != d.kind }) {
			doubts[d.kind] = WhyUnstable
		}
	}
	return doubts
}

// noteWavering notes whether the server answered the same request in this name differently.
func (a *asking) noteWavering(n *askedName) {
	for i, list := range n.answers {
		if len(list) > 1 {
			a.unsteady = a.unsteady || treatment.Differ(facts(list))
			a.shifting = a.shifting || a.kind(n, a.targets[i], list) == ""
		}
	}
}

// reply concludes from the answers in the name of a crawler. Of a server that wavers, only what was
// confirmed counts.
func (a *asking) reply(n *askedName, t *askTarget, list []askAnswer, doubts map[string]ReplyWhy) Reply {
	switch {
	case t.isMissing():
		return Reply{Treatment: Unclear, Why: WhyMissing}
	case len(list) == 0:
		return a.notAsked(t, n.limited)
	}
	first := &list[0]
	r := first.reply(t.url)
	r.NoIndex = first.NoIndexFor(n.tokens)
	r.Why = a.why(n, t, first)
	for i := range list {
		if first.likeness() == list[i].likeness() {
			r.Asked++
		}
		if of := a.why(n, t, &list[i]); of != r.Why && r.Why != WhyRateLimited {
			r.Why = WhyUnstable
		}
	}
	if kind := a.kind(n, t, list); kind != "" {
		switch doubt, known := doubts[kind]; {
		case !known:
			r.Why = WhyNotAsked
		case doubt == "" && len(list) == 1 && (a.changed || a.unsteady || a.shifting && first.Barred() == ""):
			r.Why = WhyUnstable
		default:
			r.Why = cmp.Or(doubt, r.Why)
		}
	} else if t := treatmentOf[r.Why]; t != LetIn && t != Unclear { // several errors, none of which was confirmed
		r.Why = WhyUnstable
	}
	a.out.Unstable = a.out.Unstable || r.Why == WhyUnstable
	if r.Treatment = treatmentOf[r.Why]; r.Treatment == LetIn {
		r.Evidence = nil
	}
	return r
}

// kind returns the kind of difference that all answers of a list have; "" = none.
func (a *asking) kind(n *askedName, t *askTarget, list []askAnswer) (kind string) {
	for i := range list {
		why := a.why(n, t, &list[i])
		if treatmentOf[why] == Unclear || why == "" {
			return ""
		}
		of := string(why)
		if why == WhyStatus {
			of += statusText(list[i].Status)
		}
		if kind = cmp.Or(kind, of); kind != of {
			return ""
		}
	}
	return kind
}

// why compares one answer with all answers to us. HTTP 429 counts only if all requests in this name got it,
// from the first one, and none of ours.
func (a *asking) why(n *askedName, t *askTarget, answer *askAnswer) ReplyWhy {
	if answer.Status == tooManyRequests && (n.asked > n.busy || a.busy > 0) {
		return WhyRateLimited
	}
	return ReplyWhy(treatment.Compare(answer.Facts, facts(t.ours), n.tokens))
}

// ownReply concludes from the answers to us.
func (a *asking) ownReply(t *askTarget) Reply {
	if len(t.ours) == 0 {
		return a.notAsked(t, false)
	}
	first := &t.ours[0]
	r := first.reply(t.url)
	r.NoIndex = first.NoIndexFor(nil)
	for i := range t.ours {
		if t.ours[i].likeness() == first.likeness() {
			r.Asked++
		}
	}
	switch r.Why = ReplyWhy(first.Barred()); {
	case treatment.Differ(facts(t.ours)):
		r.Why = WhyUnstable
	case t.isMissing():
		r.Why = WhyMissing
	}
	r.Treatment = treatmentOf[r.Why]
	return r
}

// notAsked is the reply for a URL that was not requested in a name. limited = the server limits the rate for it.
func (a *asking) notAsked(t *askTarget, limited bool) Reply {
	if !t.barred && (limited || a.busy == askBusy) {
		a.limit(AskedLimitRate)
		return Reply{Treatment: Unclear, Why: WhyRateLimited}
	}
	return Reply{Treatment: Unclear, Why: WhyNotAsked}
}

// likeness is equal for answers that a reply counts together.
func (a *askAnswer) likeness() [3]any { return [3]any{a.Status, a.Code, a.Barred()} }

// reply reports the answer, without a conclusion.
func (a *askAnswer) reply(url string) Reply {
	r := Reply{Status: a.Status, Code: a.Code, Type: ownText(escape.Prefix(a.Type, askedText)), Bytes: a.Bytes, Title: ownText(a.Title), XRobots: a.xRobots, Millis: a.millis}
	if a.Where != url {
		where, _, _ := strings.Cut(a.Where, "?") // a query may have the key of a session
		r.Location = ownText(where)
	}
	if len(a.Evidence) > 0 {
		r.Evidence = map[string]string{}
		for name, value := range a.Evidence {
			r.Evidence[name] = ownText(value)
		}
	}
	return r
}

// AskAgain requests one of Asked.URLs again, in the name of one of Asked.Crawlers and, before and after it,
// under our own. So an alert about the treatment of the name can be confirmed some minutes after the run.
// What robots.txt blocks for this program by now is not requested: WhyNotAsked.
func AskAgain(ctx context.Context, fetch *crawl.Site, asked *Asked, crawler, url string) Reply {
	u := slices.IndexFunc(asked.URLs, func(u AskedURL) bool { return u.URL == url })
	c := slices.IndexFunc(asked.Crawlers, func(c AskedCrawler) bool { return c.Name == crawler })
	notAsked := Reply{Treatment: Unclear, Why: WhyNotAsked}
	if u < 0 || c < 0 || u >= len(asked.Crawlers[c].Replies) {
		return notAsked
	}
	again := &askedAgain{ctx: ctx, fetch: fetch, url: url, kind: asked.URLs[u].Kind, groups: map[string]*engine.Group{}}
	if known, err := engine.ParseCrawler(crawler); err == nil {
		again.tokens = lowTokens(&known)
	}
	if !again.may(url) {
		return notAsked
	}
	var answers []askAnswer
	for _, agent := range []string{"", asked.Crawlers[c].UserAgent, ""} {
		answer := again.ask(agent)
		if answer == nil {
			return notAsked
		}
		answers = append(answers, *answer)
	}
	theirs, ours := &answers[1], facts([]askAnswer{answers[0], answers[2]})
	r := theirs.reply(url)
	r.Asked, r.NoIndex = 1, theirs.NoIndexFor(again.tokens)
	switch r.Why = ReplyWhy(treatment.Compare(theirs.Facts, ours, again.tokens)); {
	case treatment.Differ(ours):
		r.Why = WhyUnstable
	case r.Status == tooManyRequests && asked.Crawlers[c].Replies[u].Status != tooManyRequests:
		r.Why = WhyRateLimited
	}
	r.Treatment = treatmentOf[r.Why]
	return r
}

// askedAgain is the work of AskAgain.
type askedAgain struct {
	ctx    context.Context
	fetch  *crawl.Site
	url    string
	kind   AskedKind
	tokens []string                 // of the crawler, in lower case
	groups map[string]*engine.Group // that this program obeys, by origin
}

// ask requests the URL; nil = it was interrupted, or an error of our own.
func (a *askedAgain) ask(agent string) *askAnswer {
	got := a.fetch.Answer(a.ctx, a.url, agent, a.may)
	if a.ctx.Err() != nil || got.Code == crawl.CodeInternal {
		return nil
	}
	return &askAnswer{Facts: treatment.Read(got, summed[a.kind], a.tokens), millis: got.Millis}
}

// may reports whether a URL may be requested, also as the target of a redirect: see asking.mayAsk.
func (a *askedAgain) may(url string) bool {
	head, _, reason := split([]byte(url))
	switch {
	case reason != "" || strings.TrimPrefix(hostOf(url), "www.") != strings.TrimPrefix(hostOf(a.url), "www."):
		return false
	case a.kind == AskedRobots || a.kind == AskedSitemap:
		return true
	}
	name := originName(head)
	g := a.groups[name]
	if g == nil {
		var answers Answers
		answers.Add(0, name, a.fetch.Robots(a.ctx, name))
		g = answers.Read(0, rfc9309, self).Group(self)
		if d := g.CrawlDelay; d > 0 {
			a.fetch.SetDelay(name, time.Duration(d*float64(time.Second)))
		}
		a.groups[name] = g
	}
	return g.Verdict(url).Verdict == engine.Allow
}
