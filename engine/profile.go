package engine

// Profile describes how one reader understands robots.txt, as data. The zero Profile
// is RFC 9309. Each field is one point on which another reader differs. Most fields
// are used in one function; these are used in several places:
//
//   - Agents, wherever a user-agent line is compared.
//   - Encoding, RobotsTxtJudged and WildcardConflict, in single verdicts, a Matrix and explanations.
//   - CrawlDelay, Host and CleanParam, also where Lines says which lines count.
//   - BlankLine, TextOnly and EmptyDisallow, also where the effect of deleting a line is computed.
//
// Lint reads any of them to find the readers that ignore a line. All profiles, with
// their sources, are in profiles.go.
type Profile struct {
	Name   string // "google": the key in flags, reports and data
	Title  string // a title for people
	Dated  string // the day or year of the source
	Source string // address of the source
	Proof  string // the evidence that its verdicts are checked against, for people

	// Superseded: the reader follows another text today, or no crawler follows it
	// any more. The profile shows the rules of that time, which old software may
	// still use.
	Superseded bool

	// The body.
	Limit     int    // bytes read: 0 = 512,000 (500 KiB), -1 = all
	OverLimit Access // what a longer body means; zero (AccessUnknown) = the rest is ignored
	LineLimit int    // bytes of a line that are read; 0 = all
	WholeBOM  bool   // only a whole byte order mark is skipped, not the first one or two of its bytes
	NULCuts   bool   // a NUL byte ends the part of its line that is read
	TextOnly  bool   // a body that is not plain text leaves the site open

	// Fields.
	Misspellings bool // some misspelt fields count, and so does every field that begins with a known one
	MissingColon bool // "disallow /a" counts: in a line of two words, white space replaces the colon
	NoAllow      bool // allow is an unknown field

	// Groups.
	Agents          Agents // how a user-agent line names a crawler
	Fallback        bool   // if no group names the crawler's first product token, its other tokens are tried in order
	Unite           bool   // the groups of all its product tokens are merged
	FirstGroup      bool   // groups that name the same crawler are not merged: the first one counts
	BlankLine       BlankLine
	OtherFieldSplit bool // any other field between two user-agent lines begins a new group
	Exemptions      bool // crawlers that do not obey "*" are exempt from it (Crawler.IgnoresGlobal)

	// Rules.
	Literal          bool     // no wildcards: "*" and "$" are ordinary bytes
	FirstMatch       bool     // the first rule that matches decides, not the longest
	Length           Length   // which part of a rule's path counts for precedence
	Encoding         Encoding // how paths are compared
	SlashOnly        bool     // a path that begins with "*" is ignored; "/" must come first
	EmptyAllow       Empty    // the meaning of an allow line without a path
	EmptyDisallow    Empty    // the meaning of a disallow line without a path
	IndexTwin        bool     // "allow: /a/index.html" allows "/a/" as well
	WildcardConflict bool     // if a disallow is longer than an allow and one of them contains a wildcard, the verdict is undefined
	RobotsTxtJudged  bool     // "/robots.txt" is judged like any other path, not always allowed (RFC 9309 2.2.2)
	AnyURL           bool     // any string is judged, even if it is not a URL (URLProblem)

	// Other fields.
	CrawlDelay bool       // Crawl-delay is obeyed
	Host       bool       // Host names the main mirror
	CleanParam CleanParam // what Clean-param does to a URL

	// The answer.
	Statuses         []StatusRow       // by HTTP status, the first row that matches; nil = RFC 9309 2.3.1
	WhileUnreachable []UnreachableStep // by hours since the file was first found unreachable; nil = RFC 9309 2.3.1.4
	MaxHops          int               // redirects followed: 0 = five, -1 = none (a redirected robots.txt is not used), -2 = all
	BlockedHopOpen   bool              // a disallowed URL in the redirect chain counts as 404
	Missing5xx       bool              // if missing pages are known to answer 5xx (File.Missing5xx), 5xx counts as 404
	HTTPOnly         bool              // only http and https URLs have a robots.txt
}

// Agents is a way for the value of a user-agent line to name a crawler.
type Agents uint8

const (
	AgentToken  Agents = iota // the product token at the start of the value, or the crawler's full name; case does not count (RFC 9309 2.2.1)
	AgentGoogle               // only the product token: the letters, "-" and "_" at the start of the value; case does not count
	AgentCased                // like AgentGoogle, but case counts
	AgentPrefix               // a prefix of the robot's full name, at least as long as its shortest token; the longest wins (Yandex)
	AgentWithin               // the token is anywhere in the value; so is "*" (Yandex's help of 2016)
	AgentPart                 // the value is part of the crawler's name (the standard of 1994)
)

// BlankLine is what an empty line means to groups.
type BlankLine uint8

const (
	BlankIgnored    BlankLine = iota // nothing
	BlankSplits                      // between two user-agent lines it begins a new group
	BlankEndsRecord                  // it ends the record, and nothing else does
)

// Length says which part of a rule's path counts when the longest rule wins.
type Length uint8

const (
	LengthOctets      Length = iota // all bytes, including "*" and "$"
	LengthNoTrailing                // all but a trailing "*", which is ignored
	LengthNoWildcards               // bytes other than "*" and a final "$"
)

// Empty is the meaning of a rule without a path.
type Empty uint8

const (
	EmptyIgnored    Empty = iota // nothing
	EmptyWeightless              // it matches every path with length 0, allows, and is reported as the match
	EmptyAllowsAll               // like "allow: /"
	EmptyBlocksAll               // like "disallow: /"
)

// CleanParam is the effect of Clean-param on a URL.
type CleanParam uint8

const (
	CleanIgnored CleanParam = iota // nothing
	CleanKnown                     // equal URLs form one class, under a URL the robot knows
	CleanReduced                   // equal URLs are reduced to the URL without the parameters
)
