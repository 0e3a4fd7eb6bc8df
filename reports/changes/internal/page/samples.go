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
	fewSamples     = 10  // of a section that is not complete
	sampleWays     = 4   // rows of one URL that changed in several ways
)

// samples are the changed URLs of a site with the most weight.
type samples struct {
	Title    string
	Clicks   bool
	Rows     []sample
	Flips    []string // the kinds of change, for a filter
	Crawlers []choice
	More     string // number of URLs that are not shown, in words; "" = none
	seen     int64
}

type choice struct{ Value, Name string }

// sample is a URL with one or a few changes.
type sample struct {
	origin int // the origin whose robots.txt applies
	URL    string
	Kind   string // "" = a page
	Clicks int64
	Ways   []sampleWay
	More   int // number of ways that are not shown
}

// sampleWay is a change of a URL for crawlers with the same change.
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
	line int    // 0 = no rule
	Text string // with its line
	At   string // id of its line if that is shown; "" = not
}

// newSamples returns nil if no verdict changed.
func newSamples(s *model.Site) *samples {
	v := &samples{Clicks: s.Clicks != nil, seen: s.Samples.Seen}
	var of []int // indices of crawlers
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

// toldAt is the index of the origin whose file is shown: the first of those with the same file.
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

// trim keeps the first n URLs.
func (v *samples) trim(n int) {
	v.Rows = v.Rows[:min(len(v.Rows), n)]
	v.count()
}

// count sets the words for how many are shown.
func (v *samples) count() {
	shown := int64(len(v.Rows))
	v.Title, v.More = "Changed URLs, and new URLs that are blocked", ""
	if more := v.seen - shown; more > 0 {
		v.More = wording.Thousands(shown) + " of " + wording.Thousands(v.seen) + " are shown. The workbook has more."
	}
}
