package compare

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// mostListed bounds the sitemaps that are reported one by one; the rest is counted.
const mostListed = 20

// set is a set of texts.
type set map[string]bool

// without returns the elements that the other set lacks.
func (s set) without(other set) set {
	rest := set{}
	for key := range s {
		if !other[key] {
			rest[key] = true
		}
	}
	return rest
}

// sitemapsOf returns the values of the Sitemap lines of a file.
func sitemapsOf(body []byte) set {
	whole := *rfc9309
	whole.Limit = -1
	values := set{}
	for _, l := range whole.Parse(body).SitemapLines() {
		values[l.Value] = true
	}
	return values
}

// addSitemapLines reports added and removed Sitemap lines. A line is no loss if its sitemap could not
// be read, or is that of a test system.
func (c *comparison) addSitemapLines() {
	for i := range c.site.Origins {
		o := &c.site.Origins[i]
		if o.Old == nil || o.New == nil || o.SameAs != "" || !o.Old.HasAnswer || !o.New.HasAnswer || o.Old.Kind != BodyText || o.New.Kind != BodyText || o.sameBody() {
			continue
		}
		was, is := sitemapsOf(o.Old.Body), sitemapsOf(o.New.Body)
		lost, useless := set{}, set{}
		for url := range was.without(is) {
			if c.old.failed(url) || isStaging(url, o.Name) {
				useless[url] = true
			} else {
				lost[url] = true
			}
		}
		c.addEach(slices.Sorted(maps.Keys(lost)), func(_, what string) Change {
			return Change{Kind: KindSitemapLine, What: what, Before: "in " + o.Name + "/robots.txt", After: "", Severity: High, Condition: "AL07"}
		})
		c.addEach(slices.Sorted(maps.Keys(useless)), func(_, what string) Change {
			return Change{Kind: KindSitemapLine, What: what, Before: "in " + o.Name + "/robots.txt", After: "", Severity: Info, Condition: ""}
		})
		c.addEach(slices.Sorted(maps.Keys(is.without(was))), func(_, what string) Change {
			return Change{Kind: KindSitemapLine, What: what, Before: "", After: "in " + o.Name + "/robots.txt", Severity: Info, Condition: ""}
		})
	}
}

// failed reports whether a sitemap could not be read, or was blocked even for this audit.
func (s *side) failed(url string) bool {
	return slices.ContainsFunc(s.sitemaps, func(m *audit.Sitemap) bool { return m.URL == url && (isFailed(m) || m.Code == crawl.CodeDisallowed) })
}

// isFailed reports whether a sitemap could not be read, and this says something about the site.
func isFailed(s *audit.Sitemap) bool {
	return sitemapWords(s) != "" && !slices.Contains(uncounted, s.Code)
}

// addEach adds a change for each of some sitemaps, and one change without an address for those past
// mostListed.
func (c *comparison) addEach(sitemaps []string, change func(url, what string) Change) {
	for n, url := range sitemaps {
		if n == mostListed {
			more := change("", wording.Plural(len(sitemaps)-n, "more sitemap"))
			more.Subjects = sitemapSubjects(&more, sitemaps[n:])
			c.add(more)
			return
		}
		one := change(url, "sitemap "+url)
		one.Subjects = sitemapSubjects(&one, sitemaps[n:n+1])
		c.add(one)
	}
}

// sitemapSubjects group sitemaps by what happened to them. A missing sitemap may be blocked as well.
func sitemapSubjects(ch *Change, urls []string) (subjects []string) {
	if ch.Condition == "" || ch.Condition == ended {
		return nil
	}
	for _, url := range urls {
		subjects = append(subjects, ch.Kind+" "+url)
	}
	return subjects
}

// uncounted are the codes of sitemaps that say nothing about the site: our own limits and
// interruptions, and sitemaps that robots.txt blocks for this program.
var uncounted = []string{
	crawl.CodeBadURL, crawl.CodeSitemapOrigins, crawl.CodeDisallowed, crawl.CodeSitemapBudget, crawl.CodeURLBudget,
	crawl.CodeSitemapDepth, crawl.CodeSitemapFails, crawl.CodeCancelled, crawl.CodeInternal, crawl.CodeBlockedAddress,
}

