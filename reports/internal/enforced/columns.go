package enforced

import (
	"slices"
	"strings"

	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/site"
)

// Treatment is the title of the columns with only a treatment, and the class of others.
const Treatment = "Treatment"

// Columns are the columns of the table of crawlers.
var Columns = []crawls.Column[Crawler]{
	{Title: "Crawler", Width: 24, Kind: crawls.Name, Value: value(func(c *Crawler) string { return c.Name }), Below: purpose},
	{Title: "Operator", Width: 16, Kind: crawls.OnSheet, Value: value(func(c *Crawler) string { return c.Operator })},
	{Title: "Purpose", Width: 16, Kind: crawls.OnSheet, Value: value(purpose)},
	{Title: "robots.txt", Width: 16, Value: value(func(c *Crawler) string { return c.Robots }), Below: rule},
	{Title: "Rule", Width: 36, Kind: crawls.OnSheet, Value: value(rule)},
	{Title: Treatment, Width: 22, Kind: crawls.OnSheet, Value: value(func(c *Crawler) string { return c.Treatment.Words() })},
	{Title: "Asked from here", Note: "what the server answered to the crawler's name, sent from our address", Width: 36, Class: Treatment,
		Value: value(func(c *Crawler) string { return c.Asked })},
	{Title: "Access logs", Note: "what requests got, those for robots.txt aside", Width: 30,
		Value: value(func(c *Crawler) string { return c.Logs })},
	{Title: "Contradictions and notes", Width: 80, Kind: crawls.OnSheet, Value: value(sentences)},
	{Title: "Preferences", Width: 40, Value: value(func(c *Crawler) string { return c.Preferences })},
	{Title: "Files", Width: 40, Value: value(func(c *Crawler) string { return c.Files })},
	{Title: "User-Agent", Width: 60, Kind: crawls.OnSheet, Value: value(func(c *Crawler) string { return c.UserAgent })},
}

func value(of func(*Crawler) string) func(*Crawler) site.Value {
	return func(c *Crawler) site.Value { return site.Text(of(c)) }
}

func purpose(c *Crawler) string { return c.Purpose }
func rule(c *Crawler) string    { return c.Rule }

// sentences are those of contradictions and notes.
func sentences(c *Crawler) string {
	var list []string
	for _, of := range slices.Concat(c.Contradictions, c.Notes) {
		list = append(list, of.Sentence)
	}
	return strings.Join(list, " ")
}
