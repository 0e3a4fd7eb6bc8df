package layout

import (
	"bytes"
	"errors"
)

// WithBar returns the beginning of a page, up to its content and perhaps further, as who serves
// it shows it: with bar before all but the link that skips to the content, and a style sheet of the server's own,
// which the policy within the page then allows. The error is that begin is not the beginning of a page of this program.
func WithBar(begin []byte, styleSheet, bar string) (page []byte, err error) {
	before, rest, isPage := bytes.Cut(begin, []byte(policyBegin))
	head, content, hasBody := bytes.Cut(rest, []byte(body))
	if !isPage || !hasBody {
		return nil, errors.New("layout: not the beginning of a page")
	}
	page = append(append(page, before...), policyBegin...)
	page = append(page, bytes.Replace(head, []byte("style-src "), []byte("style-src 'self' "), 1)...)
	page = append(page, `<link rel="stylesheet" href="`...)
	page = append(AppendAttr(page, styleSheet), `">`...)
	page = append(append(page, body...), bar...)
	return append(page, content...), nil
}

// Policy is what pages of some kinds may do where a server sends them with their assets and rows beside
// them. It is made of what these kinds are, and never of what a page says.
func Policy(kinds ...*Page) string {
	style, script := "'self' '"+aloneHash+"'", "'self'"
	for _, p := range kinds {
		style, script = style+" '"+p.styleHash+"'", script+" '"+p.scriptHash+"'"
	}
	return "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src " + style + "; script-src " + script
}
