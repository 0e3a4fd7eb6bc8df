package audit

import (
	"cmp"
	"context"
	"math/bits"
	"net/http"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/internal/policyfile"
	"robots-audit/audit/internal/treatment"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Bounds of the requests in the names of crawlers. There are at most 45 URLs: robots.txt, home page, sitemap,
// five pages of each of eight templates, style sheet and script. For us, each is requested twice at most, and
// once for each of 20 crawlers. Each crawler has up to askKinds kinds of differences, and each of these takes
// up to 2*askConfirm*pageRounds+1 requests. These are 2*45 + 20*45 + 20*4*25 = 2990 requests, each with up to
// five redirects, until askTime is over. A usual audit with five crawlers and 13 URLs needs about 100.
const (
	askTime    = 10 * time.Minute // for all; what was not asked until then is unclear
	askKinds   = 4                // kinds of differences of one crawler that are confirmed
	askConfirm = 3                // URLs with one kind of difference that are confirmed
	askRounds  = 6                // further requests for these URLs together, in either name
	slowRounds = 3                // the same if there was no answer, which takes a timeout each, or the server asks to come later
	pageRounds = 4                // for each URL, if several have another page: servers show some pages by chance
	askSilent  = 3                // URLs in a row without an answer, after which a crawler's other URLs are not requested
	askBusy    = 3                // answers that ask to come later, after which no other URL is requested in this name; if it is ours, in any
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
	a := &asking{site: s, ctx: ctx, stop: cancel, out: &Asked{Ours: cmp.Or(s.auditor.Client.UserAgent, "robots-audit")}}
	for _, c := range s.auditor.AskAs.Crawlers {
		a.tokens = append(a.tokens, lowTokens(&c)...)
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
	stop     func() // ends ctx
	out      *Asked
	tokens   []string // of all crawlers, in lower case
	licences []string // RSL licences that the home page names
	targets  []*askTarget

	busy     int  // answers to us with which the server asks to come later
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

// isBusy reports whether the server asks to come later.
func (a *askAnswer) isBusy() bool {
	return a.Status == tooManyRequests || a.Status == http.StatusServiceUnavailable && a.Evidence["Retry-After"] != ""
}

// facts are those of some answers.
func facts(list []askAnswer) (of []*treatment.Facts) {
	for _, a := range list {
		of = append(of, a.Facts)
	}
	return of
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
	if answer.isBusy() {
		a.busy++
	}
	if a.busy == askBusy {
		a.stop()
	}
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

// kindOf are the kinds of files of the home page.
var kindOf = map[AskedKind]crawl.Kind{AskedStyleSheet: crawl.KindCSS, AskedScript: crawl.KindJS}

// noteOwn takes what the answer to our first request shows: of the firewall, of the page, and its files.
func (a *asking) noteOwn(of *AskedURL, got *crawl.Answer) {
	a.out.Edge = append(a.out.Edge, treatment.Edge(got)...)
	if got.Code != "" || of.Kind != AskedHome && of.Kind != AskedPage {
		return
	}
	said := policyfile.ReadPage(got.Header, got.Body)
	if of.Statements = said.Statements; of.Kind == AskedPage {
		return
	}
	for _, raw := range said.Licences {
		a.licences = append(a.licences, a.resolved(raw, got.Final()))
	}
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
func (a *asking) askFile(url string) (status int, code string, body []byte) {
	got := a.fetch.Answer(a.ctx, url, "", func(url string) bool { return a.mayAsk(url, AskedPage) })
	a.out.Requests += len(got.Hops)
	return got.Status, got.Code, got.Body
}

// askedName has the answers to requests in the name of one crawler.
type askedName struct {
	crawler *engine.Crawler
	agent   engine.UserAgent
	tokens  []string      // in lower case
	answers [][]askAnswer // one list for each URL; nil = not asked
	kinds   []*askedDifference
	asked   int  // answers
	busy    int  // those with which the server asks to come later
	limited bool // other URLs were not requested because of that
}

// askedDifference is a kind of difference from the answers to us.
type askedDifference struct {
	kind  string
	urls  []int    // that are confirmed: indices of asking.targets
	doubt ReplyWhy // why it is not confirmed; "" = it is
}

// askName requests all URLs in the name of a crawler, and confirms the differences.
func (a *asking) askName(c *engine.Crawler) *askedName {
	n := &askedName{crawler: c, tokens: lowTokens(c), answers: make([][]askAnswer, len(a.targets))}
	n.agent, _ = engine.UserAgentOf(c.Name)
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
		if n.limited = n.busy == askBusy || a.why(n, t, &n.answers[i][0]) == WhyRateLimited; n.limited {
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

// lowTokens are a crawler's tokens in lower case.
func lowTokens(c *engine.Crawler) (list []string) {
	for _, token := range c.Tokens {
		list = append(list, strings.ToLower(token))
	}
	return list
}

// askOnce requests a URL in the name of a crawler.
func (a *asking) askOnce(n *askedName, i int) bool {
	answer, got := a.ask(a.targets[i], n.agent.Header)
	if answer != nil {
		a.out.Edge = append(a.out.Edge, treatment.Edge(got)...) // some are named only on the page of a refusal
		n.answers[i] = append(n.answers[i], *answer)
		if n.asked++; answer.isBusy() {
			n.busy++
		}
	}
	return answer != nil
}

// confirm requests the URLs of a difference again, in both names. Who is first changes, so that a server
// that refuses every second request does not look like one that refuses a crawler.
func (a *asking) confirm(n *askedName, d *askedDifference) {
	rounds := askRounds
	switch first := &n.answers[d.urls[0]][0]; {
	case first.Barred() == treatment.NoAnswer, first.isBusy():
		rounds = slowRounds
	case first.Barred() == "":
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
	for i, t := range a.targets { // one that was served, in case the number of requests in this name is limited
		if t.kind == AskedRobots || len(n.answers[i]) == 0 || a.why(n, t, &n.answers[i][0]) != "" {
			continue
		}
		if !a.askOnce(n, i) {
			return
		}
		if list := n.answers[i]; a.why(n, t, &list[len(list)-1]) != "" {
			d.doubt = WhyUnstable
			return
		}
		break
	}
	d.doubt = ""
}
