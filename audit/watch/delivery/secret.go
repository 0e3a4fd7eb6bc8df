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

// Secret is a text that is never shown: formatted or encoded, it is "(secret)".
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

// anywhere is the minimum length, in bytes, of a secret that is removed anywhere in a text. A
// shorter one may be a part of ordinary words, and is only removed as a whole word.
const anywhere = 16

// redacted makes a text safe for people and the database: one line, shortened, with escapes, and
// without the channel's secrets, which a server may repeat.
func redacted(text string, secrets []string) string {
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // longest first: one may contain another
	for _, s := range secrets {
		if len(s) < 4 { // too short to be a secret, and part of many sentences
			continue
		}
		for _, form := range []string{s, base64.StdEncoding.EncodeToString([]byte(s)), url.QueryEscape(s), url.PathEscape(s)} {
			text = mask(text, form)
		}
	}
	return escape.Cut(escape.Show(strings.Join(strings.Fields(text), " ")), maxError)
}

// mask hides a secret in a text. A short one must not be part of a longer word.
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
