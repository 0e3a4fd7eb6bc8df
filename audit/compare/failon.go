package compare

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine/wording"
)

// FailOn are the conditions of -fail-on of compare and simulate, and of -fail-on-flips of verify:
// "newly-blocked", "newly-blocked>5%:Googlebot,newly-blocked-clicks>50", "newly-blocked>5%hits",
// "flip", "change", "never".
// Each applies to every site on its own. The zero value is "never".
type FailOn []condition

// condition is one of the conditions of FailOn.
type condition struct {
	text    string // as the user wrote it
	class   Class  // Same = a flip of any class, or any change
	change  bool   // any change
	weight  string // what is counted instead of URLs: "clicks", "hits"; "" = URLs
	limit   float64
	share   bool   // limit is a share of the URLs, clicks or hits that both sides know
	crawler string // label; "" = at least one of the crawlers
}

// What a condition may count instead of URLs.
const (
	weightClicks = "clicks"
	weightHits   = "hits"
)

// FailOnKinds returns the kinds of change that ParseFailOn accepts, for completion.
func FailOnKinds() []string {
	return []string{"newly-blocked", "newly-blocked-clicks", "newly-blocked-hits", "newly-allowed", "newly-allowed-clicks", "newly-allowed-hits", "flip", "change", "never"}
}

var (
	conditionForm  = regexp.MustCompile(`^(newly-blocked|newly-allowed)(?:-(clicks|hits))?(?:>([0-9]+(?:\.[0-9]+)?)(%?)(clicks|hits)?)?(?::(.+))?$`)
	errFailOn      = errors.New("expected newly-blocked, newly-allowed, flip, change or never. A limit can follow, as in newly-blocked>100, newly-blocked>5%:Googlebot or newly-blocked-clicks>50")
	errAboveShares = errors.New("a share is below 100%")
)

// ParseFailOn reads conditions, separated by commas.
func ParseFailOn(text string) (on FailOn, err error) {
	for part := range strings.SplitSeq(text, ",") {
		c := condition{text: strings.TrimSpace(part)}
		form := conditionForm.FindStringSubmatch(c.text)
		switch {
		case c.text == "never" && part == text:
			return nil, nil
		case c.text == "flip", c.text == "change":
			c.change = c.text == "change"
			on = append(on, c)
			continue
		case form == nil, form[2] != "" && form[5] != "":
			return nil, errFailOn
		}
		c.class = NewlyBlocked
		if form[1] == "newly-allowed" {
			c.class = NewlyAllowed
		}
		c.weight, c.share, c.crawler = form[2]+form[5], form[4] != "", strings.TrimSpace(form[6])
		c.limit, _ = strconv.ParseFloat(cmp.Or(form[3], "0"), 64)
		if c.share {
			if c.limit /= 100; c.limit >= 1 {
				return nil, errAboveShares
			}
		}
		on = append(on, c)
	}
	return on, nil
}

// Check returns an error if a condition names a crawler that is none of these labels.
func (on FailOn) Check(labels []string) error {
	for _, c := range on {
		if c.crawler != "" && !slices.ContainsFunc(labels, c.names) {
			if meant := wording.Nearest(c.crawler, labels); meant != "" {
				return fmt.Errorf("%s: the run has no crawler %q. Did you mean %s?", c.text, c.crawler, meant)
			}
			return fmt.Errorf("%s: the run does not test %q. It tests %s", c.text, c.crawler, wording.And(labels))
		}
	}
	return nil
}

// names reports whether the label is that of the condition's crawler.
func (c *condition) names(label string) bool { return strings.EqualFold(label, c.crawler) }

// Gate applies conditions to the sites of a comparison.
type Gate struct {
	On FailOn

	fails  map[string]*failures // by condition
	sites  int
	known  int64 // URLs that could be compared
	clicks int64 // of them, those with clicks
	logged bool  // a site has access logs
}

// failures are the sites that fail one condition: their number, and the worst of them.
type failures struct {
	sites int
	worst []failure
}

type failure struct {
	n         int64
	site, why string
}

// maxWorst limits the sites that are named for a condition.
const maxWorst = 3

// Add counts a site. It returns why the site could not be judged; "" = it could, or it fails.
func (g *Gate) Add(s *Site) (unclear string) {
	if len(g.On) == 0 {
		return ""
	}
	g.sites++
	g.known += s.Totals.Known
	g.clicks += s.Clicks.Pages
	g.logged = g.logged || s.Hits != nil
	failing := false
	for i := range g.On {
		c := &g.On[i]
		n, why, unknown := c.judge(s)
		if why != "" {
			failing = true
			g.fail(c.text, failure{n, s.Name, why})
		}
		unclear = cmp.Or(unclear, unknown)
	}
	switch {
	case failing:
		return ""
	case s.Changed(): // a site that stays unread is no news
		return cmp.Or(s.Unread(), unclear)
	}
	return unclear
}

