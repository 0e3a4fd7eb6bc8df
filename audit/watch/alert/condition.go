package alert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
)

// Unreachable is the condition of a robots.txt that cannot be fetched.
const Unreachable = "AL03"

// ended is the condition of an alert that ended.
const ended = "AL14"

// differing is the condition of a robots.txt that is another one to other askers.
const differing = "AL06"

// wholeFile are the conditions of another file, or of none, in place of the site's own.
var wholeFile = []string{"AL04", "AL05", "AL09"}

// disobeys is the condition of a crawler that requests blocked URLs.
const disobeys = "AL15"

// unread is the condition of a robots.txt that a search crawler has not read.
const unread = "AL16"

// refused is the condition of errors that a crawler got for robots.txt.
const refused = "AL17"

// treated is the condition of a crawler whose name the server no longer lets in.
const treated = "AL18"

// Hides reports whether a condition ends others while it is there, and brings them back as it
// ends, since the file, or a sitemap, was away.
func Hides(condition string) bool { return hides(condition, "AL12") }

// FromLogs reports whether access logs show a condition, by its code. Its alerts end without a report when the
// configuration no longer names logs.
func FromLogs(code string) bool {
	return slices.ContainsFunc(conditions, func(c condition) bool { return c.code == code && c.rests == onLogs })
}

// hides is Hides for one of the others: with a sitemap, the errors that its URLs show come back.
func hides(condition, other string) bool {
	return slices.Contains(wholeFile, condition) || condition == "AL07" && other == "AL12"
}

// found is a condition that a comparison yields.
type found struct {
	code     string
	severity compare.Severity // of its most severe change
	subjects []string
	urls     int64
	changes  []compare.Change // the most severe first; none where robots.txt of a site without a base is unreachable
	site     *compare.Site
}

// conditions are those that a comparison yields, by code, but for changes that rest on a
// hiccup. AL03 needs no change: a site may never have been reached.
func (in *Input) conditions(c *compare.Site) map[string]*found {
	list := map[string]*found{}
	if c == nil {
		c = in.Compared
	} else {
		for _, ch := range c.Changes {
			if isCondition(ch.Condition) && !in.doubtsChange(c, &ch) {
				if list[ch.Condition] == nil {
					list[ch.Condition] = &found{code: ch.Condition, severity: ch.Severity, site: c}
				}
				for _, t := range ch.Times { // all times of a message are in one time zone
					ch.After = strings.ReplaceAll(ch.After, compare.Moment(t), in.clock(t))
				}
				list[ch.Condition].addChange(ch)
			}
		}
	}
	if in.unreachable() {
		if list[Unreachable] == nil {
			list[Unreachable] = &found{code: Unreachable, severity: compare.Critical, site: c}
		}
		list[Unreachable].addSubjects(in.Compared.Own().Name)
	}
	return list
}

func isCondition(code string) bool {
	return slices.ContainsFunc(conditions, func(c condition) bool { return c.code == code })
}

// initial reports whether the condition was already there in the site's first run.
func (f *found) initial() bool { return f.site.Old == nil }

// addChange adds a change, none of which is more severe than the one before.
func (f *found) addChange(ch compare.Change) {
	f.changes = append(f.changes, ch)
	f.urls = max(f.urls, ch.URLs)
	f.addSubjects(ch.Subjects...)
}

// addSubjects adds subjects, each once.
func (f *found) addSubjects(subjects ...string) {
	f.subjects = append(f.subjects, subjects...)
	slices.Sort(f.subjects)
	f.subjects = slices.Compact(f.subjects)
	if len(f.subjects) > compare.MaxSubjects {
		f.subjects = append(f.subjects[:compare.MaxSubjects], compare.MoreSubjects)
	}
}

// condition has the words of a condition, and says how it is judged.
type condition struct {
	code      string
	level     compare.Severity                   // that its alerts mostly have: AL01 of a crawler that is not watched is less
	confirm   bool                               // ask again before it is reported: a hiccup would bring it, too
	rests     basis                              // what it depends on beside the site's own robots.txt
	short     string                             // what has happened, in few words, without the site
	what      func(in *Input, f *found) string   // what has happened, without the name of the site: the beginning of a sentence, without its end
	cause     func(f *found) string              // what without the numbers of the site, which differ where several sites have the same event; nil = as what
	count     [2]string                          // of its one URL, of several: "is newly blocked"; "" = they are not counted
	over      string                             // what has ended, likewise
	event     bool                               // it ends with the first run in which it did not happen again
	eitherWay bool                               // it may be more or less of the same: the way back, which ends it, is a change of it, too
	whole     bool                               // what says of the most severe change what was before and what is now
	details   func(in *Input, f *found) []string // sentences; nil = those on its changes
	next      string                             // what to do, a sentence
	initial   string                             // likewise, where it was already so in the site's first run; "" = as next
}