// sitemapPair is a sitemap that both sides know.
type sitemapPair struct{ old, new *audit.Sitemap }

// addSitemaps reports sitemaps that failed, can be read again, or shrank, and unusual content.
func (c *comparison) addSitemaps() {
	if c.old.done == nil || c.new.done == nil {
		return
	}
	pairs, gone, came := c.pairSitemaps()
	failed, mended, changed := map[string]sitemapPair{}, map[string]sitemapPair{}, map[string]sitemapPair{}
	var read []sitemapPair
	for _, p := range pairs {
		switch was, is := sitemapWords(p.old), sitemapWords(p.new); {
		case slices.Contains(uncounted, p.old.Code) || slices.Contains(uncounted, p.new.Code):
		case was == "" && is == "":
			read = append(read, p)
		case was == "":
			failed[p.new.URL] = p
		case is == "":
			mended[p.new.URL] = p
		case was != is:
			changed[p.new.URL] = p
		}
	}
	for _, kind := range []struct {
		of        map[string]sitemapPair
		severity  Severity
		condition string
	}{{failed, High, "AL07"}, {mended, Info, ended}, {changed, Info, ""}} {
		c.addEach(slices.Sorted(maps.Keys(kind.of)), func(url, what string) Change {
			ch := Change{Kind: KindSitemap, What: what, Before: "", After: "", Severity: kind.severity, Condition: kind.condition}
			if p, one := kind.of[url]; one {
				ch.Before, ch.After = readWords(p.old), readWords(p.new)
			}
			return ch
		})
	}
	if bound(c.old.done) || bound(c.new.done) {
		c.site.Notes = append(c.site.Notes, "One of the runs reached a limit while it read sitemaps. The numbers of their URLs are not compared.")
		return
	}
	whole := !c.has(KindSitemapLine, KindSitemap)
	if whole && gone+came > 0 {
		c.add(Change{Kind: KindSitemaps, What: "sitemaps", Before: wording.Plural(len(c.old.sitemaps), "sitemap"), After: fmt.Sprintf("%s: %s added, %s removed",
			wording.Plural(len(c.new.sitemaps), "sitemap"), wording.Thousands(came), wording.Thousands(gone)), Severity: Info, Condition: ""})
	}
	c.addSitemapURLs(read, whole)
	c.addSitemapNotes(read)
}

// pairSitemaps pairs the sitemaps of both sides by their addresses, and counts those of one side
// only.
func (c *comparison) pairSitemaps() (pairs []sitemapPair, gone, came int) {
	olds := map[string]*audit.Sitemap{}
	for _, s := range c.old.sitemaps {
		olds[s.URL] = s
	}
	gone = len(olds)
	paired := set{}
	for _, s := range c.new.sitemaps {
		if paired[s.URL] {
			continue
		}
		paired[s.URL] = true
		if old := olds[s.URL]; old != nil {
			pairs = append(pairs, sitemapPair{old, s})
			gone--
		} else {
			came++
		}
	}
	return pairs, gone, came
}

// sitemapWords describe a failed request for a sitemap; "" = it succeeded.
func sitemapWords(s *audit.Sitemap) string {
	switch {
	case s.Code == "":
		return ""
	case s.Code == crawl.CodeHTTPStatus:
		return fmt.Sprintf("HTTP %d %s", s.Status, http.StatusText(s.Status))
	}
	return audit.Meaning(s.Code)
}

// readWords describe the result of reading a sitemap.
func readWords(s *audit.Sitemap) string {
	switch words := sitemapWords(s); {
	case words != "":
		return words
	case s.Format == "index":
		return "lists " + wording.Plural(s.URLs, "sitemap")
	}
	return "lists " + wording.Plural(s.URLs, "URL")
}

