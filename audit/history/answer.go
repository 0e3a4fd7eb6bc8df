package history

import (
	"robots-audit/audit/compare"
	"robots-audit/crawl"
)

// AnswerOf is the class of what came of asking for a robots.txt.
func AnswerOf(f *crawl.RobotsFile) Answer {
	class, kind := compare.Classify(f)
	switch {
	case class == compare.AnswerRead:
		return bodies[kind]
	case class == compare.AnswerOurs:
		return AnswerNotAsked
	case class == compare.AnswerMissing:
		return AnswerMissing
	case class == compare.AnswerOther:
		return AnswerRedirect
	case f.Status == 429:
		return AnswerBusy
	case f.Status >= 500:
		return AnswerServerError
	}
	return AnswerNone
}

// bodies are the classes of answers that were read.
var bodies = map[compare.BodyKind]Answer{
	compare.BodyEmpty: AnswerEmpty, compare.BodyText: AnswerOK, compare.BodyHTML: AnswerHTML, compare.BodyBinary: AnswerBinary,
}