var newlyBlocked = [2]string{"is newly blocked", "are newly blocked"}

// conditions are the conditions, by code.
var conditions = []condition{
	{code: "AL01", level: compare.Critical, short: "the home page is blocked", what: rootBlocked, count: newlyBlocked, whole: true, over: "the home page is allowed again",
		next:    "If this is not intended, restore the previous robots.txt now. Crawlers may keep the new one for up to a day.",
		initial: "If this is not intended, allow / in robots.txt. Crawlers may keep the old file for up to a day."},
	{code: "AL02", level: compare.Critical, short: "important URLs are blocked", rests: onPages, what: importantBlocked, cause: importantCause, over: "the important URLs are allowed again",
		next:    "Open the comparison. It lists these URLs and the line that blocks each one.",
		initial: "Open the page of the site. It shows the line that blocks each URL."},
	{code: Unreachable, level: compare.Critical, short: "robots.txt could not be fetched", confirm: true, rests: onFiles, what: unreachableSince, over: "robots.txt can be fetched again", details: outage,
		next: "Make robots.txt answer 200 with the file, or 404 if you want none. Either resolves this at once."},
	{code: "AL04", level: compare.High, short: "robots.txt is missing", confirm: true, rests: onFiles, what: first(answerGone), count: [2]string{"is newly allowed", "are newly allowed"}, over: "robots.txt is no longer missing",
		next:    "If you did not remove the file on purpose, restore it. Until then crawlers may fetch what it blocked.",
		initial: "If crawlers may fetch everything, accept this alert. If not, add the file."},
	{code: "AL05", level: compare.Critical, short: "robots.txt is not a text file", confirm: true, rests: onFiles, what: first(notText), count: [2]string{"has a different verdict", "have a different verdict"}, over: "robots.txt is a text file again",
		next:    "Open /robots.txt on the server. Usually it is an error page, a login page, or a deployment without the file.",
		initial: "Open /robots.txt on the server. It must not be an error page or a login page. If an empty file is intended, accept this alert."},
	{code: differing, level: compare.High, short: "robots.txt is not the same for everyone", confirm: true, rests: onAskers, what: first(differs), over: "robots.txt is the same for everyone again",
		next: "Check the rules of the CDN, the firewall and the cache. They may give crawlers a different file than people."},
	{code: "AL07", level: compare.High, short: "a sitemap is missing", rests: onSitemaps, what: first(sitemapLost), over: "no sitemap is missing now",
		next:    "Check that each sitemap can be read, is in robots.txt and lists its pages. If you removed one on purpose, accept this alert.",
		initial: "Name your sitemaps in robots.txt, and allow them. Check that each can be read. If the site needs none, accept this alert."},
	{code: "AL08", level: compare.High, short: "robots.txt is near or over a limit", rests: onFiles, what: firstAfter("robots.txt has "), over: "robots.txt is well within the limits again",
		next: "Shorten the file. Crawlers ignore the rules beyond the limit, and some then ignore the whole file."},
	{code: "AL09", level: compare.Critical, short: "robots.txt looks like that of a test system", what: firstAfter("robots.txt looks like that of a test system: "), over: "robots.txt no longer looks like that of a test system",
		next:    "If the file of a test system was deployed, restore the previous file now.",
		initial: "If the file of a test system was deployed, replace it now. If the site is live and the file is right, remove these signs."},
	{code: "AL10", level: compare.Medium, eitherWay: true, short: "the policy for AI crawlers changed", rests: onOwnPages, what: first(policyWords), over: "the policy for AI crawlers is as before",
		next: "If this is not intended, check whether the CDN adds its own rules. If it is, accept this alert."},
	{code: "AL11", level: compare.Medium, eitherWay: true, short: "the share of blocked URLs changed", rests: onShares, what: first(shareMoved), cause: shareCause, whole: true, over: "the share of blocked URLs is about as before",
		next: "Open the comparison. It shows these URLs by directory. If this is intended, accept this alert."},
	{code: "AL12", level: compare.Medium, short: "robots.txt has a new issue", rests: onFiles, what: first(func(c *compare.Change) string { return "robots.txt has a new issue: " + c.What + ": " + c.After }), over: "the new issues in robots.txt are gone",
		next: "Open the page of the site. It says how to fix this."},
	{code: "AL13", level: compare.Info, short: "no group names crawlers that are new in the audit", what: first(func(c *compare.Change) string { return "robots.txt has no group for " + c.What + ", new in the audit" }), over: "the new crawlers have a group now, or are no longer tested",
		next: "Decide whether the rules for all crawlers should apply to them. If not, add a group for them."},
	{code: disobeys, level: compare.Medium, short: "a crawler fetches blocked URLs", rests: onLogs, details: inLogs, what: first(func(c *compare.Change) string { return c.What + " does not obey robots.txt: " + c.After }), cause: func(f *found) string { return f.changes[0].What + " does not obey robots.txt" }, over: "the crawler no longer fetches blocked URLs",
		next: "If this crawler must not have these URLs, block it on the server or in the CDN. If it may, accept this alert."},
	{code: unread, level: compare.Medium, short: "a search crawler has not read the new robots.txt", rests: onLogs, details: inLogs, what: first(notRead), cause: func(f *found) string { return f.changes[0].What + " has not read the new robots.txt" }, over: "the search crawler has read the new robots.txt",
		next: "Check that the server and the CDN give this crawler robots.txt. In its webmaster tools, ask for a recrawl of robots.txt."},
	{code: refused, level: compare.High, short: "robots.txt answered errors to a crawler", rests: onLogs, details: inLogs, event: true, what: first(func(c *compare.Change) string { return "robots.txt answered errors to " + c.What + ": " + c.After }), cause: func(f *found) string { return "robots.txt answered errors to " + f.changes[0].What }, over: "robots.txt no longer answers errors to the crawler",
		next: "Check the server, the firewall and the CDN at these times. After server errors, crawlers may stop crawling the site."},
	{code: treated, level: compare.High, short: "not let in when asked as a crawler", confirm: true, rests: onAsked, details: whenAsked, what: first(notLetIn), cause: notLetInCause, over: "as expected again when asked as the crawler",
		next: "Check the firewall's rules for verified bots. It may know the genuine crawler by its address: look in the access logs. If this is intended, accept this alert."},
}

