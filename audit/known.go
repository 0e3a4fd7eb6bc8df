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
)

// Known holds URLs that the user knows from elsewhere, such as an export of
// Google Search Console or of a log, with what they are worth. They are tested
// beside those of the sitemaps, and lend their weight to those.
//
// A URL takes its own length and some ten bytes of memory, and the whole is
// bounded by MaxKnown.
type Known struct {
	URLs   int64             // read
	NoURLs int64             // rows that hold no absolute http or https URL
	hosts  map[string][]byte // by host: length, text, clicks, impressions of each URL, one after the other
}

// MaxKnown bounds the memory that known URLs may take, in bytes.
const MaxKnown = 1 << 30

// Weight is what a URL is worth to its owner; zero = not known.
type Weight struct {
	Clicks      int64 `json:"clicks,omitempty"`
	Impressions int64 `json:"impressions,omitempty"`
}

// Column titles by which a number is recognised, in lower case.
var (
	clickTitles      = []string{"clicks", "klicks", "clics", "clic", "cliques", "клики", "hits", "visits", "sessions", "requests", "count"}
	impressionTitles = []string{"impressions", "impressionen", "impresiones", "impressões", "показы", "views"}
)

// ReadKnown reads URLs from a text of one a line, or from a table with commas,
// semicolons or tabs between its columns. column names the column that holds
// the URL, by its title or 1-based number; "" = the first one that holds one.
func ReadKnown(r io.Reader, column string) (*Known, error) {
	k := &Known{hosts: map[string][]byte{}}
	in := bufio.NewReaderSize(r, 1<<16)
	first, err := in.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	first, _, _ = bytes.Cut(bytes.TrimPrefix(first, []byte("\uFEFF")), []byte("\n"))
	rows := csv.NewReader(in)
	rows.Comma, rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = separator(first, column != ""), -1, true, true
	at, clicks, impressions := -1, -1, -1
	size := 0
	for n := 1; ; n++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return k, nil
		}
		if err != nil {
			return nil, err
		}
		if n == 1 {
			row[0] = strings.TrimPrefix(row[0], "\uFEFF")
			for i, title := range row {
				title = strings.ToLower(strings.TrimSpace(title))
				switch {
				case column != "" && (strings.EqualFold(title, column) || strconv.Itoa(i+1) == column):
					at = i
				case clicks < 0 && slices.Contains(clickTitles, title):
					clicks = i
				case impressions < 0 && slices.Contains(impressionTitles, title):
					impressions = i
				}
			}
			if column != "" && at < 0 {
				return nil, fmt.Errorf("there is no column %q; the first line has %q", column, row)
			}
		}
		if at < 0 {
			at = slices.IndexFunc(row, func(cell string) bool { return isHTTP(strings.TrimSpace(cell)) })
		}
		if at < 0 || at >= len(row) || !isHTTP(strings.TrimSpace(row[at])) {
			if n > 1 {
				k.NoURLs++
			}
			continue
		}
		loc := strings.TrimSpace(row[at])
		head, _, reason := split([]byte(loc))
		d, why := ParseDomain(withoutUser(string(head)))
		if reason != "" || why != "" {
			k.NoURLs++
			continue
		}
		b := k.hosts[d.Host]
		b = binary.AppendUvarint(b, uint64(len(loc)))
		b = append(b, loc...)
		b = binary.AppendUvarint(b, number(row, clicks))
		b = binary.AppendUvarint(b, number(row, impressions))
		k.hosts[d.Host] = b
		k.URLs++
		if size += len(loc) + 16; size > MaxKnown {
			return nil, fmt.Errorf("line %d: more than %d MB of URLs; split the file by site", n, MaxKnown>>20)
		}
	}
}

func isHTTP(s string) bool {
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

// number reads a cell such as "1,234", "1.234", "1 234" or "12.0"; 0 where it
// holds none. A point or comma with other than three digits behind it is that
// of a decimal fraction, which is cut off.
func number(row []string, i int) uint64 {
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
	return n
}

// blanks takes out what stands between groups of digits beside points and commas.
var blanks = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "\u2019", "")

// of yields the known URLs of a host.
func (k *Known) of(host string) iter.Seq2[[]byte, Weight] {
	return func(yield func([]byte, Weight) bool) {
		for b := k.hosts[host]; len(b) > 0; {
			n, w := binary.Uvarint(b)
			loc := b[w : w+int(n)]
			b = b[w+int(n):]
			clicks, w := binary.Uvarint(b)
			b = b[w:]
			impressions, w := binary.Uvarint(b)
			b = b[w:]
			if !yield(loc, Weight{int64(clicks), int64(impressions)}) {
				return
			}
		}
	}
}

// weigh notes what the site's known URLs are worth, so that a URL of a sitemap
// finds its weight.
func (s *site) weigh() {
	if s.auditor.Known == nil {
		return
	}
	s.weights = map[uint64]Weight{}
	for loc, w := range s.auditor.Known.of(s.domain.Host) {
		head, path, _ := split(loc)
		o, reason := s.origin(head)
		if reason != "" || w == (Weight{}) {
			continue
		}
		if len(path) == 0 {
			path = []byte("/")
		}
		hash := s.distinct.hash(o.index<<4, path)
		was := s.weights[hash] // the same URL with another fragment
		s.weights[hash] = Weight{was.Clicks + w.Clicks, was.Impressions + w.Impressions}
	}
}

// addKnown has the known URLs judged that nothing else has named.
func (s *site) addKnown() {
	if s.auditor.Known == nil {
		return
	}
	for loc := range s.auditor.Known.of(s.domain.Host) {
		s.add(nil, -1, &crawl.SitemapURL{Loc: loc, Kind: crawl.KindList})
	}
}

// Strangers returns the hosts of known URLs that are none of the sites in
// list, at most ten of them, in order: nobody will test them.
func (k *Known) Strangers(listed func(host string) bool) []string {
	var hosts []string
	for host := range k.hosts {
		if !listed(host) {
			hosts = append(hosts, host)
		}
	}
	slices.Sort(hosts)
	return hosts[:min(len(hosts), 10)]
}
