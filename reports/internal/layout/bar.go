package layout

import (
	"bytes"
	"errors"
)

// WithBar returns the beginning of a page, up to its content or further, for a server. It adds bar after the link that
// skips to the content, and a style sheet of the server, which it allows in the policy within the page. The error says
// that begin is not the beginning of a page of this program.
func WithBar(begin []byte, styleSheet, bar string) (page []byte, err error) {
	before, rest, isPage := bytes.Cut(begin, []byte(policyBegin))
	head, content, hasBody := bytes.Cut(rest, []byte(body))
	if !isPage || !hasBody {
		return nil, errors.New("layout: not the beginning of a page")
	}
	page = append(append(page, before...), policyBegin...)
	head = bytes.Replace(head, []byte("style-src "), []byte("style-src 'self' "), 1)
	page = append(page, bytes.Replace(head, []byte("form-action 'none'"), []byte("form-action 'self'"), 1)...) // the bar has a form
	page = append(page, `<link rel="stylesheet" href="`...)
	page = append(AppendAttr(page, styleSheet), `">`...)
	page = append(append(page, body...), bar...)
	return append(page, content...), nil
}

// Policy returns what pages of some kinds may load when a server sends them with their assets and rows.
// It depends only on these kinds, never on the content of a page.
func Policy(kinds ...*Page) string {
	style, script := "'self' '"+aloneHash+"'", "'self'"
	for _, p := range kinds {
		style, script = style+" '"+p.styleHash+"'", script+" '"+p.scriptHash+"'"
	}
	return "default-src 'none'; base-uri 'none'; form-action 'self'; img-src data:; style-src " + style + "; script-src " + script
}
