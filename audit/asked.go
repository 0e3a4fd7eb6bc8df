package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/internal/policyfile"
	"robots-audit/engine"
)

// AskAs says in whose names the URLs of a site are requested.
type AskAs struct {
	Crawlers []engine.Crawler // each has a User-Agent in engine.UserAgentOf
	Pages    int              // sample pages of each template

	time time.Duration // for one site [askTime]
}

// Asked are a site's answers to requests in the names of crawlers. They prove what we were answered
// from our address, and not what the crawlers get: servers may know their addresses.
type Asked struct {
	Agents   string         `json:"agents"`             // day of the list of User-Agents: "2026-10-28"
	Ours     string         `json:"ours"`               // our own User-Agent
	Edge     []string       `json:"edge,omitempty"`     // products in front of the server, as its headers name them: "Cloudflare"
	URLs     []AskedURL     `json:"urls"`               // robots.txt, home page, sitemap, pages, style sheet, script
	Crawlers []AskedCrawler `json:"crawlers"`           // in the order of the user
	Files    []PolicyFile   `json:"files"`              // one for each of PolicyFiles, in order; RSL licences may be several
	Requests int            `json:"requests"`           // sent for all this, with repetitions and redirects
	Limits   []AskedLimit   `json:"limits,omitempty"`   // why it is not complete; nil = it is
	Unstable bool           `json:"unstable,omitempty"` // the server answered the same request differently
}

// AskedLimit says why not all was asked.
type AskedLimit string

// Limits of Asked.
const (
	AskedLimitTime AskedLimit = "time" // the time was over
	AskedLimitOwn  AskedLimit = "own"  // robots.txt blocks some URLs for this program
	AskedLimitRate AskedLimit = "rate" // the server asked to come later, with HTTP 429, or 503 and Retry-After
)

// AskedKind is the kind of a URL that was requested in the names of crawlers.
type AskedKind string

// Kinds of URLs.
const (
	AskedRobots     AskedKind = "robots.txt"
	AskedHome       AskedKind = "home page"
	AskedSitemap    AskedKind = "sitemap"
	AskedPage       AskedKind = "page"
	AskedStyleSheet AskedKind = "style sheet"
	AskedScript     AskedKind = "script"
)

// AskedURL is a URL that was requested, with our own answer.
type AskedURL struct {
	URL        string            `json:"url"`
	Kind       AskedKind         `json:"kind"`
	Template   string            `json:"template,omitempty"`   // of a page, see pattern.Groups
	Ours       Reply             `json:"ours"`                 // under our own name
	Statements []PolicyStatement `json:"statements,omitempty"` // of the page to AI: meta elements and headers
}

// AskedCrawler has the answers to requests in the name of one crawler.
type AskedCrawler struct {
	Name      string    `json:"name"`
	Operator  string    `json:"operator"`
	Purpose   string    `json:"purpose"`
	UserAgent string    `json:"user_agent"` // as sent
	Source    string    `json:"source"`     // address of the page that publishes it
	Dated     string    `json:"dated"`
	Treatment Treatment `json:"treatment"` // the first of Treatments that one of Replies has
	Replies   []Reply   `json:"replies"`   // one for each of Asked.URLs
}

// Treatment is how a server treats a name, compared with our own.
type Treatment string

// Treatments. Unclear is never counted as let in.
const (
	LetIn      Treatment = "let_in"         // the same as for us
	Refused    Treatment = "refused"        // an error, or no answer, while we get one
	Challenged Treatment = "challenged"     // a page that asks for proof of a person
	AskedToPay Treatment = "asked_to_pay"   // HTTP 402, or terms of payment
	Otherwise  Treatment = "something_else" // another page, redirect, noindex
	Unclear    Treatment = "unclear"        // nothing is proved, see Reply.Why
)

// Treatments are all treatments, the one that says most about a crawler first.
var Treatments = []Treatment{Refused, Challenged, AskedToPay, Otherwise, Unclear, LetIn}

// treatmentWords are the treatments for people.
var treatmentWords = map[Treatment]string{
	LetIn: "let in", Refused: "refused", Challenged: "challenged", AskedToPay: "asked to pay", Otherwise: "served something else", Unclear: "unclear",
}

// Words is the treatment for people: "let in". "" = not asked, or a treatment of a later version.
func (t Treatment) Words() string { return treatmentWords[t] }

