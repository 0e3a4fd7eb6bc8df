package audit

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Answers are the robots.txt responses of the origins of one site. They decide what each response
// means for a crawler. The audit, the commands for one file and readers of stored records all use
// them, so the result is always the same. The zero Answers knows no origin.
type Answers struct {
	// Body returns the body of an origin's robots.txt that was added without one. nil = all were
	// added with a body.
	Body func(origin int) []byte

	list     []*answer // by origin; nil = not known
	readings map[readingKey]*engine.Robots
	blocked  map[hopKey]bool // results of hopBlocked
}

// answer is the robots.txt response of one origin.
type answer struct {
	index int
	name  string
	file  engine.File  // without HopBlocked, which depends on the crawler
	given bool         // see crawl.Outcome.Given
	chain []foreignHop // the redirects before it that are on other origins
}

// foreignHop is a URL of a redirect chain on another origin, whose robots.txt may disallow it.
type foreignHop struct {
	answer *answer
	url    string
}

// readingKey is everything that a reading of a file depends on.
type readingKey struct {
	answer     *answer
	profile    *engine.Profile
	hopBlocked bool
}

// hopKey is everything that the verdict on a redirect chain depends on.
type hopKey struct {
	answer  *answer
	profile *engine.Profile
	crawler string // its name and tokens
}

// maxReadings bounds the readings that are kept: far more than one file needs.
const maxReadings = 128

// Add adds the robots.txt response of origin no. index. origin is "https://example.com"; "" =
// unknown. Add other origins of the redirect chain first. A hop on an origin that is still unknown
// is not judged: it was skipped, or its robots.txt redirects back to this one. Hops on the origin
// itself are not judged either, because their rules were still unknown.
func (a *Answers) Add(index int, origin string, file *crawl.RobotsFile) {
	added := &answer{index: index, name: origin, given: file.Given, file: engine.File{
		Status: file.Status, Error: file.Code, Hops: file.Redirects(), ContentType: file.Type,
		Body: file.Body, Truncated: file.Truncated, CrossHost: crossHost(file.Hops),
		UnreachableHours: file.UnreachableHours, Cached: file.Cached,
	}}
	if file.Code != "" {
		added.file.Trouble = Meaning(file.Code)
	}
	for name, url := range foreignHops(origin, file) {
		at := slices.IndexFunc(a.list, func(known *answer) bool { return known != nil && known.name == name })
		if at >= 0 {
			added.chain = append(added.chain, foreignHop{a.list[at], url})
		}
	}
	for len(a.list) <= index {
		a.list = append(a.list, nil)
	}
	a.list[index] = added
}

// Read returns an origin's robots.txt as a crawler with a profile reads it. Crawlers that read it
// alike get the same *engine.Robots until Forget.
func (a *Answers) Read(origin int, p *engine.Profile, c engine.Crawler) *engine.Robots {
	if of := a.of(origin); of != nil {
		return a.read(of, p, c)
	}
	return p.Read(engine.File{})
}

func (a *Answers) read(of *answer, p *engine.Profile, c engine.Crawler) *engine.Robots {
	key := readingKey{of, p, a.hopBlocked(of, p, c)}
	r := a.readings[key]
	if r == nil {
		if len(a.readings) >= maxReadings {
			a.Forget()
		}
		if a.readings == nil {
			a.readings = map[readingKey]*engine.Robots{}
		}
		r = p.Read(a.file(of, key.hopBlocked))
		r.Why = inWords(r.Why, of.file.Error)
		if rest, ok := strings.CutPrefix(r.Why, "HTTP 200"); ok && of.given { // the engine derives this from the status
			r.Why = "your draft of robots.txt" + rest
		}
		a.readings[key] = r
	}
	return r
}

// inWords replaces an error code at the begin or end of an engine's sentence with its meaning. The
// engine knows only the code.
func inWords(sentence, code string) string {
	if code == "" {
		return sentence
	}
	if rest, ok := strings.CutPrefix(sentence, code+": "); ok {
		return Meaning(code) + ": " + rest
	}
	if rest, ok := strings.CutSuffix(sentence, ": "+code); ok {
		return rest + ": " + Meaning(code)
	}
	return sentence
}

// File returns an origin's robots.txt as an engine.File for a crawler with a profile; the zero File
// for an unknown origin.
func (a *Answers) File(origin int, p *engine.Profile, c engine.Crawler) engine.File {
	of := a.of(origin)
	if of == nil {
		return engine.File{}
	}
	return a.file(of, a.hopBlocked(of, p, c))
}

// Forecast predicts what an origin's response will mean to a crawler with a profile, see
// engine.Profile.Forecast. It does not need the body.
func (a *Answers) Forecast(origin int, p *engine.Profile, c engine.Crawler) []engine.Prediction {
	of := a.of(origin)
	if of == nil {
		return p.Forecast(engine.File{})
	}
	f := of.file
	f.Body, f.HopBlocked = nil, a.hopBlocked(of, p, c)
	return p.Forecast(f)
}

