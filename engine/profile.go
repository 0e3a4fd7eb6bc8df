package engine

// Profile is one reader's understanding of robots.txt, as data. The zero
// Profile is RFC 9309; every field is one point on which another reader differs.
// Most fields are read in one function. Those that matter to several steps are
// read in each of them: Agents wherever a user-agent line is compared, Encoding,
// RobotsTxtJudged and WildcardConflict by single verdicts, by a Matrix and by
// explanations, CrawlDelay, Host and CleanParam also where Lines says which lines
// count, BlankLine, TextOnly and EmptyDisallow also where it is told what the deletion
// of a line does. Lint reads any of them to tell on which readers a line is lost. The
// profiles there are, with their sources, are in profiles.go.
type Profile struct {
	Name   string // "google": the key in flags, reports and data
	Title  string // what it is, for people
	Dated  string // the day or year that the source speaks of
	Source string // address of the source
	Proof  string // what its verdicts are held to, for people

	// Superseded: its reader follows another text today, or no one follows it any
	// more. It tells what held then, and how old software may still read a file.
	Superseded bool

	// The body.
	Limit     int    // bytes read: 0 = 512,000 (500 KiB), -1 = all of them
	OverLimit Access // what a longer body means; zero (AccessUnknown) = the rest is ignored
	LineLimit int    // bytes of a line that are read; 0 = all of them
	WholeBOM  bool   // only a whole byte order mark is skipped, not the first one or two of its bytes
	NULCuts   bool   // a NUL byte ends what is read of its line
	TextOnly  bool   // a body that is no plain text leaves the site open

	// Fields.
	Misspellings bool // some misspelt fields count, and every field that begins with a known one
	MissingColon bool // "disallow /a" counts: white space for the colon where a line is two words
	NoAllow      bool // allow is an unknown field

	// Groups.
	Agents          Agents // how a user-agent line names a crawler
	Fallback        bool   // where no group names the crawler's first product token, its further ones count, in order
	Unite           bool   // the groups of all its product tokens are united
	FirstGroup      bool   // groups that name one crawler are not merged: the first one counts
	BlankLine       BlankLine
	OtherFieldSplit bool // any other field between two user-agent lines begins a new group
	Exemptions      bool // crawlers that do not obey "*" are exempt from it (Crawler.IgnoresGlobal)

	// Rules.
	Literal          bool     // no wildcards: "*" and "$" are ordinary octets
	FirstMatch       bool     // the first rule that matches decides, not the longest
	Length           Length   // what of a rule's path counts for precedence
	Encoding         Encoding // how paths are compared
	SlashOnly        bool     // a path that begins with "*" is ignored; "/" must come first
	EmptyAllow       Empty    // an allow line without a path
	EmptyDisallow    Empty    // a disallow line without a path
	IndexTwin        bool     // "allow: /a/index.html" allows "/a/" as well
	WildcardConflict bool     // a disallow longer than an allow is undefined where one of them holds a wildcard
	RobotsTxtJudged  bool     // "/robots.txt" is judged like any other path, not always allowed (RFC 9309 2.2.2)
	AnyURL           bool     // whatever it is given is judged, be it a URL or not (URLProblem)

	// Other fields.
	CrawlDelay bool       // Crawl-delay is obeyed
	Host       bool       // Host names the main mirror
	CleanParam CleanParam // what Clean-param does to a URL

	// The answer.
	Statuses         []StatusRow       // by HTTP status, the first row that fits; nil = RFC 9309 2.3.1
	WhileUnreachable []UnreachableStep // while the file is unreachable, by hours since it was first found so; nil = RFC 9309 2.3.1.4
	MaxHops          int               // redirects followed: 0 = five, -1 = none: a redirected robots.txt was not had, -2 = all
	BlockedHopOpen   bool              // a disallowed URL in the redirect chain counts as 404
	Missing5xx       bool              // where missing pages are known to answer 5xx (File.Missing5xx), 5xx counts as 404
	HTTPOnly         bool              // only URLs of http and https have a robots.txt
}

// Agents is a way in which the value of a user-agent line names a crawler.
type Agents uint8

const (
	AgentToken  Agents = iota // the product token that the value begins with, or the crawler's full name; case does not count (RFC 9309 2.2.1)
	AgentGoogle               // only the product token: the letters, "-" and "_" that the value begins with; case does not count
	AgentCased                // the same, and case counts
	AgentPrefix               // a beginning of the robot's full name, as long as its shortest token; the longest wins (Yandex)
	AgentWithin               // the token stands somewhere in the value; "*" too (Yandex's help of 2016)
	AgentPart                 // the value is part of the crawler's name (the standard of 1994)
)

// BlankLine is what an empty line means to groups.
type BlankLine uint8

const (
	BlankIgnored    BlankLine = iota // nothing
	BlankSplits                      // between two user-agent lines it begins a new group
	BlankEndsRecord                  // it ends the record, and nothing else does
)

// Length is what of a rule's path counts when the longest rule wins.
type Length uint8

const (
	LengthOctets      Length = iota // all octets, "*" and "$" too
	LengthNoTrailing                // a trailing "*" is ignored, and so does not count
	LengthNoWildcards               // octets other than "*" and a final "$"
)

// Empty is what a rule without a path means.
type Empty uint8

const (
	EmptyIgnored    Empty = iota // nothing
	EmptyWeightless              // it matches every path with no octets, allows, and is named as the match
	EmptyAllowsAll               // the same as "allow: /"
	EmptyBlocksAll               // the same as "disallow: /"
)

// CleanParam is what Clean-param does to a URL.
type CleanParam uint8

const (
	CleanIgnored CleanParam = iota // nothing
	CleanKnown                     // equal URLs form one class, kept under a URL the robot knows
	CleanReduced                   // equal URLs converge to the URL without the parameters
)
