package urlindex

import (
	"encoding/binary"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/pattern"
	"robots-audit/engine"
)

// Outcome is what the crawlers of a site may do with a URL. Many URLs, also of several sites, share one.
type Outcome struct {
	Crawlers []string         // labels
	Verdicts []engine.Verdict // for each crawler; nil = not kept, because the run has too many different ones
	Lines    []int32          // the rules' lines; 0 = no rule
	rules    []uint32
	texts    []string
}

// Rule is the text of the rule for a crawler, such as "disallow: /a"; "" = no rule, or it was not kept.
func (o *Outcome) Rule(crawler int) string { return o.texts[o.rules[crawler]] }

// Verdict is the verdict for a crawler; unknown if it was not kept.
func (o *Outcome) Verdict(crawler int) engine.Verdict {
	if o.Verdicts == nil {
		return engine.Unknown
	}
	return o.Verdicts[crawler]
}

// Bounds of a dictionary. What is beyond them is unknown to filters, and counted.
const (
	maxOutcomes      = 4096    // of one site, so that it does not take the space of others
	maxOutcomeCells  = 2 << 20 // verdicts of all outcomes
	maxTexts         = 8 << 20 // bytes of all rules; the same of all templates
	maxRule          = 1000    // bytes of a rule
	maxTemplates     = 4 << 20 // templates while URLs arrive: many are joined later
	maxSiteTemplates = 1 << 16 // the same of one site
)

// Dictionary has the values that URLs of a run share, while an index is built.
type Dictionary struct {
	stored    words
	outcomes  map[string]uint32
	sets      map[string]uint32 // crawlers of sites, and the outcome with no verdicts
	rules     texts
	names     texts // of templates
	segments  texts
	cells     int
	templates []uint32 // for each template that a URL was given, its final number: see End
}

// words is a dictionary as it is stored.
type words struct {
	Sets      [][]string // labels of crawlers
	Outcomes  []storedOutcome
	Rules     []string // "" first; likewise
	Templates []string
	Segments  []string
	Lost      Lost
}

// Lost counts the URLs that filters cannot find, because the run has too many different values.
type Lost struct {
	Verdicts  int64 `json:",omitempty"` // of URLs whose verdicts and rules were not kept
	Templates int64 `json:",omitempty"` // of URLs whose template was not kept
}

// storedOutcome is an Outcome as it is stored.
type storedOutcome struct {
	Set      uint32
	Verdicts []byte   `json:",omitempty"`
	Lines    []int32  `json:",omitempty"`
	Rules    []uint32 `json:",omitempty"`
}

// texts numbers different texts. Those beyond the bounds are 0, which is "".
type texts struct {
	list  []string
	known map[string]uint32
	bytes int
	most  int // of list
}

func newTexts(most int) texts { return texts{[]string{""}, map[string]uint32{"": 0}, 0, most} }

func (t *texts) of(text string) uint32 {
	text = strings.ToValidUTF8(text, "\uFFFD") // as it is once it was stored as JSON
	if n, ok := t.known[text]; ok {
		return n
	}
	if t.bytes += len(text); t.bytes > maxTexts || len(t.list) >= t.most {
		return 0
	}
	n := uint32(len(t.list))
	text = strings.Clone(text)
	t.list, t.known[text] = append(t.list, text), n
	return n
}

// NewDictionary returns the dictionary of an index.
func NewDictionary() *Dictionary {
	return &Dictionary{
		outcomes: map[string]uint32{}, sets: map[string]uint32{}, templates: []uint32{0},
		rules: newTexts(maxTexts), names: newTexts(maxTexts), segments: newTexts(1 << 16),
	}
}

// Site collects the URLs of one site, as they come in its records.
type Site struct {
	*Dictionary
	at       uint32
	set      uint32 // index of its crawlers, and the number of the outcome with no verdicts
	none     uint32
	crawlers int
	rules    map[int][]audit.RuleLine // of each origin
	known    map[string]uint32        // outcomes by origin, verdicts and lines
	key      []byte
	groups   pattern.Groups[*template]
	made     []*template
	numbers  []byte // of the last URL
}

// template is a group of URLs while they arrive. Groups may be joined.
type template struct {
	number uint32 // in Dictionary.templates
	urls   int64
	into   *template
	name   uint32
}

// Site begins a site, by its index in the list of the run's sites, from 0.
func (d *Dictionary) Site(at int, crawlers []audit.Crawler) *Site {
	s := &Site{Dictionary: d, at: uint32(at), crawlers: len(crawlers), rules: map[int][]audit.RuleLine{}, known: map[string]uint32{}}
	labels := []string{}
	for _, c := range crawlers {
		labels = append(labels, strings.ToValidUTF8(c.Label, "\uFFFD"))
	}
	key := strings.Join(labels, "\x00")
	none, ok := d.sets[key]
	if !ok {
		none = uint32(len(d.stored.Outcomes))
		d.sets[key] = none
		d.stored.Outcomes = append(d.stored.Outcomes, storedOutcome{Set: uint32(len(d.stored.Sets))})
		d.stored.Sets = append(d.stored.Sets, labels)
	}
	s.none, s.set = none, d.stored.Outcomes[none].Set
	s.groups = pattern.Groups[*template]{
		New: func() *template {
			t := &template{}
			if len(d.templates) < maxTemplates && len(s.made) < maxSiteTemplates {
				t.number = uint32(len(d.templates))
				d.templates, s.made = append(d.templates, 0), append(s.made, t)
			}
			return t
		},
		Merge: func(into, from *template) { into.urls, from.into = into.urls+from.urls, into },
		Size:  func(t *template) int64 { return t.urls },
	}
	return s
}

