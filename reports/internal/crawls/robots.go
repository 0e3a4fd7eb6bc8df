package crawls

import (
	"strings"

	"robots-audit/engine/wording"
)

// mostAnswers bounds the answers of one line.
const mostAnswers = 8

// RobotsAnswers lists the answers that the crawler got for robots.txt, in order of time: "404 from 17 Dec 2025 (12 requests),
// 200 from 9 Jan 2026 (1 request)".
func (c *Crawler) RobotsAnswers() string {
	answers := c.Robots.Answers
	var parts []string
	if more := len(answers) - mostAnswers; more > 0 {
		parts, answers = append(parts, wording.Plural(more, "earlier answer")), answers[more:]
	}
	for _, a := range answers {
		parts = append(parts, answered(a.Status)+" from "+Moment(a.First)+" ("+requests(a.Requests)+")")
	}
	return strings.Join(parts, ", ")
}
