package audit

import (
	"bytes"
	"context"
	"slices"

	"robots-audit/crawl"
)

// maxAsked bounds the origins that Ask asks.
const maxAsked = 16

// Ask asks an origin for its robots.txt, and also the origins that it redirects through. The origin
// itself is no. 0 of the answers.
func Ask(ctx context.Context, fetch *crawl.Site, origin string) (*Answers, *crawl.RobotsFile) {
	a := &Answers{}
	if head, _, reason := split([]byte(origin)); reason == "" && originName(head) != "" {
		origin = originName(head)
	}
	asked := []string{origin}
	var ask func(index int) *crawl.RobotsFile
	ask = func(index int) *crawl.RobotsFile {
		file := fetch.Robots(ctx, asked[index])
		for name := range foreignHops(asked[index], file) {
			if len(asked) < maxAsked && !slices.Contains(asked, name) {
				asked = append(asked, name)
				ask(len(asked) - 1)
			}
		}
		a.Add(index, asked[index], file)
		return file
	}
	return a, ask(0)
}

// foreignHops yields the URLs of a redirect chain that are on other origins
// than the one asked, each with the name of its origin.
func foreignHops(origin string, file *crawl.RobotsFile) func(yield func(name, url string) bool) {
	return func(yield func(name, url string) bool) {
		for _, hop := range file.Hops {
			head, path, reason := split([]byte(hop.URL))
			if reason != "" || string(path) == "/robots.txt" { // crawlers may always ask for this
				continue
			}
			if name := originName(head); name != "" && name != origin && !yield(name, hop.URL) {
				return
			}
		}
	}
}

// crossHost reports whether a redirect chain ended on another host than it began on.
func crossHost(hops []crawl.Hop) bool {
	if len(hops) < 2 {
		return false
	}
	first, _, _ := split([]byte(hops[0].URL))
	last, _, _ := split([]byte(hops[len(hops)-1].URL))
	_, from, _ := bytes.Cut(first, []byte("://"))
	_, to, _ := bytes.Cut(last, []byte("://"))
	return !bytes.EqualFold(from, to)
}
