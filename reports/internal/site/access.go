package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// DescribeAccess says what an origin's answer for robots.txt means to a crawler.
func DescribeAccess(r *audit.Read) string {
	switch words := accessWords(r.Access); {
	case r.Why == "":
		return words
	case r.Access == engine.Parsed:
		return r.Why
	default:
		return words + ": " + r.Why
	}
}

func accessWords(a engine.Access) string {
	switch a {
	case engine.Parsed:
		return "the rules apply"
	case engine.AllowAll:
		return "everything is allowed"
	case engine.DisallowAll:
		return "everything is blocked"
	}
	return a.String()
}

// AccessSentences say the same as AccessWords in sentences: for whom, what, why.
func (s *Site) AccessSentences(robots *audit.Robots, i int) string {
	r := Read(robots, i)
	text := "For " + s.Crawlers[i].Label + ", " + ifUnread(robots) + accessWords(r.Access) + "."
	if r.Why != "" {
		text += " The reason: " + r.Why + "."
	}
	return text
}

// AccessWords say what an origin's answer for robots.txt means to the i-th crawler. Without an
// answer it means that only if the crawler gets none either.
func AccessWords(robots *audit.Robots, i int) string {
	return ifUnread(robots) + DescribeAccess(Read(robots, i))
}

func ifUnread(robots *audit.Robots) string {
	if Answered(robots) {
		return ""
	}
	return "if it cannot read robots.txt either, "
}

// SameAtAnyTime is the forecast of an answer that means the same whenever it is used.
const SameAtAnyTime = "the same at any time"

// ForecastStep is what an answer means to a crawler from some time on.
type ForecastStep struct {
	When string // "After 12 hours"
	If   string // a condition; "" = in any case
	Then string
}

// Forecast says what an origin's answer will mean to the crawler of that index
// as time passes, if the server goes on answering so; "" = not known.
func (s *Site) Forecast(origin, crawler int) string {
	steps, ok := s.forecast(origin, crawler)
	if ok && steps == nil {
		return SameAtAnyTime
	}
	var parts []string
	for _, step := range steps {
		when := step.When
		if step.If != "" {
			when += ", if " + step.If
		}
		parts = append(parts, when+": "+step.Then)
	}
	return strings.Join(parts, ". ")
}

// forecast is Forecast step by step; nil = the same at any time. false = not known.
func (s *Site) forecast(origin, crawler int) (steps []ForecastStep, ok bool) {
	c, p, ok := s.Crawlers[crawler].Robot()
	if !ok {
		return nil, false
	}
	predictions := s.answers.Forecast(origin, p, c)
	if len(predictions) == 1 {
		return nil, true
	}
	for _, prediction := range predictions {
		step := ForecastStep{If: prediction.If, Then: "undefined"}
		switch prediction.Access {
		case engine.AllowAll:
			step.Then = "everything is allowed"
		case engine.DisallowAll:
			step.Then = "everything is blocked"
		case engine.Parsed:
			step.Then = "the rules of the last copy apply"
		}
		prediction.If = ""
		when, _, _ := strings.Cut(prediction.String(), ":")
		step.When = upperFirst(when)
		steps = append(steps, step)
	}
	return steps, true
}

// NotAsked says that a robots.txt was never asked for (crawl.Outcome.Given).
const NotAsked = "not fetched: your draft was used"

// Hops are the requests that led to a robots.txt, or to none; at least one. Where
// none was sent it is the one that would have been, without an answer.
func Hops(r *audit.Robots) []audit.Hop {
	if r.File.Given {
		return []audit.Hop{{URL: r.File.URL}}
	}
	if len(r.File.Hops) > 0 {
		return r.File.Hops
	}
	return []audit.Hop{{URL: r.File.URL, Status: r.File.Status, Started: r.File.Started, Millis: r.File.Millis}}
}

// AnswerMeaning is what an answer means to crawlers to which it means the same.
type AnswerMeaning struct {
	Crawlers string         // their labels, with commas
	Access   string         // as DescribeAccess has it
	Later    []ForecastStep // nil = the same at any time
}

// AnswerMeanings says what an answer means to each crawler; crawlers to which it
// means the same share an entry.
func (s *Site) AnswerMeanings(r *audit.Robots) []AnswerMeaning {
	var list []AnswerMeaning
next:
	for i := range s.Crawlers {
		words := AccessWords(r, i)
		later, _ := s.forecast(r.Index, i)
		for k := range list {
			if list[k].Access == words && slices.Equal(list[k].Later, later) {
				list[k].Crawlers += ", " + s.Crawlers[i].Label
				continue next
			}
		}
		list = append(list, AnswerMeaning{s.Crawlers[i].Label, words, later})
	}
	return list
}
