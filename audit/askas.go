package audit

import (
	"cmp"
	"context"
	"math/bits"
	"net/http"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/internal/treatment"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Bounds of the requests in the names of crawlers. There are at most 45 URLs: robots.txt, home page, sitemap,
// five pages of each of eight templates, style sheet and script. For us, each is requested twice at most, and
// once for each of 20 crawlers. Each crawler has up to askKinds kinds of differences, and each of these takes
// up to 2*askConfirm*pageRounds requests. These are 2*45 + 20*45 + 20*4*24 = 2910 requests, each with up to
// five redirects, until askTime is over. A usual audit with five crawlers and 13 URLs needs about 100.
const (
	askTime    = 10 * time.Minute // for all; what was not asked until then is unclear
	askKinds   = 4                // kinds of differences of one crawler that are confirmed
	askConfirm = 3                // URLs with one kind of difference that are confirmed
	askRounds  = 6                // further requests for these URLs together, in either name
	slowRounds = 3                // the same if there was no answer, which takes a timeout each
	pageRounds = 4                // for each URL, if several have another page: servers show some pages by chance
	askSilent  = 3                // URLs in a row without an answer, after which a crawler's other URLs are not requested
	askedText  = 200              // bytes of a text from a server
)

// askAs requests some URLs of the site in the names of crawlers, if the user asked for it, and compares the
// answers with ours. Differences that do not come again prove nothing.
func (s *site) askAs() {
	if s.samples == nil || s.domain.Scheme == "ftp" { // only servers of http or https see a User-Agent
		return
	}
	s.whole = s.ctx.Err() == nil
	ctx, cancel := context.WithTimeout(s.ctx, cmp.Or(s.auditor.AskAs.time, askTime))
	defer cancel()
	s.fetch.OnStall(cancel) // a server that never answers a crawler is a result, and not the end of the site
	a := &asking{site: s, ctx: ctx, out: &Asked{Ours: cmp.Or(s.auditor.Client.UserAgent, "robots-audit")}}
	for _, c := range s.auditor.AskAs.Crawlers {
		for _, token := range c.Tokens {
			a.tokens = append(a.tokens, strings.ToLower(token))
		}
	}
	a.choose()
	a.askOurselves()
	a.dropMissing()
	var asked []*askedName
	for i := range s.auditor.AskAs.Crawlers {
		asked = append(asked, a.askName(&s.auditor.AskAs.Crawlers[i]))
	}
	a.out.Files = s.policyFiles(ctx, a.askFile, a.licences)
	a.conclude(asked)
	s.emit(Record{Asked: a.out})
	s.askedFindings(a.out)
}

// asking is the work of askAs.
type asking struct {
	*site
	ctx      context.Context
	out      *Asked
	tokens   []string // of all crawlers, in lower case
	licences []string // RSL licences that the home page names
	targets  []*askTarget

	changed  bool // the server changed its status for us: later differences prove nothing
	unsteady bool // it changed its status in the same name
	shifting bool // a difference did not come again
}

// askTarget is a URL with the answers to us.
type askTarget struct {
	url, template string
	kind          AskedKind
	ours          []askAnswer
	barred        bool // robots.txt blocks this program
}

// askAnswer is an answer to one request.
type askAnswer struct {
	*treatment.Facts
	xRobots []string
	millis  float64
}

// facts are those of some answers.
func facts(list []askAnswer) (of []*treatment.Facts) {
	for _, a := range list {
		of = append(of, a.Facts)
	}
	return of
}

// choose chooses the URLs, but for the files of the home page.
func (a *asking) choose() {
	own := a.origins[0]
	if !own.file.Given {
		a.add(askTarget{url: own.name + "/robots.txt", kind: AskedRobots})
	}
	home := askTarget{url: own.name + "/", kind: AskedHome}
	if home.barred = !a.mayAsk(home.url, AskedHome); home.barred {
		a.limit(AskedLimitOwn)
		a.targets = append(a.targets, &home) // it is too important to be silent about it
	} else {
		a.add(home)
	}
	if a.samples.sitemap != "" {
		a.add(askTarget{url: a.samples.sitemap, kind: AskedSitemap})
	}
	groups, lacks := a.samples.largest()
	if lacks {
		a.limit(AskedLimitOwn)
	}
	for _, g := range groups {
		for _, of := range g.samples {
			a.add(askTarget{url: of.url, kind: AskedPage, template: g.name})
		}
	}
}

// add adds a URL of the site, unless robots.txt blocks this program.
func (a *asking) add(t askTarget) {
	head, _, reason := split([]byte(t.url))
	switch {
	case reason != "" || !a.isOwn(head) || slices.ContainsFunc(a.targets, func(of *askTarget) bool { return of.url == t.url }):
	case a.mayAsk(t.url, t.kind):
		a.targets = append(a.targets, &t)
	default:
		a.limit(AskedLimitOwn)
	}
}

// mayAsk reports whether a URL may be requested, also as the target of a redirect: on the site's own hosts,
// as far as robots.txt allows this program. The site's own sitemaps are always read.
func (a *asking) mayAsk(url string, kind AskedKind) bool {
	head, _, reason := split([]byte(url))
	switch {
	case reason != "" || !a.isOwn(head):
		return false
	case kind == AskedRobots:
		return true
	case kind == AskedSitemap:
		return a.mayRead(url) == nil
	}
	return a.mayFetch(url)
}

func (a *asking) limit(why AskedLimit) {
	if !slices.Contains(a.out.Limits, why) {
		a.out.Limits = append(a.out.Limits, why)
	}
}

// summed are the kinds of URLs whose content is compared.
var summed = map[AskedKind]treatment.Kind{AskedRobots: treatment.Robots, AskedSitemap: treatment.Sitemap}

// ask requests a URL; nil = the time was over, or an error of our own. agent "" is ours.
func (a *asking) ask(t *askTarget, agent string) (*askAnswer, *crawl.Answer) {
	if a.ctx.Err() != nil || t.barred {
		return nil, nil
	}
	got := a.fetch.Answer(a.ctx, t.url, agent, func(url string) bool { return a.mayAsk(url, t.kind) })
	a.out.Requests += len(got.Hops)
	if a.ctx.Err() != nil || got.Code == crawl.CodeInternal {
		return nil, nil
	}
	answer := &askAnswer{Facts: treatment.Read(got, summed[t.kind], a.tokens), millis: got.Millis}
	for _, value := range got.Header["X-Robots-Tag"] {
		answer.xRobots = append(answer.xRobots, ownText(escape.Prefix(value, askedText)))
	}
	return answer, got
}

// askOurself requests a URL under our own name, and notes whether the server has changed its status for us.
func (a *asking) askOurself(t *askTarget) *crawl.Answer {
	answer, got := a.ask(t, "")
	if answer == nil {
		return nil
	}
	t.ours = append(t.ours, *answer)
	a.changed = a.changed || treatment.Differ(facts(t.ours))
	return got
}

// askOurselves requests all URLs under our own name.
func (a *asking) askOurselves() {
	for i := 0; i < len(a.targets); i++ { // the home page adds its files
		t := a.targets[i]
		of := AskedURL{URL: t.url, Kind: t.kind, Template: t.template}
		if got := a.askOurself(t); got != nil {
			a.noteOwn(&of, got)
			if why := t.ours[0].Barred(); why == treatment.NoAnswer || t.ours[0].Status >= 500 {
				a.askOurself(t) // it may be a fault of the moment
			}
		}
		a.out.URLs = append(a.out.URLs, of)
	}
}

// isMissing reports whether there is no such URL, as far as we were told. A robots.txt may be missing.
func (t *askTarget) isMissing() bool {
	return t.kind != AskedRobots && len(t.ours) > 0 && t.ours[0].Missing()
}

// dropMissing drops URLs that do not exist: their answers show nothing. If there is no other, the home page
// is kept to say so.
func (a *asking) dropMissing() {
	exists := slices.ContainsFunc(a.targets, func(t *askTarget) bool { return t.kind != AskedRobots && !t.isMissing() })
	var targets []*askTarget
	var urls []AskedURL
	for i, t := range a.targets {
		if !t.isMissing() || t.kind == AskedHome && !exists {
			targets, urls = append(targets, t), append(urls, a.out.URLs[i])
		}
	}
	a.targets, a.out.URLs = targets, urls
}

// kindOf are the kinds of files of the home page.
var kindOf = map[AskedKind]crawl.Kind{AskedStyleSheet: crawl.KindCSS, AskedScript: crawl.KindJS}

// noteOwn takes what the answer to our first request shows: of the firewall, of the page, and its files.
func (a *asking) noteOwn(of *AskedURL, got *crawl.Answer) {
	a.out.Edge = append(a.out.Edge, treatment.Edge(got)...)
	if got.Code == "" && (of.Kind == AskedHome || of.Kind == AskedPage) {
		of.Statements = pageStatements(got.Header, got.Body)
	}
	if of.Kind != AskedHome || got.Code != "" {
		return
	}
	a.licences = a.pageLicences(got.Final(), got.Header, got.Body)
	page, _ := got.Page()
	for _, file := range []askTarget{{kind: AskedStyleSheet}, {kind: AskedScript}} {
		at := slices.IndexFunc(page.Resources, func(r crawl.Resource) bool {
			return kindOf[file.kind] == r.Kind && hostOf(r.URL) == hostOf(got.Final())
		})
		if at >= 0 {
			file.url = page.Resources[at].URL
			a.add(file)
		}
	}
}

// askFile requests a policy file, as ourselves.
func (a *asking) askFile(url string) (status int, code string, header http.Header, body []byte) {
	got := a.fetch.Answer(a.ctx, url, "", func(url string) bool { return a.mayAsk(url, AskedPage) })
	a.out.Requests += len(got.Hops)
	return got.Status, got.Code, got.Header, got.Body
}

// askedName has the answers to requests in the name of one crawler.
type askedName struct {
	crawler *engine.Crawler
	agent   engine.UserAgent
	tokens  []string      // in lower case
	answers [][]askAnswer // one list for each URL; nil = not asked
	kinds   []*askedDifference
	limited bool // the server limits the rate: other URLs were not requested
}

// askedDifference is a kind of difference from the answers to us.
type askedDifference struct {
	kind  string
	urls  []int    // that are confirmed: indices of asking.targets
	doubt ReplyWhy // why it is not confirmed; "" = it is
}

// askName requests all URLs in the name of a crawler, and confirms the differences.
func (a *asking) askName(c *engine.Crawler) *askedName {
	n := &askedName{crawler: c, answers: make([][]askAnswer, len(a.targets))}
	n.agent, _ = engine.UserAgentOf(c.Name)
	for _, token := range c.Tokens {
		n.tokens = append(n.tokens, strings.ToLower(token))
	}
	silent := 0
	for i, t := range a.targets {
		if silent == askSilent || len(t.ours) == 0 || t.isMissing() {
			continue
		}
		if silent++; !a.askOnce(n, i) {
			continue
		}
		if n.answers[i][0].Barred() != treatment.NoAnswer {
			silent = 0
		}
		if n.limited = a.why(n, t, &n.answers[i][0]) == WhyRateLimited; n.limited {
			break // the server wants fewer requests, and more of them would prove nothing
		}
	}
	for i, t := range a.targets {
		kind := a.kind(n, t, n.answers[i])
		if kind == "" {
			continue
		}
		at := slices.IndexFunc(n.kinds, func(d *askedDifference) bool { return d.kind == kind })
		if at < 0 && len(n.kinds) < askKinds {
			at, n.kinds = len(n.kinds), append(n.kinds, &askedDifference{kind: kind, doubt: WhyNotAsked})
		}
		if at >= 0 && len(n.kinds[at].urls) < askConfirm {
			n.kinds[at].urls = append(n.kinds[at].urls, i)
		}
	}
	for _, d := range n.kinds {
		a.confirm(n, d)
	}
	return n
}

// askOnce requests a URL in the name of a crawler.
func (a *asking) askOnce(n *askedName, i int) bool {
	answer, got := a.ask(a.targets[i], n.agent.Header)
	if answer != nil {
		a.out.Edge = append(a.out.Edge, treatment.Edge(got)...) // some are named only on the page of a refusal
		n.answers[i] = append(n.answers[i], *answer)
	}
	return answer != nil
}

// confirm requests the URLs of a difference again, in both names. Who is first changes, so that a server
// that refuses every second request does not look like one that refuses a crawler.
func (a *asking) confirm(n *askedName, d *askedDifference) {
	rounds := askRounds
	switch why := n.answers[d.urls[0]][0].Barred(); {
	case why == treatment.NoAnswer:
		rounds = slowRounds
	case why == "":
		rounds = max(rounds, pageRounds*len(d.urls))
	}
	for round := range rounds {
		i := d.urls[round*len(d.urls)/rounds]
		oursFirst := bits.OnesCount(uint(round))%2 == 0
		switch t := a.targets[i]; {
		case a.changed || a.kind(n, t, n.answers[i]) != d.kind:
			d.doubt = WhyUnstable
			return
		case oursFirst && a.askOurself(t) == nil, !a.askOnce(n, i), !oursFirst && a.askOurself(t) == nil:
			return
		}
	}
	d.doubt = ""
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
	limited := func(list []askAnswer) bool {
		return slices.ContainsFunc(list, func(of askAnswer) bool { return of.Status == tooManyRequests })
	}
	served := func(list []askAnswer) bool {
		return slices.ContainsFunc(list, func(of askAnswer) bool { return of.Status != tooManyRequests })
	}
	if answer.Status == tooManyRequests && (slices.ContainsFunc(n.answers, served) || slices.ContainsFunc(a.targets, func(t *askTarget) bool { return limited(t.ours) })) {
		return WhyRateLimited
	}
	return ReplyWhy(treatment.Compare(answer.Facts, facts(t.ours), n.tokens))
}

// treatmentOf says what a reason means.
var treatmentOf = map[ReplyWhy]Treatment{
	"": LetIn, WhyStatus: Refused, WhyNoAnswer: Refused, WhyChallenge: Challenged, WhyPayment: AskedToPay,
	WhyRedirect: Otherwise, WhyEmpty: Otherwise, WhyType: Otherwise, WhyNoIndex: Otherwise, WhyTitle: Otherwise, WhySize: Otherwise, WhyContent: Otherwise,
	WhyRefusesUs: Unclear, WhyUnstable: Unclear, WhyRateLimited: Unclear, WhyMissing: Unclear, WhyNotAsked: Unclear,
}

// conclude fills Asked. All answers to us count, also those that came after a crawler's.
func (a *asking) conclude(asked []*askedName) {
	if a.ctx.Err() != nil {
		a.limit(AskedLimitTime)
	}
	slices.Sort(a.out.Edge)
	a.out.Edge = slices.Compact(a.out.Edge)
	for _, n := range asked {
		a.noteWavering(n)
	}
	a.out.Unstable = a.changed || a.unsteady
	for i, t := range a.targets {
		a.out.URLs[i].Ours = t.reply()
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
	case len(list) == 0 && n.limited:
		return Reply{Treatment: Unclear, Why: WhyRateLimited}
	case len(list) == 0:
		return Reply{Treatment: Unclear, Why: WhyNotAsked}
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

// likeness is equal for answers that a reply counts together.
func (a *askAnswer) likeness() [3]any { return [3]any{a.Status, a.Code, a.Barred()} }

// reply concludes from the answers to us.
func (t *askTarget) reply() Reply {
	if len(t.ours) == 0 {
		return Reply{Treatment: Unclear, Why: WhyNotAsked}
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

// reply reports the answer, without a conclusion.
func (a *askAnswer) reply(url string) Reply {
	r := Reply{Status: a.Status, Code: a.Code, Type: ownText(escape.Prefix(a.Type, askedText)), Bytes: a.Bytes, Title: ownText(a.Title), XRobots: a.xRobots, Millis: a.millis}
	if a.Where != url {
		r.Location = ownText(a.Where)
	}
	if len(a.Evidence) > 0 {
		r.Evidence = map[string]string{}
		for name, value := range a.Evidence {
			r.Evidence[name] = ownText(value)
		}
	}
	return r
}
