package book

import (
	"strings"

	"robots-audit/audit/compare"
)

// labelCache joins the labels of a site's crawlers, once for each set of crawlers.
type labelCache struct {
	labels []string
	joined map[string]string // by key
	key    []byte            // indices of crawlers, two bytes each
}

// maxJoined bounds the cached sets.
const maxJoined = 4096

func (c *labelCache) reset(crawlers []compare.Crawler) {
	c.labels, c.joined = c.labels[:0], map[string]string{}
	for i := range crawlers {
		c.labels = append(c.labels, crawlers[i].Label)
	}
}

// join returns the labels of crawlers: "Googlebot, Bingbot".
func (c *labelCache) join(crawlers []int) string {
	c.key = c.key[:0]
	for _, i := range crawlers {
		c.key = append(c.key, byte(i>>8), byte(i))
	}
	s, ok := c.joined[string(c.key)]
	if !ok {
		list := make([]string, len(crawlers))
		for at, i := range crawlers {
			list[at] = c.labels[i]
		}
		s = strings.Join(list, ", ")
		if len(c.joined) >= maxJoined {
			clear(c.joined)
		}
		c.joined[string(c.key)] = s
	}
	return s
}
