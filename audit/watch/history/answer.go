package history

import (
	"robots-audit/audit/compare"
	"robots-audit/crawl"
)

// AnswerOf classifies the answer to the request for a robots.txt. It uses the words of
// compare.AnswerName, which also names the current run's answer on a timeline.
func AnswerOf(f *crawl.RobotsFile) Answer { return Answer(compare.AnswerName(f)) }
