package audit

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// CodeRobotsDiffers marks a robots.txt that differs for another User-Agent or on another address of
// the same site.
const CodeRobotsDiffers = "robots_differs"

// askAgain requests the site's robots.txt again if SecondLook is set, and notes every answer that
// differs.
func (s *site) askAgain(first *crawl.RobotsFile) {
	if s.auditor.SecondLook == nil || unreachable(first.Code) {
		return
	}
	look := s.auditor.SecondLook
	for _, other := range s.fetch.RobotsVariants(s.ctx, s.origins[0].name, first, *look) {
		if other.Differs == "" {
			if other.UserAgent == "" && other.File.Code == "" {
				s.second.noteAddress(&other) // if robots.txt differs, so may the rest, and the finding says it
			}
			continue
		}
		p := Differing(&other, first, look)
		severity, how := engine.Warning, s.differing(other.File, *first, Asker(&p))
		if s.shutsGooglebotOut(&other) {
			severity, how = engine.Error, how+". Googlebot gets a file that blocks the home page"
		}
		s.noteDifferingRobots(other.File, Asker(&p), severity, how)
		if s.problem(p.Stage, p.Code, p.URL, p.Detail); s.grave == 1 || severity == engine.Error {
			s.firstProblem = "robots.txt differs: " + how
		}
	}
}

// shutsGooglebotOut reports whether Googlebot gets a robots.txt that blocks the home page for it, unlike the one
// that counts.
func (s *site) shutsGooglebotOut(v *crawl.Variant) bool {
	if !isGooglebot(v.UserAgent) || v.File.Code != "" {
		return false
	}
	var read Answers
	read.Add(0, v.Origin, &v.File)
	for i, c := range s.auditor.Crawlers {
		if c.Name == "Googlebot" && !s.origins[0].reads[i].BlocksRoot && read.Read(0, c.profile, c.robot).Group(c.robot).Verdict("/").Verdict == engine.Disallow {
			return true
		}
	}
	return false
}

// Differing returns the problem for an answer to a variant of the second look that differs from the
// first answer.
func Differing(v *crawl.Variant, first *crawl.RobotsFile, look *crawl.Variants) Problem {
	asked := askedHere
	if v.UserAgent != "" {
		asked = askedGooglebot // the only one
		if len(look.UserAgents) != 1 {
			asked = fmt.Sprintf("%s%q", askedAgent, v.UserAgent)
		}
	}
	return Problem{Stage: StageRobots, Code: CodeRobotsDiffers, URL: v.RobotsURL(), Detail: asked + " " + describe(v.File) + toThisAudit + describe(*first) + " at " + first.URL}
}

// How the detail of a problem begins: for whom, or where, the answer was different.
const (
	askedHere      = "here"
	askedGooglebot = "to Googlebot's User-Agent"
	askedAgent     = "to the User-Agent "
)

// toThisAudit is between the two answers.
const toThisAudit = ". To this audit "

// Asker returns the User-Agent that got a different robots.txt (CodeRobotsDiffers), as in the
// problem's detail: "to Googlebot's User-Agent". "" = our own, on another address.
func Asker(p *Problem) string {
	if strings.HasPrefix(p.Detail, askedGooglebot+" ") {
		return askedGooglebot
	}
	if quoted, ok := strings.CutPrefix(p.Detail, askedAgent); ok {
		if name, err := strconv.QuotedPrefix(quoted); err == nil {
			return askedAgent + name
		}
	}
	return ""
}

// DifferingAnswers returns the answer that differs (CodeRobotsDiffers), the answer to this audit and
// its URL, as in the problem's detail. It omits checksums, which are of no use to people.
func DifferingAnswers(p *Problem) (theirs, ours, url string) {
	theirs, ours, _ = strings.Cut(checksum.ReplaceAllString(p.Detail, ""), toThisAudit)
	if at := strings.LastIndex(ours, " at "); at >= 0 {
		ours, url = ours[:at], ours[at+len(" at "):]
	}
	return strings.TrimPrefix(theirs, cmp.Or(Asker(p), askedHere)+" "), ours, url
}

var checksum = regexp.MustCompile(`, sha256 [0-9a-f]+…`)

// AskerStatus returns the HTTP status of a robots.txt that differs (CodeRobotsDiffers), as in the
// problem's detail; 0 = no usable answer.
func AskerStatus(p *Problem) (status int) {
	theirs, _, _ := DifferingAnswers(p)
	fmt.Sscanf(theirs, "HTTP %d", &status)
	return status
}

