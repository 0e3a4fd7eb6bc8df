package alert

import "robots-audit/audit/history"

// Confirmation is what came of asking again.
type Confirmation int

// What comes of asking again.
const (
	NotAsked  Confirmation = iota // there was nothing to ask, or the user wants no confirmation
	Confirmed                     // the answer is what the run has found
	Hiccup                        // it is not
	AskAgain                      // not decided yet
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

// classes are answers of which a condition makes no difference, by one of them: a
// server that is down may say so in several ways.
var classes = map[history.Answer]history.Answer{
	history.AnswerBusy:     history.AnswerServerError,
	history.AnswerNone:     history.AnswerServerError,
	history.AnswerRedirect: history.AnswerMissing,
}
