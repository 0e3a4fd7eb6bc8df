package enforced

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/site"
)

// ReplyRow is the answer for one URL in the name of one crawler, beside ours.
type ReplyRow struct {
	Crawler *Crawler
	URL     *audit.AskedURL
	*audit.Reply
}

// ReplyRows has a row for each crawler and URL that was asked.
func (s *Site) ReplyRows() (rows []*ReplyRow) {
	for _, c := range s.Crawlers {
		if c.AskedCrawler == nil {
			continue
		}
		for i := range min(len(c.Replies), len(s.asked.URLs)) {
			rows = append(rows, &ReplyRow{c, &s.asked.URLs[i], &c.Replies[i]})
		}
	}
	return rows
}

// sentences are those of contradictions and notes.
func (c *Crawler) sentences() string {
	var list []string
	for _, of := range slices.Concat(c.Contradictions, c.Notes) {
		list = append(list, of.Sentence)
	}
	return strings.Join(list, " ")
}

// line is the line of robots.txt that decides, with its rule.
func (c *Crawler) line() string {
	if c.Line == 0 {
		return c.Rule
	}
	return fmt.Sprintf("line %d: %s", c.Line, c.Rule)
}

// text makes a column of texts.
func text[T any](title string, width float64, of func(*T) string) crawls.Column[T] {
	return crawls.Column[T]{Title: title, Width: width, Value: func(row *T) site.Value { return site.Text(of(row)) }}
}

// Treatment is the title of the columns with only a treatment, and the class of others.
const Treatment = "Treatment"

// Columns are the columns of the table of crawlers.
var Columns = []crawls.Column[Crawler]{
	{Title: "Crawler", Width: 24, Kind: crawls.Name, Value: func(c *Crawler) site.Value { return site.Text(c.Name) }, Below: func(c *Crawler) string { return c.Purpose }},
	onSheet(text("Operator", 16, func(c *Crawler) string { return c.Operator })),
	onSheet(text("Purpose", 16, func(c *Crawler) string { return c.Purpose })),
	{Title: "robots.txt", Width: 16, Value: func(c *Crawler) site.Value { return site.Text(c.Robots) }, Below: (*Crawler).line},
	onSheet(text("Rule", 36, (*Crawler).line)),
	onSheet(text(Treatment, 22, func(c *Crawler) string { return c.Treatment.Words() })),
	{Title: "Asked from here", Note: "what the server answered to the crawler's name, sent from our address", Width: 36, Class: Treatment, Value: func(c *Crawler) site.Value { return site.Text(c.Asked) }},
	{Title: "Access logs", Note: "what requests got, those for robots.txt aside", Width: 30, Value: func(c *Crawler) site.Value { return site.Text(c.Logs) }},
	onSheet(text("Contradictions and notes", 80, (*Crawler).sentences)),
	text("Preferences", 40, func(c *Crawler) string { return c.Preferences }),
	text("Files", 40, func(c *Crawler) string { return c.Files }),
	onSheet(text("User-Agent", 60, func(c *Crawler) string {
		if c.AskedCrawler == nil {
			return ""
		}
		return c.UserAgent
	})),
}

// onSheet makes a column that pages do not have.
func onSheet[T any](c crawls.Column[T]) crawls.Column[T] {
	c.Kind = crawls.OnSheet
	return c
}

// ReplyColumns are the columns of the table of answers.
var ReplyColumns = []crawls.Column[ReplyRow]{
	text("Crawler", 24, func(r *ReplyRow) string { return r.Crawler.Name }),
	{Title: "URL", Width: 60, Kind: crawls.Name, Value: func(r *ReplyRow) site.Value { return site.Text(r.URL.URL) }, Below: func(r *ReplyRow) string { return string(r.URL.Kind) }},
	onSheet(text("Kind", 14, func(r *ReplyRow) string { return string(r.URL.Kind) })),
	text("Under our own name", 24, func(r *ReplyRow) string { return outcome(&r.URL.Ours) }),
	text("In its name", 24, func(r *ReplyRow) string { return outcome(r.Reply) }),
	text(Treatment, 22, func(r *ReplyRow) string { return r.Treatment.Words() }),
	text("Reason", 30, func(r *ReplyRow) string {
		if r.Treatment == audit.LetIn {
			return ""
		}
		return because(r.Reply)
	}),
	onSheet(text("Title", 40, func(r *ReplyRow) string { return r.Title })),
	onSheet(text("Evidence", 50, func(r *ReplyRow) string {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(r.Evidence)) {
			list = append(list, name+": "+r.Evidence[name])
		}
		return escape.Cut(escape.Show(strings.Join(list, "; ")), 500)
	})),
}

// outcome is an answer in few words: "HTTP 200".
func outcome(r *audit.Reply) string {
	switch {
	case r.Asked == 0:
		return "not asked"
	case r.Status == 0:
		return "no answer"
	}
	return fmt.Sprintf("HTTP %d", r.Status)
}