// describe puts an answer in words, with its checksum: answers of one size may differ.
func describe(file crawl.RobotsFile) string {
	words := answerWords(file)
	if file.Code == "" && file.Status == 200 {
		words += fmt.Sprintf(", sha256 %.8s…", file.SHA256)
	}
	return words
}

// answerWords are describe without the checksum.
func answerWords(file crawl.RobotsFile) string {
	switch {
	case file.Code != "" && file.Code != crawl.CodeHTTPStatus:
		return "no usable answer (" + Meaning(file.Code) + ")"
	case file.Status != 200:
		return statusText(file.Status)
	case file.Given:
		return "your draft of robots.txt with " + wording.Plural(file.Bytes, "byte")
	}
	return "HTTP 200 with " + wording.Plural(file.Bytes, "byte")
}

// CodeAnswerDiffers marks a sitemap or page that differs for another User-Agent, on another address of
// the same site, or at each request.
const CodeAnswerDiffers = "answer_differs"

// Limits of the second look at sitemaps and the home page.
const (
	lookedSitemaps = 3               // first sitemaps of the site
	lookedBytes    = 10 << 20        // of one of them
	lookTime       = 2 * time.Minute // for all; with more, nothing is known
)

// browserAgent is the User-Agent of a browser. It is sent only if an answer to a crawler is in question.
const browserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"

// secondLook has what the second look compares with: answers to this audit.
type secondLook struct {
	sitemaps  []lookedSitemap
	home      *lookedAnswer // nil = it was not requested
	addresses []lookedAddress
}

// lookedSitemap is a sitemap to request again.
type lookedSitemap struct {
	url   string
	line  int
	first lookedAnswer
}

// lookedAddress is another address of the same site, and what this program may fetch there.
type lookedAddress struct {
	origin string
	self   *engine.Group
}

// lookedAnswer is what the second look compares of an answer.
type lookedAnswer struct {
	status  int
	code    string // why there was no answer
	url     string // that answered, or the target of a redirect that was not followed
	format  string // of a sitemap: "none", "unknown" for an error, or its format; "" = a page
	sum     string // checksum of a sitemap that was read whole; "" = unknown
	entries int64  // of a sitemap
	bytes   int64  // likewise
	html    bool   // of a page, as the following fields
	titled  bool
	noIndex bool // for Googlebot
	skipped bool // not requested because robots.txt blocks this program, or interrupted
}

// noteSitemap keeps the answer of one of the first sitemaps.
func (l *secondLook) noteSitemap(file *crawl.SitemapFile) {
	if l != nil && len(l.sitemaps) < lookedSitemaps && file.Parent < 0 && file.Status != 0 && (file.Line > 0 || !notFound(file.Status)) {
		l.sitemaps = append(l.sitemaps, lookedSitemap{file.URL, file.Line, sitemapAnswer(file)})
	}
}

// noteHome keeps the answer to the request for the home page.
func (l *secondLook) noteHome(p *crawl.Page) {
	if l != nil {
		answer := pageAnswer(p)
		l.home = &answer
	}
}

// noteAddress keeps another address of the site.
func (l *secondLook) noteAddress(v *crawl.Variant) {
	var read Answers
	read.Add(0, v.Origin, &v.File)
	l.addresses = append(l.addresses, lookedAddress{v.Origin, read.Read(0, rfc9309, self).Group(self)})
}

func sitemapAnswer(f *crawl.SitemapFile) lookedAnswer {
	a := lookedAnswer{status: f.Status, code: f.Code, url: f.URL, format: f.Format, entries: f.URLs, bytes: f.Bytes, skipped: f.Status == 0 && len(f.Hops) == 0}
	if n := len(f.Hops); n > 0 {
		a.url = f.Hops[n-1].URL
	}
	switch {
	case f.Status/100 != 2:
		a.format = "unknown"
	case f.Format == "":
		a.format = "none"
	}
	if !f.Truncated && f.Code != crawl.CodeBodyTooLarge {
		a.sum = f.SHA256
	}
	return a
}

func pageAnswer(p *crawl.Page) lookedAnswer {
	a := lookedAnswer{status: p.Status, code: p.Code, url: p.Location, html: p.Parsed, titled: p.Titled, noIndex: p.NoIndexFor("googlebot"), skipped: p.Code == crawl.CodeDisallowed && p.Location == ""}
	if a.url == "" {
		a.url = p.URL
	}
	return a
}