// bound reports whether a run reached a limit of sitemaps, so that its counts are incomplete.
func bound(d *audit.Done) bool {
	return slices.ContainsFunc(d.Limits, func(l audit.Limit) bool {
		return slices.Contains([]string{
			audit.LimitURLs, audit.LimitSitemaps, audit.LimitSitemapBytes, audit.LimitSitemapDepth, audit.LimitSitemapFails,
			audit.LimitOrigins, audit.LimitSiteTime, audit.LimitWaiting, audit.LimitFault,
		}, l.Name)
	})
}

// urlMoves is the percentage by which the number of URLs must change to be reported. For one
// sitemap among several, the change must also be at least urlsLeast URLs.
const (
	urlMoves  = 30
	urlsLeast = 10
)

// addSitemapURLs reports how the number of URLs in sitemaps changed. It compares the total, without
// sitemaps reported as lost or failed. If the total did not change enough, it compares each
// sitemap.
func (c *comparison) addSitemapURLs(read []sitemapPair, whole bool) {
	var was, is int64
	for _, p := range read {
		if p.new.Format != "index" && p.old.Format != "index" {
			was, is = was+p.old.URLs, is+p.new.URLs
		}
	}
	if whole {
		was, is = urlsOf(c.old.sitemaps), urlsOf(c.new.sitemaps)
	}
	switch moved(was, is) {
	case -1:
		c.add(Change{Kind: KindSitemapURLs, What: "all sitemaps", Before: wording.Plural(was, "URL"), After: wording.Plural(is, "URL") + ": " + wording.Percent(was-is, was) + " fewer", Severity: High, Condition: "AL07", Subjects: []string{"all sitemaps"}, URLs: was - is})
		return
	case 1:
		c.add(Change{Kind: KindSitemapURLs, What: "all sitemaps", Before: wording.Plural(was, "URL"), After: wording.Plural(is, "URL") + ": " + wording.Percent(is-was, was) + " more", Severity: Info, Condition: ""})
		return
	}
	listed := 0
	for _, p := range read {
		if moved(p.old.URLs, p.new.URLs) == -1 && p.old.URLs-p.new.URLs >= urlsLeast && p.new.Format == p.old.Format && listed < mostListed {
			c.add(Change{Kind: KindSitemapURLs, What: "sitemap " + p.new.URL, Before: readWords(p.old), After: readWords(p.new), Severity: Medium, Condition: ""})
			listed++
		}
	}
}

func urlsOf(sitemaps []*audit.Sitemap) (n int64) {
	for _, s := range sitemaps {
		if s.Format != "index" {
			n += s.URLs
		}
	}
	return n
}

// moved returns -1 if a number decreased by more than urlMoves percent, and 1 if it increased by
// more.
func moved(was, is int64) int {
	switch {
	case was > 0 && (was-is)*100 > was*urlMoves:
		return -1
	case was > 0 && (is-was)*100 > was*urlMoves:
		return 1
	}
	return 0
}

// addSitemapNotes reports unusual content of sitemaps that is new or gone.
func (c *comparison) addSitemapNotes(read []sitemapPair) {
	came, gone := map[string][]string{}, map[string][]string{}
	for _, p := range read {
		was, is := noteCodes(p.old), noteCodes(p.new)
		for code := range is.without(was) {
			came[code] = append(came[code], p.new.URL)
		}
		for code := range was.without(is) {
			gone[code] = append(gone[code], p.new.URL)
		}
	}
	codes := set{}
	for _, of := range []map[string][]string{came, gone} {
		for code := range of {
			codes[code] = true
		}
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if list := came[code]; list != nil {
			c.add(Change{Kind: KindSitemapNote, What: such("sitemap", list), Before: "", After: audit.Meaning(code), Severity: Info, Condition: ""})
		}
		if list := gone[code]; list != nil {
			c.add(Change{Kind: KindSitemapNote, What: such("sitemap", list), Before: audit.Meaning(code), After: "", Severity: Info, Condition: ""})
		}
	}
}

