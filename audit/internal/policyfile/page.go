package policyfile

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Page is what a page says to AI.
type Page struct {
	Statements []Statement // at most 50
	Licences   []string    // RSL licences that it names, as written, at most 3
}

// maxLicences bounds the licences of a page.
const maxLicences = 3

// page reads a page.
type page struct {
	File
	licences []string
}

// ReadPage reads the header, with keys in canonical form, and the start of the body of an HTML page:
//   - noai and noimageai in X-Robots-Tag and meta robots: not to be in data sets for training, for all content or
//     for images. Whether answers may use the page is not said. Source: DeviantArt,
//     https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371
//   - tdm-reservation and tdm-policy as header fields and meta elements. Source: see readTDMRep
//   - rel="license" type="application/rsl+xml" in Link and link elements. Source: RSL 1.0, sections 4.5 and 4.6
func ReadPage(header map[string][]string, body []byte) *Page {
	p := &page{}
	for _, value := range header["X-Robots-Tag"] {
		p.robotsHeader(value)
	}
	field := func(name string) string {
		return strings.TrimSpace(strings.Join(header[name][:min(len(header[name]), 1)], ""))
	}
	p.reservation(Header, field("Tdm-Reservation"), field("Tdm-Policy"))
	for _, value := range header["Link"] {
		p.linkHeader(value)
	}
	p.elements(body[:min(len(body), MaxBytes)])
	return &Page{p.Statements, p.licences}
}

// valued are the directives of X-Robots-Tag that have a value after a colon, as names of crawlers have.
var valued = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

// robotsHeader reads X-Robots-Tag. A name and a colon begin the directives for one crawler.
func (p *page) robotsHeader(value string) {
	token, text := "", "X-Robots-Tag: "+value
	for part := range strings.SplitSeq(value, ",") {
		name, rest, named := strings.Cut(part, ":")
		if name = strings.TrimSpace(name); named && !slices.Contains(valued, strings.ToLower(name)) {
			token, part = name, rest
		}
		p.directives(Header, text, token, part)
	}
}

// directives adds noai and noimageai.
func (p *page) directives(source, text, token, list string) {
	for directive := range strings.FieldsFuncSeq(strings.ToLower(list), func(c rune) bool { return strings.ContainsRune(" \t\r\n\f,;", c) }) {
		if purpose := map[string]string{"noai": Training, "noimageai": Images}[directive]; purpose != "" {
			p.add(Statement{Source: source, Text: text, Purpose: purpose, Token: token, Says: No})
		}
	}
}

// reservation adds a reservation of rights.
func (p *page) reservation(source, value, policy string) {
	if value != "0" && value != "1" {
		return
	}
	text := "tdm-reservation: " + value
	if policy != "" {
		text += ", tdm-policy: " + policy
	}
	p.add(Statement{Source: source, Text: text, Purpose: Mining, Says: reservation(value == "1", policy)})
}

// linkHeader reads the links of a Link header: <URL>; rel="license"; type="application/rsl+xml".
func (p *page) linkHeader(value string) {
	for part := range strings.SplitSeq(value, "<") {
		target, parameters, ok := strings.Cut(part, ">")
		if !ok {
			continue
		}
		of := map[string]string{}
		for parameter := range strings.SplitSeq(strings.ToLower(parameters), ";") {
			name, value, _ := strings.Cut(parameter, "=")
			of[strings.TrimSpace(name)] = strings.Trim(value, "\" \t,")
		}
		p.license(target, of["rel"], of["type"])
	}
}

// rslType is the media type of RSL.
const rslType = "application/rsl+xml"

// license adds the target of a link, if it is a licence of RSL.
func (p *page) license(target, rel, kind string) {
	if !slices.Contains(strings.Fields(strings.ToLower(rel)), "license") || !strings.EqualFold(kind, rslType) {
		return
	}
	if target = strings.TrimSpace(target); target != "" && len(target) <= longURL && len(p.licences) < maxLicences && !slices.Contains(p.licences, target) {
		p.licences = append(p.licences, strings.Clone(target))
	}
}

// elements reads the meta and link elements.
func (p *page) elements(body []byte) {
	tdm := map[string]string{} // the first of each name
	z := html.NewTokenizer(bytes.NewReader(body))
	for z.Next() != html.ErrorToken {
		token := z.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		of := map[string]string{}
		for _, a := range token.Attr {
			if _, known := of[a.Key]; !known {
				of[a.Key] = strings.TrimSpace(a.Val)
			}
		}
		switch token.DataAtom {
		case atom.Meta:
			name := strings.ToLower(of["name"])
			if _, known := tdm[name]; !known && strings.HasPrefix(name, "tdm-") && len(tdm) < most {
				tdm[name] = of["content"]
			}
			// Names of crawlers. The content of others, such as keywords, may be these words by chance.
			if strings.Contains(name, "bot") || strings.Contains(name, "spider") {
				token := of["name"]
				if name == "robots" {
					token = ""
				}
				p.directives(Meta, of["name"]+": "+of["content"], token, of["content"])
			}
		case atom.Link:
			p.license(of["href"], of["rel"], of["type"])
		}
	}
	p.reservation(Meta, tdm["tdm-reservation"], tdm["tdm-policy"])
}
