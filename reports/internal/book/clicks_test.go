package book

import (
	"fmt"
	"testing"

	"robots-audit/audit"
)

// However many URLs have clicks, those with most of them come first, in order, and memory stays
// within the bound.
func TestClickedURLs(t *testing.T) {
	const all = 3*maxClicked + 17
	clicks := func(number int64) int64 { return 1 + number*7919%1009 } // many have the same number
	var c clickedURLs
	batch := audit.URL{}
	for number := range int64(all) {
		batch.Loc, batch.Clicks = fmt.Sprint(number), clicks(number)
		of, _ := weigh(&batch, 0, number)
		c.add(&batch, of)
		if len(c.list) >= 2*maxClicked {
			t.Fatalf("%d URLs in memory", len(c.list))
		}
	}
	standsFirst := func(c *clickedURLs, number int64) bool {
		of, weighs := weigh(&batch, 0, number)
		return weighs && c.standsFirst(of)
	}
	c.sort()
	if len(c.list) != maxClicked {
		t.Fatalf("%d URLs stand first", len(c.list))
	}
	first := map[int64]bool{}
	for i, of := range c.list {
		first[of.number] = true
		if of.url.Loc != fmt.Sprint(of.number) || of.clicks != clicks(of.number) || i > 0 && c.list[i-1].compare(of) >= 0 {
			t.Fatalf("%+v is no. %d", of, i)
		}
	}
	last := c.list[maxClicked-1]
	for number := range int64(all) {
		batch.Clicks = clicks(number)
		if most := batch.Clicks > last.clicks || batch.Clicks == last.clicks && number <= last.number; first[number] != most || standsFirst(&c, number) != most {
			t.Fatalf("no. %d with %d clicks: among the first %v, standsFirst %v; the last there is %+v", number, batch.Clicks, first[number], standsFirst(&c, number), last)
		}
	}
	batch.Clicks = 0
	if standsFirst(&c, 1) || standsFirst(new(clickedURLs), 1) {
		t.Error("a URL without clicks stands first")
	}
}
