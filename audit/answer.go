package audit

import (
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Answers are the robots.txt of the origins of one site, as they came, and say
// what each of them is to a crawler. All who want to know that ask them, so that
// there is one answer: the audit while it runs, the commands for one file, and
// whoever has the records of a site alone. The zero Answers know of no origin.
type Answers struct {
	// Body returns the body of an origin's robots.txt that was added without
	// one. nil = all were added with theirs.
	Body func(origin int) []byte

	list     []*answer // by origin; nil = not known
	readings map[readingKey]*engine.Robots
	blocked  map[hopKey]bool // what hopBlocked has found
}

// answer is the robots.txt of one origin.
type answer struct {
	index int
	name  string
	file  engine.File  // but for HopBlocked, which is not the same for everybody
	given bool         // see crawl.Outcome.Given
	chain []foreignHop // the redirects before it that are on other origins
}

// foreignHop is a URL of a redirect chain that is on another origin, whose
// own robots.txt may disallow it.
type foreignHop struct {
	answer *answer
	url    string
}

// readingKey is what a reading of a file depends on.
type readingKey struct {
	answer     *answer
	profile    *engine.Profile
	hopBlocked bool
}

// hopKey is what the verdict on a redirect chain depends on.
type hopKey struct {
	answer  *answer
	profile *engine.Profile
	crawler string // its name and tokens
}

// maxReadings bounds the readings that are kept: far more than one file needs.
const maxReadings = 128

// Add takes what came of asking origin no. index for its robots.txt. origin is
// "https://example.com"; "" = it is not known. Other origins that the redirects
// led through are to be added before: one that is not known yet was left out, or
// its own robots.txt redirects to this one, and its URLs are not judged. Those on
// the origin itself cannot be: their rules are what was asked for.
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

// Read returns an origin's robots.txt as a crawler has it that reads by a
// profile: the same *engine.Robots for crawlers to which it is the same, until Forget.
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
		if rest, ok := strings.CutPrefix(r.Why, "HTTP 200"); ok && of.given { // which the engine takes from the status
			r.Why = "your draft of robots.txt" + rest
		}
		a.readings[key] = r
	}
	return r
}

// inWords puts the words of an error in place of its code, with which the engine begins
// or ends a sentence: it knows no more of it.
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

// File returns an origin's robots.txt in the engine's terms, as it is to a
// crawler that reads by a profile; the zero File for an origin that is not known.
func (a *Answers) File(origin int, p *engine.Profile, c engine.Crawler) engine.File {
	of := a.of(origin)
	if of == nil {
		return engine.File{}
	}
	return a.file(of, a.hopBlocked(of, p, c))
}

// Forecast says what will become of an origin's answer to a crawler that reads
// by a profile, see engine.Profile.Forecast. The body, which makes no difference
// to it, is not asked for.
func (a *Answers) Forecast(origin int, p *engine.Profile, c engine.Crawler) []engine.Prediction {
	of := a.of(origin)
	if of == nil {
		return p.Forecast(engine.File{})
	}
	f := of.file
	f.Body, f.HopBlocked = nil, a.hopBlocked(of, p, c)
	return p.Forecast(f)
}

// hopBlocked reports whether a crawler that reads by a profile may not fetch one
// of the URLs that lead to a robots.txt.
func (a *Answers) hopBlocked(of *answer, p *engine.Profile, c engine.Crawler) bool {
	if !p.BlockedHopOpen || of.chain == nil {
		return false
	}
	key := hopKey{of, p, c.Name + " " + strings.Join(c.Tokens, " ")}
	blocked, known := a.blocked[key]
	if !known { // once: chains may lead through origins with chains of their own
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

// Held returns the body of an origin's robots.txt if it is in memory; nil = it
// is not.
func (a *Answers) Held(origin int) []byte {
	if of := a.of(origin); of != nil {
		return of.file.Body
	}
	return nil
}

// Forget drops what was read so far, and the bodies that Body can give again.
func (a *Answers) Forget() {
	a.readings, a.blocked = nil, nil
	for _, of := range a.list {
		if of != nil && a.Body != nil {
			of.file.Body = nil
		}
	}
}
