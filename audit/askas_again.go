package audit

import (
	"context"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/internal/treatment"
	"robots-audit/crawl"
	"robots-audit/engine"
)

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
		for _, token := range known.Tokens {
			again.tokens = append(again.tokens, strings.ToLower(token))
		}
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
