package crawl

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sources are the attributes of elements that name files to fetch.
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

// document reads the elements of a page.
type document struct {
	page          *Page
	base          string // resolved base URL of its links
	seenLinks     map[string]bool
	seenResources map[string]bool
}

// absolute returns a link in the form that a crawler requests, "" if it is not
// fetched.
func (d *document) absolute(link string) string {
	if strings.HasPrefix(strings.TrimSpace(link), "#") {
		return "" // a fragment of the page itself
	}
	return absolute(link, d.base)
}

// read reads the element and all elements in it. It is not recursive, since
// pages may nest elements to any depth.
func (d *document) read(root *html.Node) {
	for n := root; n != nil; n = following(n, root) {
		if n.Type == html.ElementNode {
			d.element(n)
		}
	}
}

// following returns the next node in document order, nil at the end. The
// content of a template is not part of the document.
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
	case atom.Title:
		title := n.FirstChild
		d.page.Titled = d.page.Titled || n.Namespace == "" && title != nil && strings.TrimSpace(title.Data) != ""
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

// style reads CSS.
func (d *document) style(css string) {
	for url, kind := range cssURLs(css) {
		d.addResource(url, kind)
	}
}

// anchor adds the link of an a or area element.
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

// addResource adds a file that is fetched with the page.
func (d *document) addResource(src string, kind Kind) {
	if src = strings.TrimSpace(src); d.seenResources[src] {
		return
	}
	url := d.absolute(src)
	if len(d.seenResources) < 2*MaxResources {
		d.seenResources[src] = true // an icon used a thousand times is resolved once
	}
	if url == "" || url != src && d.seenResources[url] || !d.page.hasRoom("resources", len(d.page.Resources), MaxResources) {
		return
	}
	d.seenResources[url] = true
	d.page.Resources = append(d.page.Resources, Resource{url, kind})
}

// attrOf returns an element's attribute; false = it is missing or empty.
func attrOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, strings.TrimSpace(a.Val) != ""
		}
	}
	return "", false
}

// srcset yields the URLs of candidates ("a.jpg 1x, b.jpg 2x"). A URL may
// contain commas, but not end with one: it ends at white space.
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

// noscript adds the links for readers without scripting, such as this program
// and most crawlers. An example is the next pages of a list that a script
// extends. Resources are skipped, since browsers that render the page do not
// fetch them. The parser keeps the whole content as one text.
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
