package crawl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"robots-audit/crawl/internal/weburl"
)

// Limits of Answer.
const (
	AnswerHops  = 5         // redirects that are followed
	answerBytes = 256 << 10 // of the decompressed body
	maxTitle    = 200       // bytes of a title
)

// Answer is the answer to one request in some name. Unlike other results, it has the beginning of the body
// of an HTTP error, too: firewalls send their pages with one. An unread rest of the body is no error, but
// Truncated.
type Answer struct {
	Outcome
	Header  http.Header // of the final answer: the fields of answerFields, each value cut to 1 KiB
	Cookies []string    // names of the cookies of firewalls that it sets, without their values
	Body    []byte      // decompressed, at most 256 KiB
}

// answerFields are the header fields of Answer.Header. They show a product in front of the server, its terms,
// and statements about the page.
var answerFields = []string{
	"Akamai-Grn", "Cf-Mitigated", "Cf-Ray", "Content-Type", "Content-Usage", "Crawler-Max-Price", "Crawler-Price", "Link", "Payment-Required", "Retry-After",
	"Server", "Tdm-Policy", "Tdm-Reservation", "Via", "Www-Authenticate", "X-Amz-Cf-Id", "X-Amzn-Waf-Action", "X-Cache", "X-Cdn", "X-Datadome",
	"X-Iinfo", "X-Robots-Tag", "X-Served-By", "X-Sucuri-Block", "X-Sucuri-Id", "X-Vercel-Mitigated",
}

// answerCookies are beginnings of the names of the cookies of firewalls, in lower case.
var answerCookies = []string{"__cf_bm", "_px", "ak_bmsc", "aws-waf-token", "datadome", "incap_ses", "visid_incap"}

// Answer requests a URL once by GET, with a User-Agent; "" = the client's. It follows redirects as long as
// allowed agrees. The Location of the last hop has the target of one that was not followed (Code
// disallowed). It does not retry, so that the caller can count. The result is not cached, and Client.Served
// does not apply to it. A Retry-After delays the next request to the host, whoever sends it. Millis is without the time that we delayed the requests ourselves.
func (s *Site) Answer(ctx context.Context, raw, agent string, allowed func(url string) bool) *Answer {
	a := &Answer{}
	left := newCountdown(s.allowance())
	lim := limits{Bytes: answerBytes, Hops: AnswerHops, Whole: true, Accept: "text/html, application/xhtml+xml, */*;q=0.5", Agent: agent}
	lim.Allowed = func(url string) *Error {
		if !allowed(url) {
			return &Error{CodeDisallowed, fmt.Errorf("leads to %s", weburl.Truncate(url, 200))}
		}
		return nil
	}
	lim.Each = func(resp *http.Response) {
		s.pace.heed(resp, s.client.timeout())
		a.note(resp)
	}
	b := s.attempt(ctx, raw, lim, left)
	if b.src != nil { // the final answer
		a.Body, _ = io.ReadAll(b)
		b.Close()
		if b.out.Code == CodeBodyTooLarge {
			b.out.Code, b.out.Detail = "", ""
		}
		if b.out.Status/100 != 2 {
			b.out.setError(&Error{CodeHTTPStatus, fmt.Errorf("HTTP %d", b.out.Status)})
		}
	}
	a.Outcome = *b.out
	a.Tries, a.Millis = 1, millis(s.allowance()-left.remaining())
	return a
}

// note keeps what is reported of a response header.
func (a *Answer) note(resp *http.Response) {
	a.Header, a.Cookies = http.Header{}, nil
	for _, name := range answerFields {
		values := resp.Header[name]
		for _, v := range values[:min(len(values), maxHeaderValues)] {
			a.Header[name] = append(a.Header[name], weburl.Truncate(v, maxHeaderValue))
		}
	}
	for _, known := range answerCookies {
		for _, line := range resp.Header["Set-Cookie"] {
			if hasFold(strings.TrimSpace(line), known) {
				a.Cookies = append(a.Cookies, known)
				break
			}
		}
	}
}

// answered returns the URL of the last request.
func (a *Answer) answered() string {
	if n := len(a.Hops); n > 0 {
		return a.Hops[n-1].URL
	}
	return a.URL
}

// Final returns the URL that answered, or the target of the redirect that was not followed.
func (a *Answer) Final() string {
	if n := len(a.Hops); n > 0 && a.Hops[n-1].Location != "" {
		return a.Hops[n-1].Location
	}
	return a.answered()
}

// IsHTML reports whether the answer is an HTML page, by its Content-Type; a missing one may be HTML.
func (a *Answer) IsHTML() bool { return isHTML(a.Type) }

// Page reads the part of the answer's page that is in Body, also if it comes with an HTTP error, and
// returns it with its title. Directives and the Link header are read of any type of answer.
func (a *Answer) Page() (page Page, title string) {
	page = Page{URL: a.URL, Status: a.Status, Code: a.Code, Location: a.Final()}
	defer func() {
		if r := recover(); r != nil { // a page that breaks a parser must not end the run
			page.Code, page.Detail = CodeInternal, weburl.Truncate(fmt.Sprint(r), maxDetail)
		}
	}()
	page.robotsHeader(a.Header)
	if len(a.Body) > 0 && a.IsHTML() {
		title = a.document(&page)
	}
	if u, err := weburl.Read(a.answered()); err == nil {
		page.linkHeader(a.Header, u)
	}
	return page, title
}

// document reads the HTML.
func (a *Answer) document(page *Page) (title string) {
	text, err := charset.NewReader(bytes.NewReader(a.Body), a.Type)
	var root *html.Node
	if err == nil {
		root, err = html.Parse(text)
	}
	if err != nil {
		page.Code, page.Detail = CodeBadHTML, weburl.Truncate(err.Error(), maxDetail)
		return ""
	}
	answered := a.answered()
	d := document{page: page, base: answered, seenLinks: map[string]bool{}, seenResources: map[string]bool{}}
	for n := root; n != nil; n = following(n, root) {
		switch {
		case n.DataAtom == atom.Title && n.Namespace == "" && title == "" && n.FirstChild != nil:
			title = weburl.Truncate(strings.Join(strings.Fields(n.FirstChild.Data), " "), maxTitle)
		case n.DataAtom == atom.Base && d.base == answered:
			if href, ok := attrOf(n, "href"); ok {
				if base := absolute(href, answered); base != "" {
					d.base = base
				}
			}
		}
	}
	d.read(root)
	page.Parsed = true
	return title
}
