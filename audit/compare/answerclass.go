package compare

import (
	"slices"

	"robots-audit/crawl"
)

// AnswerClass is the class of an answer, independent of any reader.
type AnswerClass int

// The classes of answers.
const (
	AnswerRead        AnswerClass = iota // 2xx with a body
	AnswerMissing                        // 4xx except 429
	AnswerUnreachable                    // 5xx, 429, no answer at all
	AnswerOther                          // redirects that lead nowhere, other statuses
	AnswerOurs                           // the request was not sent, because of our own limits or an interruption
)

// Classify returns the class of an answer to the request for robots.txt, and the kind of its body.
func Classify(f *crawl.RobotsFile) (AnswerClass, BodyKind) {
	a := Answer{Status: f.Status, Code: f.Code, Hops: redirects(f), Kind: bodyKind(*f)}
	return a.class(), a.Kind
}

// AnswerName is the name of the class in the history and on timelines: see the constants of package
// history.
func AnswerName(f *crawl.RobotsFile) string {
	class, kind := Classify(f)
	switch {
	case class == AnswerRead:
		return bodyNames[kind]
	case class == AnswerOurs:
		return "not asked"
	case class == AnswerMissing:
		return "4xx"
	case class == AnswerOther:
		return "3xx"
	case f.Status == 429:
		return "429"
	case f.Status >= 500:
		return "5xx"
	}
	return "unreachable"
}

// bodyNames are the classes of answers that were read.
var bodyNames = map[BodyKind]string{BodyEmpty: "empty", BodyText: "200", BodyHTML: "html", BodyBinary: "binary"}

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
