package table

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// Meaning is what a column has.
type Meaning string

// Meanings of columns.
const (
	URL         Meaning = "url"
	Host        Meaning = "host"
	Path        Meaning = "path" // of a URL, without its host
	Clicks      Meaning = "clicks"
	Impressions Meaning = "impressions"
	Old         Meaning = "old" // URL of a redirect
	New         Meaning = "new" // its target
	Regex       Meaning = "regex"
	Crawler     Meaning = "crawler"
	Expect      Meaning = "expect"
	Profile     Meaning = "profile"
	Note        Meaning = "note"
	Domain      Meaning = "domain"
	Name        Meaning = "name" // of a segment
	Pattern     Meaning = "pattern"
)

//go:embed titles.tsv
var titleLines string

// titles returns the meanings of known titles, as normal writes them.
var titles = sync.OnceValue(func() map[string]Meaning {
	known := map[string]Meaning{}
	for line := range strings.Lines(titleLines) {
		if cells := strings.Split(line, "\t"); line[0] != '#' && len(cells) > 1 {
			known[normal(cells[1])] = Meaning(cells[0])
		}
	}
	return known
})

// MeaningOf returns the meaning of a title. Exports that compare two periods put the period before:
// "8/1/26 - 8/31/26 Clicks". The first column of a meaning counts. ok = false: the title is not known.
func MeaningOf(title string) (m Meaning, ok bool) {
	title = normal(title)
	m, ok = titles()[title]
	if at := strings.LastIndexByte(title, ' '); !ok && at > 0 && strings.ContainsAny(title[:at], "0123456789") {
		if m, ok = titles()[title[at+1:]]; m != Clicks && m != Impressions {
			return "", false
		}
	}
	return m, ok
}

// normal writes a title without differences of case, white space and composed letters.
func normal(title string) string {
	title = strings.Trim(strings.TrimPrefix(title, "\uFEFF"), "\"'\u200e\u200f \t\r\n")
	return strings.Join(strings.Fields(strings.ToLower(norm.NFC.String(title))), " ")
}
