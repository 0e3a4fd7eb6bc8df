package audit

import (
	"bytes"
	"context"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// addURL queues a URL to be judged. It returns false if the URL is repeated or cannot be judged.
func (s *site) addURL(tally *Sitemap, sitemap int, u *crawl.SitemapURL) bool {
	s.lastHash, s.lastOwn = 0, false
	head, path, reason := s.split(u.Loc)
	end := len(head) + len(path)
	var o *origin
	switch {
	case reason != "":
	case tally != nil && s.isWrongHost(head, u.Kind == crawl.KindLoc || u.Kind == crawl.KindHreflang):
		reason = LeftWrongHost
	default:
		o, reason = s.origin(head)
	}
	if reason != "" {
		s.leaveOut(tally, reason, 1)
		return false
	}
	if len(path) == 0 {
		path = []byte("/")
	}
	s.lastHash, s.lastOwn = s.distinct.Hash(o.index<<4|class(crawl.KindLoc), path), o.own
	hash := s.distinct.OfClass(s.lastHash, class(u.Kind))
	if !s.distinct.AddHash(hash) {
		if tally != nil {
			tally.Repeated++
		}
		return false
	}
	o.waiting.addURL(u.Loc[:end], u, sitemap)
	if s.weights != nil {
		o.waiting.hashes = append(o.waiting.hashes, hash)
	}
	if o.waiting.full() {
		s.ask(o)
		s.judge(o, true)
	}
	return true
}

// class groups kinds that are counted together: pages are one class, every other kind of sitemap
// URL its own. A URL is tested once in each class.
func class(k crawl.Kind) int {
	if k == crawl.KindLink || k == crawl.KindList || k == crawl.KindCanonical {
		return int(crawl.KindLoc)
	}
	return int(k)
}

// IsPage reports whether URLs of a kind are pages, which a site's figures are about. Images, videos
// and alternates are counted separately.
func IsPage(k Kind) bool { return class(k) == class(crawl.KindLoc) }

// pathOf returns the part of loc after head, without the fragment.
func pathOf(loc, head []byte) []byte {
	rest := loc[len(head):]
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// judgeAll judges all URLs that wait.
func (s *site) judgeAll() {
	for i := 0; i < len(s.origins); i++ {
		if o := s.origins[i]; len(o.waiting.list) > 0 {
			s.ask(o)
			s.judge(o, false)
		}
	}
}

// judge tests the URLs that wait for o, counts them and emits them as a batch. Only a few sites do
// so at a time: with hundreds, the batches that wait for the loop would dominate memory. more says
// that URLs will follow.
func (s *site) judge(o *origin, more bool) {
	if s.leaveUnreachable(o) {
		return
	}
	s.judging.acquire(context.Background())
	defer s.judging.release()
	n := len(s.auditor.Crawlers)
	batch, verdicts, lines := newBatch(len(o.waiting.list), n)
	text, at := o.waiting.whole(), 0
	for i, p := range o.waiting.list {
		lastmod := at + int(p.shared) + int(p.rest)
		written := lastmod + int(p.lastmod)
		end := written + int(p.written)
		var weight Weight
		if s.weights != nil {
			weight = s.weights[o.waiting.hashes[i]]
		}
		batch.List = append(batch.List, URL{
			Loc: text[at:lastmod], LastMod: text[lastmod:written], Written: text[written:end], Kind: p.kind, Sitemap: int(p.sitemap), Origin: o.index, Weight: weight,
			Verdicts: verdicts[i*n : i*n+n : i*n+n], Lines: lines[i*n : i*n+n : i*n+n],
		})
		at = end
		s.addHits(batch, i)
		s.decide(o, &batch.List[i])
	}
	if o.waiting.reset(); !more {
		o.waiting = buffer{}
	}
	s.emit(Record{URLs: batch})
}

// decide sets the verdicts of u and counts them. The site's figures and those of its rules are
// about pages; other kinds are counted separately.
func (s *site) decide(o *origin, u *URL) {
	if class(u.Kind) != int(crawl.KindLoc) {
		s.decideOther(o, u)
		return
	}
	by := o.judge()
	s.makeMatrix(by)
	s.samples.add(o, u.Loc)
	tally := s.tally(u.Sitemap)
	s.done.URLs++
	o.pages++
	s.done.Clicks += u.Clicks
	if u.HasClicks() {
		s.done.ClicksGiven++
	}
	if tally != nil {
		tally.Tested++
	}
	if u.Indexed {
		s.done.Indexed.URLs++
	}
	by.matrix.Verdicts(u.Loc, s.decisions)
	if by.index == 0 {
		s.policy.AddPage(u.Loc, s.decisions)
	}
	blocked, unclear := u.setVerdicts(s.decisions[:len(u.Verdicts)], s.done.Blocked)
	by.findings.AddURL(u.Loc, u.Sitemap >= 0, s.decisions)
	u.CountHits(s.done.Hits, s.done.HitsBlocked)
	if blocked {
		s.noteBlocked(o, u)
		s.done.BlockedAny++
		s.countBlockedClicks(o, u)
		if u.Indexed {
			s.done.Indexed.Blocked++
		}
		if u.Kind == crawl.KindLink {
			s.done.Links.Blocked++
		}
		counts := []int64(nil)
		if tally != nil {
			counts = tally.Blocked
		} else if u.Kind == crawl.KindCanonical {
			counts = s.canonicals
		}
		for i := range counts {
			if u.Verdicts[i] == engine.Disallow {
				counts[i]++
			}
		}
	}
	if unclear {
		s.done.Unknown++
	}
}

// isHome reports whether a URL is the home page of a host.
func isHome(loc string) bool {
	_, rest, _ := strings.Cut(loc, "://")
	at := strings.IndexAny(rest, "/?")
	return at < 0 || rest[at:] == "/"
}

// decideOther does the same as decide for an alternate, an image or a video.
func (s *site) decideOther(o *origin, u *URL) {
	k := s.done.Kinds[u.Kind.String()]
	if k == nil {
		k = &Counts{Blocked: make([]int64, len(s.auditor.Crawlers))}
		if s.done.Kinds == nil {
			s.done.Kinds = map[string]*Counts{}
		}
		s.done.Kinds[u.Kind.String()] = k
	}
	k.URLs++
	by := o.judge()
	for i, g := range by.groups {
		s.decisions[i] = g.Verdict(u.Loc)
	}
	blocked, unclear := u.setVerdicts(s.decisions[:len(u.Verdicts)], k.Blocked)
	switch {
	case !blocked:
	case u.Kind == crawl.KindHreflang:
		by.findings.AddTarget(u.Loc, s.decisions, findings.Alternate)
	case u.Kind == crawl.KindCSS, u.Kind == crawl.KindJS:
		by.findings.AddResource(u.Loc, u.Kind, s.decisions)
	}
	if u.Sitemap >= 0 {
		s.checkMedia(by, u)
	}
	if blocked {
		k.BlockedAny++
	}
	if unclear {
		k.Unknown++
	}
}

// setVerdicts copies decisions to u, and counts the blocking ones in counts.
func (u *URL) setVerdicts(decisions []engine.Decision, counts []int64) (blocked, unclear bool) {
	for i, d := range decisions {
		u.Verdicts[i], u.Lines[i] = d.Verdict, int32(d.Line())
		switch d.Verdict {
		case engine.Disallow:
			blocked = true
			counts[i]++
		case engine.Undefined, engine.Unknown:
			unclear = true
		}
	}
	return blocked, unclear
}

// tally returns the counts of a sitemap that is being read; nil for links.
func (s *site) tally(sitemap int) *Sitemap {
	if sitemap < 0 {
		return nil
	}
	t := s.perSitemap[sitemap]
	if t == nil {
		t = &Sitemap{Blocked: make([]int64, len(s.auditor.Crawlers))}
		s.perSitemap[sitemap] = t
	}
	return t
}

func (s *site) leaveOut(tally *Sitemap, reason string, n int64) {
	s.done.LeftOut[reason] += n
	if tally == nil {
		return
	}
	if tally.LeftOut == nil {
		tally.LeftOut = map[string]int64{}
	}
	tally.LeftOut[reason] += n
}
