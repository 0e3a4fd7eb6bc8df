package brief

import (
	"cmp"
	"strings"

	"robots-audit/engine/wording"
)

// maxWords is the number of words of a brief at most.
const maxWords = 150

// content is what a brief says.
type content struct {
	Title   string
	Sender  Sender
	Date    string
	Lead    string
	Chart   chart
	Note    string
	Items   []item
	Further string // how many issues are not here
	Terms   []term

	further int    // issues that are not in Items
	left    []item // the first of these, if there was no room for them
	noun    string // of what Items are
}

// item is an issue: what it is, what to do, and what happens then.
type item struct {
	What, Do, Then string
	ShortDo        string // advice in one sentence; "" = the first of Do
	Site           string // of the run, that it is about; "" = it is about the site of the brief
}

// short is the issue in fewer words.
func (of item) short() item {
	of.What, of.Do, of.Then = firstSentences(of.What, 2), cmp.Or(of.ShortDo, firstSentence(of.Do)), firstSentence(of.Then)
	return of
}

// term is a word with its meaning.
type term struct{ Name, Meaning string }

// terms are explained on each brief that uses them.
var terms = []struct {
	term
	words []string // any of which stands for the term
}{
	{term{"robots.txt", "file that tells crawlers what they may read"}, []string{"robots.txt", "ine ", "ines "}},
	{term{"Crawler", "program that reads sites for a search engine or AI"}, []string{""}}, // it is in the title
	{term{"URL", "address of a page or file"}, []string{"URL"}},
	{term{"Sitemap", "file that lists a site's pages"}, []string{"itemap"}},
	{term{"Group", "the lines for one crawler"}, []string{"group"}},
	{term{"HTTP error", "the server did not deliver the file"}, []string{"HTTP "}},
	{term{"Certificate", "proves which site a server belongs to"}, []string{"certificate"}},
	{term{"Redirect", "answer that names another address"}, []string{"redirect"}},
}

// fit shortens the content until it has at most maxWords words: it shortens the issues, and leaves
// out the last ones. The lead stays in any case.
func (c *content) fit() {
	all, further := c.Items, c.further
	for n := len(all); ; n-- {
		c.Items, c.left, c.further = all[:n], all[n:], further+len(all)-n
		if c.explain(); n == 0 || c.count() <= maxWords {
			return
		}
		c.Items = nil
		for _, of := range all[:n] {
			c.Items = append(c.Items, of.short())
		}
		if c.explain(); c.count() <= maxWords {
			return
		}
	}
}

// explain sets the terms and the number of further issues.
func (c *content) explain() {
	c.Further, c.Terms = "", nil
	if c.further > 0 {
		noun := c.noun
		if len(c.Items) > 0 {
			noun = "more " + noun
		}
		c.Further = wording.Plural(c.further, noun) + wording.Verb(c.further, " is", " are") + " in the full report."
		if names := c.leftSites(); len(names) > 0 {
			c.Further += " The most severe: " + wording.And(names) + "."
		}
	}
	text := c.text()
	for _, t := range terms {
		for _, word := range t.words {
			if strings.Contains(text, word) {
				c.Terms = append(c.Terms, t.term)
				break
			}
		}
	}
}

// leftSites are the sites of issues for which there was no room.
func (c *content) leftSites() (names []string) {
	for _, of := range c.left {
		if of.Site != "" {
			names = append(names, of.Site)
		}
	}
	return names
}

// text is what the brief says beside its terms, and beside the names of sites and sender.
func (c *content) text() string {
	parts := []string{c.Lead, c.Chart.Title, c.Note, c.Further}
	for _, b := range c.Chart.Bars {
		parts = append(parts, b.Name, b.Text)
	}
	for _, of := range c.Items {
		parts = append(parts, of.What, of.Do, of.Then)
	}
	return strings.Join(parts, " ")
}

// labels is the number of words that are always there: titles and date.
const labels = 18

// count is the number of words of the brief.
func (c *content) count() int {
	words := labels + len(strings.Fields(c.Title+" "+c.Sender.Name+" "+c.text()))
	for _, t := range c.Terms {
		words += len(strings.Fields(t.Name + " " + t.Meaning))
	}
	return words
}

// firstSentence is a text up to the end of its first sentence.
func firstSentence(text string) string { return firstSentences(text, 1) }

// firstSentences is a text up to the end of its nth sentence.
func firstSentences(text string, n int) string {
	sentences := strings.SplitAfterN(text, ". ", n+1)
	return strings.TrimSpace(strings.Join(sentences[:min(n, len(sentences))], ""))
}
