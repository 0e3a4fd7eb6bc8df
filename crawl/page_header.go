package crawl

import (
	"net/http"
	"net/url"
	"strings"

	"robots-audit/crawl/internal/weburl"
)

// linkHeader reads the relations in the Link header (RFC 8288) that pages also
// write as link elements. PDFs can only use the header. Targets are relative to
// the URL of the response, whatever base the page names.
func (p *Page) linkHeader(h http.Header, answered *url.URL) {
	for _, value := range h.Values("Link") {
		for len(value) <= maxHeader {
			_, rest, ok := strings.Cut(value, "<")
			if !ok {
				break
			}
			target, rest, ok := strings.Cut(rest, ">")
			if !ok {
				break
			}
			parameters, rest := parametersOf(rest)
			p.addRelation(parameters["rel"], parameters["hreflang"], absolute(target, answered.String()))
			value = rest
		}
	}
}

// parametersOf reads `; name="value"; …` up to the comma that ends it. Names are in
// lower case, and the first value of a name counts.
func parametersOf(s string) (parameters map[string]string, rest string) {
	parameters = map[string]string{}
	for {
		s = strings.TrimLeft(s, " \t;")
		if s == "" || s[0] == ',' {
			return parameters, s
		}
		end := strings.IndexAny(s, "=;,")
		if end < 0 {
			return parameters, ""
		}
		name, value := strings.ToLower(strings.TrimSpace(s[:end])), ""
		s = s[end:]
		if s[0] == '=' {
			s = strings.TrimLeft(s[1:], " \t")
			if strings.HasPrefix(s, `"`) {
				value, s, _ = strings.Cut(s[1:], `"`)
			} else {
				end := strings.IndexAny(s+",", ";,")
				value, s = strings.TrimSpace(s[:end]), s[end:]
			}
		}
		if _, known := parameters[name]; !known {
			parameters[name] = value
		}
	}
}

// addRelation adds rel="canonical" and rel="alternate" hreflang.
func (p *Page) addRelation(rel, lang, target string) {
	if target == "" {
		return
	}
	for r := range strings.FieldsSeq(strings.ToLower(rel)) {
		switch {
		case r == "canonical" && p.Canonical == "":
			p.Canonical = target
		case r == "alternate" && lang != "" && p.hasRoom("alternates", len(p.Alternates), MaxAlternates):
			p.Alternates = append(p.Alternates, Alternate{weburl.Truncate(strings.TrimSpace(lang), 64), target})
		}
	}
}
