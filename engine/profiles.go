package engine

// Sources of the profiles. A profile follows its reader's page. Where the page
// is silent, it follows the parser that the reader's owner published.
const (
	googlePage = "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec"
	googleOSS  = "https://github.com/google/robotstxt"
	yandexHelp = "https://yandex.com/support/webmaster/controlling-robot/robots-txt.html"
	bingTester = "https://www.bing.com/webmasters/robotstxttester"
)

// profiles are all readers, current ones first. A comment names the part of the
// page that a line is based on. "parser" means that the page is silent and the
// published parser is followed.
var profiles = []*Profile{
	{
		Name:   "google",
		Title:  "Google's page as of 2026",
		Dated:  "2026-04-14",
		Source: googlePage,
		Proof:  "the page's examples and 1,672 cases of Google's and others' tests",

		// "File format": "a robots.txt file size limit of 500 kibibytes" is the zero Limit. The
		// page says nothing about the length of a line or NUL: parser (robots.cc: Parse)
		LineLimit: googleLine, NULCuts: true,
		Misspellings: true, MissingColon: true, // parser (robots.cc: KeyIsDisallow and its like, GetKeyAndValueFrom)
		Agents:     AgentGoogle,      // "Order of precedence for user agents": "googlebot/1.2 and googlebot* are equivalent to googlebot"
		Fallback:   true,             // same section: "Only one group is valid for a particular crawler", the most specific
		Exemptions: true,             // the page on special-case crawlers: "The global user agent (*) is ignored"
		Length:     LengthNoTrailing, // "URL matching based on path values": "/fish*" is "Equivalent to /fish"; in bytes as in the parser
		// same section: "Non-7-bit ASCII characters in a path may be included as UTF-8 characters
		// or as percent-escaped UTF-8 encoded characters per RFC 3986". It says nothing about
		// escapes of ASCII: parser (robots_test.cc: ID_Encoding)
		Encoding:        EncodingUTF8,
		IndexTwin:       true, // parser (robots.cc: HandleAllow)
		RobotsTxtJudged: true, // the page makes no exception: parser (robots.cc: AllowedByRobots)

		// "Handling of errors and HTTP status codes"
		Statuses:         googleStatuses,
		WhileUnreachable: googleWhileUnreachable,
		BlockedHopOpen:   true, Missing5xx: true,
	},
	{
		Name:   "google-2023",
		Title:  "Google's page of the RFC 9309 era",
		Dated:  "2023",
		Source: googlePage,
		Proof:  "the page's examples",

		Superseded: true,

		// The page has the sentences quoted above.
		LineLimit: googleLine, NULCuts: true, // parser
		Misspellings: true, MissingColon: true, // parser
		Agents: AgentGoogle, Fallback: true, // "Order of precedence for user agents"
		Exemptions:      true,             // the page on special-case crawlers
		Length:          LengthNoTrailing, // "URL matching based on path values"
		Encoding:        EncodingUTF8,     // same section; parser
		IndexTwin:       true,             // parser
		RobotsTxtJudged: true,             // parser

		// "Handling of errors and HTTP status codes"
		Statuses:         googleStatuses,
		WhileUnreachable: google2019WhileUnreachable,
		BlockedHopOpen:   true, Missing5xx: true,
	},
	{
		Name:   "google-2019",
		Title:  "Google's page of 2019",
		Dated:  "2019",
		Source: googlePage,
		Proof:  "the page's examples",

		Superseded: true,

		LineLimit: googleLine, NULCuts: true, // parser; the page rejects misspelt fields
		Agents: AgentCased, Fallback: true, // "Order of precedence for user agents": case counts
		Exemptions:       true,
		Length:           LengthNoTrailing, // "URL matching based on path values"
		Encoding:         EncodingUTF8,     // the same sentence as today; parser
		SlashOnly:        true,             // "Formal syntax": path-pattern
		IndexTwin:        true,             // parser
		WildcardConflict: true,             // "Order of precedence for group-member lines": /page against /*.htm
		RobotsTxtJudged:  true,             // parser

		// "Handling HTTP result codes": all 4xx alike, as in RFC 9309; redirects are followed
		// everywhere
		WhileUnreachable: google2019WhileUnreachable,
		Missing5xx:       true,
	},
	{
		Name:   "google-oss",
		Title:  "Google's open-source matcher",
		Dated:  "2026-04 (22b355f)",
		Source: googleOSS,
		Proof:  "20,000 verdicts of the matcher, with line",

		Limit: -1, LineLimit: googleLine, NULCuts: true, // robots.cc: Parse
		Misspellings: true, MissingColon: true, // robots.cc: KeyIsDisallow and its like, GetKeyAndValueFrom
		Agents: AgentGoogle, Unite: true, // robots.cc: ExtractUserAgent, HandleUserAgent
		Encoding:   EncodingRule, // robots.cc: MaybeEscapePattern; path_ is a C string
		EmptyAllow: EmptyWeightless, EmptyDisallow: EmptyWeightless,
		IndexTwin:       true, // robots.cc: HandleAllow
		RobotsTxtJudged: true, // robots.cc: AllowedByRobots
		AnyURL:          true, // robots.cc: GetPathParamsQuery

		// The matcher sees no responses: these follow today's page.
		Statuses:         googleStatuses,
		WhileUnreachable: googleWhileUnreachable,
		BlockedHopOpen:   true, Missing5xx: true,
	},
	{
		Name:   "yandex",
		Title:  "Yandex's help today",
		Dated:  "2026",
		Source: yandexHelp,
		Proof:  "10,000 verdicts of the parser of 2023 and 140 of Yandex Webmaster's tester",

		OverLimit: AllowAll,            // a file of more than 500 KB is open
		WholeBOM:  true, NULCuts: true, // parser
		Agents: AgentPrefix, BlankLine: BlankSplits, OtherFieldSplit: true, // parser
		Exemptions:      true,              // "User-agent": some robots obey only groups that name them
		Length:          LengthNoWildcards, // parser
		Encoding:        EncodingNone,      // parser; the help asks for paths encoded as on the site
		EmptyDisallow:   EmptyAllowsAll,    // "Disallow and Allow"
		RobotsTxtJudged: true,              // parser
		CleanParam:      CleanReduced,      // "Clean-param"; Crawl-delay (22 February 2018) and Host (March 2018) are gone
		Statuses:        yandexStatuses,
		MaxHops:         -2, // a redirect to another site's robots.txt is followed
	},
	{
		Name:   "yandex-2016",
		Title:  "Yandex's help of 2016",
		Dated:  "2016",
		Source: yandexHelp,
		Proof:  "the help's examples",

		Superseded: true,

		Limit: 32 << 10, OverLimit: AllowAll, // a file of more than 32 KB is open
		TextOnly: true,                // and so is a file that is not text
		WholeBOM: true, NULCuts: true, // parser
		Agents: AgentWithin, Fallback: true, // "User-agent": a value that contains "Yandex" or "*"
		BlankLine: BlankSplits, OtherFieldSplit: true, // parser
		Exemptions: true,                                          // "Exceptions": YandexDirect, YandexCalendar
		Length:     LengthNoTrailing,                              // "/cgi-bin*" is "/cgi-bin"; other "*" count, as precedence is by prefix length
		Encoding:   EncodingURI,                                   // silent; both spellings are one path
		EmptyAllow: EmptyBlocksAll, EmptyDisallow: EmptyAllowsAll, // "Disallow and Allow without parameters"
		RobotsTxtJudged: true,
		CrawlDelay:      true, Host: true, CleanParam: CleanKnown,
		Statuses: yandexStatuses, // any code but 200 is open
		MaxHops:  -1,             // a redirect is such a code
	},
	{
		Name:   "bing",
		Title:  "Bing Webmaster Tools' robots.txt tester",
		Dated:  "2026-07",
		Source: bingTester,
		Proof:  "191 verdicts of the tester; what it was not asked follows RFC 9309",

		// All points that were not tested with Bing's tester follow RFC 9309: responses, redirects
		// and size, agents with affixes, blank lines, misspelt fields, bytes outside ASCII, a
		// leading "*", "/robots.txt", byte order marks and NUL.
		Encoding:   EncodingUTF8, // tester: hex-case and encoded rows; rules get upper-case digits, URLs are compared as typed
		Exemptions: true,         // tester: AdIdxBot does not obey "*" (wildcard-fallback rows); no page says so
		Fallback:   true,         // Bing's posts of 2010 and 2012: Bingbot obeys a group of msnbot; old, and not tested in the tester
	},
	{
		Name:   "rfc9309",
		Title:  "RFC 9309",
		Dated:  "2022-09",
		Source: "https://www.rfc-editor.org/rfc/rfc9309.html",
		Proof:  "the text's examples and 484 cases of other parsers' tests; a second implementation agrees",
	},
	{
		Name:   "rep-1994",
		Title:  "A Standard for Robot Exclusion",
		Dated:  "1994-06-30",
		Source: "https://www.robotstxt.org/orig.html",
		Proof:  "the text's examples",

		Superseded: true,

		Limit:   -1,
		NoAllow: true,
		Agents:  AgentPart, FirstGroup: true, BlankLine: BlankEndsRecord, // "The Format"
		Literal: true, FirstMatch: true, Encoding: EncodingURI, // "Disallow": a partial URL
		EmptyDisallow:    EmptyAllowsAll, // "Disallow": an empty value
		RobotsTxtJudged:  true,
		Statuses:         rep1994Statuses,
		WhileUnreachable: []UnreachableStep{{Do: AccessUnknown, Why: "the standard of 1994 says nothing about it"}},
		MaxHops:          -2,
		HTTPOnly:         true, // "The Method"
	},
}

