package page

import (
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
)

// Bounds of the sample URLs.
const (
	sectionSamples = 100 // of a site
	fewSamples     = 10  // of a site behind those that are shown in full
	sampleWays     = 4   // rows of one URL that flips in several ways
)

// samples are the URLs of a site that weigh most among those that flip.
type samples struct {
	Title    string
	Clicks   bool
	Rows     []sample
	Flips    []string // what became of them, to choose from
	Crawlers []choice
	More     string // how many there are that are not shown; "" = none
	seen     int64
}

type choice struct{ Value, Name string }

// sample is a URL with what became of it, in one way or a few.
type sample struct {
	origin int // that governs it
	URL    string
	Kind   string // "" = a page
	Clicks int64
	Ways   []sampleWay
	More   int // ways that are not shown
}

// sampleWay is what became of a URL for crawlers that are alike in it.
type sampleWay struct {
	What     string // "newly blocked"
	Names    string
	Indices  string // of the crawlers, "0 3"
	Was, Is  string
	Old, New rule
	Why      string
}

// rule is the rule that decided.
type rule struct {
	line int    // 0 = none decided
	Text string // with its line
	At   string // the id of its line where that is shown; "" = it is not
}

// newSamples returns nil where nothing flips.
func newSamples(s *model.Site) *samples {
	v := &samples{Clicks: s.Clicks != nil, seen: s.Samples.Seen}
	var of []int // crawlers
	for _, kept := range s.Samples.First(sectionSamples) {
		row := sample{origin: toldAt(s, kept.Origin), URL: strings.Clone(escape.Cut(kept.Loc, 1000))}
		if !audit.IsPage(kept.Kind) {
			row.Kind = kept.Kind.String()
		}
		if kept.Weight.HasClicks() {
			row.Clicks = kept.Weight.Clicks
		}
		for group := range model.Outcomes(&kept.Flip) {
			if len(row.Ways) == sampleWays {
				row.More++
				continue
			}
			first := group[0]
			verdicts := &kept.Verdicts[first]
			way := sampleWay{What: kept.Of(first), Why: model.CauseWords(s.Site, &kept.Flip, first), Was: "not known", Is: verdicts.Is.Word(), New: newRule(verdicts.New)}
			if !kept.Appeared {
				way.Was, way.Old = verdicts.Was.Word(), newRule(verdicts.Old)
			}
			var names, indices []string
			for _, c := range group {
				names, indices = append(names, s.Crawlers[c].Label), append(indices, strconv.Itoa(c))
				if !slices.Contains(of, c) {
					of = append(of, c)
				}
			}
			way.Names, way.Indices = model.Names(names), strings.Join(indices, " ")
			if !slices.Contains(v.Flips, way.What) {
				v.Flips = append(v.Flips, way.What)
			}
			row.Ways = append(row.Ways, way)
		}
		v.Rows = append(v.Rows, row)
	}
	if len(v.Rows) == 0 {
		return nil
	}
	slices.Sort(of)
	for _, c := range of {
		v.Crawlers = append(v.Crawlers, choice{strconv.Itoa(c), s.Crawlers[c].Label})
	}
	v.count()
	return v
}

// toldAt is the place of the origin whose file is shown: of those with the very same file
// the first.
func toldAt(s *model.Site, at int) int {
	if at < len(s.Origins) && s.Origins[at].SameAs != "" {
		return slices.IndexFunc(s.Origins, func(o compare.Origin) bool { return o.Name == s.Origins[at].SameAs })
	}
	return at
}

func newRule(r engine.Rule) rule {
	if r.Line == 0 {
		return rule{}
	}
	return rule{line: r.Line, Text: "line " + strconv.Itoa(r.Line) + ": " + cut(r.String())}
}

// trim leaves the first n URLs.
func (v *samples) trim(n int) {
	v.Rows = v.Rows[:min(len(v.Rows), n)]
	v.count()
}

// count says how many are shown.
func (v *samples) count() {
	shown := int64(len(v.Rows))
	v.Title, v.More = "Changed URLs, and new URLs that are blocked", ""
	if more := v.seen - shown; more > 0 {
		v.More = wording.Thousands(shown) + " of " + wording.Thousands(v.seen) + " are shown. The workbook has more."
	}
}