// lookAgain requests the first sitemaps and the home page again if SecondLook is set, and notes every
// answer that differs. It is bounded in time, and proves nothing if the time is over.
func (s *site) lookAgain() {
	if s.second == nil || s.origins[0].findings == nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, lookTime)
	defer cancel()
	for i := range s.second.sitemaps {
		m := &s.second.sitemaps[i]
		s.compareAgents(ctx, m.first, func(agent string) lookedAnswer { return s.lookSitemap(ctx, m.url, agent) }, func(severity engine.Severity, how string) {
			s.origins[0].findings.AddDiffering(findings.SitemapDiffers, m.line, severity, how, m.url)
			s.differingAnswer(StageSitemap, severity, m.url, "a sitemap differs "+how)
		})
	}
	if s.domain.Scheme != "ftp" {
		s.lookHome(ctx)
	}
}

// differingAnswer notes the problem. An error, which keeps Googlebot out, comes before all other problems.
func (s *site) differingAnswer(stage string, severity engine.Severity, url, detail string) {
	if s.problem(stage, CodeAnswerDiffers, url, detail); s.grave == 1 || severity == engine.Error {
		s.firstProblem = detail // which names the subject
	}
}

// lookHome compares the answers to requests for the home page.
func (s *site) lookHome(ctx context.Context) {
	url := s.origins[0].name + "/"
	look := func(agent string) lookedAnswer {
		p := s.lookPage(ctx, url, agent, s.mayFetch)
		return pageAnswer(&p)
	}
	var home crawl.Page
	differs, unknown := false, s.second.home == nil // links were not followed
	if unknown {
		home = s.lookPage(ctx, url, "", s.mayFetch)
		s.second.noteHome(&home)
		s.checkRedirects(&home)
	}
	first := *s.second.home
	note := func(severity engine.Severity, url, how string) {
		differs = true
		s.origins[0].findings.AddDiffering(findings.HomeDiffers, 0, severity, how, url)
		s.differingAnswer(StageCrawl, severity, url, "the home page differs "+how)
	}
	s.compareAgents(ctx, first, look, func(severity engine.Severity, how string) { note(severity, url, how) })
	if unknown && !differs { // otherwise, only this audit may get that answer
		s.checkHome(&home, cmp.Or(home.Location, home.URL))
	}
	if first.skipped || first.barred() {
		return
	}
	for _, other := range s.second.addresses {
		p := s.lookPage(ctx, other.origin+"/", "", s.mayFetchAddress)
		there := pageAnswer(&p)
		astray := p.Code == crawl.CodeOffSite && !crawl.SameSite(hostOf(p.Location), s.domain.Host) && hostOf(p.Location) != hostOf(first.url)
		if ctx.Err() != nil || there.skipped || !astray && (there.status < 400 || there.status == tooManyRequests) {
			continue
		}
		aspect := aspectStatus
		if astray {
			aspect = aspectURL
		}
		note(engine.Warning, p.URL, fmt.Sprintf("by address: %s: %s; %s: %s", other.origin, there.words(aspect), s.origins[0].name, first.words(aspect)))
	}
}

// mayFetchAddress is mayFetch for other addresses of the site, whose robots.txt is no part of the report.
func (s *site) mayFetchAddress(url string) bool {
	head, _, _ := split([]byte(url))
	name := originName(head)
	for _, other := range s.second.addresses {
		if other.origin == name {
			return other.self.Verdict(url).Verdict == engine.Allow
		}
	}
	return name == s.origins[0].name && s.mayFetch(url)
}

// lookPage requests one page.
func (s *site) lookPage(ctx context.Context, url, agent string, allowed func(string) bool) (page crawl.Page) {
	budget := crawl.LinkBudget{Pages: 1, Depth: -1, Agent: agent}
	for page = range s.fetch.Links(ctx, []string{url}, budget, allowed) {
		break
	}
	return page
}

// lookSitemap requests one sitemap.
func (s *site) lookSitemap(ctx context.Context, url, agent string) lookedAnswer {
	budget := crawl.SitemapBudget{Files: 1, Bytes: lookedBytes, Agent: agent, Allowed: s.mayRead}
	for item := range s.fetch.Sitemaps(ctx, []crawl.DeclaredSitemap{{URL: url}}, budget) {
		if item.File != nil {
			return sitemapAnswer(item.File)
		}
	}
	return lookedAnswer{skipped: true}
}

