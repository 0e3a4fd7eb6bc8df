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

// Known has URLs from the user, such as an export of Google Search Console or of a log, with their
// clicks and impressions. They are tested in addition to those of the sitemaps. Sitemap URLs that
// are also in the list get their weight.
//
// A URL takes its own length and some ten bytes of memory, and MaxKnown bounds the total.
type Known struct {
	URLs    int64 // read
	NoURLs  int64 // rows without an absolute http or https URL
	TooLong int64 // lines, or rows of several lines, skipped because they are too long
	Longest []int // line numbers of the first ten of them
	Column  int   // 0-based index of the column with the URLs; -1 = none

	indexed *Known              // URLs that search engines have indexed; nil = not given
	sites   map[string][]Domain // the sites to test the URLs with, by host without "www."; nil = Assign was not called
	hosts   map[string][]byte   // by host, for each URL: length, text, clicks, impressions. A number is stored plus one, 0 = not given
}

// MaxKnown bounds the memory that known URLs may take, in bytes.
const MaxKnown = 1 << 30

// Weight is how valuable a URL is to its owner, by the user's own list. It is zero for a URL that
// is not in the list.
type Weight struct {
	Clicks           int64
	Impressions      int64
	ClicksGiven      bool // distinguishes given Clicks of 0 from missing ones; may be false if Clicks are not 0
	ImpressionsGiven bool
	Indexed          bool // the user's own list of indexed URLs has it
	Listed           bool // the important list of a schedule has it, see Past.Listed; set by the reports of a site with history
}

// HasClicks reports whether Clicks is known.
func (w Weight) HasClicks() bool { return w.ClicksGiven || w.Clicks != 0 }

// HasImpressions reports whether Impressions is known.
func (w Weight) HasImpressions() bool { return w.ImpressionsGiven || w.Impressions != 0 }

// plus adds the numbers of another row for the same URL.
func (w Weight) plus(v Weight) Weight {
	return Weight{
		w.Clicks + v.Clicks, w.Impressions + v.Impressions, w.HasClicks() || v.HasClicks(), w.HasImpressions() || v.HasImpressions(), w.Indexed || v.Indexed, w.Listed || v.Listed,
	}
}

// Column titles by which a number is recognised, in lower case.
var (
	clickTitles      = []string{"clicks", "klicks", "clics", "clic", "cliques", "клики", "hits", "visits", "sessions", "requests", "count"}
	impressionTitles = []string{"impressions", "impressionen", "impresiones", "impressões", "показы", "views"}
)

// ReadKnown reads URLs from a text with one per line, or from a table with commas, semicolons or
// tabs between its columns. column is the title or 1-based number of the column with the URLs; "" =
// the first column with a URL. Names and passwords of URLs are dropped. Rows longer than 64 KiB are
// skipped and counted.
func ReadKnown(r io.Reader, column string) (*Known, error) {
	k := &Known{hosts: map[string][]byte{}, Column: -1}
	lines := &lineReader{in: bufio.NewReaderSize(r, longestLine), known: k}
	in := lines.in
	first, err := in.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	first, _, _ = bytes.Cut(bytes.TrimPrefix(first, []byte("\uFEFF")), []byte("\n"))
	rows := csv.NewReader(bufio.NewReader(lines))
	rows.Comma, rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = separator(first, column != ""), -1, true, true
	table := knownTable{known: k, column: column}
	for {
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
		if err := table.add(row); err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.line, err)
		}
	}
}

// ReadKnownRows reads URLs from the rows of a table, such as the sheet of a workbook. The first row
// may have titles. column works as in ReadKnown. A row may be overwritten when the next one is
// read.
func ReadKnownRows(rows iter.Seq2[[]string, error], column string) (*Known, error) {
	k := &Known{hosts: map[string][]byte{}, Column: -1}
	table := knownTable{known: k, column: column}
	n := 0
	for row, err := range rows {
		if n++; err == nil && len(row) > 0 {
			err = table.add(row)
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", n, err)
		}
	}
	return k, nil
}

// knownTable is a table of URLs that is being read.
type knownTable struct {
	known   *Known
	column  string // see ReadKnown
	columns knownColumns
	rows    int
	size    int // of the URLs, in memory
}

