package book

import (
	"strings"

	"robots-audit/audit/compare"
)

// labelCache joins the labels of a site's crawlers, once for each set of them.
type labelCache struct {
	labels []string
	joined map[string]string // by the bytes of set
	set    []byte            // indices of crawlers, two bytes each
}

// maxJoined bounds the sets that are remembered.
const maxJoined = 4096

func (c *labelCache) reset(crawlers []compare.Crawler) {
	c.labels, c.joined = c.labels[:0], map[string]string{}
	for i := range crawlers {
		c.labels = append(c.labels, crawlers[i].Label)
	}
}

// add adds a crawler to the set.
func (c *labelCache) add(i int) { c.set = append(c.set, byte(i>>8), byte(i)) }

// join returns the labels of the set, "Googlebot, Bingbot", and empties it.
func (c *labelCache) join() string {
	s, ok := c.joined[string(c.set)]
	if !ok {
		var list []string
		for i := 0; i < len(c.set); i += 2 {
			list = append(list, c.labels[int(c.set[i])<<8|int(c.set[i+1])])
		}
		s = strings.Join(list, ", ")
		if len(c.joined) >= maxJoined {
			clear(c.joined)
		}
		c.joined[string(c.set)] = s
	}
	c.set = c.set[:0]
	return s
}
