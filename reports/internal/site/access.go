package site

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// AccessWords says what an answer means to a crawler.
func AccessWords(r *audit.Read) string {
	words := r.Access
	switch words {
	case "parsed":
		if r.Why != "" {
			return r.Why
		}
		words = "the rules apply"
	case "allow_all":
		words = "everything may be crawled"
	case "disallow_all":
		words = "everything is blocked from crawling"
	}
	if r.Why != "" {
		words += ": " + r.Why
	}
	return words
}

// SameAtAnyTime is the forecast of what nothing becomes of in time.
const SameAtAnyTime = "the same at any time"

// Forecast says what becomes of an answer in time, if nothing changes.
func Forecast(profile string, f *engine.File) string {
	p, ok := engine.ProfileByName(profile)
	if !ok {
		return ""
	}
	prospects := p.Forecast(*f)
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

// Meaning of an answer to some crawlers.
type AnswerMeaning struct {
	Crawlers, Words string
	Later           string // what becomes of it in time; "" = the same
}

// Meanings says what an answer means, crawlers to which it means the same together.
func Meanings(r *audit.Robots, crawlers []audit.Crawler) []AnswerMeaning {
	var list []AnswerMeaning
	f := Answer(r)
next:
	for i := range crawlers {
		words, later := AccessWords(Read(r, i)), Forecast(crawlers[i].Profile, &f)
		if later == SameAtAnyTime {
			later = ""
		}
		for k := range list {
			if list[k].Words == words && list[k].Later == later {
				list[k].Crawlers += ", " + crawlers[i].Label
				continue next
			}
		}
		list = append(list, AnswerMeaning{crawlers[i].Label, words, later})
	}
	return list
}
