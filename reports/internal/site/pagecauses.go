package site

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Kinds of causes found on pages, and in a list of indexed URLs.
const (
	CauseHome    = "home"    // the home page could not be read as a page
	CauseNoIndex = "noindex" // a noindex that crawlers never see, or that a sitemap contradicts
	CauseIndexed = "indexed" // blocked URLs are indexed
)

// pageCauses collects the facts about pages from their records.
type pageCauses struct {
	unseen, listed pageCause
}

// pageCause is a fact about several pages.
type pageCause struct {
	crawlers []int // affected crawlers, by index
	examples []string
}

func (c *pageCause) add(url string, crawlers []int) {
	if len(c.examples) < maxExamples {
		c.examples = append(c.examples, strings.Clone(url))
	}
	for _, i := range crawlers {
		if !slices.Contains(c.crawlers, i) {
			c.crawlers = append(c.crawlers, i)
		}
	}
}

// addPage notes the facts about a page.
func (s *Site) addPage(p *audit.Page) {
	if unseen := p.NoIndexUnseen(); len(unseen) > 0 {
		s.pages.unseen.add(p.URL, unseen)
	}
	if p.ListedNoIndex() {
		s.pages.listed.add(p.URL, p.NoIndexFor)
	}
}

// pageCauses returns the issues found on pages and in the list of indexed URLs.
func (s *Site) pageCauses(d *audit.Done) (list []Cause) {
	if l := d.Links; l != nil {
		if l.Home != nil {
			c := s.newCause(CauseHome, d.Origin, "Pages", nil)
			c.Leads, c.rank, c.Examples, c.about = true, rankHome, []string{l.Home.URL}, homeUnindexed
			c.What = strings.ToUpper(l.Home.String()[:1]) + l.Home.String()[1:]
			c.Meant = "Unknown. Nothing on the site says so."
			c.Do = "Make the home page answer with status 200. If it answers people, find out why it refuses this audit."
			list = append(list, c)
		}
		if n := l.NoIndexUnseen; n > 0 {
			c := s.pageCause(d, &s.pages.unseen, n)
			c.about = unseenNoIndex
			c.What = fmt.Sprintf("%s %s a noindex that %s never %s, because robots.txt blocks %s", wording.Plural(n, "page"), wording.Verb(n, "has", "have"),
				c.ForWhom(), wording.Verb(len(c.Crawlers), "sees", "see"), wording.Verb(n, "it", "them"))
			c.Meant = "Contradiction: a crawler that may not fetch a page does not see its noindex."
			c.Do = "To remove these pages from the index, allow crawling until they are gone. To save crawling only, keep the rule; the noindex then does nothing."
			list = append(list, c)
		}
		if n := l.ListedNoIndex; n > 0 {
			c := s.pageCause(d, &s.pages.listed, n)
			c.about = noIndexInSitemap
			c.What = fmt.Sprintf("%s in a sitemap %s noindex", wording.Plural(n, "page"), wording.Verb(n, "has", "have"))
			c.Meant = "Contradiction: the sitemap asks for indexing, but the page forbids it."
			c.Do = "Remove these pages from the sitemap, or remove the noindex."
			list = append(list, c)
		}
	}
	if d.Indexed != nil && d.Indexed.Blocked > 0 {
		n := d.Indexed.Blocked
		c := s.newCause(CauseIndexed, d.Origin, "Blocked", nil)
		c.Leads, c.Examples = true, s.indexed
		c.What = fmt.Sprintf("%s %s indexed", wording.Plural(n, "blocked URL"), wording.Verb(n, "is", "are"))
		c.Meant = "Unknown. A blocked URL can still be indexed."
		c.Do = "To remove these URLs from the index, allow crawling and add a noindex. To keep them in the index, allow crawling."
		c.Proof = "Not measured. The search engine decides what it indexes."
		c.count(n, d)
		list = append(list, c)
	}
	return list
}

// pageCause is a cause that concerns n pages.
func (s *Site) pageCause(d *audit.Done, of *pageCause, n int64) Cause {
	crawlers := slices.Clone(of.crawlers)
	slices.Sort(crawlers)
	c := s.newCause(CauseNoIndex, d.Origin, "Pages", crawlers)
	c.Examples = of.examples
	c.count(n, d)
	return c
}
