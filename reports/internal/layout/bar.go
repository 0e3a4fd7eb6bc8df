package layout

import (
	"bytes"
	"errors"
)

// WithBar returns the beginning of a page, up to its content and perhaps further, as who serves
// it shows it: with bar before all but the link that skips to the content, and a style sheet of the server's own,
// which the page's policy then allows. It returns the policy, too, for the header of the answer.
// The error is that begin is not the beginning of a page of this program.
func WithBar(begin []byte, styleSheet, bar string) (page []byte, policy string, err error) {
	before, rest, isPage := bytes.Cut(begin, []byte(policyBegin))
	is, rest, hasPolicy := bytes.Cut(rest, []byte(`">`))
	head, content, hasBody := bytes.Cut(rest, []byte(body))
	if !isPage || !hasPolicy || !hasBody || bytes.ContainsAny(is, "\"<>\r\n") {
		return nil, "", errors.New("layout: not the beginning of a page")
	}
	is = bytes.Replace(is, []byte("style-src "), []byte("style-src 'self' "), 1)
	page = append(append(page, before...), policyBegin...)
	page = append(append(page, is...), `">`...)
	page = append(append(page, head...), `<link rel="stylesheet" href="`...)
	page = append(AppendAttr(page, styleSheet), `">`...)
	page = append(append(page, body...), bar...)
	return append(page, content...), string(is), nil
}
