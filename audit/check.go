package audit

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/audit/internal/hosts"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// noteDifferingRobots notes a robots.txt answer that differs from the one that counts. asker is as in Asker;
// "" = it is from another address of the site. how is as of differing.
func (s *site) noteDifferingRobots(other crawl.RobotsFile, asker string, severity engine.Severity, how string) {
	id := findings.DiffersByUserAgent
	if asker == "" {
		id = findings.DiffersByAddress
	}
	if own := s.origins[0].findings; own != nil && s.firstSeen(id, other.URL+" "+how) {
		own.AddDiffering(id, 0, severity, how, other.URL)
	}
}

// differing describes an answer to a request for robots.txt, and the one that counts.
func (s *site) differing(other, counts crawl.RobotsFile, asker string) string {
	theirs, ours := answerWords(other), answerWords(counts)
	if theirs == ours {
		theirs = "other content"
	}
	if asker == "" {
		return theirs + " at another address, " + ours + " at " + s.origins[0].name
	}
	return theirs + " " + asker + ", " + ours + " to this audit"
}

// compareRobots compares the site's robots.txt with that of its other schemes and ports, and with
// and without "www.", if known URLs are there. A robots.txt applies only to its own scheme, host
// and port.
func (s *site) compareRobots() {
	own := s.origins[0]
	for _, o := range s.origins[1:] {
		if o.findings == nil || !sameSite(own.name, o.name) || o.file.Code == own.file.Code && o.file.Status == own.file.Status && o.file.SHA256 == own.file.SHA256 {
			continue
		}
		other, counts := crawl.RobotsFile{Outcome: o.file}, crawl.RobotsFile{Outcome: own.file}
		s.noteDifferingRobots(other, "", engine.Warning, s.differing(other, counts, ""))
	}
}

// sameSite reports whether two origins look like one site to visitors.
func sameSite(a, b string) bool {
	host := func(origin string) string {
		d, _ := ParseDomain(origin)
		return strings.TrimPrefix(d.Host, "www.")
	}
	return host(a) == host(b)
}

// checkTarget judges a URL that is not counted among the site's URLs, and notes it if rules block
// it. what is one of the words of AddTarget.
func (s *site) checkTarget(o *origin, url, what string) {
	for i, g := range o.groups {
		s.decisions[i] = g.Verdict(url)
	}
	o.findings.AddTarget(url, s.decisions, what)
}

// checkRedirects notes the first URL in the redirects of a page that is blocked. It ends them for a
// crawler, which then does not reach the page: that matters for the home page and for pages of sitemaps.
func (s *site) checkRedirects(p *crawl.Page) {
	what, home := findings.RedirectTarget, p.Depth == 0
	if home {
		what = findings.HomeTarget
	}
	targets := make([]string, 0, len(p.Redirects)+1)
	for _, r := range p.Redirects {
		targets = append(targets, r.To)
	}
	for _, url := range append(targets, p.Location) {
		verdicts, lines := s.verdictsOn(url)
		to := redirect{to: url}
		for i, v := range verdicts {
			if v == engine.Disallow && lines[i] > 0 && s.leads(i) {
				to.crawlers, to.line = append(to.crawlers, i), int(lines[i])
			}
		}
		if url == "" || url == p.URL || to.crawlers == nil {
			continue
		}
		s.checkPointedAt(url, what)
		switch {
		case home:
			s.homeRedirect = &to
		case s.listed(p.URL):
			s.listedRedirects++
		}
		return
	}
}

// checkPage checks the redirects and the canonical URL of a page.
func (s *site) checkPage(p *crawl.Page) {
	s.checkRedirects(p)
	if p.Status/100 != 2 {
		return
	}
	if p.Canonical != p.URL {
		s.checkPointedAt(p.Canonical, findings.CanonicalPage)
	}
}

// checkPointedAt notes a blocked URL that pages point to.
func (s *site) checkPointedAt(url, what string) {
	if !s.firstSeen(what, url) {
		return
	}
	if o := s.readOrigin(url); o != nil {
		s.checkTarget(o, url, what)
	}
}

