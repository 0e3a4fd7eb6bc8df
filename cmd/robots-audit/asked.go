package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// resolver reports for one URL after the other whether crawlers request a different URL that gets
// another verdict.
type resolver struct {
	urls crawl.Resolver
	buf  []byte
}

// anyOrigin is put before a path so that it can be resolved.
const anyOrigin = "https://a.example"

// askedAs returns the URL that a crawler requests instead of a URL or path, and the decision on it,
// if its verdict or line differs.
func (r *resolver) askedAs(group *engine.Group, url string) (asked string, d engine.Decision, differs bool) {
	path := strings.HasPrefix(url, "/")
	r.buf = r.buf[:0]
	if path {
		r.buf = append(r.buf, anyOrigin...)
	}
	r.buf = append(r.buf, url...)
	loc, written, err := r.urls.Resolve(r.buf, "")
	if err != nil || written == nil {
		return "", d, false
	}
	asked = string(loc)
	if path {
		asked = strings.TrimPrefix(asked, anyOrigin)
	}
	given := group.Verdict(url)
	d = group.Verdict(asked)
	return asked, d, d.Verdict != given.Verdict || d.Line() != given.Line()
}

// warnOfResolved warns of URLs for which crawlers request a different URL with another verdict.
func warnOfResolved(w io.Writer, group *engine.Group, urls []string) {
	var r resolver
	for _, url := range urls {
		if asked, d, differs := r.askedAs(group, url); differs {
			why := "no rule matches"
			if d.Rule != nil {
				why = fmt.Sprintf("line %d: %s", d.Rule.Line, cli.OnOneLine(d.Rule.String()))
			}
			cli.Complain(w, "%s: crawlers request %s instead: %s, %s", cli.Named(url), cli.Named(asked), d.Verdict, why)
		}
	}
}

// appendAsked appends the URL that crawlers request instead, if it gets another verdict.
func (r *resolver) appendAsked(b []byte, group *engine.Group, url string) []byte {
	asked, d, differs := r.askedAs(group, url)
	if !differs {
		return b
	}
	b = escape.AppendTerminalString(append(b, `,"asked_as":`...), asked)
	b = append(append(append(b, `,"asked_verdict":"`...), d.Verdict.String()...), `","asked_line":`...)
	return strconv.AppendInt(b, int64(d.Line()), 10)
}
