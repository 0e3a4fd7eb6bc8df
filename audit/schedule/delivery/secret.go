package delivery

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"robots-audit/engine/escape"
)

// Secret is a text that is never shown: formatted or encoded it is "(secret)".
type Secret string

const hidden = "(secret)"

// String hides the text.
func (s Secret) String() string { return hidden }

// Format hides the text from all verbs.
func (s Secret) Format(f fmt.State, _ rune) { f.Write([]byte(hidden)) }

// MarshalText hides the text from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// maxError bounds the text of an error, in bytes: servers may answer at any length.
const maxError = 500

// redacted is a text for people and for the database: one line, cut, with escapes, and
// without the channel's secrets, should a server have repeated them.
func redacted(text string, secrets []string) string {
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest first: one may hold another
	for _, s := range secrets {
		if len(s) < 4 { // it would be found in every other word, and is no secret
			continue
		}
		for _, form := range []string{s, base64.StdEncoding.EncodeToString([]byte(s)), url.QueryEscape(s), url.PathEscape(s)} {
			text = strings.ReplaceAll(text, form, hidden)
		}
	}
	return escape.Cut(escape.Show(strings.Join(strings.Fields(text), " ")), maxError)
}
