package alert

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

const robotsPath = "/robots.txt"

// Question is a robots.txt that has to be asked again before the run is judged.
type Question struct {
	Origin string // "https://shop.example"
	Asker  string // as whom, or on which address, it is asked beside: a subject of AL06; "" = as the run asks
	Given  string // with an Asker: what that one was given in the run, in the words of audit.Problem.Detail
}

// Name is what Input.Hiccups names a question by.
func (q Question) Name() string { return cmp.Or(q.Asker, q.Origin) }

// Questions are what has to be asked again: each robots.txt of which the run brings a
// condition that a hiccup of the network, too, would bring (AL03 to AL06), and that was not
// reported for it. nil = none.
func Questions(in Input) (list []Question) {
	if in.Compared.New == nil || !in.judgeable() {
		return nil
	}
	for _, c := range conditions {
		if !c.confirm || in.unreachable() && c.code != Unreachable {
			continue
		}
		come, reported := []*found{in.conditions(in.Compared)[c.code]}, []string(nil)
		for _, o := range in.open(c.code) {
			come, reported = append(come, in.conditions(o.Compared)[c.code]), append(reported, o.Subjects...)
		}
		for _, f := range come {
			if f == nil || slices.Contains(reported, compare.MoreSubjects) {
				continue
			}
			for _, subject := range f.subjects {
				if subject == compare.MoreSubjects || slices.Contains(reported, subject) {
					continue
				}
				q := Question{Origin: subject}
				if c.code == differing {
					q = Question{in.Compared.Own().Name, subject, f.after(subject)}
				}
				list = append(list, q)
			}
		}
	}
	slices.SortFunc(list, func(a, b Question) int {
		return cmp.Or(strings.Compare(a.Origin, b.Origin), strings.Compare(a.Asker, b.Asker))
	})
	return slices.Compact(list)
}

// after is what a change of a subject says of it now.
func (f *found) after(subject string) string {
	for i := range f.changes {
		if slices.Contains(f.changes[i].Subjects, subject) {
			return f.changes[i].After
		}
	}
	return ""
}

// Confirmation is what came of asking again.
type Confirmation int

// What comes of asking again.
const (
	AskAgain  Confirmation = iota // not decided yet
	Confirmed                     // the answer is what the run has found
	Hiccup                        // it is not
)

// Decide says what came of asking again so far, and whether to ask once more. The run's own
// answer is the first of so many tries; it counts if more than half of them are the same: 2 of 3.
// What can no longer change the decision is not asked.
func Decide(again []history.Confirmation, tries int) Confirmation {
	need, same := tries/2+1, 1
	for _, c := range again {
		if c.Same {
			same++
		}
	}
	switch left := tries - 1 - len(again); {
	case same >= need:
		return Confirmed
	case same+max(left, 0) < need:
		return Hiccup
	}
	return AskAgain
}

// Same reports whether two answers are of one class: what confirms the other.
func Same(a, b history.Answer) bool {
	class := func(a history.Answer) history.Answer {
		if c, ok := classes[a]; ok {
			return c
		}
		return a
	}
	return class(a) == class(b)
}

// SameGiven reports whether two answers to another asker are of one class, by their HTTP status;
// 0 = none that can be used.
func SameGiven(a, b int) bool {
	class := func(status int) int {
		switch {
		case status/100 == 2:
			return 200
		case status == 0, status == 429, status >= 500:
			return 500
		}
		return 400
	}
	return class(a) == class(b)
}

// classes are answers of which a condition makes no difference, by one of them: a
// server that is down may say so in several ways.
var classes = map[history.Answer]history.Answer{
	history.AnswerBusy:     history.AnswerServerError,
	history.AnswerNone:     history.AnswerServerError,
	history.AnswerRedirect: history.AnswerMissing,
}
