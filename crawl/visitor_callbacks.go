package crawl

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/gocolly/colly/v2"
	"golang.org/x/net/html/charset"

	"robots-audit/crawl/internal/weburl"
)

// onRequest aborts a request that is not allowed.
func (v *visitor) onRequest(r *colly.Request) {
	if !v.allowed(r.URL.String()) {
		v.page.Code = CodeDisallowed
		r.Abort()
	}
}

// allowed reports whether a URL may be fetched. This may request another
// robots.txt: that time does not count for the page.
func (v *visitor) allowed(url string) bool {
	v.left.pause()
	defer v.left.resume()
	return v.walk.allowed(url)
}

// onHeaders records the response, and aborts if the body cannot contain links.
func (v *visitor) onHeaders(r *colly.Response) {
	v.page.Status = r.StatusCode
	if final := r.Request.URL.String(); final != v.page.URL {
		v.page.Location = final
	}
	v.page.robotsHeader(*r.Headers)
	if !isHTML(r.Headers.Get("Content-Type")) {
		v.page.linkHeader(*r.Headers, r.Request.URL)
		r.Request.Abort()
	}
}

// onError handles an error that Visit does not return: a page that could not be
// parsed.
func (v *visitor) onError(r *colly.Response, err error) {
	if r.Body != nil {
		v.page.Code, v.page.Detail = CodeBadHTML, weburl.Truncate(err.Error(), maxDetail)
	}
}

// onHTML reads the page. Error pages are skipped, since they show only the site's
// template.
func (v *visitor) onHTML(e *colly.HTMLElement) {
	if v.page.Status/100 != 2 {
		return
	}
	v.page.Parsed = true
	base, err := weburl.Resolve(e.Request.AbsoluteURL(""), e.Request.URL.String()) // the page's own base, if it has one
	if err != nil {
		base = e.Request.URL.String()
	}
	d := document{page: v.page, base: base, seenLinks: map[string]bool{}, seenResources: map[string]bool{}}
	for _, n := range e.DOM.Nodes {
		d.read(n)
	}
	v.page.linkHeader(*e.Response.Headers, e.Request.URL)
}

// onRedirect is called before each redirect hop of a page. It records the
// target, so that a redirect that is not followed is still reported.
func (v *visitor) onRedirect(req *http.Request, via []*http.Request) error {
	v.page.Location = weburl.Truncate(req.URL.String(), weburl.MaxLength)
	if req.Response != nil {
		v.page.Status = req.Response.StatusCode
	}
	u, err := weburl.Normalize(req.URL)
	if err != nil {
		return &Error{CodeBadRedirect, err}
	}
	if len(via) > pageHops {
		return &Error{CodeTooManyRedirects, fmt.Errorf("more than %d redirects", pageHops)}
	}
	for _, before := range via {
		if before.URL.String() == req.URL.String() {
			return &Error{CodeRedirectLoop, fmt.Errorf("it redirects back to %s", weburl.Truncate(req.URL.String(), 200))}
		}
	}
	own := v.walk.hosts[siteKey(u)] || v.page.Depth == 0 && v.walk.isWWWVariant(u)
	if !own {
		return &Error{CodeOffSite, fmt.Errorf("leads to %s", weburl.Truncate(u.Host, 200))}
	}
	if !v.allowed(u.String()) {
		return &Error{CodeDisallowed, fmt.Errorf("leads to %s", weburl.Truncate(u.String(), 200))}
	}
	v.walk.hosts[siteKey(u)] = true
	v.walk.reached(u.String())
	v.page.Redirects = append(v.page.Redirects, Redirect{via[len(via)-1].URL.String(), v.page.Status, v.page.Location})
	return nil
}

// pageTripper resolves the Location of redirects as a crawler does, before
// net/http reads it, which does not know backslashes. A body that cannot contain links
// is drained, since colly and net/http would disconnect.
type pageTripper struct{ next http.RoundTripper }

func (l pageTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	trace := new(requestTrace)
	resp, err := l.next.RoundTrip(req.WithContext(context.WithValue(req.Context(), requestTraceKey{}, trace)))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 || !isHTML(resp.Header.Get("Content-Type")) {
		drain(resp.Body, trace.cancelBody)
		resp.Body = http.NoBody
	}
	if redirects(resp.StatusCode) {
		if u, err := weburl.ReadRelative(resp.Header.Get("Location"), req.URL.String()); err == nil && resp.Header.Get("Location") != "" {
			resp.Header.Set("Location", u.String())
		}
	}
	return resp, nil
}

// isHTML reports whether a Content-Type is HTML; a missing one may be HTML.
func isHTML(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(contentType))
	}
	return kind == "" || strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "application/xhtml+xml")
}

// onResponse converts a page to UTF-8 if its content names another encoding, by a
// byte order mark or a meta element. Without any, it is read as windows-1252, as
// in browsers. Colly has already handled the Content-Type. Valid UTF-8 is read as
// UTF-8, whatever the page names.
func (v *visitor) onResponse(r *colly.Response) {
	if utf8.Valid(r.Body) || strings.Contains(strings.ToLower(r.Headers.Get("Content-Type")), "charset") {
		return
	}
	encoding, name, _ := charset.DetermineEncoding(r.Body[:min(len(r.Body), 1024)], "")
	if name == "utf-8" {
		return
	}
	if body, err := encoding.NewDecoder().Bytes(r.Body); err == nil {
		r.Body = body
	}
}
