package urlindex

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Filter selects URLs. Its zero value selects all.
//
// Blocked, Line and Rule are about one crawler, if Crawler is set, and otherwise about any. A URL is not
// blocked if all these crawlers may fetch it. An unknown verdict is neither.
type Filter struct {
	Blocked  Blocked
	Crawler  string       // label; only sites that were tested for it. Hits are its hits
	Line     int          // a rule in this line decides; 0 = any
	Rule     string       // a rule with this text decides: "disallow: /a", or a part of it; "" = any
	Template string       // "" = any; likewise
	Segment  string       //
	Status   *Span        // HTTP status; nil = any; likewise
	Sitemap  *bool        //
	Kinds    []audit.Kind //
	Clicks   int64        // the URL has at least as many; 0 = any; likewise
	Hits     int64        //
}

// Blocked is a filter by verdict.
type Blocked uint8

// Filters by verdict.
const (
	Whatever       Blocked = iota
	BlockedAny             // for at least one crawler
	BlockedNone            // all crawlers may fetch it
	BlockedUnknown         // the verdict for at least one crawler is unknown or undefined
)

// Span is a span of numbers, both ends included.
type Span struct{ From, To int }

// selection is a filter for one index: what it selects by the numbers of a dictionary.
type selection struct {
	*Filter
	site     *int32
	outcomes []bool // by number; nil = all
	hits     []int  // by number of the outcome: place of the crawler whose hits count; nil = all crawlers count
	template int64  // -1 = any, -2 = none has it; likewise
	segment  int64
	active   bool // classes or numbers are tested, not only the site
}

// newSelection returns a filter by the numbers of an index.
func (x *Index) newSelection(f *Filter, site *int32) *selection {
	s := &selection{Filter: f, site: site, template: number(x.table.Words.Templates, f.Template), segment: number(x.table.Words.Segments, f.Segment)}
	if f.Crawler != "" {
		s.hits = make([]int, len(x.table.outcomes))
		for i := range x.table.outcomes {
			if s.hits[i] = slices.Index(x.table.outcomes[i].Crawlers, f.Crawler); s.hits[i] < 0 {
				s.hits[i] = maxHits // it has none
			}
		}
	}
	if f.Blocked != Whatever || f.Crawler != "" || f.Line != 0 || f.Rule != "" {
		rules := make([]bool, len(x.table.Words.Rules))
		for i, text := range x.table.Words.Rules {
			rules[i] = f.holdsRule(text)
		}
		s.outcomes = make([]bool, len(x.table.outcomes))
		for i := range x.table.outcomes {
			s.outcomes[i] = f.holds(&x.table.outcomes[i], rules)
		}
	}
	s.active = s.outcomes != nil || f.Template != "" || f.Segment != "" || f.Status != nil || f.Sitemap != nil || f.Kinds != nil || s.counts()
	return s
}

// number is the number of a text that is asked for.
func number(list []string, text string) int64 {
	if text == "" {
		return -1
	}
	if at := slices.Index(list, text); at > 0 {
		return int64(at)
	}
	return -2
}

// counts reports whether numbers of URLs are tested.
func (f *Filter) counts() bool { return f.Clicks > 0 || f.Hits > 0 }

// holdsRule reports whether a rule has the text that is asked for. A whole rule is not part of another.
func (f *Filter) holdsRule(text string) bool {
	field, value, _ := strings.Cut(f.Rule, ":")
	if field = strings.ToLower(field); field == "allow" || field == "disallow" {
		return text == field+": "+strings.TrimSpace(value)
	}
	return text != "" && strings.Contains(strings.ToLower(text), strings.ToLower(f.Rule))
}

// holds reports whether an outcome is asked for; rules are those that are.
func (f *Filter) holds(o *Outcome, rules []bool) bool {
	ruled, blocked, unknown, tested := false, false, false, false
	for i, label := range o.Crawlers {
		if f.Crawler != "" && label != f.Crawler {
			continue
		}
		tested = true
		by := f.Line == 0 && f.Rule == ""
		if !by && o.Verdicts != nil && o.Lines[i] > 0 {
			by = (f.Line == 0 || int(o.Lines[i]) == f.Line) && (f.Rule == "" || rules[o.rules[i]])
		}
		verdict := o.Verdict(i)
		ruled = ruled || by
		blocked = blocked || by && verdict == engine.Disallow || f.Blocked == BlockedNone && verdict == engine.Disallow
		unknown = unknown || verdict != engine.Disallow && verdict != engine.Allow && (by || f.Blocked == BlockedNone)
	}
	switch f.Blocked {
	case BlockedAny:
		return blocked
	case BlockedNone:
		return tested && ruled && !blocked && !unknown
	case BlockedUnknown:
		return unknown
	}
	return tested && ruled
}

// class reports whether URLs of a class may match.
func (s *selection) class(c *class) bool {
	return (s.site == nil || uint32(*s.site) == c.site) &&
		(s.outcomes == nil || int(c.outcome) < len(s.outcomes) && s.outcomes[c.outcome]) &&
		(s.template == -1 || s.template == int64(c.template)) &&
		(s.segment == -1 || s.segment == int64(c.segment)) &&
		(s.Status == nil || s.Status.From <= int(c.status) && int(c.status) <= s.Status.To) &&
		(s.Sitemap == nil || *s.Sitemap == (c.marks&markSitemap != 0)) &&
		(s.Kinds == nil || slices.Contains(s.Kinds, audit.Kind(c.kind-1))) &&
		(!s.counts() || c.marks&markNumbers != 0)
}

// place is the place of the crawler whose hits are asked for; -1 = all crawlers.
func (s *selection) place(c *class) int {
	if int(c.outcome) >= len(s.hits) {
		return -1
	}
	return s.hits[c.outcome]
}