// hopBlocked reports whether robots.txt blocks one of the redirects to a robots.txt for a crawler
// with a profile.
func (a *Answers) hopBlocked(of *answer, p *engine.Profile, c engine.Crawler) bool {
	if !p.BlockedHopOpen || of.chain == nil {
		return false
	}
	key := hopKey{of, p, c.Name + " " + strings.Join(c.Tokens, " ")}
	blocked, known := a.blocked[key]
	if !known { // chains may pass through origins with chains of their own, so ask only once
		blocked = slices.ContainsFunc(of.chain, func(hop foreignHop) bool {
			return a.read(hop.answer, p, c).Group(c).Verdict(hop.url).Verdict == engine.Disallow
		})
		if a.blocked == nil {
			a.blocked = map[hopKey]bool{}
		}
		a.blocked[key] = blocked
	}
	return blocked
}

func (a *Answers) of(origin int) *answer {
	if origin < 0 || origin >= len(a.list) {
		return nil
	}
	return a.list[origin]
}

func (a *Answers) file(of *answer, hopBlocked bool) engine.File {
	if of.file.Body == nil && a.Body != nil {
		of.file.Body = a.Body(of.index)
	}
	f := of.file
	f.HopBlocked = hopBlocked
	return f
}

// Held returns the body of an origin's robots.txt if it is in memory, else nil.
func (a *Answers) Held(origin int) []byte {
	if of := a.of(origin); of != nil {
		return of.file.Body
	}
	return nil
}

// Forget drops all readings, and the bodies that Body can return again.
func (a *Answers) Forget() {
	a.readings, a.blocked = nil, nil
	for _, of := range a.list {
		if of != nil && a.Body != nil {
			of.file.Body = nil
		}
	}
}

// maxAsked bounds the origins that Ask asks.
const maxAsked = 16

// Ask asks an origin for its robots.txt, and also the origins that it redirects through. The origin
// itself is no. 0 of the answers.
func Ask(ctx context.Context, fetch *crawl.Site, origin string) (*Answers, *crawl.RobotsFile) {
	a := &Answers{}
	if head, _, reason := split([]byte(origin)); reason == "" && originName(head) != "" {
		origin = originName(head)
	}
	asked := []string{origin}
	var ask func(index int) *crawl.RobotsFile
	ask = func(index int) *crawl.RobotsFile {
		file := fetch.Robots(ctx, asked[index])
		for name := range foreignHops(asked[index], file) {
			if len(asked) < maxAsked && !slices.Contains(asked, name) {
				asked = append(asked, name)
				ask(len(asked) - 1)
			}
		}
		a.Add(index, asked[index], file)
		return file
	}
	return a, ask(0)
}

// foreignHops yields the URLs of a redirect chain that are on other origins
// than the one asked, each with the name of its origin.
func foreignHops(origin string, file *crawl.RobotsFile) func(yield func(name, url string) bool) {
	return func(yield func(name, url string) bool) {
		for _, hop := range file.Hops {
			head, path, reason := split([]byte(hop.URL))
			if reason != "" || string(path) == "/robots.txt" { // crawlers may always ask for this
				continue
			}
			if name := originName(head); name != "" && name != origin && !yield(name, hop.URL) {
				return
			}
		}
	}
}

// crossHost reports whether a redirect chain ended on another host than it began on.
func crossHost(hops []crawl.Hop) bool {
	if len(hops) < 2 {
		return false
	}
	first, _, _ := split([]byte(hops[0].URL))
	last, _, _ := split([]byte(hops[len(hops)-1].URL))
	_, from, _ := bytes.Cut(first, []byte("://"))
	_, to, _ := bytes.Cut(last, []byte("://"))
	return !bytes.EqualFold(from, to)
}

// Reader is a crawler with an origin's robots.txt as its profile reads it.
type Reader struct {
	Crawler engine.Crawler
	Robots  *engine.Robots
	Group   *engine.Group // the group that the crawler obeys
}

// Verdict is a verdict with its reason.
type Verdict struct {
	Verdict engine.Verdict
	Rule    engine.Rule // the deciding rule; Line 0 = none
	Why     string      // if no rule decided: "no rule matches", "HTTP 503: full disallow …"
}

// Reader returns an origin's robots.txt as a crawler with a profile reads it.
func (a *Answers) Reader(origin int, p *engine.Profile, c engine.Crawler) Reader {
	r := a.Read(origin, p, c)
	return Reader{c, r, r.Group(c)}
}

// Verdict judges a URL.
func (r *Reader) Verdict(url string) Verdict { return r.Explain(r.Group.Verdict(url)) }

// Explain adds the reason to a decision of the reader's group.
func (r *Reader) Explain(d engine.Decision) Verdict {
	if d.Rule != nil {
		return Verdict{Verdict: d.Verdict, Rule: *d.Rule}
	}
	return Verdict{Verdict: d.Verdict, Why: cmp.Or(r.Why(), "no rule matches")}
}

// Why says why the answer as a whole decides: "HTTP 503: full disallow"; "" if the rules decide.
func (r *Reader) Why() string {
	if r.Robots.Access == engine.Parsed {
		return ""
	}
	return ReadWhy(r.Robots.Why)
}
