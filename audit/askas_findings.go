package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// askedKind is what findings say about URLs of a kind that were requested in the names of crawlers. same is
// a finding of the second look that says it already. A stage makes a problem of it; "" = none.
type askedKind struct {
	kind                AskedKind
	id, same, stage, is string
}

// askedKinds are the kinds, those that matter most first. The first kind of a refusal is its finding.
var askedKinds = []askedKind{
	{AskedRobots, findings.RefusedPage, findings.DiffersByUserAgent, StageRobots, "robots.txt"},
	{AskedHome, findings.RefusedPage, findings.HomeDiffers, StageCrawl, "the home page"},
	{AskedPage, findings.RefusedPage, "", StageCrawl, "the page"},
	{AskedSitemap, findings.RefusedSitemap, findings.SitemapDiffers, StageSitemap, "the sitemap"},
	{AskedStyleSheet, findings.RefusedResource, "", "", "the style sheet"},
	{AskedScript, findings.RefusedResource, "", "", "the script"},
}

// of returns the URLs of a kind.
func (k *askedKind) of(urls []*AskedURL) (list []*AskedURL) {
	for _, u := range urls {
		if u.Kind == k.kind {
			list = append(list, u)
		}
	}
	return list
}

// refusedWords say how a server treats a request; other treatments make no finding.
var refusedWords = map[Treatment]string{Refused: "refuses", Challenged: "asks for proof of a person for", AskedToPay: "asks for payment for"}

// refusal is an answer to crawlers of search engines for some URLs, to which this program got another.
type refusal struct {
	verb     string // one of refusedWords
	answer   string // "HTTP 403 Forbidden"
	crawlers []string
	urls     []*AskedURL
}

func (r *refusal) equal(o refusal) bool {
	return o.verb == r.verb && o.answer == r.answer && slices.Equal(o.crawlers, r.crawlers)
}

// askedFindings adds findings about URLs that the server refuses when asked as the crawler of a search
// engine, and that it serves to this program.
func (s *site) askedFindings(a *Asked) {
	own := s.origins[0].findings
	if own == nil {
		return
	}
	own.SetAdvice(EdgeAdvice(a.Edge))
	for _, r := range a.refusals(own.Shows) {
		words := r.String()
		var first *askedKind
		for i := range askedKinds {
			kind := &askedKinds[i]
			for _, u := range kind.of(r.urls) {
				first = cmp.Or(first, kind)
				own.AddDiffering(first.id, 0, engine.Warning, words+", and serves "+wording.Verb(len(r.urls), "it", "them")+" to this program", u.URL)
			}
		}
		if first.stage != "" {
			s.differingAnswer(first.stage, engine.Warning, first.of(r.urls)[0].URL, words)
		}
	}
}

// refusals returns what crawlers of search engines were refused, in the order of the URLs. It omits URLs
// that are shown with a finding of the second look.
func (a *Asked) refusals(shown func(id, url string) bool) (list []refusal) {
	for i := range a.URLs {
		u := &a.URLs[i]
		at := slices.IndexFunc(askedKinds, func(k askedKind) bool { return k.kind == u.Kind })
		if at < 0 || askedKinds[at].same != "" && shown(askedKinds[at].same, u.URL) {
			continue
		}
		var here []refusal // one for each answer
		for k := range a.Crawlers {
			c := &a.Crawlers[k]
			if c.Purpose != "search" || i >= len(c.Replies) || refusedWords[c.Replies[i].Treatment] == "" {
				continue
			}
			r := refusal{verb: refusedWords[c.Replies[i].Treatment], answer: c.Replies[i].words()}
			at := slices.IndexFunc(here, func(o refusal) bool { return o.verb == r.verb && o.answer == r.answer })
			if at < 0 {
				at, here = len(here), append(here, r)
			}
			here[at].crawlers = append(here[at].crawlers, c.Name)
		}
		for _, r := range here {
			if at := slices.Index(r.crawlers, leader); at > 0 {
				r.crawlers = slices.Insert(slices.Delete(r.crawlers, at, at+1), 0, leader)
			}
			at := slices.IndexFunc(list, r.equal)
			if at < 0 {
				at, list = len(list), append(list, r)
			}
			list[at].urls = append(list[at].urls, u)
		}
	}
	return list
}