// checkNoIndex notes a page with a noindex that a search engine cannot see. We saw it because our
// own group allows the page.
func (s *site) checkNoIndex(p *Page) {
	o := s.readOrigin(p.URL)
	if o == nil {
		return
	}
	var lines []int32
	for _, i := range p.NoIndexUnseen() {
		if p.Lines[i] > 0 {
			lines = append(lines, p.Lines[i])
		}
	}
	o.findings.AddBlocked(findings.NoIndexUnseen, lines, p.URL)
}

// roleLink is the role of link targets.
const roleLink = "link"

// maxSeen bounds the different URLs that firstSeen remembers. Further URLs are not checked.
const maxSeen = 50_000

// firstSeen reports whether a URL is new in a role.
func (s *site) firstSeen(role, url string) bool {
	if url == "" {
		return false
	}
	hash := s.distinct.Hash(0, []byte(role+" "+url))
	if s.seen[hash] {
		return false
	}
	if len(s.seen) >= maxSeen {
		if role == roleLink {
			s.addLimit(LimitLinks, wording.Thousands(maxSeen)+" links", 0)
		}
		return false
	}
	if s.seen == nil {
		s.seen = map[uint64]bool{}
	}
	s.seen[hash] = true
	return true
}

// readOrigin returns the origin that judges a URL if its robots.txt was read. It does not fetch
// another one, since a remark is not worth a request.
func (s *site) readOrigin(url string) *origin {
	head, _, reason := split([]byte(url))
	if reason != "" {
		return nil
	}
	name := originName(head)
	for _, o := range s.origins {
		if by := o.judge(); by.findings != nil && o.name == name {
			return by
		}
	}
	return nil
}

// readable are the codes of sitemaps that could be read as far as this audit wanted: its own limits
// and interruptions, and texts that are not URLs, which Lint reports.
var readable = []string{
	crawl.CodeBadURL, CodeWrongHost, crawl.CodeSitemapOrigins, crawl.CodeDisallowed,
	crawl.CodeSitemapBudget, crawl.CodeURLBudget, crawl.CodeSitemapDepth, crawl.CodeCancelled, crawl.CodeInternal, crawl.CodeBlockedAddress,
}

// saidByNotes are the codes of sitemaps with notes that say why they could not be read, and these notes.
var saidByNotes = map[string][]string{
	crawl.CodeEmptyFile: {crawl.NoteEmptyFile}, crawl.CodeSitemapLoop: {crawl.CodeSitemapLoop}, crawl.CodeSitemapTooBig: {crawl.CodeSitemapTooBig},
	crawl.CodeSitemapBroken: {crawl.NoteNotWellFormed}, crawl.CodeNotASitemap: {crawl.NoteUnknownCharset, crawl.NoteNestedGzip, crawl.NoteUnsupported},
}

// NotesSay reports whether the notes on a sitemap say why it could not be read, so that they are the
// finding.
func NotesSay(file *crawl.SitemapFile) bool {
	said := saidByNotes[file.Code]
	return slices.ContainsFunc(file.Notes, func(n crawl.Note) bool { return slices.Contains(said, n.Code) })
}

// checkSitemap notes a sitemap that crawlers cannot read, and everything that is wrong with it.
func (s *site) checkSitemap(file *crawl.SitemapFile) {
	own := s.origins[0].findings
	if unreadable(file) && s.ctx.Err() == nil { // after the end of the site's time, a failure proves nothing
		own.AddOccurrence(findings.SitemapUnreadable, int32(file.Line), unreadBecause(file), file.URL)
	}
	own.AddSitemap(file.Line, file.URL, file.URLs, file.Notes)
}

