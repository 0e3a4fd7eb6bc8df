package site

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// DescribeAccess says what an answer means to a crawler.
func DescribeAccess(r *audit.Read) string {
	words := r.Access.String()
	switch r.Access {
	case engine.Parsed:
		if r.Why != "" {
			return r.Why
		}
		words = "the rules apply"
	case engine.AllowAll:
		words = "everything may be crawled"
	case engine.DisallowAll:
		words = "everything is blocked from crawling"
	}
	if r.Why != "" {
		words += ": " + r.Why
	}
	return words
}

// SameAtAnyTime is the forecast of what nothing becomes of in time.
const SameAtAnyTime = "the same at any time"

// Forecast says what becomes of an origin's answer in time, if nothing changes,
// to the crawler of that index.
func (s *Site) Forecast(origin, crawler int) string {
	c, p, ok := s.Crawlers[crawler].Robot()
	if !ok {
		return ""
	}
	prospects := s.answers.Forecast(origin, p, c)
	if len(prospects) == 1 {
		return SameAtAnyTime
	}
	var parts []string
	for _, prospect := range prospects {
		when, _ := strings.CutSuffix(prospect.String(), prospect.Access.String())
		words := "nothing is said"
		switch {
		case prospect.Access == engine.AllowAll:
			words = "everything may be crawled"
		case prospect.Access == engine.DisallowAll:
			words = "everything is blocked"
		case prospect.Access == engine.Parsed:
			words = "the rules of that copy apply"
		}
		parts = append(parts, when+words)
	}
	return strings.Join(parts, "; ")
}

// Hops are the requests that led to a robots.txt, or to none. Where nothing was
// ever sent there is one without an answer.
func Hops(r *audit.Robots) []audit.Hop {
	if len(r.File.Hops) > 0 {
		return r.File.Hops
	}
	return []audit.Hop{{URL: r.File.URL, Status: r.File.Status, Started: r.File.Started, Millis: r.File.Millis}}
}

// AnswerMeaning is what an answer means to some crawlers.
type AnswerMeaning struct {
	Crawlers, Access string
	Later            string // what becomes of it in time; "" = the same
}

// AnswerMeanings says what an answer means, crawlers to which it means the same together.
func (s *Site) AnswerMeanings(r *audit.Robots) []AnswerMeaning {
	var list []AnswerMeaning
next:
	for i := range s.Crawlers {
		words, later := DescribeAccess(Read(r, i)), s.Forecast(r.Index, i)
		if later == SameAtAnyTime {
			later = ""
		}
		for k := range list {
			if list[k].Access == words && list[k].Later == later {
				list[k].Crawlers += ", " + s.Crawlers[i].Label
				continue next
			}
		}
		list = append(list, AnswerMeaning{s.Crawlers[i].Label, words, later})
	}
	return list
}
