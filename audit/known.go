package audit

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Known holds URLs that the user knows from elsewhere, such as an export of
// Google Search Console or of a log, with what they are worth. They are tested
// beside those of the sitemaps, and lend their weight to those.
//
// A URL takes its own length and some ten bytes of memory, and the whole is
// bounded by MaxKnown.
type Known struct {
	URLs    int64 // read
	NoURLs  int64 // rows that hold no absolute http or https URL
	TooLong int64 // lines, or rows of several, that were left out for their length
	Longest []int // the first ten of them, by the number of their line

	sites map[string][]Domain // with which they are tested, by host without "www."; nil = Assign was not called
	hosts map[string][]byte   // by host: length, text, clicks, impressions of each URL, one after the other; a number is one more than it is, 0 = not given
}

// MaxKnown bounds the memory that known URLs may take, in bytes.
const MaxKnown = 1 << 30

// Weight is what a URL is worth to its owner, as far as the user's own list
// tells; the zero Weight is that of a URL of which it says nothing.
type Weight struct {
	Clicks           int64
	Impressions      int64
	ClicksGiven      bool // tells Clicks of 0 that the list gives from none given; may be false where there are some
	ImpressionsGiven bool
}

// HasClicks reports whether Clicks is known.
func (w Weight) HasClicks() bool { return w.ClicksGiven || w.Clicks != 0 }

// HasImpressions reports whether Impressions is known.
func (w Weight) HasImpressions() bool { return w.ImpressionsGiven || w.Impressions != 0 }

// plus adds what another row of the list says of the same URL.
func (w Weight) plus(v Weight) Weight {
	return Weight{w.Clicks + v.Clicks, w.Impressions + v.Impressions, w.HasClicks() || v.HasClicks(), w.HasImpressions() || v.HasImpressions()}
}

// Column titles by which a number is recognised, in lower case.
var (
	clickTitles      = []string{"clicks", "klicks", "clics", "clic", "cliques", "клики", "hits", "visits", "sessions", "requests", "count"}
	impressionTitles = []string{"impressions", "impressionen", "impresiones", "impressões", "показы", "views"}
)

// ReadKnown reads URLs from a text of one a line, or from a table with commas,
// semicolons or tabs between its columns. column names the column that holds
// the URL, by its title or 1-based number; "" = the first one that holds one.
// Names and passwords of URLs are dropped. A row longer than 64 KiB is left out
// and counted.
func ReadKnown(r io.Reader, column string) (*Known, error) {
	k := &Known{hosts: map[string][]byte{}}
	lines := &lineReader{in: bufio.NewReaderSize(r, longestLine), known: k}
	in := lines.in
	first, err := in.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	first, _, _ = bytes.Cut(bytes.TrimPrefix(first, []byte("\uFEFF")), []byte("\n"))
	rows := csv.NewReader(bufio.NewReader(lines))
	rows.Comma, rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = separator(first, column != ""), -1, true, true
	columns := knownColumns{-1, -1, -1}
	size := 0
	for n := 1; ; n++ {
		lines.beginRow()
		row, err := rows.Read()
		if errors.Is(err, errRowTooLong) {
			continue
		}
		if errors.Is(err, io.EOF) {
			return k, nil
		}
		if err != nil {
			return nil, err
		}
		if n == 1 {
			row[0] = strings.TrimPrefix(row[0], "\uFEFF")
			if columns, err = findColumns(row, column); err != nil {
				return nil, err
			}
		}
		if columns.url < 0 {
			columns.url = slices.IndexFunc(row, func(cell string) bool { return isHTTP(strings.TrimSpace(cell)) })
		}
		if columns.url < 0 || columns.url >= len(row) || !isHTTP(strings.TrimSpace(row[columns.url])) {
			if n > 1 { // the first may hold titles
				k.NoURLs++
			}
			continue
		}
		if size += k.addRow(row, columns); size > MaxKnown {
			return nil, fmt.Errorf("line %d: more than %d MB of URLs; split the file by site", lines.line, MaxKnown>>20)
		}
	}
}

// knownColumns are the indices of the columns that count; -1 = not known.
type knownColumns struct{ url, clicks, impressions int }

// findColumns reads the titles of a table, which may be its first row instead.
// Where column is given, it must be there.
func findColumns(titles []string, column string) (knownColumns, error) {
	found := knownColumns{-1, -1, -1}
	for i, title := range titles {
		title = strings.ToLower(strings.TrimSpace(title))
		switch {
		case column != "" && (strings.EqualFold(title, column) || strconv.Itoa(i+1) == column):
			found.url = i
		case found.clicks < 0 && slices.Contains(clickTitles, title):
			found.clicks = i
		case found.impressions < 0 && slices.Contains(impressionTitles, title):
			found.impressions = i
		}
	}
	if column != "" && found.url < 0 {
		return found, fmt.Errorf("there is no column %q; the first line has %q", column, titles)
	}
	return found, nil
}