// Worst returns the first of Treatments that is in the list; Unclear for an empty one.
func Worst(list []Reply) Treatment {
	for _, t := range Treatments {
		if slices.ContainsFunc(list, func(r Reply) bool { return r.Treatment == t }) {
			return t
		}
	}
	return Unclear
}

// Reply is an answer to a request in some name.
type Reply struct {
	Treatment Treatment         `json:"treatment"`          // of our own answer: LetIn, or what it would be for a crawler
	Why       ReplyWhy          `json:"why,omitempty"`      // "" with LetIn
	Status    int               `json:"status"`             // final status; 0 = no answer, or not asked
	Code      string            `json:"code,omitempty"`     // one of crawl's codes
	Location  string            `json:"location,omitempty"` // the URL that answered, if it is another, without its query
	Type      string            `json:"type,omitempty"`     // media type: "text/html"
	Bytes     int64             `json:"bytes"`              // of the body as far as it was read
	Title     string            `json:"title,omitempty"`    // of an HTML page, cut
	NoIndex   bool              `json:"noindex,omitempty"`  // for this crawler; for our own answer, for all
	XRobots   []string          `json:"x_robots_tag,omitempty"`
	Evidence  map[string]string `json:"evidence,omitempty"` // header fields that show the product or its terms: "Cf-Mitigated": "challenge"; "body" = known words of a challenge
	Millis    float64           `json:"millis"`
	Asked     int               `json:"asked"` // number of requests with this answer; 0 = not asked
}

// ReplyWhy is the reason for a Treatment.
type ReplyWhy string

// Reasons.
const (
	WhyStatus      ReplyWhy = "status"       // an HTTP error
	WhyNoAnswer    ReplyWhy = "no_answer"    // the connection was closed, or timed out
	WhyChallenge   ReplyWhy = "challenge"    // header fields or words of a known challenge
	WhyPayment     ReplyWhy = "payment"      // HTTP 402
	WhyRedirect    ReplyWhy = "redirect"     // another URL answered
	WhyEmpty       ReplyWhy = "empty"        // an empty body
	WhyType        ReplyWhy = "type"         // another type of content
	WhyNoIndex     ReplyWhy = "noindex"      // noindex only for this name
	WhyTitle       ReplyWhy = "title"        // another title
	WhySize        ReplyWhy = "size"         // far smaller or larger
	WhyContent     ReplyWhy = "content"      // a robots.txt or sitemap with other content
	WhyRefusesUs   ReplyWhy = "refuses_us"   // we are refused under our own name, too
	WhyUnstable    ReplyWhy = "unstable"     // answers to the same request differ
	WhyRateLimited ReplyWhy = "rate_limited" // HTTP 429, which may be about the number of requests; Asked 0 = not asked after it, or after a 503 with Retry-After
	WhyMissing     ReplyWhy = "missing"      // there is no such URL for us, either: it shows nothing
	WhyNotAsked    ReplyWhy = "not_asked"    // the time was over, or robots.txt blocks this program
)

// whyWords are reasons of answers that have no status to name.
var whyWords = map[ReplyWhy]string{
	WhyNoAnswer: "no answer", WhyChallenge: "a challenge", WhyRedirect: "another URL", WhyEmpty: "an empty body", WhyType: "another type of content",
	WhyNoIndex: "noindex", WhyTitle: "another title", WhySize: "far smaller or larger", WhyContent: "other content",
	WhyRefusesUs: "the server refuses us, too", WhyUnstable: "the answers to the same request differ", WhyMissing: "not found for us, either", WhyNotAsked: "not asked",
}

// Words is the reason for people: "another URL"; "" = the status says it.
func (w ReplyWhy) Words() string { return whyWords[w] }

// Outcome is the answer in few words: "HTTP 200", "no answer", "not asked".
func (r *Reply) Outcome() string {
	switch {
	case r.Asked == 0:
		return whyWords[WhyNotAsked]
	case r.Status == 0:
		return whyWords[WhyNoAnswer]
	}
	return fmt.Sprintf("HTTP %d", r.Status)
}

// Reason is why the answer has its treatment, in few words: "HTTP 403", "a challenge"; "" = it is let in.
func (r *Reply) Reason() string {
	switch words := r.Why.Words(); {
	case r.Treatment == LetIn:
		return ""
	case words != "" && (r.Status < 400 || r.Treatment == Unclear):
		return words
	case r.Status > 0:
		return fmt.Sprintf("HTTP %d", r.Status)
	case r.Why == WhyRateLimited: // after an HTTP 429 for another URL
		return whyWords[WhyNotAsked]
	}
	return ""
}

