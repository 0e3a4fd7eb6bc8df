package crawl

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocolly/colly/v2"

	"robots-audit/crawl/internal/weburl"
)

// visitor requests one page at a time with colly, which fetches through our
// decorators, parses the HTML and resolves links. Colly's own limits, cookies,
// cache, visited set and robots.txt are all off: they truncate silently, grow
// without limit, or follow another standard.
type visitor struct {
	site      *Site
	walk      *linkWalk
	collector *colly.Collector
	limits    limits
	page      *Page      // the current page
	left      *countdown // for the page
}

func newVisitor(s *Site, w *linkWalk) *visitor {
	v := &visitor{site: s, walk: w}
	v.limits = limits{Bytes: w.budget.Bytes, Hops: pageHops, Whole: true, Accept: "text/html, application/xhtml+xml, */*;q=0.5", Agent: w.budget.Agent}
	c := colly.NewCollector()
	// Every field is set after the constructor. Otherwise COLLY_… variables of the
	// environment could set it.
	c.UserAgent = s.client.userAgent()
	c.IgnoreRobotsTxt = true // engine's verdict comes through allowed
	c.AllowURLRevisit = true // linkWalk.seen
	c.MaxBodySize = 0        // limiter returns an error where colly would truncate silently
	c.MaxDepth, c.MaxRequests = 0, 0
	c.AllowedDomains, c.DisallowedDomains = nil, nil // linkWalk.hosts, which includes ports
	c.ParseHTTPErrorResponse = true
	c.CacheDir = ""
	c.DetectCharset = false
	c.TraceHTTP = false
	c.Async = false
	c.DisableCookies()
	c.WithTransport(pageTripper{s.tripper(v.limits)})
	c.SetRequestTimeout(0) // the decorators' deadlines have exact errors
	c.SetRedirectHandler(v.onRedirect)
	c.OnRequest(v.onRequest)
	c.OnResponseHeaders(v.onHeaders)
	c.OnError(v.onError)
	c.OnResponse(v.onResponse)
	c.OnHTML("html", v.onHTML)
	v.collector = c
	return v
}

// visit requests one page.
func (v *visitor) visit(ctx context.Context, q queued) (page Page) {
	page = Page{URL: q.url, Depth: q.depth}
	v.page = &page
	defer func() {
		if r := recover(); r != nil { // a page that breaks a parser must not end the run
			page.Code, page.Detail = CodeInternal, weburl.Truncate(fmt.Sprint(r), maxDetail)
		}
	}()
	v.left = newCountdown(v.site.allowance())
	ctx, cancel := context.WithCancelCause(v.left.with(ctx))
	defer cancel(nil)
	v.left.arm(func() { cancel(errAllowance) })
	defer v.left.disarm()
	v.collector.Context = ctx
	page.setResult(ctx, v.collector.Visit(q.url))
	return page
}

// setResult stores the result of the visit in the page.
func (p *Page) setResult(ctx context.Context, err error) {
	var known *Error
	switch {
	case err == nil || errors.Is(err, colly.ErrAbortedAfterHeaders):
		if p.Code == "" && p.Status/100 != 2 {
			p.Code = CodeHTTPStatus
		}
		return
	case errors.As(err, &known):
	case errorContains(err, "Location header"):
		known = &Error{CodeBadRedirect, errors.New("the Location is not a URL")}
	default:
		known = classify(ctx, err, phaseBody)
	}
	p.Code = known.Code
	if known.Err != nil {
		p.Detail = weburl.Truncate(known.Err.Error(), maxDetail)
	}
}