// fail notes that a site fails a condition.
func (g *Gate) fail(text string, added failure) {
	if g.fails == nil {
		g.fails = map[string]*failures{}
	}
	if g.fails[text] == nil {
		g.fails[text] = &failures{}
	}
	f := g.fails[text]
	f.sites++
	f.worst = append(f.worst, added)
	slices.SortStableFunc(f.worst, func(a, b failure) int { return cmp.Compare(b.n, a.n) })
	f.worst = f.worst[:min(len(f.worst), maxWorst)]
}

// Failing returns a sentence for each condition that a site fails: "newly-blocked>5%: 1 site fails:
// a.example (12 % of 400 URLs newly blocked)".
func (g *Gate) Failing() (list []string) {
	for _, c := range g.On {
		f := g.fails[c.text]
		if f == nil {
			continue
		}
		var parts []string
		for _, w := range f.worst {
			parts = append(parts, fmt.Sprintf("%s (%s)", w.site, w.why))
		}
		if more := f.sites - len(parts); more > 0 {
			parts = append(parts, wording.Thousands(more)+" more")
		}
		list = append(list, fmt.Sprintf("%s: %s %s: %s", c.text, wording.Plural(f.sites, "site"), wording.Verb(f.sites, "fails", "fail"), wording.And(parts)))
	}
	return list
}

// Unclear returns why the comparison as a whole could not be judged; "" = it could. Nothing newly
// blocked means nothing if there was nothing to compare.
func (g *Gate) Unclear() string {
	for _, c := range g.On {
		switch {
		case c.change:
		case g.sites == 0:
			return "no site was compared"
		case g.known == 0:
			return "no URL was found, so nothing could be compared. Give a list of URLs to the audit with -urls FILE"
		case c.weight == weightHits && !g.logged:
			return c.text + ": the run has no access logs. Give them to the audit with -logs FILE"
		case c.weight == weightClicks && g.clicks == 0:
			return c.text + ": the run has no clicks. Give a list with a column of clicks to the audit with -urls FILE"
		}
	}
	return ""
}

// judge returns the reason why the site fails, with the number of URLs, clicks or requests, or
// why it could not be judged.
func (c *condition) judge(s *Site) (n int64, why, unclear string) {
	if c.change {
		if s.Changed() {
			return 1, "something changed", ""
		}
		return 0, "", ""
	}
	if s.Old == nil || s.New == nil {
		return 0, "", "" // see package pairs
	}
	if c.class == Same {
		if n := s.Totals.Flips(); n > 0 {
			return n, wording.Plural(n, "changed verdict"), ""
		}
		return 0, "", c.uncompared(s, s.Unjudged)
	}
	pages, clicks, hits, unjudged := *s.Totals.Of(c.class), *s.Clicks.Of(c.class), s.AllHits(), s.Unjudged
	if c.crawler != "" {
		i := slices.IndexFunc(s.Crawlers, func(of Crawler) bool { return c.names(of.Label) })
		if i < 0 {
			return 0, "", c.crawler + " was not compared"
		}
		of := &s.Flips[i]
		pages, clicks, unjudged = *of.Of(c.class), *of.Clicks.Of(c.class), of.Unjudged
		if s.Hits != nil {
			hits = s.Hits[i]
		}
	}
	n, of, noun := pages, s.Totals.Known, "URL"
	missing := ""
	switch {
	case c.weight == weightClicks:
		if n, of, noun = clicks, s.Clicks.Known, "click"; s.Clicks.Pages == 0 {
			missing = "no clicks are known"
		}
	case c.weight == weightHits:
		if n, of, noun = *hits.Of(c.class), hits.Known, "request"; s.Hits == nil {
			missing = "no access logs were given"
		}
	}
	if pages > 0 && missing != "" {
		return 0, "", wording.URLs(pages) + " " + c.class.Words() + ", but " + missing
	}
	limit := c.limit
	if c.share {
		limit *= float64(of)
	}
	if float64(n) <= limit {
		return 0, "", c.uncompared(s, unjudged)
	}
	why = wording.Plural(n, noun) + " " + c.class.Words()
	if c.share {
		why = wording.Percent(n, of) + " of " + wording.Plural(of, noun) + " " + c.class.Words()
	}
	if c.crawler != "" {
		why += " for " + c.crawler
	}
	return n, why, ""
}

// uncompared says why a site that does not fail does not pass either; "" = it passes.
func (c *condition) uncompared(s *Site, unjudged int64) string {
	switch {
	case len(s.Crawlers) == 0:
		return "no crawler was tested on both sides"
	case s.Totals.Known == 0 && s.Changed():
		return "no URL was found, so nothing could be compared"
	case unjudged > 0:
		return "the verdict on " + wording.URLs(unjudged) + " is unclear, before or now"
	}
	return ""
}
