package findings

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

//go:embed sitemaps.tsv
var sitemapTable string

// sitemapFaults say, by the code of a note on a sitemap, which finding it is.
var sitemapFaults = readSitemapFaults(sitemapTable)

// sitemapFault is a row of sitemaps.tsv.
type sitemapFault struct {
	id        string // "" = no finding
	severity  engine.Severity
	of        string // what is counted: "sitemaps"; else things in them, and the details of the note are examples
	unless    string // a note that makes this one needless
	one, many string // words after the number
}

// readSitemapFaults reads the table, which a test checks.
func readSitemapFaults(table string) map[string]sitemapFault {
	faults := map[string]sitemapFault{}
	for row := range strings.Lines(table) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) < 7 {
			faults[cells[0]] = sitemapFault{}
			continue
		}
		var severity engine.Severity
		_ = severity.UnmarshalText([]byte(cells[2]))
		faults[cells[0]] = sitemapFault{cells[1], severity, cells[3], cells[4], cells[5], cells[6]}
	}
	return faults
}

// noteCount counts the notes of one code on the sitemaps of one Sitemap line.
type noteCount struct {
	urlCount
	detail   string // of the first note
	sitemaps int64
	first    string // the first of them
	entries  int64  // of these sitemaps
	hosts    []string
}

// Codes of notes that are another finding, or have another fix, in some cases.
const (
	wrongBase = "wrong_base"
	wrongHost = "wrong_host"
)

// AddSitemap adds what is wrong with a sitemap of some entries; line is that of robots.txt which names
// it, 0 = none.
// The notes of a sitemap have one entry for each code.
func (c *Collector) AddSitemap(line int, url string, entries int64, notes []crawl.Note) {
	c.addNotes(subject{line: int32(line)}, url, entries, notes)
}

// SetElsewhere says that no sitemap names a URL of this host: entries on other hosts then have a wrong
// base address. own is the address of this host.
func (c *Collector) SetElsewhere(own string, all bool) { c.own, c.elsewhere = own, all }

// AddPage adds what is wrong with a page.
func (c *Collector) AddPage(url string, notes []crawl.Note) {
	c.addNotes(subject{id: ofPages}, url, 0, notes)
}

const (
	ofSitemaps = "sitemaps" // sitemapFault.of
	ofHosts    = "hosts"    // likewise: entries, and the words have their hosts and their share
	ofPages    = "pages"    // id of subjects that are notes on pages
)

// addNotes adds notes on what has the URL, each with its code as detail of the subject. entries are
// those of a sitemap.
func (c *Collector) addNotes(about subject, url string, entries int64, notes []crawl.Note) {
	for i := range notes {
		if fault, needed := faultOf(&notes[i], notes); needed {
			about.detail = notes[i].Code
			t := c.noteCount(about)
			t.entries += entries
			t.add(&fault, url, &notes[i])
		}
	}
}

// faultOf returns the row of a note, and whether it is a finding beside the other notes on its sitemap.
func faultOf(n *crawl.Note, notes []crawl.Note) (fault sitemapFault, needed bool) {
	fault = sitemapFaults[n.Code]
	return fault, fault.id != "" && !slices.ContainsFunc(notes, func(n crawl.Note) bool { return n.Code == fault.unless })
}

// noteCount returns the count of a subject.
func (c *Collector) noteCount(key subject) *noteCount {
	if c.notes == nil {
		c.notes = map[subject]*noteCount{}
	}
	if c.notes[key] == nil && len(c.notes) >= maxSubjects {
		key.line = 0
	}
	if c.notes[key] == nil {
		c.notes[key] = &noteCount{}
	}
	return c.notes[key]
}

// add adds a note on a sitemap.
func (t *noteCount) add(fault *sitemapFault, url string, n *crawl.Note) {
	if t.sitemaps++; t.sitemaps == 1 {
		t.first, t.detail = url, n.Detail
		if n.Line > 0 {
			t.detail = fmt.Sprintf("line %d, byte %d: %s", n.Line, n.Byte, n.Detail)
		}
	}
	if fault.of == ofSitemaps {
		t.addURL(url)
		return
	}
	t.n += n.Count
	if n.Detail != "" {
		examples := append([]string{n.Detail}, n.More...)
		if fault.of == ofHosts {
			t.addHosts(examples)
		}
		t.samples = append(t.samples, examples[:min(len(examples), MaxSamples-len(t.samples))]...)
	}
}

// addHosts adds the origins of URLs.
func (t *noteCount) addHosts(urls []string) {
	for _, url := range urls {
		head, rest, _ := strings.Cut(url, "://")
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			rest = rest[:i]
		}
		if host := head + "://" + rest; !slices.Contains(t.hosts, host) && len(t.hosts) <= mostHosts {
			t.hosts = append(t.hosts, host)
		}
	}
}

// mostHosts is the number of hosts that [wording.Some] names.
const mostHosts = 3

// addNoteFindings adds the findings about sitemaps and pages.
func (b *builder) addNoteFindings() {
	keys := make([]subject, 0, len(b.notes))
	for key := range b.notes {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y subject) int {
		return cmp.Or(strings.Compare(x.detail, y.detail), strings.Compare(x.id, y.id), cmp.Compare(x.line, y.line))
	})
	for _, key := range keys {
		fault, t := sitemapFaults[key.detail], b.notes[key]
		if key.detail == crawl.NoteOtherHost && b.elsewhere {
			fault = sitemapFaults[wrongBase]
		}
		sources, of := ofSitemaps, fault.of
		if of == ofHosts {
			of = "entries"
		}
		if key.id == ofPages {
			if sources = ofPages; of == "entries" {
				of = ofPages
			}
		}
		found := b.addFinding(fault.id, key.line, &t.urlCount, fault.severity, fault.words(t, sources), "affected "+of)
		if found != nil && (fault.id == sitemapWrongBase || key.detail == wrongHost) {
			found.Fix = "Set the base address (site URL) of the sitemap's generator to " + b.own + ". Then publish the sitemap again."
		}
	}
}

// words describe the notes of one code: how many, the first case, and where it is.
func (f *sitemapFault) words(t *noteCount, sources string) string {
	words := wording.Thousands(t.n) + " " + wording.Verb(t.n, f.one, f.many)
	where := ", in " + t.first
	if t.sitemaps > 1 {
		where = fmt.Sprintf(", in %s %s, first in %s", wording.Thousands(t.sitemaps), sources, t.first)
	}
	switch {
	case f.id == sitemapWrongBase:
		words = wording.Verb(t.sitemaps, "the "+f.one, wording.Thousands(t.sitemaps)+" "+f.many)
		return words + " (found: " + wording.Some(t.hosts) + ")"
	case f.of == ofHosts:
		return words + where + ": " + wording.Percent(t.n, t.entries) + " of the entries, on " + wording.Some(t.hosts)
	case f.of != ofSitemaps && t.detail == "":
		return words + where
	case f.of != ofSitemaps:
		return words + ", such as " + t.detail + where
	case f.id == sitemapNotWellFormed && t.detail != "":
		return words + ". Strict parsers stop in " + wording.Verb(t.n, "", "the first in ") + t.detail
	case t.detail != "":
		return words + ": " + t.detail
	}
	return words
}