// compareAgents compares the first answer to this audit with the answers to other User-Agents, and notes
// how they differ. A difference counts if both answers come a second time.
func (s *site) compareAgents(ctx context.Context, first lookedAnswer, ask func(agent string) lookedAnswer, note func(engine.Severity, string)) {
	if first.skipped || first.status == 0 { // a fault of the network says nothing about crawlers
		return
	}
	for _, agent := range s.auditor.SecondLook.UserAgents {
		theirs := ask(agent)
		aspect := first.differs(&theirs)
		if aspect == "" && !theirs.barred() {
			continue
		}
		people, ours := ask(browserAgent), first
		if aspect == "" { // the server may refuse all crawlers
			ours = people
			if aspect = people.differs(&theirs); aspect == "" || people.barred() {
				continue
			}
		}
		again, once := ask(""), ask(agent)
		stable := first.differs(&again) == "" && ours.differs(&once) == aspect
		switch {
		case ctx.Err() != nil || theirs.skipped || people.skipped || again.skipped || once.skipped:
			return // nothing is known
		case theirs.status == tooManyRequests || first.status == tooManyRequests: // says how often this audit asked
		case stable:
			severity, facts := engine.Warning, []string{asAgent(agent) + ": " + theirs.words(aspect)}
			if isGooglebot(agent) && theirs.barred() && !people.barred() {
				severity = engine.Error
			}
			if people.status != tooManyRequests && people.status != 0 {
				facts = append(facts, asAgent(browserAgent)+": "+people.words(aspect))
			}
			if people.differs(&first) != "" || len(facts) == 1 {
				facts = append(facts, asAgent("")+": "+first.words(aspect))
			}
			note(severity, "by User-Agent: "+strings.Join(facts, "; "))
		case first.status != again.status && again.status != 0 && again.status != tooManyRequests:
			note(engine.Warning, fmt.Sprintf("from request to request: first %s, then %s", first.words(aspectStatus), again.words(aspectStatus)))
			return
		}
	}
}

// tooManyRequests is the status of servers that limit how often one client asks.
const tooManyRequests = 429

// Aspects in which answers differ, see differs.
const (
	aspectStatus  = "status"
	aspectURL     = "url"
	aspectType    = "type"
	aspectNoIndex = "noindex"
	aspectTitle   = "title"
	aspectFormat  = "format"
	aspectContent = "content"
)

// differs returns the most severe difference of another answer; "" = none. Home pages differ at each
// request, so that their content does not count, nor does a query in the URL.
func (a *lookedAnswer) differs(b *lookedAnswer) string {
	path := func(url string) string { path, _, _ := strings.Cut(url, "?"); return path }
	switch {
	case a.status != b.status:
		return aspectStatus
	case path(a.url) != path(b.url):
		return aspectURL
	case a.status/100 != 2:
		return ""
	case a.html != b.html:
		return aspectType
	case !a.noIndex && b.noIndex:
		return aspectNoIndex
	case a.titled && !b.titled:
		return aspectTitle
	case a.format != b.format:
		return aspectFormat
	case a.sum != "" && b.sum != "" && a.sum != b.sum:
		return aspectContent
	}
	return ""
}

// barred reports whether the answer keeps its reader from the page or sitemap.
func (a *lookedAnswer) barred() bool {
	if a.code == crawl.CodeOffSite || a.code == crawl.CodeDisallowed {
		return false
	}
	return a.status/100 != 2 || a.noIndex || a.format == "none"
}

// words describe an aspect of the answer.
func (a *lookedAnswer) words(aspect string) string {
	switch {
	case a.status == 0:
		return "no answer (" + Meaning(a.code) + ")"
	case a.code == crawl.CodeDisallowed:
		return "a redirect to " + a.url + ", which robots.txt blocks"
	case aspect == aspectURL && a.status/100 != 4 && a.status/100 != 5:
		return "answered by " + a.url
	case aspect == aspectStatus || a.status/100 != 2:
		return statusText(a.status)
	case aspect == aspectType:
		return either(a.html, "an HTML page", "no HTML page")
	case aspect == aspectNoIndex:
		return either(a.noIndex, "noindex", "no noindex")
	case aspect == aspectTitle:
		return either(a.titled, "a title", "no title")
	case a.format == "none":
		return "no sitemap"
	}
	return fmt.Sprintf("a sitemap (%s, %s)", wording.URLs(a.entries), wording.Plural(a.bytes, "byte"))
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func isGooglebot(agent string) bool { return strings.Contains(agent, "Googlebot/") }

// asAgent says as whom a request was sent.
func asAgent(agent string) string {
	switch {
	case agent == "":
		return "as this audit"
	case agent == browserAgent:
		return "as a browser"
	case isGooglebot(agent):
		return "as Googlebot"
	}
	return fmt.Sprintf("as %q", agent)
}