// Denies reports whether a crawler was refused a URL, challenged or asked to pay, when asked for in its name.
func (a *Asked) Denies(crawler, url string) bool {
	at := slices.IndexFunc(a.URLs, func(u AskedURL) bool { return u.URL == url })
	of := slices.IndexFunc(a.Crawlers, func(c AskedCrawler) bool { return c.Name == crawler })
	return at >= 0 && of >= 0 && at < len(a.Crawlers[of].Replies) && refusedWords[a.Crawlers[of].Replies[at].Treatment] != ""
}

// leader is the crawler that sentences name first.
const leader = "Googlebot"

// String is a sentence without its full stop: crawlers, what they were refused, and the answer.
func (r *refusal) String() string {
	var parts []string
	for i := range askedKinds {
		switch n := len(askedKinds[i].of(r.urls)); n {
		case 0:
		case 1:
			parts = append(parts, askedKinds[i].is)
		default:
			parts = append(parts, wording.Plural(n, string(askedKinds[i].kind)))
		}
	}
	what := wording.And(parts)
	if n := len(parts); n > 4 {
		what = fmt.Sprintf("%s and %d other files", strings.Join(parts[:3], ", "), n-3)
	}
	switch {
	case len(r.urls) == 1:
		what += " " + r.urls[0].URL
	case len(parts) == 1:
		what += " such as " + r.urls[0].URL
	}
	return fmt.Sprintf("asked as %s from here, the server %s %s (%s)", wording.Some(r.crawlers), r.verb, what, r.answer)
}

// words are the answer in words: "HTTP 403 Forbidden".
func (r *Reply) words() string {
	if r.Status == 0 {
		return "no answer: " + Meaning(r.Code)
	}
	return statusText(r.Status)
}

// edges are products in front of servers: a part of their names in Asked.Edge, and what to check there
// if a crawler is refused that should be let in.
var edges = []struct{ name, advice string }{
	// https://developers.cloudflare.com/bots/additional-configurations/custom-rules, October 2026
	{"cloudflare", "Cloudflare: Look for such requests in Security > Events. Check that no bot setting or custom rule stops verified bots."},
	// https://techdocs.akamai.com/cloud-security/docs/detection-methods
	{"akamai", "Akamai: Check the action of Bot Manager for the category of the crawler, such as web search engines. Deny refuses it."},
	// https://docs.aws.amazon.com/waf/latest/developerguide/waf-bot-control-example-allow-verified-bots.html
	{"aws", aws},
	{"cloudfront", aws},
	// https://www.fastly.com/documentation/guides/security/bot-management/contentguard/managing-bot-traffic/
	{"fastly", "Fastly: Check the action of Bot Management for the category of the crawler. Also check rules of the WAF and VCL snippets."},
	{"sucuri", "Sucuri: Look for such requests in the log of the firewall. Check its lists of blocked User-Agents, countries and addresses."},
	// https://www.wordfence.com/help/firewall/rate-limiting/
	{"wordfence", "Wordfence: Check rate limiting and blocked User-Agents. It can block fake Google crawlers, and let verified ones in."},
}

const aws = "AWS WAF: Check that no rule stops verified bots. A rule after Bot Control can allow the label bot:verified."

// anyEdge is the advice if the product is not known.
const anyEdge = "Look for such requests in the logs of the server and its firewall. Check that verified bots are let in."

// EdgeAdvice returns what to check if a crawler is refused that should be let in, for products as in
// Asked.Edge: a few sentences, never "".
func EdgeAdvice(products []string) string {
	var advice []string
	for _, of := range edges {
		for _, product := range products {
			if strings.Contains(strings.ToLower(product), of.name) && !slices.Contains(advice, of.advice) {
				advice = append(advice, of.advice)
			}
		}
	}
	if advice == nil {
		return anyEdge
	}
	return strings.Join(advice, " ")
}
