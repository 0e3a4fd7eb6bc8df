package crawl

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// noscript takes the links for readers without scripting, which is what we are
// and most crawlers too: such as the further pages of a list that a script
// extends. What is fetched for it is left out, since nobody who renders
// the page fetches that. The parser leaves it all as one piece of text.
func (d *document) noscript(n *html.Node) {
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
		return
	}
	within := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	roots, err := html.ParseFragmentWithOptions(strings.NewReader(n.FirstChild.Data), within, html.ParseOptionEnableScripting(false))
	if err != nil {
		return
	}
	for _, root := range roots {
		for n := root; n != nil; n = following(n, root) {
			if n.DataAtom == atom.A || n.DataAtom == atom.Area {
				d.anchor(n)
			}
		}
	}
}