// conditionOf returns the condition with a code.
func conditionOf(code string) *condition {
	return &conditions[slices.IndexFunc(conditions, func(c condition) bool { return c.code == code })]
}

// first says something of the most severe change, and counts the others.
func first(words func(*compare.Change) string) func(*Input, *found) string {
	return func(_ *Input, f *found) string {
		text := words(&f.changes[0])
		switch n := len(f.changes) - 1; {
		case n > 0 && f.initial():
			text += ". " + wording.Thousands(n) + " more of this kind"
		case n > 0:
			text += ". " + wording.Plural(n, "more change") + " of this kind"
		}
		return text
	}
}

// firstAfter is first with the words and the After of the most severe change.
func firstAfter(words string) func(*Input, *found) string {
	return first(func(c *compare.Change) string { return words + c.After })
}

// policyWords say what some crawlers may do now and might before, or what the file says of it.
func policyWords(c *compare.Change) string {
	about, before, after := c.What, c.Before, c.After
	if c.What != compare.Preferences {
		about, before, after = "blocked for "+c.What, blockedPart(c.Reach[0]), blockedPart(c.Reach[1])
	}
	return "the policy for AI crawlers changed. " + upper(about) + ": " + orNone(after) + ". Before: " + orNone(before)
}

// blockedPart turns what crawlers may fetch into what is blocked for them.
func blockedPart(r compare.Reach) string {
	switch {
	case r.Word == "none":
		return "everything"
	case r.Word == "all":
		return "nothing"
	case r.Word == "part" && r.Pages > 0:
		return wording.Percent(r.Blocked, r.Pages) + " of the pages"
	}
	return r.String()
}