// AddRobots adds the rules of an origin, which come before the URLs that they apply to.
func (s *Site) AddRobots(r *audit.Robots) { s.rules[r.Index] = r.Rules }

// URL returns a URL of the site, which is valid until the next call. segment is the name of its segment.
func (s *Site) URL(u *audit.URL, segment string) Entry {
	s.numbers = appendNumbers(s.numbers[:0], u)
	of := class{site: s.at, kind: uint8(min(u.Kind, 253)) + 1, outcome: s.outcomeOf(u), segment: uint16(s.segments.of(segment))}
	e := Entry{of, u.Loc, s.numbers}
	if u.Indexed || u.Listed || u.HasClicks() || u.HasImpressions() {
		e.marks |= markListed
	}
	if u.Sitemap >= 0 && u.Kind != audit.KindList {
		e.marks |= markSitemap
	}
	if audit.IsPage(u.Kind) {
		t := s.groups.Of(u.Loc)
		t.urls++
		e.template = t.number
		if t.number == 0 {
			s.stored.Lost.Templates++
		}
	}
	return e
}

// Page returns the answer of a page, which URLs with the same text get; ok = false if it was not requested.
func (s *Site) Page(p *audit.Page) (e Entry, ok bool) {
	status := p.Status
	if status < 100 || status > 999 {
		status = NoAnswer
	}
	return Entry{class: class{site: s.at, kind: statusOnly, status: uint16(status)}, loc: p.URL}, !p.Refused()
}

// End ends the site: only now it is known which of its templates are joined.
func (s *Site) End() {
	for name, t := range s.groups.All() {
		t.name = s.names.of(name)
		if t.name == 0 && name != "" && t.number > 0 {
			s.stored.Lost.Templates += t.urls
		}
	}
	for _, t := range s.made {
		at := t
		for at.into != nil {
			at = at.into
		}
		s.templates[t.number] = at.name
	}
}

// outcomeOf numbers the outcome of a URL.
func (s *Site) outcomeOf(u *audit.URL) uint32 {
	s.key = binary.AppendVarint(s.key[:0], int64(u.Origin))
	for i := range s.crawlers {
		verdict, line := engine.Unknown, int32(0)
		if i < len(u.Verdicts) {
			verdict = u.Verdicts[i]
		}
		if i < len(u.Lines) {
			line = u.Lines[i]
		}
		s.key = binary.AppendVarint(append(s.key, byte(verdict)), int64(line))
	}
	at, ok := s.known[string(s.key)]
	if !ok && len(s.known) < maxOutcomes {
		at = s.newOutcome(u)
		s.known[string(s.key)] = at
	} else if !ok {
		at = s.none
	}
	if at == s.none {
		s.stored.Lost.Verdicts++
	}
	return at
}

// newOutcome numbers an outcome that the site did not have before; another site may have it.
func (s *Site) newOutcome(u *audit.URL) uint32 {
	o := storedOutcome{Set: s.set, Verdicts: make([]byte, s.crawlers), Lines: make([]int32, s.crawlers), Rules: make([]uint32, s.crawlers)}
	key := binary.AppendUvarint(nil, uint64(o.Set))
	for i := range s.crawlers {
		if i < len(u.Verdicts) {
			o.Verdicts[i] = byte(u.Verdicts[i])
		}
		if i < len(u.Lines) && u.Lines[i] > 0 {
			o.Lines[i] = u.Lines[i]
			o.Rules[i] = s.ruleAt(u.Origin, int(u.Lines[i]))
		}
		key = binary.AppendUvarint(append(key, o.Verdicts[i]), uint64(o.Lines[i]))
		key = binary.AppendUvarint(key, uint64(o.Rules[i]))
	}
	if at, ok := s.outcomes[string(key)]; ok {
		return at
	}
	if s.cells += s.crawlers; s.cells > maxOutcomeCells {
		return s.none
	}
	at := uint32(len(s.stored.Outcomes))
	s.outcomes[string(key)] = at
	s.stored.Outcomes = append(s.stored.Outcomes, o)
	return at
}

// ruleAt numbers the text of the rule in a line.
func (s *Site) ruleAt(origin, line int) uint32 {
	list := s.rules[origin]
	at := slices.IndexFunc(list, func(r audit.RuleLine) bool { return r.Line == line })
	if at < 0 {
		return 0
	}
	text := list[at].Rule
	if len(text) > maxRule {
		text = text[:maxRule] + "…"
	}
	return s.Dictionary.rules.of(text)
}

// words are the values as they are stored.
func (d *Dictionary) words() words {
	d.stored.Rules, d.stored.Templates, d.stored.Segments = d.rules.list, d.names.list, d.segments.list
	return d.stored
}
