package audit

import (
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
