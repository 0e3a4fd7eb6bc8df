package delivery

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// anywhere is the length, in bytes, from which a secret is found anywhere in a text. A shorter one
// may be a part of ordinary words, and is found where it stands whole.
const anywhere = 16

// redacted is a text for people and for the database: one line, cut, with escapes, and
// without the channel's secrets, should a server have repeated them.
func redacted(text string, secrets []string) string {
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest first: one may hold another
	for _, s := range secrets {
		if len(s) < 4 { // it would be found in every other sentence, and is no secret
			continue
		}
		for _, form := range []string{s, base64.StdEncoding.EncodeToString([]byte(s)), url.QueryEscape(s), url.PathEscape(s)} {
			text = mask(text, form)
		}
	}
	return escape.Cut(escape.Show(strings.Join(strings.Fields(text), " ")), maxError)
}

// mask hides a secret in a text: a short one where no letter or digit goes on with it.
func mask(text, secret string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, secret)
		if at < 0 {
			return out.String() + text
		}
		end := at + len(secret)
		before, _ := utf8.DecodeLastRuneInString(out.String() + text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, _ := utf8.DecodeRuneInString(secret)
		last, _ := utf8.DecodeLastRuneInString(secret)
		if len(secret) >= anywhere || !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after)) {
			out.WriteString(text[:at] + hidden)
		} else {
			out.WriteString(text[:end])
		}
		text = text[end:]
	}
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
