package engine

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// unsupported are fields that authors write but crawlers do not read, with the
// reason or with what to use instead.
var unsupported = map[string]string{
	"noindex":       "Google ended noindex in robots.txt in September 2019",
	"nofollow":      "nofollow belongs in a robots meta tag, X-Robots-Tag or a link",
	"noarchive":     "noarchive belongs in a robots meta tag or X-Robots-Tag",
	"request-rate":  "of large crawlers, only SeznamBot reads request-rate",
	"visit-time":    "no large crawler reads visit-time",
	"revisit-after": "no large crawler reads revisit-after",
	"domain":        "no large crawler reads domain",
}

// lintField checks the name of the field of a line, and a delay.
func lintField(l *linter, n *lintLine) {
	lintFieldName(l, n)
	lintDelay(l, n)
}

// lintFieldName checks the name of the field of a line.
func lintFieldName(l *linter, n *lintLine) {
	switch {
	case n.kind == lineBlank, n.kind == lineComment:
		return
	case n.field == "" && strings.HasPrefix(trim(n.text), ":"):
		if f := l.report("DIR001", n, 0, n.content); f != nil {
			f.What = "a value without a directive"
			f.Fix = "Write the intended directive before the colon, or remove the line."
			l.warnOfDeletion(f, n)
		}
		return
	case !n.colon && n.isFullWidth():
		return // lintFullWidth says it
	case n.kind == lineNoField || !n.colon:
		lintNoColon(l, n)
	case n.meant == "content-signal", n.meant == "content-usage", n.meant == "license": // lintSignals
	case unsupported[n.meant] != "":
		if f := l.reportField("DIR001", n); f != nil {
			f.What = unsupported[n.meant]
			if !strings.HasPrefix(n.meant, "no") { // the author of a noindex takes pages for gone from the index
				f.Severity = Info
			}
			if n.meant == "request-rate" {
				f.Fix = "Keep the line if SeznamBot is to obey it. Otherwise remove it."
			} else {
				l.adviseDeletion(f, n, f.Fix)
			}
		}
		return
	case n.kind == lineOther:
		lintUnknownField(l, n)
		return
	}
	if n.field != "" && !n.exact {
		lintSpelling(l, n)
	}
	if !n.exact {
		return
	}
	switch n.kind {
	case lineDelay:
		if f := l.reportField("DIR002", n, l.profilesWhere(func(p *Profile) bool { return !l.isStrange(p, n) })...); f != nil {
			lintDelayIgnored(l, f, n)
		}
	case lineHost:
		if f := l.reportField("DIR004", n, l.meantBy(n)...); f != nil {
			f.What = "no crawler has used Host since March 2018"
			f.Why, f.Fix = "Google never read it. Yandex uses a 301 redirect instead.", "Remove the line, and redirect to the main mirror."
			l.warnOfDeletion(f, n)
		}
	case lineClean:
		if f := l.reportField("DIR004", n, slices.DeleteFunc(l.meantBy(n), func(p *Profile) bool { return p.CleanParam != CleanIgnored })...); f != nil {
			f.What = "only Yandex reads Clean-param"
			f.Why, f.Fix = "Other crawlers ignore the line.", "Keep the line for Yandex if it helps."
		}
	}
}

// lintNoColon reports a line that has no colon.
func lintNoColon(l *linter, n *lintLine) {
	end := len(strings.TrimRight(n.text[:n.content], " \t"))
	f := l.report("FMT010", n, 0, end)
	if f == nil {
		return
	}
	if n.meant == "" || n.kind == lineOther || n.kind == lineNoField {
		l.warnOfComment(f, n)
		return
	}
	f.What = fmt.Sprintf("no colon after %q", n.field)
	if n.exact {
		f.Replacement = n.rewrite(n.field, n.value)
		return
	}
	f.Replacement = n.rewrite(canonical[n.meant], n.unwrapped())
	if last := n.field[len(n.field)-1:]; strings.Contains(";=,.", last) {
		f.What = fmt.Sprintf("%q instead of the colon", last)
	}
}