// googleLine is the length at which Google's matcher cuts a line, in bytes.
const googleLine = 2083*8 - 1

var (
	googleStatuses = []StatusRow{
		{200, 299, Successful, "the file is processed as served"},
		{300, 399, Unavailable, "a redirect that leads to no file counts as 404: no restrictions"},
		{429, 429, Unreachable, "too many requests counts as a server error"},
		{400, 499, Unavailable, "a client error counts as no robots.txt: no restrictions"},
		{0, 999, Unreachable, "a server or network error"},
	}
	rfc9309Statuses = []StatusRow{
		{200, 299, Successful, "successful access: the parseable rules are followed"},
		{300, 399, Unavailable, "a redirect that leads to no file: unavailable, everything may be accessed"},
		{400, 499, Unavailable, "unavailable: everything may be accessed"},
		{0, 999, Unreachable, "unreachable"},
	}
	yandexStatuses = []StatusRow{
		{200, 200, Successful, "the file is used"},
		{0, 999, Unavailable, "robots.txt must answer 200; otherwise the site is open"},
	}
	rep1994Statuses = []StatusRow{
		{200, 299, Successful, "the file is used"},
		{401, 401, Closed, "access restrictions: the site is closed"},
		{403, 403, Closed, "access restrictions: the site is closed"},
		{404, 404, Unavailable, "no file: all robots are welcome"},
		{410, 410, Unavailable, "no file: all robots are welcome"},
		{0, 999, Unreachable, "not defined"},
	}
	rfc9309WhileUnreachable = []UnreachableStep{
		{Hours: 0, Do: DisallowAll, Why: "everything is blocked while it is unreachable"},
		{Hours: 30 * 24, Cached: true, Do: AllowAll, Why: "after 30 days crawlers may still use a cached copy; without one the file counts as unavailable"},
	}
	googleWhileUnreachable = []UnreachableStep{
		{Hours: 0, Do: DisallowAll, Why: "for the first 12 hours Google stops crawling and keeps trying"},
		{Hours: 12, Cached: true, Do: AllowAll, Why: "after 12 hours Google uses the last good copy for up to 30 days; without one there are no restrictions"},
		{Hours: 30 * 24, Do: AllowAll, SiteDown: DisallowAll, Why: "after 30 days Google crawls without robots.txt if the site answers, and does not crawl if it does not"},
	}
	google2019WhileUnreachable = []UnreachableStep{
		{Hours: 0, Do: DisallowAll, Why: "everything is blocked until it answers again"},
		{Hours: 30 * 24, Cached: true, Do: AllowAll, Why: "after 30 days the last copy is used; without one there are no restrictions"},
	}
)

// Profiles returns all profiles, current ones first. They are shared: do not change
// them.
func Profiles() []*Profile { return append([]*Profile(nil), profiles...) }

// ProfileByName finds a profile by its name.
func ProfileByName(name string) (*Profile, bool) {
	for _, p := range profiles {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}
