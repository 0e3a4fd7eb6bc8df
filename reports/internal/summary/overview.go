package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// shareClasses are the classes of the chart of sites by the share of their URLs found that is
// blocked.
var shareClasses = []struct {
	name string
	upTo float64 // share, inclusive
}{
	{"none", 0}, {"up to 1 %", 0.01}, {"1 to 5 %", 0.05}, {"5 to 20 %", 0.2}, {"20 to 50 %", 0.5}, {"50 to 99 %", 0.999999}, {"all", 1},
}

// Overview is the data of the summaries on all sites together: counts and bounded lists.
type Overview struct {
	shares       []int          // sites by class of share blocked
	judged       int            // sites with URLs whose share is known
	unjudged     int            // sites with URLs whose share is not known: none is blocked, and some have no clear verdict
	Limited      int            // sites on which a limit of the audit was reached
	Searched     int            // sites whose robots.txt was checked for findings
	Found        int            // sites on which URLs were found, tested or left out
	problemSites map[string]int // sites with at least one problem of a code
	LeftOut      int64          // URLs
	Unclear      int64          // URLs without a clear verdict
	Problems     int64
	Worst        []NamedSite // the first sites to look at; at most MaxNamed, like the next list
	NotJudged    []NamedSite // the first unknown sites
	Asked        Matrix
}

// NamedSite is a site that a summary names in a sentence.
type NamedSite struct {
	Name  string
	State audit.State
	Why   string // Line.Why
	Brief string // Line.Brief
}

// StateName is the site's state as part of a sentence: "warning".
func (s *NamedSite) StateName() string { return strings.ToLower(site.StateName(s.State)) }

// MaxNamed bounds each list of sites that summary.md names.
const MaxNamed = 25

// maxCodes bounds the codes that are counted; there are about forty.
const maxCodes = 1000

// AddSite counts a finished site. The sites come in the order of Place.
func (o *Overview) AddSite(l *Site) {
	if o.problemSites == nil {
		o.problemSites, o.shares = map[string]int{}, make([]int, len(shareClasses))
	}
	o.LeftOut += site.Total(l.LeftOut)
	o.Unclear += l.Unknown
	o.Problems += int64(l.Problems)
	o.Asked.add(l)
	if l.Entry.AtLeast != "" {
		o.Limited++
	}
	if l.Findings != nil && l.Entry.Measured("findings") {
		o.Searched++
	}
	if l.URLs+site.Total(l.LeftOut) > 0 {
		o.Found++
	}
	switch {
	case l.URLs == 0:
	case l.BlockedURLs == 0 && l.Unknown > 0:
		o.unjudged++
	default:
		o.judged++
		part := float64(l.BlockedURLs) / float64(l.URLs)
		for i, class := range shareClasses {
			if part <= class.upTo {
				o.shares[i]++
				break
			}
		}
	}
	seen := map[string]bool{}
	for _, e := range l.Entry.Errors {
		if !seen[e.Code] && len(o.problemSites) < maxCodes {
			seen[e.Code] = true
			o.problemSites[e.Code]++
		}
	}
	named := &o.NotJudged
	switch l.State {
	case audit.Critical, audit.Warn:
		named = &o.Worst
	case audit.OK:
		return
	}
	if len(*named) < MaxNamed {
		*named = append(*named, NamedSite{audit.DisplayName(l.Name), l.State, l.Why, l.Brief()})
	}
}