// noteCodes returns the codes of unusual content in a sitemap. Other changes report empty sitemaps
// (by the number of URLs), undeclared ones and consent of other hosts (by the lines).
func noteCodes(s *audit.Sitemap) set {
	codes := set{}
	for _, n := range s.Notes {
		if !slices.Contains([]string{crawl.NoteEmptyFile, crawl.NoteEmptySitemap, crawl.NoteEmptyNews, audit.NoteUndeclared, audit.NoteCrossSubmitted, audit.NoteHostUnknown, audit.NoteMissingWWW, audit.NoteIncludesWWW, crawl.NoteOtherHost, crawl.NoteRepeated}, n.Code) {
			codes[n.Code] = true
		}
	}
	return codes
}

// addSitemapsBlocked reports sitemaps that robots.txt newly blocks or allows, and for whom. A
// crawler that may not fetch "/" of the site is reported by addRoot only, because it needs no
// sitemap.
func (c *comparison) addSitemapsBlocked() {
	blocked, freed := map[string][]string{}, map[string][]string{} // sitemaps by crawlers
	if !slices.ContainsFunc(c.site.Origins, func(o Origin) bool { return o.Old != nil && o.New != nil && !o.sameBody() }) {
		return
	}
	for _, url := range c.sitemapURLs() {
		old, new := c.old.originNamed(originOf(url)), c.new.originNamed(originOf(url))
		if old == nil || new == nil || old.recorded || new.recorded || bytes.Equal(old.record.File.Body, new.record.File.Body) {
			continue
		}
		old, new = c.old.judge(old.record.Index, c.old.readers), c.new.judge(new.record.Index, c.new.readers)
		var lost, found []int
		for i := range c.site.Crawlers {
			if !c.site.Crawlers[i].SameReader() || old.readings[i].Access != engine.Parsed || new.readings[i].Access != engine.Parsed {
				continue
			}
			was, is := old.groups[i].Verdict(url).Verdict, new.groups[i].Verdict(url).Verdict
			switch {
			case becomesBlocked(was, is) && !c.new.blocksHome(i):
				lost = append(lost, i)
			case ClassOf(was, is) == NewlyAllowed && !c.old.blocksHome(i):
				found = append(found, i)
			}
		}
		if lost != nil {
			blocked[c.labels(lost)] = append(blocked[c.labels(lost)], url)
		}
		if found != nil {
			freed[c.labels(found)] = append(freed[c.labels(found)], url)
		}
	}
	c.addBlockedSitemaps(blocked, "allowed")
	for _, crawlers := range slices.Sorted(maps.Keys(freed)) {
		c.add(Change{Kind: KindSitemapBlocked, What: such("sitemap", freed[crawlers]), Before: "blocked for " + crawlers, After: "allowed", Severity: Info, Condition: ended})
	}
}

// blocksHome reports whether a crawler may not fetch "/" of the site itself. A sitemap on another host
// is needed even if nothing else may be fetched there.
func (s *judged) blocksHome(reader int) bool {
	own := s.own()
	if own == nil {
		return false
	}
	is, _, _ := s.root(own, reader)
	return is == engine.Disallow
}

// addBlockedSitemaps reports blocked sitemaps, by crawlers.
func (c *comparison) addBlockedSitemaps(blocked map[string][]string, before string) {
	for _, crawlers := range slices.Sorted(maps.Keys(blocked)) {
		ch := Change{Kind: KindSitemapBlocked, What: such("sitemap", blocked[crawlers]), Before: before, After: "blocked for " + crawlers, Severity: High, Condition: "AL07"}
		ch.Subjects = sitemapSubjects(&ch, blocked[crawlers])
		c.add(ch)
	}
}

// mostSitemaps bounds the sitemaps that are judged.
const mostSitemaps = 10_000

// sitemapURLs returns the sorted addresses of the new side's sitemaps.
func (c *comparison) sitemapURLs() []string {
	urls := set{}
	for _, s := range c.new.sitemaps {
		if len(urls) < mostSitemaps {
			urls[s.URL] = true
		}
	}
	for _, g := range c.new.asked() {
		if g.isText() {
			for _, l := range c.new.standard(g).Sitemaps() {
				if len(urls) < mostSitemaps {
					urls[l.Value] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(urls))
}
