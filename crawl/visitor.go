package crawl

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocolly/colly/v2"

	"robots-audit/crawl/internal/weburl"
)

// visitor asks for one page at a time with colly, which fetches over our own
// decorators, parses the HTML and resolves links. Its own limits, cookies,
// cache, visited set and robots.txt are all off: they cut silently, grow without
// bound, or read another standard.
type visitor struct {
	site      *Site
	walk      *linkWalk
	collector *colly.Collector
	limits    limits
	page      *Page      // the one being asked for
	left      *countdown // of the page
}

func newVisitor(s *Site, w *linkWalk) *visitor {
	v := &visitor{site: s, walk: w}
	v.limits = limits{Bytes: w.budget.Bytes, Hops: pageHops, Whole: true, Accept: "text/html, application/xhtml+xml, */*;q=0.5"}
	c := colly.NewCollector()
	// Every field is set after the constructor, which would let COLLY_…
	// variables of the environment decide.
	c.UserAgent = s.client.userAgent()
	c.IgnoreRobotsTxt = true // engine's verdict is asked through allowed
	c.AllowURLRevisit = true // linkWalk.seen
	c.MaxBodySize = 0        // limiter fails where colly would cut silently
	c.MaxDepth, c.MaxRequests = 0, 0
	c.AllowedDomains, c.DisallowedDomains = nil, nil // linkWalk.hosts, which knows ports
	c.ParseHTTPErrorResponse = true
	c.CacheDir = ""
	c.DetectCharset = false
	c.TraceHTTP = false
	c.Async = false
	c.DisableCookies()
	c.WithTransport(locations{s.tripper(v.limits)})
	c.SetRequestTimeout(0) // the decorators' deadlines say what was late
	c.SetRedirectHandler(v.onRedirect)
	c.OnRequest(v.onRequest)
	c.OnResponseHeaders(v.onHeaders)
	c.OnError(v.onError)
	c.OnResponse(v.onResponse)
	c.OnHTML("html", v.onHTML)
	v.collector = c
	return v
}

// visit asks for one page.
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

// setResult writes into the page how the visit ended.
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