// lintUnknownField reports a field that no crawler knows.
func lintUnknownField(l *linter, n *lintLine) {
	f := l.reportField("DIR001", n)
	if f == nil {
		return
	}
	name := escape.Prefix(n.field, 60)
	f.What = fmt.Sprintf("%q is not a directive that crawlers know", name)
	f.Why = "Crawlers ignore the line."
	if letters := wording.Letters(n.field); !strings.Contains(letters, "allow") && !strings.Contains(letters, "useragent") && !strings.Contains(letters, "sitemap") {
		f.Severity = Info // else it is a line that went wrong: "Not-Allow: /"
	}
	if strings.HasPrefix(n.field, "<!--") {
		f.Severity, f.What = Info, "an HTML comment; in robots.txt a comment begins with \"#\""
	}
	f.Fix = "Remove the line. If it is a comment, begin it with \"#\"."
	l.warnOfComment(f, n)
	if hasPrefixFold(n.field, "http") && strings.HasPrefix(n.value, "//") {
		f.Severity, f.What = Warning, "an address without a directive"
		f.Fix = "If it is a sitemap, write \"Sitemap:\" before it."
		if strings.Contains(strings.ToLower(n.value), "sitemap") {
			f.Replacement = "Sitemap: " + trim(n.text[:n.content])
		}
	}
}

// warnOfComment adds to the fix of a finding, which speaks of removing its line or
// making a comment of it, that this may change verdicts, unless it is proved that
// it does not.
func (l *linter) warnOfComment(f *Finding, n *lintLine) {
	flips := l.flips(edit{lintLine: n, deleted: true})
	for _, p := range l.flips(edit{lintLine: n, text: "#" + n.text}) {
		if !slices.Contains(flips, p) {
			flips = append(flips, p)
		}
	}
	if len(flips) > 0 {
		f.Fix = fmt.Sprintf("%s %s", f.Fix, checkFirst(flips))
	}
}

// lintSpelling reports a misspelt field: to the profiles that ignore it as an
// error, to those that accept the misspelling as something not to rely on.
func lintSpelling(l *linter, n *lintLine) {
	var ignoring, forgiving []*Profile
	for _, p := range l.profilesAt(n) {
		switch meant := p.fieldKind(n.meant); {
		case meant == lineOther: // does not know the field at all
		case p.fieldKind(n.field) == meant:
			forgiving = append(forgiving, p)
		default:
			ignoring = append(ignoring, p)
		}
	}
	// "Allowance" is no misspelling: it only begins as a field does, which is all
	// that Google's parser compares.
	if len(ignoring) > 0 && hasPrefixFold(n.field, n.meant) && len(n.field) > len(n.meant)+2 {
		if f := l.reportField("DIR001", n, ignoring...); f != nil {
			f.What = fmt.Sprintf("%s is not a directive that crawlers know", quote(n.field, 60))
			f.Why = "Crawlers ignore the line."
			f.Fix = "Write the intended directive, or remove the line."
			l.warnOfDeletion(f, n)
		}
	} else if len(ignoring) > 0 {
		if f := l.reportField("DIR003", n, ignoring...); f != nil {
			f.What = fmt.Sprintf("%s is a misspelling of %q", quote(n.field, 60), n.meant)
			if n.kind == lineAgent && n == l.groups[0].agents[0] {
				if lost := l.firstGroupLost(n.number); lost != "" {
					f.What += "; " + lost
				}
			}
			f.Replacement = n.rewrite(canonical[n.meant], n.unwrapped())
			f.Harmless = len(l.flips(edit{lintLine: n, text: f.Replacement})) == 0
			if f.Harmless && n.kind != lineClean && (n.kind != lineSitemap || l.sitemapNamed(n)) {
				f.Severity = Info
			}
		}
	}
	if len(forgiving) > 0 && n.colon {
		if f := l.reportField("PRS005", n, forgiving...); f != nil {
			f.What = fmt.Sprintf("Google's published parser reads %s as %q; Google's page does not mention this", quote(n.field, 60), n.meant)
			f.Replacement = n.rewrite(canonical[n.meant], n.unwrapped())
		}
	}
}

// closers are what ends a line that begins with quotes or marks of bold text.
var closers = strings.NewReplacer("“", "”", "‘", "’")

// unwrapped is the value of a line without the quotes, or the marks of bold text, in
// which the line or its field is written: "Disallow: /a" or **Disallow:** /a.
func (n *lintLine) unwrapped() string {
	marks := closers.Replace(n.field[:len(n.field)-len(strings.TrimLeft(n.field, "\"'`*_“‘"))])
	return trim(strings.TrimSuffix(trim(strings.TrimPrefix(n.value, marks)), marks))
}

// canonical are the fields as their specifications write them.
var canonical = map[string]string{
	"user-agent": "User-agent", "disallow": "Disallow", "allow": "Allow", "sitemap": "Sitemap", "crawl-delay": "Crawl-delay",
	"host": "Host", "clean-param": "Clean-param", "content-signal": "Content-Signal", "content-usage": "Content-Usage", "license": "License",
}

