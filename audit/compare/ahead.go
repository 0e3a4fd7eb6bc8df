package compare

import (
	"fmt"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
)

// addAhead says what an unreachable robots.txt of the new side's own origin will mean to all
// crawlers of that side.
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
	slices.SortStableFunc(c.site.Ahead, func(a, b Ahead) int { return c.rank(b) - c.rank(a) })
}

// rank orders predictions by importance: first for crawlers that find pages for a search engine,
// then by whether everything is blocked.
func (c *comparison) rank(a Ahead) (n int) {
	if slices.ContainsFunc(c.new.site.Crawlers, func(crawler audit.Crawler) bool { return crawler.Leads() && slices.Contains(a.Crawlers, crawler.Label) }) {
		n += 2
	}
	if a.Steps[0].Access == engine.DisallowAll {
		n++
	}
	return n
}
