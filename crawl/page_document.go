package crawl

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sources are the attributes by which an element names what is fetched for it.
var sources = map[atom.Atom][]struct {
	attribute string
	kind      Kind
}{
	atom.Script: {{"src", KindJS}},
	atom.Img:    {{"src", KindImage}, {"srcset", KindImage}},
	atom.Image:  {{"href", KindImage}}, // SVG
	atom.Input:  {{"src", KindImage}},
	atom.Source: {{"src", KindMedia}, {"srcset", KindImage}},
	atom.Video:  {{"src", KindMedia}, {"poster", KindImage}},
	atom.Audio:  {{"src", KindMedia}},
	atom.Track:  {{"src", KindMedia}},
	atom.Embed:  {{"src", KindFrame}},
	atom.Object: {{"data", KindFrame}},
	atom.Iframe: {{"src", KindFrame}},
	atom.Frame:  {{"src", KindFrame}},
}

// preloads are the kinds of link rel="preload" as="…".
var preloads = map[string]Kind{
	"style": KindCSS, "script": KindJS, "worker": KindJS, "font": KindFont, "image": KindImage, "video": KindMedia, "audio": KindMedia, "track": KindMedia,
	"document": KindFrame,
}

// document reads a page's elements.
type document struct {
	page          *Page
	base          string // resolved URL that its links are relative to
	seenLinks     map[string]bool
	seenResources map[string]bool
}

// absolute returns a link as a crawler asks for it, "" for what is not fetched.
func (d *document) absolute(link string) string {
	if strings.HasPrefix(strings.TrimSpace(link), "#") {
		return "" // a place on the page itself
	}
	return absolute(link, d.base)
}

// read takes what follows from the element and those within it. It goes
// from node to node without recursion: pages nest as deep as they like.
func (d *document) read(root *html.Node) {
	for n := root; n != nil; n = following(n, root) {
		if n.Type == html.ElementNode {
			d.element(n)
		}
	}
}

// following returns the next node in document order, nil at the end. What a
// template holds is no part of the document.
func following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	for n != root {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

func (d *document) element(n *html.Node) {
	switch n.DataAtom {
	case atom.A, atom.Area:
		d.anchor(n)
	case atom.Noscript:
		d.noscript(n)
	case atom.Link:
		d.linkElement(n)
	case atom.Meta:
		name, _ := attrOf(n, "name")
		content, _ := attrOf(n, "content")
		d.page.addMeta(name, content)
	case atom.Style:
		if n.FirstChild != nil {
			d.style(n.FirstChild.Data)
		}
	}
	for _, s := range sources[n.DataAtom] {
		value, ok := attrOf(n, s.attribute)
		switch {
		case !ok:
		case s.attribute == "srcset":
			for url := range srcset(value) {
				d.addResource(url, s.kind)
			}
		default:
			d.addResource(value, s.kind)
		}
	}
	if style, ok := attrOf(n, "style"); ok {
		d.style(style)
	}
}

// linkElement reads a link element.
func (d *document) linkElement(n *html.Node) {
	href, ok := attrOf(n, "href")
	if !ok {
		return
	}
	rel, _ := attrOf(n, "rel")
	lang, _ := attrOf(n, "hreflang")
	d.page.addRelation(rel, lang, d.absolute(href))
	for r := range strings.FieldsSeq(strings.ToLower(rel)) {
		switch r {
		case "stylesheet":
			d.addResource(href, KindCSS)
		case "modulepreload":
			d.addResource(href, KindJS)
		case "icon", "apple-touch-icon":
			d.addResource(href, KindImage)
		case "preload":
			as, _ := attrOf(n, "as")
			if kind, ok := preloads[strings.ToLower(as)]; ok {
				d.addResource(href, kind)
			}
		}
	}
}

// style takes CSS.
func (d *document) style(css string) {
	for url, kind := range cssURLs(css) {
		d.addResource(url, kind)
	}
}

// anchor takes what an a or area element links to.
func (d *document) anchor(n *html.Node) {
	if href, ok := attrOf(n, "href"); ok {
		d.addLink(href)
	}
}

// addLink adds a link to another page.
func (d *document) addLink(href string) {
	url := d.absolute(href)
	if url == "" || d.seenLinks[url] || !d.page.hasRoom("links", len(d.page.Links), MaxLinks) {
		return
	}
	d.seenLinks[url] = true
	d.page.Links = append(d.page.Links, url)
}

// addResource adds something that is fetched with the page.
func (d *document) addResource(src string, kind Kind) {
	if src = strings.TrimSpace(src); d.seenResources[src] {
		return
	}
	url := d.absolute(src)
	if len(d.seenResources) < 2*MaxResources {
		d.seenResources[src] = true // one icon named a thousand times is resolved once
	}
	if url == "" || url != src && d.seenResources[url] || !d.page.hasRoom("resources", len(d.page.Resources), MaxResources) {
		return
	}
	d.seenResources[url] = true
	d.page.Resources = append(d.page.Resources, Resource{url, kind})
}

// attrOf returns an element's attribute. An empty one names nothing.
func attrOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, strings.TrimSpace(a.Val) != ""
		}
	}
	return "", false
}

// srcset yields the URLs of candidates ("a.jpg 1x, b.jpg 2x"). A URL may hold
// commas, but not end with one: what stands before white space is the URL.
func srcset(value string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for {
			value = strings.TrimLeft(value, " \t\r\n\f,")
			if value == "" {
				return
			}
			end := strings.IndexAny(value+" ", " \t\r\n\f")
			url := value[:end]
			value = value[end:]
			if bare := strings.TrimRight(url, ","); bare != url {
				url = bare // no descriptor: the next candidate follows
			} else if _, after, ok := strings.Cut(value, ","); ok {
				value = after
			} else {
				value = ""
			}
			if !yield(url) {
				return
			}
		}
	}
}

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
