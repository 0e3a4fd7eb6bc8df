package serve

import "strconv"

// paging is the place of a page in a list. Data has the whole list.
type paging struct {
	Page      int    `json:"-"`
	Pages     int    `json:"-"`
	Previous  string `json:"-"` // links to pages; "" = none
	Following string `json:"-"`
}

// newPaging is a page of a list of n entries, or its last one if there are fewer pages. The page has the entries from
// one index up to another. link is the address of a page.
func newPaging(asked, n, each int, link func(page string) string) (p paging, from, to int) {
	p.Pages = max(1, (n+each-1)/each)
	p.Page = min(asked, p.Pages)
	if p.Page > 1 {
		p.Previous = link(strconv.Itoa(p.Page - 1))
	}
	if p.Page < p.Pages {
		p.Following = link(strconv.Itoa(p.Page + 1))
	}
	return p, (p.Page - 1) * each, min(p.Page*each, n)
}

// pageNumber reads the number of a page; "" = the first.
func pageNumber(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	page, err := strconv.Atoi(text)
	if err != nil || page < 1 || page > 1_000_000 {
		return 0, badRequest("page: expected a number, 1 or more")
	}
	return page, nil
}
