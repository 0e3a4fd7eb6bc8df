package migration

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit/migrate"
)

// Chain is a sequence of responses, from the old URL on, with the number and the result of the
// pairs that have it.
type Chain struct {
	Steps     []Step `json:"steps"`
	Redirects int    `json:"redirects"`
	Pairs     int64  `json:"pairs"`
	Clicks    int64  `json:"clicks"`
	OK        int64  `json:"ok"`
	Minor     int64  `json:"warning_or_info"`
	Unknown   int64  `json:"unknown"`
	Failing   int64  `json:"error_or_critical"`
}

// Step is a response of a chain, or several equal ones.
type Step struct {
	Text  string `json:"text"`            // "301", "200", "blocked", "no answer", "not asked", "loop", "nowhere", "…"
	Times int    `json:"times,omitempty"` // 0 = once
	Kind  string `json:"kind"`            // "redirect", "temporary", "answer", "blocked", "error", "unknown"
}

// maxChains bounds the chains that are counted separately; the others are counted together.
const maxChains = 1000

// String formats the chain in a line: "301 ×2 → 200".
func (c *Chain) String() string {
	var steps []string
	for _, s := range c.Steps {
		steps = append(steps, s.String())
	}
	return strings.Join(steps, " → ")
}

func (s Step) String() string {
	if s.Times > 1 {
		return s.Text + " ×" + strconv.Itoa(s.Times)
	}
	return s.Text
}

// steps returns the steps of a pair.
func steps(r *migrate.Result) (list []Step) {
	for i := range r.Hops {
		s := stepOf(&r.Hops[i])
		if n := len(list); n > 0 && list[n-1].Text == s.Text && list[n-1].Kind == s.Kind {
			list[n-1].Times = max(1, list[n-1].Times) + 1
			continue
		}
		list = append(list, s)
	}
	last := &r.Hops[len(r.Hops)-1]
	switch {
	case slices.ContainsFunc(r.Remarks, func(m migrate.Remark) bool { return m.Class == migrate.ClassLoop }):
		list = append(list, Step{Text: "loop", Kind: "error"})
	case last.Status/100 == 3 && last.Location != "":
		list = append(list, Step{Text: "…", Kind: "error"})
	case last.Status/100 == 3:
		list = append(list, Step{Text: "nowhere", Kind: "error"})
	}
	return list
}

func stepOf(h *migrate.Hop) Step {
	switch {
	case h.Blocked() && h.Status == 0:
		return Step{Text: "blocked", Kind: "blocked"}
	case h.Blocked():
		return Step{Text: strconv.Itoa(h.Status) + " blocked", Kind: "blocked"}
	case h.Status == 0 && (h.Code == migrate.CodeKept || h.Code == migrate.CodeGaveUp || h.Code == migrate.CodeTooMany):
		return Step{Text: "not asked", Kind: "unknown"}
	case h.Status == 0:
		return Step{Text: "no answer", Kind: "unknown"}
	}
	s := Step{Text: strconv.Itoa(h.Status), Kind: "answer"}
	switch {
	case h.Status >= 400:
		s.Kind = "error"
	case h.Status == 301 || h.Status == 308:
		s.Kind = "redirect"
	case h.Status/100 == 3:
		s.Kind = "temporary"
	}
	return s
}

// chains counts pairs by chain.
type chains struct {
	byName map[string]*Chain
	other  Chain // beyond maxChains
}

// add counts a pair.
func (c *chains) add(r *migrate.Result) {
	of := &Chain{Steps: steps(r), Redirects: r.Redirects()}
	name := of.String()
	if known := c.byName[name]; known != nil {
		of = known
	} else if len(c.byName) < maxChains {
		c.byName[name] = of
	} else {
		of = &c.other
	}
	of.Pairs++
	of.Clicks += r.Clicks
	switch s := migrate.ClassOf(r.Class).Severity; {
	case s == migrate.Fine:
		of.OK++
	case s == migrate.Unknown:
		of.Unknown++
	case s.AtLeast(migrate.Error):
		of.Failing++
	default:
		of.Minor++
	}
}

// list returns the chains, those of most pairs first, and the chains counted together last.
func (c *chains) list() []Chain {
	list := []Chain{}
	for _, of := range c.byName {
		list = append(list, *of)
	}
	slices.SortFunc(list, func(a, b Chain) int {
		return cmp.Or(cmp.Compare(b.Pairs, a.Pairs), strings.Compare(a.String(), b.String()))
	})
	if c.other.Pairs > 0 {
		c.other.Steps = []Step{{Text: "others", Kind: "unknown"}}
		list = append(list, c.other)
	}
	return list
}