// PolicyFile is a file with a policy for AI, other than robots.txt.
type PolicyFile struct {
	Kind       string            `json:"kind"` // one of PolicyFiles
	URL        string            `json:"url"`  // "" = there is none to ask for, as no RSL licence is named
	Status     int               `json:"status"`
	Code       string            `json:"code,omitempty"`
	Found      bool              `json:"found"`            // there is such a file
	Fault      string            `json:"fault,omitempty"`  // why it is not well-formed, a sentence
	Line       int               `json:"line,omitempty"`   // of robots.txt, that names an RSL licence
	Tokens     []string          `json:"tokens,omitempty"` // user-agent values of its group in robots.txt; nil = it is for every crawler
	Statements []PolicyStatement `json:"statements"`       // at most 50
	Links      []string          `json:"links,omitempty"`  // URLs of the site in llms.txt, at most 50
	More       int               `json:"more,omitempty"`   // statements and links beyond these
}

// Kinds of policy files.
const (
	FileTDMRep = policyfile.TDMRep // W3C TDM Reservation Protocol: /.well-known/tdmrep.json
	FileAI     = policyfile.AI     // Spawning's ai.txt
	FileLLMs   = policyfile.LLMs   // llmstxt.org
	FileRSL    = policyfile.RSL    // a licence that robots.txt or a header names
)

// PolicyFiles are the kinds in their order.
var PolicyFiles = []string{FileTDMRep, FileAI, FileLLMs, FileRSL}

// PolicyStatement is one statement of a site to AI, in robots.txt, a page or a file.
type PolicyStatement = policyfile.Statement

// maxAskAs bounds the crawlers in whose names URLs are requested.
const maxAskAs = 20

// ParseAskAs reads a comma-separated list of crawlers, see engine.CrawlerNames. Of those that a purpose
// names, it takes those whose User-Agent is known. The error names the entry that cannot be used, and
// what to write.
func ParseAskAs(list string, pages int, own ...engine.Crawler) (*AskAs, error) {
	as := &AskAs{Pages: pages}
	for _, entry := range strings.Split(list, ",") {
		names, err := engine.CrawlerNames(entry, own...)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.TrimSpace(name) == "" {
				continue
			}
			c, err := engine.ParseCrawler(name, own...)
			var unknown *engine.UnknownCrawlerError
			if errors.As(err, &unknown) {
				return nil, unknownAskAs(unknown)
			}
			if err != nil {
				return nil, err
			}
			if _, ok := engine.UserAgentOf(c.Name); !ok {
				switch {
				case len(names) > 1:
					continue
				case c.Purpose == "control token":
					return nil, fmt.Errorf("%s sends no requests. It is only a token of robots.txt. Remove it", c.Name)
				}
				return nil, fmt.Errorf("the User-Agent of %s is not known. Expected one of %s", c.Name, strings.Join(AskAsNames(), ", "))
			}
			if !slices.ContainsFunc(as.Crawlers, func(of engine.Crawler) bool { return of.Name == c.Name }) {
				as.Crawlers = append(as.Crawlers, c)
			}
		}
	}
	switch n := len(as.Crawlers); {
	case n == 0:
		return nil, fmt.Errorf("%q names no crawler whose User-Agent is known. Expected some of %s", list, strings.Join(AskAsNames(), ", "))
	case n > maxAskAs:
		return nil, fmt.Errorf("%d crawlers are too many. Expected %d or fewer", n, maxAskAs)
	}
	return as, nil
}

// unknownAskAs is the error for a name that is not in the crawler list. A product token would not do.
func unknownAskAs(err *engine.UnknownCrawlerError) error {
	if _, known := engine.UserAgentOf(err.Meant); known {
		return errors.New(err.Short())
	}
	err.Meant = ""
	return fmt.Errorf("%s. Expected purpose:ai-training, purpose:ai-search, or some of %s", err.Short(), strings.Join(AskAsNames(), ", "))
}

// AskAsNames are the names of the crawlers whose User-Agent is known: those that ParseAskAs takes.
func AskAsNames() (names []string) {
	for _, c := range engine.Crawlers() {
		if _, ok := engine.UserAgentOf(c.Name); ok {
			names = append(names, c.Name)
		}
	}
	return names
}

// names are the names of the crawlers; nil = none.
func (a *AskAs) names() (list []string) {
	if a != nil {
		for _, c := range a.Crawlers {
			list = append(list, c.Name)
		}
	}
	return list
}
