package history

import (
	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/crawl"
)

// AnswerOf classifies the answer to the request for a robots.txt. It uses the words of
// compare.AnswerName, which also names the current run's answer on a timeline.
func AnswerOf(f *crawl.RobotsFile) Answer { return Answer(compare.AnswerName(f)) }

// AnswerOfReply classifies an answer to a request in the name of a crawler.
func AnswerOfReply(r *audit.Reply) Answer {
	if r.Status/100 == 2 {
		return AnswerOK
	}
	return AnswerOf(&crawl.RobotsFile{Outcome: crawl.Outcome{Status: r.Status, Code: r.Code}})
}
