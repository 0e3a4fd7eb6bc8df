package brief

import (
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
	Decide  string // what the reader is to decide
	Chart   chart
	Note    string
	Items   []item
	Further string // how many issues are not here
	Terms   []term

	further int    // issues that are not in Items
	left    []item // the first of these, if there was no room for them
	noun    string // of what Items are
	asks    bool   // whether what is blocked is intended is to be decided
}

// item is an issue: what it is, what to do, and what happens then.
type item struct {
	What, Do, Then string
	Site           string // of the run, that it is about; "" = it is about the site of the brief

	example string // URL that it concerns, with what joins it to What; "" = none
	lines   int    // lines to delete if they are not intended; 0 = Do says what to do
	listed  bool   // sitemaps list URLs that the lines block
}

// short is the issue in fewer words: without an example and what may happen later.
func (of item) short() item {
	of.Then, of.example = firstSentence(of.Then), ""
	return of
}

// shortest is the issue in the fewest words: of several sentences, those that matter most.
func (of item) shortest() item {
	of.What, of.Do = firstSentences(of.What, 2), firstSentence(of.Do)
	return of.short()
}

// Problem is what is wrong, with an example.
func (of item) Problem() string {
	if of.example == "" {
		return of.What
	}
	return strings.TrimSuffix(of.What, ".") + of.example + "."
}

// term is a word with its meaning.
type term struct{ Name, Meaning string }

// terms are explained on each brief that uses them.
var terms = []struct {
	term
	words []string // any of which stands for the term
}{
	{term{"robots.txt", "file whose lines tell crawlers what they may read"}, []string{"robots.txt", "ine ", "ines "}},
	{term{"Crawler", "program that reads sites, such as Google's Googlebot"}, []string{""}}, // it is in the title
	{term{"Blocked", "crawlers may not read it, but search results can still show it"}, []string{"blocked", "blocks"}},
	{term{"Disallow", "blocks URLs that begin with this path"}, []string{"isallow: /", "isallow: *"}},
	{term{"*", "any text"}, []string{"*`", "/*", "*/", "*."}},
	{term{"$", "end of the URL"}, []string{"$`"}},
	{term{"URL", "web address"}, []string{"URL"}},
	{term{"Sitemap", "list of a site's pages"}, []string{"itemap"}},
	{term{"Group", "the lines for one crawler; * for all others"}, []string{"group"}},
	{term{"HTTP error", "the server did not deliver the file"}, []string{"HTTP "}},
	{term{"Certificate", "proves which site a server belongs to"}, []string{"certificate"}},
	{term{"Redirect", "answer that names another address"}, []string{"redirect"}},
}

// fit shortens the content until it has at most maxWords words: it shortens the issues, and leaves
// out the last ones. The lead stays in any case.
func (c *content) fit() {
	all, further := c.Items, c.further
	for n := len(all); ; n-- {
		c.left, c.further = all[n:], further+len(all)-n
		for _, shorten := range []func(item) item{func(of item) item { return of }, item.short, item.shortest} {
			c.Items = nil
			for _, of := range all[:n] {
				c.Items = append(c.Items, shorten(of))
			}
			if c.explain(); n == 0 || c.count() <= maxWords {
				return
			}
		}
	}
}

// explain sets the decision, the terms, and the number of further issues.
func (c *content) explain() {
	c.decide()
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

// decide sets what the reader is to decide, and what to do with lines that are not intended.
func (c *content) decide() {
	lines, listed := 0, true
	for _, of := range c.Items {
		if of.lines > 0 {
			lines, listed = lines+1, listed && of.listed
		}
	}
	c.Decide = ""
	if c.asks || lines > 0 {
		c.Decide = "Please decide whether this is intended."
	}
	every := lines > 0 && lines == len(c.Items)
	if every {
		if listed {
			c.Decide += " If so, remove the blocked URLs from the sitemap."
		}
		c.Decide += " If not:"
	}
	for i := range c.Items {
		of := &c.Items[i]
		these := wording.Verb(of.lines, "this line", "these lines") // no number: a deletion changes those of later lines
		switch {
		case of.lines == 0:
		case every:
			of.Do = "Delete " + these + "."
		default:
			of.Do = "If this is not intended, delete " + these + "."
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
	parts := []string{c.Lead, c.Decide, c.Chart.Title, c.Note, c.Further}
	for _, b := range c.Chart.Bars {
		parts = append(parts, b.Name, b.Text)
	}
	for _, of := range c.Items {
		parts = append(parts, of.Problem(), of.Do, of.Then)
	}
	return strings.Join(parts, " ")
}

// labels is the number of words that are always there: titles and date.
const labels = 12

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