// differs says who gets another robots.txt than this audit.
func differs(c *compare.Change) string {
	theirs, ours, url := audit.DifferingAnswers(c.Asker)
	if ours == theirs {
		theirs += ", with other content"
	}
	asker := strings.TrimPrefix(audit.Asker(c.Asker), "to ")
	text := "robots.txt is not the same for everyone. " + cmp.Or(asker, c.What) + " gets " + theirs
	if ours != "" {
		text += ". This audit got " + ours + " at " + url
	}
	return text
}

// notLetIn says how crawlers' names are treated now, and how before.
func notLetIn(c *compare.Change) string {
	text := treatment(c) + strings.TrimPrefix(c.After, c.Short)
	if c.Before != "" {
		text += ". Before: " + c.Before
	}
	return text
}

// notLetInCause is notLetIn without numbers.
func notLetInCause(f *found) string { return treatment(&f.changes[0]) }

// treatment is that of a change: "now refused when asked as GPTBot from here". What is not known to be
// new is only reported where robots.txt allows it.
func treatment(c *compare.Change) string {
	if c.Before == "" {
		return c.Short + " when " + c.What + ", though robots.txt allows it"
	}
	return "now " + c.Short + " when " + c.What
}

// notRead says which robots.txt a crawler has not read.
func notRead(c *compare.Change) string {
	return c.What + " has not read " + strings.TrimPrefix(c.After, "without ") + " yet"
}

func rootBlocked(_ *Input, f *found) string {
	return first(func(c *compare.Change) string {
		text := "the home page is blocked for " + c.What
		if c.Rule.Line > 0 {
			text += fmt.Sprintf(" by line %s (%s)", wording.Thousands(c.Rule.Line), c.Rule)
		}
		return text
	})(nil, f)
}

// importantCause is importantBlocked without numbers and URLs.
func importantCause(f *found) string {
	return "important URLs are " + newly(f)
}

// newly says that pages became blocked, or are so already.
func newly(f *found) string {
	if f.initial() {
		return f.changes[0].After
	}
	return "newly " + f.changes[0].After
}

func importantBlocked(_ *Input, f *found) string {
	text := wording.Plural(f.urls, "important URL") + wording.Verb(f.urls, " is ", " are ") + newly(f)
	for _, s := range f.subjects {
		if isURL(s) {
			return text + ", such as " + s
		}
	}
	return text
}

// answerGone says what robots.txt answers in place of a file.
func answerGone(c *compare.Change) string {
	what := "is gone"
	switch {
	case c.Before != "":
	case c.Severity == compare.Info:
		what = "is missing"
	default:
		what = "gives an error"
	}
	return "robots.txt " + what + ", so everything is allowed: " + c.Short
}

// notText says what robots.txt contains in place of text.
func notText(c *compare.Change) string {
	if c.Before == "" {
		return "robots.txt is " + c.After
	}
	return "robots.txt is now " + c.After
}

// shareCause is shareMoved without numbers.
func shareCause(f *found) string { return shareWay(&f.changes[0]) }

// shareWay says in which way the share of blocked URLs moved, and for whom.
func shareWay(c *compare.Change) string {
	if c.Shares[1].Less(c.Shares[0]) {
		return "fewer URLs are blocked for " + c.What
	}
	return "more URLs are blocked for " + c.What
}

// shareMoved says which share of the URLs is blocked now, and which was before.
func shareMoved(c *compare.Change) string {
	was, is := c.Shares[0], c.Shares[1]
	text := fmt.Sprintf("%s: %s of %s, before %s", shareWay(c), wording.Percent(is.Blocked, is.Of), wording.URLs(is.Of), wording.Percent(was.Blocked, was.Of))
	if was.Of != is.Of {
		text += " of " + wording.URLs(was.Of)
	}
	return text
}

// sitemapLost says what has become of a sitemap.
func sitemapLost(c *compare.Change) string {
	switch c.Kind {
	case compare.KindSitemapLine:
		return "robots.txt no longer lists the " + c.What
	case compare.KindSitemapBlocked:
		return c.What + " is " + c.After
	case compare.KindSitemapURLs:
		return c.What + " together list " + c.After
	case compare.KindSitemaps:
		return c.After
	}
	text := c.What + " can no longer be read"
	if c.Before == "" {
		text = c.What + " cannot be read"
	}
	if c.After == "" {
		return text
	}
	return text + ": " + c.After
}