// lintDelayIgnored says who of those that a Crawl-delay is for ignore it.
func lintDelayIgnored(l *linter, f *Finding, n *lintLine) {
	google := slices.ContainsFunc(f.Profiles, func(name string) bool { return operatorOf(name) == "google" })
	yandex := slices.ContainsFunc(f.Profiles, func(name string) bool { return operatorOf(name) == "yandex" })
	switch {
	case !yandex:
		f.What = "Google ignores Crawl-delay"
	case !google:
		f.What = "Yandex has ignored Crawl-delay since 22 February 2018"
	}
	if l.mayObeyDelay(n) {
		l.warnOfDeletion(f, n)
		return
	}
	f.Why = "No other crawler obeys this group, so the line does nothing."
	f.Fix = "Remove the line."
	l.adviseDeletion(f, n, fmt.Sprintf("Delete line %d. It does nothing.", n.number))
}

// mayObeyDelay reports whether some crawler may obey a Crawl-delay line. Those of Google, and of Yandex today,
// do not.
func (l *linter) mayObeyDelay(n *lintLine) bool {
	if n.group == nil || slices.ContainsFunc(l.Profiles, func(p *Profile) bool { return p.CrawlDelay && l.reads(p, n) }) {
		return true
	}
	obeyed, known := l.delayObeyed[n.group]
	if !known {
		if l.delayObeyed == nil {
			l.delayObeyed = map[*lintGroup]bool{}
		}
		obeyed = slices.ContainsFunc(n.group.agents, l.mayBeSlowed)
		l.delayObeyed[n.group] = obeyed
	}
	return obeyed
}

// mayBeSlowed reports whether a user-agent line names a crawler that may obey a Crawl-delay.
func (l *linter) mayBeSlowed(agent *lintLine) bool {
	token := groupToken(agent.value)
	return token == "*" || l.isStranger(agent.value) || slices.ContainsFunc(l.listed.all, func(c Crawler) bool {
		ignores := c.CrawlDelay == "" && (c.Operator == "Google" || c.Operator == "Yandex")
		return !ignores && slices.ContainsFunc(c.Tokens, func(t string) bool { return equalFold(t, token) || equalFold(t, agent.value) })
	})
}

// slowDelay is the Crawl-delay in seconds above which a site is hardly crawled.
const slowDelay = 30

// lintDelay checks the value of a Crawl-delay line.
func lintDelay(l *linter, n *lintLine) {
	if n.kind != lineDelay || !l.mayObeyDelay(n) {
		return
	}
	what := ""
	switch seconds, ok := parseDelay(n.value); {
	case n.value == "":
		what = "Crawl-delay without a number"
	case strings.HasPrefix(n.value, "-"):
		what = fmt.Sprintf("Crawl-delay %s is negative", escape.Prefix(n.value, 20))
	case !ok:
		what = fmt.Sprintf("Crawl-delay %s is not a valid number of seconds", quote(n.value, 20))
	case seconds > slowDelay:
		what = fmt.Sprintf("Crawl-delay %s allows at most %s a day", escape.Prefix(n.value, 20), wording.Plural(int(24*3600/seconds), "page"))
	default:
		return
	}
	if f := l.reportValue("DIR008", n); f != nil {
		f.What = what
		if i := strings.IndexByte(n.value, ','); i > 0 && strings.Trim(n.value, "0123456789,") == "" && strings.Count(n.value, ",") == 1 {
			f.Replacement = n.rewrite(n.field, strings.Replace(n.value, ",", ".", 1))
		}
	}
}

// lintDelays looks for crawlers with two delays. A delay is taken to belong to
// the user-agent lines right above it, since profiles differ in how they merge
// groups.
func lintDelays(l *linter) {
	first := map[string]*lintLine{}
	var run []*lintLine
	open := false
	for i := range l.lines {
		n := &l.lines[i]
		switch {
		case n.kind == lineAgent && open:
			run = append(run, n)
		case n.kind == lineAgent:
			run, open = []*lintLine{n}, true
		case n.field != "":
			open = false
		}
		if _, ok := parseDelay(n.value); n.kind == lineDelay && ok && l.mayObeyDelay(n) {
			reportSecondDelay(l, n, run, first)
		}
	}
}

func reportSecondDelay(l *linter, n *lintLine, run []*lintLine, first map[string]*lintLine) {
	for _, agent := range named(run) {
		token := groupToken(agent.value)
		other := first[token]
		if other == nil || other == n {
			first[token] = n
			continue
		}
		if f := l.reportValue("DIR009", n); f != nil {
			f.What = fmt.Sprintf("%s already has a Crawl-delay in line %d", escape.Prefix(agent.value, 60), other.number)
			f.Related = []int{other.number}
		}
		return
	}
}