// Sentences returns the first three sentences of a run's summaries; the third may be "".
func (o *Overview) Sentences(t Totals) [3]string {
	var s [3]string
	s[0] = t.Headline() + "."
	switch {
	case t.URLs == 0:
		s[1] = "No URL was tested."
	case t.Blocked == 0 && o.Unclear == t.URLs:
		s[1] = "No URL has a clear verdict."
	case t.Blocked == 0:
		s[1] = wording.NoURL(t.URLs) + " blocked."
	default:
		s[1] = fmt.Sprintf("%s of %s (%s) %s blocked for at least one crawler. A blocked URL can still be indexed.",
			wording.Thousands(t.Blocked), wording.URLs(t.URLs), wording.Percent(t.Blocked, t.URLs), wording.Verb(t.Blocked, "is", "are"))
	}
	if t.URLs > 0 && t.Tested < t.Sites {
		s[1] += fmt.Sprintf(" URLs were tested on %s of %s. %s.", wording.Thousands(t.Tested), wording.Plural(t.Sites, "site"), t.untestedWords())
	}
	if o.Unclear > 0 {
		s[1] += fmt.Sprintf(" %s no clear verdict and %s not counted as allowed.", wording.URLs(o.Unclear)+wording.Verb(o.Unclear, " has", " have"), wording.Verb(o.Unclear, "is", "are"))
	}
	if o.Limited > 0 {
		s[1] += fmt.Sprintf(" On %s the audit stopped at a limit.", wording.Plural(o.Limited, "site"))
	}
	if len(o.Worst) > 0 {
		s[2] = fmt.Sprintf("Most severe: %s. %s", o.Worst[0].Name, o.Worst[0].Why)
	}
	if t.Unknown > 0 {
		s[2] = strings.TrimSpace(s[2] + fmt.Sprintf(" %s could not be checked and %s not counted as OK.", wording.Plural(t.Unknown, "site"), wording.Verb(t.Unknown, "is", "are")))
	}
	return s
}

// untestedWords say why sites have no tested URLs, and that these are not all of the unknown ones.
func (t Totals) untestedWords() string {
	n := t.Sites - t.Tested
	words := "The other " + wording.Verb(n, "one has", wording.Thousands(n)+" have") + " no URLs to test"
	if n != t.Unknown {
		words += ". Such a site is OK only if its robots.txt blocks nothing"
	}
	return words
}

// Class is a number of sites, or of something else, under a name.
type Class struct {
	Name  string
	Count int
}

// States returns the sites by state, the most severe first.
func (t Totals) States() []Class {
	return []Class{{"Critical", t.Critical}, {"Warning", t.Warn}, {"Unknown", t.Unknown}, {"OK", t.OK}}
}

// StatesTitle says how many sites need a look or could not be judged.
func (t Totals) StatesTitle() string {
	return fmt.Sprintf("%d of %s %s issues or could not be checked", t.Sites-t.OK, wording.Plural(t.Sites, "site"), wording.Verb(t.Sites-t.OK, "has", "have"))
}

// Shares returns the sites with URLs by the share of them that is blocked, and judged is their
// number. It omits sites without blocked URLs that have URLs without a clear verdict.
func (o *Overview) Shares() (classes []Class, judged int) {
	if o.judged == 0 {
		return nil, 0
	}
	for i, class := range shareClasses {
		classes = append(classes, Class{class.name, o.shares[i]})
	}
	return classes, o.judged
}

// ShareClasses is the number of classes of Shares.
func ShareClasses() int { return len(shareClasses) }

// SharesTitle says on how many sites nothing is blocked.
func (o *Overview) SharesTitle() string {
	title := fmt.Sprintf("%d of %s with URLs %s none of them", o.shares[0], wording.Plural(o.judged, "site"), wording.Verb(o.shares[0], "blocks", "block"))
	if o.unjudged > 0 {
		title += fmt.Sprintf("; %d more are unknown", o.unjudged)
	}
	return title
}

// MaxFrequentProblems bounds the kinds of problems in a summary's chart.
const MaxFrequentProblems = 12

// FrequentProblems returns the most frequent codes of problems with the number of sites that have
// them, at most MaxFrequentProblems.
func (o *Overview) FrequentProblems() []Class {
	var list []Class
	for code, sites := range o.problemSites {
		list = append(list, Class{code, sites})
	}
	slices.SortFunc(list, func(a, b Class) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), MaxFrequentProblems)]
}
