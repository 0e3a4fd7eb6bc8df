package alert

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

const robotsPath = "/robots.txt"

// Question is a robots.txt, or a URL in the name of a crawler, to request again before the run is judged.
type Question struct {
	Origin  string          // "https://shop.example"
	Asker   string          // the User-Agent or address for the request: a subject of AL06 or AL18; "" = as in the run
	Given   string          // with an Asker of AL06: its answer in the run, in the words of audit.Problem.Detail
	Treated compare.Treated // with one of AL18: its treatment in the run
}

// Name is the name of a question in Input.Hiccups.
func (q Question) Name() string { return cmp.Or(q.Asker, q.Origin) }

// Questions returns what to request again. These are the files for which the run has a new
// condition that a temporary network error could also cause (AL03 to AL06, AL18). nil = none.
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
				switch c.code {
				case differing:
					q = Question{Origin: in.Compared.Own().Name, Asker: subject, Given: f.after(subject)}
				case treated:
					q = Question{Origin: in.Compared.Own().Name, Asker: subject, Treated: f.treated(subject)}
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

// after is the new state of a subject after a change.
func (f *found) after(subject string) string {
	for i := range f.changes {
		if slices.Contains(f.changes[i].Subjects, subject) {
			return f.changes[i].After
		}
	}
	return ""
}

// treated is the treatment that a subject of AL18 names.
func (f *found) treated(subject string) (t compare.Treated) {
	for i := range f.changes {
		for _, of := range f.changes[i].Treated {
			if of.Subject() == subject {
				return of
			}
		}
	}
	return t
}

// Confirmation is the result of the repeated requests.
type Confirmation int

// The results of repeated requests.
const (
	AskAgain  Confirmation = iota // not decided yet
	Confirmed                     // the answer confirms the run
	Hiccup                        // it does not
)

// Decide returns the result of the repeated requests so far, or AskAgain. The run's own answer is
// the first of tries; it is confirmed if more than half are the same: 2 of 3. No request is made
// that can no longer change the result.
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

// Same reports whether two answers are of one class, so that one confirms the other.
func Same(a, b history.Answer) bool {
	class := func(a history.Answer) history.Answer {
		if c, ok := classes[a]; ok {
			return c
		}
		return a
	}
	return class(a) == class(b)
}

// SameGiven reports whether two answers to another asker are of one class, by their HTTP status; 0
// = no usable answer.
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

// classes maps answers that mean the same to conditions to one of them. A server that is down may
// answer in several ways.
var classes = map[history.Answer]history.Answer{
	history.AnswerBusy:     history.AnswerServerError,
	history.AnswerNone:     history.AnswerServerError,
	history.AnswerRedirect: history.AnswerMissing,
}