// checkIndexed notes a blocked sitemap that an index names, that another redirects to, or that the robots.txt
// of another host blocks. Lint reports the others: it knows one robots.txt.
func (s *site) checkIndexed(t *Sitemap) {
	o := s.readOrigin(t.URL)
	if t.Parent < 0 && t.BlockedTarget == "" && o == s.origins[0] {
		return
	}
	if o == nil {
		return
	}
	var lines []int32
	for i, v := range t.Self {
		if v == engine.Disallow && t.SelfLines[i] > 0 && o.findings.FindsPages(i) && (o.index > 0 || !o.reads[i].BlocksRoot) {
			lines = append(lines, t.SelfLines[i])
		}
	}
	o.findings.AddBlocked(findings.IndexedSitemapBlocked, lines, cmp.Or(t.BlockedTarget, t.URL))
}

// SitemapFindings are the findings about one sitemap, in the order of its lines: as those of an audit,
// but at the place of the first case, which crawl.ReadSitemap and Site.LintSitemap know. More is the
// number of other cases.
func SitemapFindings(file *crawl.SitemapFile) []engine.Finding {
	notes := slices.Clone(file.Notes)
	for i := range notes {
		if notes[i].Code == crawl.NoteOtherHost {
			notes[i].Code = unaskedHosts(file)
		}
	}
	list := findings.OfSitemap(notes)
	if unreadable(file) {
		list = append(list, findings.UnreadSitemap(unreadBecause(file)))
	}
	slices.SortStableFunc(list, func(x, y engine.Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(y.Severity, x.Severity), cmp.Compare(x.Column, y.Column), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// unaskedHosts returns the code of the note on entries of other hosts, of which none was asked for its robots.txt.
func unaskedHosts(file *crawl.SitemapFile) string {
	for _, other := range file.Others {
		if !hosts.KindOf(hostOf(other.Origin)).Unreachable() {
			return NoteHostUnknown
		}
	}
	if file.Own == 0 {
		return NoteWrongBase
	}
	return NoteWrongHost
}

// unreadBecause says why a sitemap could not be read.
func unreadBecause(file *crawl.SitemapFile) string {
	if file.Code == crawl.CodeHTTPStatus {
		return statusText(file.Status)
	}
	return Meaning(file.Code)
}

// unreadable reports whether crawlers cannot read a sitemap, and no note says why.
func unreadable(file *crawl.SitemapFile) bool {
	return file.Code != "" && !NotesSay(file) && !slices.Contains(readable, file.Code)
}

// mediaCrawlers are the crawlers that request the images and videos of sitemaps for Google, whichever
// crawlers an audit is about.
var mediaCrawlers = func() []Crawler {
	list, err := ParseCrawlers("Googlebot-Image,Googlebot,Googlebot-Video")
	if err != nil {
		panic(err) // cannot happen: the crawler list has them
	}
	return list
}()

// checkMedia notes an image, thumbnail, video or player of a sitemap that Google may not request. o is the
// origin that judges it.
func (s *site) checkMedia(o *origin, u *URL) {
	var from, to int // of mediaCrawlers
	switch u.Kind {
	case crawl.KindImage:
		to = 1
	case crawl.KindVideo: // Googlebot renders players
		from, to = 1, len(mediaCrawlers)
	default:
		return
	}
	if o.findings == nil {
		return
	}
	if o.media == nil {
		apart(func() { s.readMedia(o) })
	}
	for i := from; i < to; i++ {
		if o.media[i] == nil {
			continue
		}
		if d := o.media[i].Verdict(u.Loc); d.Verdict == engine.Disallow && d.Line() > 0 {
			o.findings.AddMedia(mediaCrawlers[i].Name, u.Kind, int32(d.Line()), u.Loc)
			return
		}
	}
}

// readMedia reads o's robots.txt for the mediaCrawlers. A group that blocks nothing is nil.
func (s *site) readMedia(o *origin) {
	defer s.answers.Forget()
	o.media = make([]*engine.Group, len(mediaCrawlers))
	for i, c := range mediaCrawlers {
		r := s.answers.Read(o.index, c.profile, c.robot)
		if g := r.Group(c.robot); !blocksNothing(r.Access, g) {
			o.media[i] = g
		}
	}
}
