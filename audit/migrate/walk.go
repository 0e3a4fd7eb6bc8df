package migrate

import (
	"context"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// ending says how a chain of redirects ended.
type ending int

const (
	endAnswer  ending = iota // with an answer that is no redirect, or an invalid redirect
	endUnasked               // with a URL that was not requested or gave no answer
	endLoop                  // at a URL that is already in the chain
	endTooLong               // not within the limit
)

// maxHops is the number of redirects to follow, as Google does.
const maxHops = 10

// walk follows the redirects of a pair from the old URL on. false = ctx ended first.
func (r *run) walk(ctx context.Context, p *Pair) (*Result, bool) {
	res := &Result{Line: p.Line, Old: p.Old, New: p.New, Clicks: p.Clicks, Hits: r.Hits.of(p.Old), Important: r.important.has(p)}
	end := endAnswer
	for url := p.Old; ; {
		h := r.hop(ctx, url)
		if ctx.Err() != nil {
			return nil, false
		}
		res.Hops = append(res.Hops, h)
		if !h.redirects() {
			if h.Status == 0 {
				end = endUnasked
			}
			break
		}
		url = h.Location
		if slices.ContainsFunc(res.Hops, func(before Hop) bool { return before.URL == url }) {
			end = endLoop
			break
		}
		if len(res.Hops) > maxHops {
			end = endTooLong
			break
		}
	}
	if !r.target(ctx, res) {
		return nil, false
	}
	res.Listed = r.listed.has(p.New)
	r.judge.judge(res, end, r.m.Sources(p.New))
	return res, true
}

// target checks the planned new URL, and requests it if no redirect led to it.
func (r *run) target(ctx context.Context, res *Result) bool {
	t := &res.Target
	if at := slices.IndexFunc(res.Hops, func(h Hop) bool { return h.URL == res.New }); at >= 0 {
		t.Hop, t.Reached = res.Hops[at], true
	} else if t.Hop = r.sharedHop(ctx, res.New); ctx.Err() != nil {
		return false
	}
	live := r.live(ctx, res.New)
	if live == nil {
		return false
	}
	t.Live = live.verdicts(res.New)
	if r.proposedFor(res.New, live) {
		t.Proposed = r.proposed.verdicts(res.New)
	}
	if r.staging != nil && r.isNew(res.New) {
		t.Staging = r.staging.verdicts(r.staged(res.New))
	}
	return ctx.Err() == nil
}

// sharedHop is hop for the target of several pairs. It is requested once, or a few times if they
// come at the same time.
func (r *run) sharedHop(ctx context.Context, url string) Hop {
	if r.m.Sources(url) == 1 {
		return r.hop(ctx, url)
	}
	r.mu.Lock()
	h, known := r.shared[url]
	r.mu.Unlock()
	if known {
		return h
	}
	h = r.hop(ctx, url)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.shared) < maxShared && ctx.Err() == nil && !transient(h.Status, h.Code) {
		r.shared[url] = h
	}
	return h
}

// maxShared bounds the cached targets of several pairs.
const maxShared = 10_000

// hop judges a URL, and requests it if this program may.
func (r *run) hop(ctx context.Context, url string) (h Hop) {
	h.URL = url
	live := r.live(ctx, url)
	if live == nil {
		h.Code = crawl.CodeCancelled
		return h
	}
	counts, asked := live, url
	if r.isNew(url) {
		if r.staging != nil {
			asked = r.staged(url)
			if h.Asked = asked; live.robots.Status == 0 {
				counts = r.staging
			}
		}
	}
	if r.proposedFor(url, live) {
		counts = r.proposed
	}
	h.Verdicts = counts.verdicts(url)
	h.File = counts.named(h.Verdicts)
	if h.Asked == "" {
		switch {
		case live.robots.Status == 0 && live.robots.Code != "":
			h.Code = live.robots.Code // without its robots.txt, a host gets no more requests
			return h
		case live.self.Verdict(url).Verdict != engine.Allow:
			h.Code = CodeKept
			return h
		}
	}
	code := r.hosts.ask(ctx, asked, func(s *crawl.Site) bool {
		out := s.Peek(ctx, asked)
		h.Status, h.Code = out.Status, out.Code
		if len(out.Hops) > 0 && out.Code == "" {
			h.Location = r.unstaged(out.Hops[0].Location)
		}
		return transient(out.Status, out.Code) && (out.Status == 0 || out.Status == 429 || out.Status == 503)
	})
	if code != "" {
		h.Code = code
	}
	return h
}

// live returns the origin of a URL as it is served now.
func (r *run) live(ctx context.Context, url string) *origin {
	return r.origins.get(ctx, originOf(url))
}

// isNew reports whether a URL is of the new site's host.
func (r *run) isNew(url string) bool { return r.newHost != "" && hostOf(url) == r.newHost }

// ledHere reports whether an origin's robots.txt is redirected to the new host, whose rules then
// apply.
func (r *run) ledHere(o *origin) bool {
	hops := o.robots.Hops
	return len(hops) > 1 && r.isNew(hops[len(hops)-1].URL)
}

// proposedFor reports whether the proposed robots.txt applies to a URL of an origin.
func (r *run) proposedFor(url string, live *origin) bool {
	return r.proposed != nil && (r.isNew(url) || r.ledHere(live))
}

// staged returns the URL of the staging host for a URL of the new host.
func (r *run) staged(url string) string {
	return r.Staging + strings.TrimPrefix(url, originOf(url))
}

// unstaged undoes staged, for a redirect of the staging host within itself.
func (r *run) unstaged(url string) string {
	if r.Staging == "" || originOf(url) != r.Staging {
		return url
	}
	return r.newOrigin + strings.TrimPrefix(url, r.Staging)
}
