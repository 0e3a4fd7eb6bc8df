package crawls

import (
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// RobotsAnswer is an answer for robots.txt that a crawler got, once or several times in a row.
type RobotsAnswer struct {
	*Crawler
	*audit.LogAnswer
}

// AnswerRows are the answers for robots.txt that crawlers got themselves, in order of time.
func (s *Site) AnswerRows() (rows []*RobotsAnswer) {
	for _, c := range s.Crawlers {
		rows = append(rows, rowsOf(c.Robots.Answers, func(a *audit.LogAnswer) *RobotsAnswer { return &RobotsAnswer{c, a} })...)
	}
	slices.SortStableFunc(rows, func(a, b *RobotsAnswer) int { return a.First.Compare(b.First) })
	return rows
}

// AnswerColumns are the columns of the table of answers for robots.txt.
var AnswerColumns = []Column[RobotsAnswer]{
	{Title: "Site", Width: 26, Kind: OnSheet, Value: func(a *RobotsAnswer) site.Value { return site.Text(a.Crawler.Site.Site) }},
	{Title: "Crawler", Width: 24, Kind: Name, Value: func(a *RobotsAnswer) site.Value { return site.Text(a.Name) }},
	{Title: "Answer", Width: 12, Value: func(a *RobotsAnswer) site.Value { return site.Text(a.Crawler.Site.answered(a.Status)) }},
	{Title: "First", Width: 20, Time: func(a *RobotsAnswer) time.Time { return a.First }},
	{Title: "Last", Width: 20, Time: func(a *RobotsAnswer) time.Time { return a.Last }},
	{Title: "Requests", Width: 12, Kind: Bar, Value: func(a *RobotsAnswer) site.Value { return site.Number(a.LogAnswer.Requests) }},
}

// gives reports whether the answer gave the file, or said that it has not changed.
func (a *RobotsAnswer) gives() bool { return givesFile(a.Status) }

func givesFile(status int) bool { return status == 200 || status == 206 || status == 304 }
