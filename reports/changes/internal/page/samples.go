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

// sample is a URL, and the crawlers for which the same became of it.
type sample struct {
	url      int // its number, from 0
	URL      string
	Kind     string // "" = a page
	Clicks   int64
	What     string // "newly blocked"
	Names    string
	Indices  string // of the crawlers, "0 3"
	Was, Is  string
	Old, New string // the deciding rule, with its line; "" = none
	Why      string
}

// newSamples returns nil where nothing flips.
func newSamples(s *model.Site) *samples {
	v := &samples{Clicks: s.Clicks != nil, seen: s.Samples.Seen}
	var of []int // crawlers
	for i, kept := range s.Samples.First(sectionSamples) {
		ways := 0
		for _, group := range alikeFor(s, kept) {
			if ways++; ways > sampleWays {
				break
			}
			first := group[0]
			row := sample{url: i, URL: strings.Clone(escape.Cut(kept.Loc, 1000)), What: kept.Of(first), Why: model.CauseWords(s.Site, &kept.Flip, first), Is: model.VerdictWords(kept.Verdicts[first].Is), New: ruleText(kept.Verdicts[first].New)}
			if !audit.IsPage(kept.Kind) {
				row.Kind = kept.Kind.String()
			}
			if kept.Weight.HasClicks() {
				row.Clicks = kept.Weight.Clicks
			}
			if kept.Appeared {
				row.Was = "not known"
			} else {
				row.Was, row.Old = model.VerdictWords(kept.Verdicts[first].Was), ruleText(kept.Verdicts[first].Old)
			}
			var names, indices []string
			for _, c := range group {
				names, indices = append(names, s.Crawlers[c].Label), append(indices, strconv.Itoa(c))
				if !slices.Contains(of, c) {
					of = append(of, c)
				}
			}
			row.Names, row.Indices = model.Names(names), strings.Join(indices, " ")
			if !slices.Contains(v.Flips, row.What) {
				v.Flips = append(v.Flips, row.What)
			}
			v.Rows = append(v.Rows, row)
		}
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

// alikeFor groups the crawlers for which something became of a URL by what, and by which rules.
func alikeFor(s *model.Site, kept *model.Sample) (groups [][]int) {
	type reading struct {
		what     string
		was, is  engine.Verdict
		old, new engine.Rule
		cause    compare.Cause
	}
	at := map[reading]int{}
	for i := range s.Crawlers {
		v := &kept.Verdicts[i]
		r := reading{kept.Of(i), v.Was, v.Is, v.Old, v.New, v.Cause}
		if r.what == "" {
			continue
		}
		if _, known := at[r]; !known {
			at[r] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[r]] = append(groups[at[r]], i)
	}
	return groups
}

// ruleText is a rule with its line; "" = none decided.
func ruleText(r engine.Rule) string {
	if r.Line == 0 {
		return ""
	}
	return "line " + strconv.Itoa(r.Line) + ": " + cut(r.String())
}

// URLs is the number of URLs that are shown.
func (v *samples) URLs() int {
	if len(v.Rows) == 0 {
		return 0
	}
	return v.Rows[len(v.Rows)-1].url + 1
}

// trim leaves the first n URLs.
func (v *samples) trim(n int) {
	at := slices.IndexFunc(v.Rows, func(r sample) bool { return r.url >= n })
	if at >= 0 {
		v.Rows = v.Rows[:at]
	}
	v.count()
}

// count says how many are shown.
func (v *samples) count() {
	shown := int64(v.URLs())
	v.Title, v.More = "URLs that flip, or that appeared and are blocked", ""
	if more := v.seen - shown; more > 0 {
		v.More = "These are " + wording.Thousands(shown) + " of " + wording.Thousands(v.seen) + "; see the workbook for more."
	}
}
