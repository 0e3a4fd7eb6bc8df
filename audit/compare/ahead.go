package compare

import (
	"fmt"
	"slices"

	"robots-audit/audit"
)

// addAhead tells what becomes of the new side's own robots.txt where it is unreachable, to
// all crawlers that side asked about.
func (c *comparison) addAhead() {
	own := c.new.own()
	if own == nil || own.recorded || c.new.answerOf(own).class() != AnswerUnreachable {
		return
	}
	same := map[string]int{} // by steps: index into Site.Ahead, plus 1
	for i := range c.new.site.Crawlers {
		crawler := &c.new.site.Crawlers[i]
		robot, profile, known := crawler.Robot()
		if !known {
			continue
		}
		steps := c.new.answers.Forecast(own.record.Index, profile, robot)
		key := fmt.Sprint(steps)
		if same[key] == 0 {
			c.site.Ahead = append(c.site.Ahead, Ahead{Steps: steps})
			same[key] = len(c.site.Ahead)
		}
		a := &c.site.Ahead[same[key]-1]
		a.Crawlers = append(a.Crawlers, crawler.Label)
	}
	slices.SortStableFunc(c.site.Ahead, func(a, b Ahead) int { return c.leads(b) - c.leads(a) })
}

// leads is 1 where one of the crawlers finds pages for a search engine: what becomes of
// these is told first.
func (c *comparison) leads(a Ahead) int {
	if slices.ContainsFunc(c.new.site.Crawlers, func(crawler audit.Crawler) bool { return crawler.Leads() && slices.Contains(a.Crawlers, crawler.Label) }) {
		return 1
	}
	return 0
}
