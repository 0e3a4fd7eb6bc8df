package audit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit/table"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// Known has URLs from the user, such as an export of Google Search Console or of a log, with their
// clicks and impressions. They are tested in addition to those of the sitemaps. Sitemap URLs that
// are also in the list get their weight.
//
// A URL takes its own length and some ten bytes of memory, and MaxKnown bounds the total.
type Known struct {
	URLs     int64         // read
	NoURL    table.Skipped // rows without an absolute http or https URL
	TooLong  table.Skipped // lines, or rows of several lines, that are too long
	NoNumber table.Skipped // cells of numbers with another text; their URLs are read
	Column   int           // 0-based index of the column with the URLs; -1 = none

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

// KnownColumns are the columns that ReadKnown uses.
var KnownColumns = []table.Meaning{table.URL, table.Clicks, table.Impressions}

// ReadKnown reads URLs from a table or a list. A cell with a path needs a column with hosts, or the
// origin base; "" = there is none. Names and passwords of URLs are dropped. Rows that cannot be read
// are skipped and counted.
func ReadKnown(t *table.Table, base string) (*Known, error) {
	k := &Known{hosts: map[string][]byte{}, Column: t.Column(table.URL)}
	if k.Column < 0 {
		k.Column = t.Column(table.Path)
	}
	host, clicks, impressions := t.Column(table.Host), t.Column(table.Clicks), t.Column(table.Impressions)
	size := 0
	for row, err := range t.Rows() {
		if wrong := (*table.RowError)(nil); errors.As(err, &wrong) {
			k.addUnread(*wrong)
			continue
		}
		if err != nil {
			return nil, err
		}
		cell := row.Cell(max(k.Column, 0))
		loc := table.CleanURL(cell)
		if strings.HasPrefix(loc, "/") && !strings.HasPrefix(loc, "//") {
			if on := originOfHost(row.Cell(host)); on != "" {
				loc = on + loc
			} else if base != "" {
				loc = base + loc
			}
		}
		n := k.add(loc, k.number(row, clicks), k.number(row, impressions))
		if n == 0 {
			k.addUnread(table.RowError{Line: row.Line, Text: hideCredentials(cell), Why: whyNoURL(cell)})
		}
		if size += n; size > MaxKnown {
			return nil, fmt.Errorf("line %d: more than %d MB of URLs; split the file by site", row.Line, MaxKnown>>20)
		}
	}
	return k, nil
}

// originOfHost returns the origin of a cell with a host, or with an origin; "" = it has none.
func originOfHost(cell string) string {
	d, why := ParseDomain(cell)
	if cell == "" || why != "" {
		return ""
	}
	return d.Origin(firstScheme(d))
}

// whyNoURL explains why a cell is not a URL that can be tested.
func whyNoURL(cell string) string {
	switch {
	case cell == "":
		return "no URL"
	case strings.HasPrefix(cell, "/"):
		return "a path without a host"
	}
	return "no absolute http or https URL"
}

// addUnread notes a row without a URL, or one that is too long.
func (k *Known) addUnread(e table.RowError) {
	if e.Text == "" && e.Why != whyNoURL("") {
		k.TooLong.Add(e)
	} else {
		k.NoURL.Add(e)
	}
}

// add adds a URL with its numbers, and returns the bytes that it takes; 0 = it cannot be tested.
func (k *Known) add(loc string, clicks, impressions uint64) int {
	if !isHTTP(loc) {
		return 0
	}
	resolved, err := crawl.ResolveURL(loc)
	head, _, reason := split([]byte(resolved))
	d, why := ParseDomain(string(head))
	if err != nil || reason != "" || why != "" {
		return 0
	}
	if resolved != loc && strings.Contains(loc, "@") { // perhaps a name and a password
		loc = resolved
	}
	b := k.hosts[d.Host]
	b = binary.AppendUvarint(b, uint64(len(loc)))
	b = append(b, loc...)
	b = binary.AppendUvarint(b, clicks)
	b = binary.AppendUvarint(b, impressions)
	k.hosts[d.Host] = b
	k.URLs++
	return len(loc) + 16
}

func isHTTP(s string) bool {
	s = strings.ReplaceAll(s[:min(len(s), len("https://x"))], `\`, "/")
	return len(s) > 8 && (strings.EqualFold(s[:7], "http://") || strings.EqualFold(s[:8], "https://"))
}

// number reads the number of a cell and returns it plus one; 0 = it has none.
func (k *Known) number(row table.Row, column int) uint64 {
	cell := row.Cell(column)
	n, ok := table.Number(cell)
	if ok {
		return uint64(n) + 1
	}
	if cell != "" && strings.Trim(cell, "-–—") != "" && !strings.EqualFold(cell, "n/a") {
		k.NoNumber.Add(table.RowError{Line: row.Line, Text: cell, Why: "not a number"})
	}
	return 0
}

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

// All yields every known URL as written, with its weight, grouped by host. Hosts are sorted by name;
// URLs of a host are in the order of the list.
func (k *Known) All(yield func(string, Weight) bool) {
	for _, host := range slices.Sorted(k.allHosts) {
		for loc, weight := range k.urlsOf(host) {
			if !yield(string(loc), weight) {
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