// addRow adds the URL of a row to those of its host, and returns the bytes that
// it takes; 0 = it is none that can be tested.
func (k *Known) addRow(row []string, columns knownColumns) int {
	loc := strings.TrimSpace(row[columns.url])
	resolved, err := crawl.ResolveURL(loc)
	head, _, reason := split([]byte(resolved))
	d, why := ParseDomain(string(head))
	if err != nil || reason != "" || why != "" {
		k.NoURLs++
		return 0
	}
	if resolved != loc && strings.Contains(loc, "@") { // perhaps a name and a password
		loc = resolved
	}
	b := k.hosts[d.Host]
	b = binary.AppendUvarint(b, uint64(len(loc)))
	b = append(b, loc...)
	b = binary.AppendUvarint(b, cellNumber(row, columns.clicks))
	b = binary.AppendUvarint(b, cellNumber(row, columns.impressions))
	k.hosts[d.Host] = b
	k.URLs++
	return len(loc) + 16
}

func isHTTP(s string) bool {
	s = strings.ReplaceAll(s[:min(len(s), len("https://x"))], `\`, "/")
	return len(s) > 8 && (strings.EqualFold(s[:7], "http://") || strings.EqualFold(s[:8], "https://"))
}

// noSeparator stands in no URL: a row is one cell.
const noSeparator = '\x1f'

// separator finds out from the first line what separates the columns; a list
// of URLs alone has none, and commas and semicolons are part of its URLs.
func separator(first []byte, table bool) rune {
	best := noSeparator
	most := 0
	for _, c := range ",;\t" {
		if n := bytes.Count(first, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	if best != '\t' && !table && isHTTP(string(first)) && !numbersAfter(first, byte(best)) {
		return noSeparator
	}
	return best
}

// numbersAfter tells a table without titles ("https://a/b,17") from a list
// whose URLs hold commas.
func numbersAfter(line []byte, separator byte) bool {
	_, last, ok := bytes.Cut(bytes.TrimSpace(line), []byte{separator})
	return ok && len(last) > 0 && bytes.Trim(last, "0123456789.,;%") == nil
}

// cellNumber reads a cell such as "1,234", "1.234", "1 234" or "12.0" and
// returns one more than the number; 0 where it holds none. A point or comma with
// other than three digits behind it is that of a decimal fraction, which is cut off.
func cellNumber(row []string, i int) uint64 {
	if i < 0 || i >= len(row) {
		return 0
	}
	text := blanks.Replace(row[i])
	if at := strings.LastIndexAny(text, ".,"); at >= 0 && (len(text)-at != len(".123") || strings.HasPrefix(text, "0")) {
		text = text[:at]
	}
	n, err := strconv.ParseUint(strings.NewReplacer(",", "", ".", "").Replace(text), 10, 63)
	if err != nil {
		return 0
	}
	return n + 1
}

// blanks takes out what stands between groups of digits beside points and commas.
var blanks = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "\u2019", "")

// urlsOf yields the known URLs of a host, as written.
func (k *Known) urlsOf(host string) iter.Seq2[[]byte, Weight] {
	return func(yield func([]byte, Weight) bool) {
		for b := k.hosts[host]; len(b) > 0; {
			n, w := binary.Uvarint(b)
			loc := b[w : w+int(n)]
			b = b[w+int(n):]
			clicks, w := binary.Uvarint(b)
			b = b[w:]
			impressions, w := binary.Uvarint(b)
			b = b[w:]
			weight := Weight{ClicksGiven: clicks > 0, ImpressionsGiven: impressions > 0}
			if clicks > 0 {
				weight.Clicks = int64(clicks - 1)
			}
			if impressions > 0 {
				weight.Impressions = int64(impressions - 1)
			}
			if !yield(loc, weight) {
				return
			}
		}
	}
}

// loadWeights notes what the site's known URLs are worth, so that a URL of a sitemap
// finds its weight.
func (s *site) loadWeights() {
	if s.auditor.Known == nil {
		return
	}
	s.weights = map[uint64]Weight{}
	for loc, w := range s.auditor.Known.of(s.domain) {
		loc, _, _ = s.resolver.Resolve(loc, "")
		head, path, _ := split(loc)
		o, reason := s.origin(head)
		if reason != "" || w == (Weight{}) {
			continue
		}
		if len(path) == 0 {
			path = []byte("/")
		}
		hash := s.distinct.Hash(o.index<<4, path)
		s.weights[hash] = s.weights[hash].plus(w) // the same URL may have come with another fragment
	}
}

// addKnown has the known URLs judged that nothing else has named.
func (s *site) addKnown() {
	if s.auditor.Known == nil {
		return
	}
	for loc := range s.auditor.Known.of(s.domain) {
		loc, written, _ := s.resolver.Resolve(loc, "")
		if !s.addURL(nil, -1, &crawl.SitemapURL{Loc: loc, Written: written, Kind: crawl.KindList}) {
			s.noteAsked(loc)
		}
	}
}

// noteAsked notes that the user's own list asks for a URL which came before: on a
// page, perhaps. It need not be judged again but where nothing that is blocked is
// known to be asked for.
func (s *site) noteAsked(loc []byte) {
	if s.done.Links == nil || s.done.Links.Blocked == 0 || !slices.Contains(s.asked, false) {
		return
	}
	head, _, _ := s.split(loc)
	o, reason := s.origin(head)
	if reason != "" || o.groups == nil {
		return
	}
	for i, g := range o.groups {
		s.asked[i] = s.asked[i] || g.Verdict(string(loc)).Verdict == engine.Disallow
	}
}