// add adds the URL of a row.
func (t *knownTable) add(row []string) (err error) {
	if t.rows++; t.rows == 1 {
		row[0] = strings.TrimPrefix(row[0], "\uFEFF")
		if t.columns, err = findColumns(row, t.column); err != nil {
			return err
		}
	}
	if t.columns.url < 0 {
		t.columns.url = slices.IndexFunc(row, func(cell string) bool { return isHTTP(strings.TrimSpace(cell)) })
	}
	if url := t.columns.url; url < 0 || url >= len(row) || !isHTTP(strings.TrimSpace(row[url])) {
		if t.rows > 1 { // the first may hold titles
			t.known.NoURLs++
		}
		return nil
	}
	t.known.Column = t.columns.url
	if t.size += t.known.addRow(row, t.columns); t.size > MaxKnown {
		return fmt.Errorf("more than %d MB of URLs; split the file by site", MaxKnown>>20)
	}
	return nil
}

// knownColumns are the indices of the columns that count; -1 = not known.
type knownColumns struct{ url, clicks, impressions int }

// findColumns finds the columns by the titles, which may also be the first row of data. If column
// is given, it must exist.
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
		all := strings.Join(titles[:min(len(titles), 100)], ", ")
		return found, &noColumnError{column, strings.ToValidUTF8(all[:min(len(all), 500)], "")}
	}
	return found, nil
}

// ErrNoColumn says that a table lacks the requested column.
var ErrNoColumn = errors.New("no such column")

type noColumnError struct{ column, titles string }

func (e *noColumnError) Error() string {
	return fmt.Sprintf("no column %q. The first line has %q", e.column, e.titles)
}

func (e *noColumnError) Is(err error) bool { return err == ErrNoColumn }

// addRow adds the URL of a row to those of its host, and returns the bytes that it takes; 0 = it
// cannot be tested.
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

// noSeparator is in no URL, so that a row is one cell.
const noSeparator = '\x1f'

// separator guesses the column separator from the first line. A plain list of URLs has none: its
// commas and semicolons are part of URLs.
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

// numbersAfter distinguishes a table without titles ("https://a/b,17") from a list whose URLs
// contain commas.
func numbersAfter(line []byte, separator byte) bool {
	_, last, ok := bytes.Cut(bytes.TrimSpace(line), []byte{separator})
	return ok && len(last) > 0 && bytes.Trim(last, "0123456789.,;%") == nil
}

// cellNumber reads a cell such as "1,234", "1.234", "1 234" or "12.0" and returns the number plus
// one; 0 = no number. A point or comma that is not followed by three digits starts a decimal
// fraction, which is cut off.
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

// blanks removes separators between groups of digits, other than points and commas.
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
		if k.indexed == nil {
			return
		}
		for loc := range k.indexed.urlsOf(host) {
			if !yield(loc, Weight{Indexed: true}) {
				return
			}
		}
	}
}

// All yields every known URL as written, grouped by host. Hosts are sorted by name; URLs of a host
// are in the order of the list.
func (k *Known) All(yield func(string) bool) {
	for _, host := range slices.Sorted(k.allHosts) {
		for loc := range k.urlsOf(host) {
			if !yield(string(loc)) {
				return
			}
		}
	}
}

// AddIndexed adds a list of URLs that search engines have indexed, such as Search Console's
// "Indexed, though blocked by robots.txt". They are tested like the others. Call it once, before
// Assign.
func (k *Known) AddIndexed(list *Known) { k.indexed = list }

// IndexedCount counts a site's URLs in the user's own list of indexed ones.
type IndexedCount struct {
	URLs    int64 `json:"urls"`    // tested
	Blocked int64 `json:"blocked"` // of them, blocked for at least one crawler
}

// loadWeights loads the weights of the site's known URLs, so that sitemap URLs can find theirs.
func (s *site) loadWeights() {
	if s.auditor.Known == nil {
		return
	}
	s.weights = map[uint64]Weight{}
	if s.auditor.Known.indexed != nil {
		s.done.Indexed = new(IndexedCount)
	}
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

// addKnown queues the known URLs that nothing else named.
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

// noteAsked notes that the user's own list also names a URL that was judged before, perhaps from a
// link. It is judged again only if that may show that a blocked URL is asked for.
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
