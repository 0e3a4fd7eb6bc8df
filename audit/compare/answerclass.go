package compare

import (
	"slices"

	"robots-audit/crawl"
)

// AnswerClass is what an answer is, before any reader makes something of it.
type AnswerClass int

// The classes of answers.
const (
	AnswerRead        AnswerClass = iota // 2xx with a body
	AnswerMissing                        // 4xx but 429
	AnswerUnreachable                    // 5xx, 429, no answer at all
	AnswerOther                          // redirects that lead nowhere, other statuses
	AnswerOurs                           // the request was never sent: bounds and interruptions of our own
)

// Classify tells what came of asking for a robots.txt, and what its body is.
func Classify(f *crawl.RobotsFile) (AnswerClass, BodyKind) {
	a := Answer{Status: f.Status, Code: f.Code, Hops: redirects(f), Kind: bodyKind(*f)}
	return a.class(), a.Kind
}

func (a *Answer) class() AnswerClass {
	switch {
	case slices.Contains([]string{crawl.CodeCancelled, crawl.CodeInternal, crawl.CodeBlockedAddress, crawl.CodeBadURL}, a.Code):
		return AnswerOurs
	case a.Kind != BodyNone:
		return AnswerRead
	case a.Status == 429, a.Status >= 500, a.Status == 0 && a.Hops == 0, a.Status/100 == 2:
		return AnswerUnreachable
	case a.Status/100 == 4:
		return AnswerMissing
	}
	return AnswerOther
}
