package history

import (
	"robots-audit/audit/compare"
	"robots-audit/crawl"
)

// AnswerOf is the class of what came of asking for a robots.txt. Its words are those of
// compare.AnswerName, which also names the answer of the run at hand on a timeline.
func AnswerOf(f *crawl.RobotsFile) Answer { return Answer(compare.AnswerName(f)) }
